package decode

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// A Decoder finds the events of one program. It has no state of its own and may
// be used from many goroutines.
type Decoder struct {
	program  string
	encoding *base64.Encoding // padded, and no second way to write the same bytes
}

// New makes a decoder for a program by its address in base58.
func New(program string) *Decoder {
	return &Decoder{program: program, encoding: base64.StdEncoding.Strict()}
}

// Logs finds the program's events in the log of a transaction, whose elements
// are the lines. missing means that the node has no log, which is not the same
// as an empty one.
func (d *Decoder) Logs(lines []string, missing bool) Log {
	if missing {
		return Log{State: LogMissing}
	}
	var (
		log    Log
		frames [8]string // deeper stacks spill to the heap
		stack  = frames[:0]
	)
	for i, text := range lines {
		switch line := readLine(text); line.kind {
		case truncated:
			log.State = LogTruncated
			return log
		case data:
			if len(stack) == 0 {
				log.unattributable("line %d: data outside every invocation", i)
				return log
			}
			if stack[len(stack)-1] == d.program {
				log.add(d.readData(line.arg), i)
			}
		case invoke:
			if line.arg != strconv.Itoa(len(stack)+1) {
				log.unattributable("line %d: %s invoked at depth %.8s while %d run", i, line.id, line.arg, len(stack))
				return log
			}
			if line.id == d.program {
				log.Invocations++
			}
			stack = append(stack, line.id)
		case exit:
			if len(stack) == 0 || stack[len(stack)-1] != line.id {
				log.unattributable("line %d: %s ended while %s was running", i, line.id, running(stack))
				return log
			}
			stack = stack[:len(stack)-1]
		}
	}
	if len(stack) > 0 {
		log.unattributable("the log ended while %s was running", running(stack))
	}
	return log
}

func running(stack []string) string {
	if len(stack) == 0 {
		return "nothing"
	}
	return stack[len(stack)-1]
}

// readData reads what follows the prefix of a data line. emit! writes one slice;
// a line of none or several is no event, whatever its first slice holds.
func (d *Decoder) readData(text string) Event {
	var problem string
	switch slices := strings.Count(text, " ") + 1; {
	case text == "":
		problem = "no slice"
	case slices > 1:
		problem = strconv.Itoa(slices) + " slices: want 1"
	case strings.ContainsAny(text, "\r\n"): // base64's decoder would skip them
		problem = "line break in base64"
	default:
		raw, err := d.encoding.DecodeString(text)
		if err == nil {
			return Parse(raw)
		}
		problem = err.Error()
	}
	return Event{Kind: KindMalformed, Data: []byte(text), Problem: problem}
}

package decode

import (
	"fmt"
	"strings"
)

// A place is a line of text that the program wrote, not yet read.
type place struct {
	source Source
	line   int    // index in the log
	depth  int    // of the invocation, 1 for a top-level one
	text   string // after the prefix
}

// An attribution is what a log tells of the program beside its places.
type attribution struct {
	state       LogState
	problem     string // of LogUnattributable
	invocations int    // of the program, at any depth
	selfCalls   int    // those of them whose caller is the program
}

// attribute appends the places of the program to dst. Lines of others cost a
// look at their form and nothing else.
func (d *Decoder) attribute(dst []place, lines []string) ([]place, attribution) {
	var (
		a   attribution
		buf [8]string // deeper stacks spill to the heap
		run = frames(buf[:0])
	)
	for i, text := range lines {
		switch l := readLine(text, run.running()); l.kind {
		case truncated:
			a.state = LogTruncated
			return dst, a
		case data:
			if len(run) == 0 {
				a.lost(fmt.Sprintf("line %d: data outside every invocation", i))
				return dst, a
			}
			if run.running() == d.program {
				dst = append(dst, place{SourceLog, i, len(run), l.arg})
			}
		case message:
			if d.messages && len(run) > 0 && run.running() == d.program && mayBePayload(l.arg) {
				dst = append(dst, place{SourceMessage, i, len(run), l.arg})
			}
		case invoke, exit:
			caller := run.running()
			var problem string
			if run, problem = run.step(i, l); problem != "" {
				a.lost(problem)
				return dst, a
			}
			if l.kind == invoke && l.id == d.program {
				a.invocations++
				if caller == l.id {
					a.selfCalls++
				}
			}
		}
	}
	if problem := run.end(); problem != "" {
		a.lost(problem)
	}
	return dst, a
}

func (a *attribution) lost(problem string) {
	a.state, a.problem = LogUnattributable, problem
}

// minMessage is the length in base64 of the shortest text that is taken for an
// event: programs that print events so have discriminators of eight bytes.
const minMessage = 12

// mayBePayload tells base64 from sentences, nearly always at their first space.
func mayBePayload(text string) bool {
	if len(text) < minMessage || len(text)%4 != 0 {
		return false
	}
	body := strings.TrimRight(text[len(text)-2:], "=")
	text = text[:len(text)-2] + body
	for i := range len(text) {
		if c := text[i]; (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '+' && c != '/' {
			return false
		}
	}
	return true
}

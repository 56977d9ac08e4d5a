package decode

import "strings"

// The runtime's own words.
const (
	truncationMarker = "Log truncated"
	programPrefix    = "Program "
	dataPrefix       = "data: "
	messagePrefix    = "log: "
	successWord      = "success"
	failedPrefix     = "failed: "
	invokePrefix     = "invoke ["
)

// Base58 text of 32 bytes has 32 to 44 characters.
const (
	minIDLen = 32
	maxIDLen = 44
)

// lineKind says what part of the log's structure a line is.
type lineKind uint8

const (
	noise     lineKind = iota
	invoke             // Program <id> invoke [<depth>]
	exit               // Program <id> success, Program <id> failed: <text>
	data               // Program data: <arg>
	message            // Program log: <arg>
	truncated          // Log truncated
)

// A line is one element of a log, read as a whole.
type line struct {
	kind lineKind
	id   string // of invoke and exit
	arg  string // the depth's digits of an invoke, the slices of data, the text of a message
}

// readLine never looks into a line for structure: what does not have one of the
// forms from its first byte to its last is noise.
func readLine(text string) line {
	rest, ok := strings.CutPrefix(text, programPrefix)
	if !ok {
		if text == truncationMarker {
			return line{kind: truncated}
		}
		return line{}
	}
	if slices, ok := strings.CutPrefix(rest, dataPrefix); ok {
		return line{kind: data, arg: slices}
	}
	if text, ok := strings.CutPrefix(rest, messagePrefix); ok {
		return line{kind: message, arg: text}
	}
	id, rest := cutID(rest)
	if id == "" {
		return line{}
	}
	if rest == successWord {
		return line{kind: exit, id: id}
	}
	if text, ok := strings.CutPrefix(rest, failedPrefix); ok && printable(text) {
		return line{kind: exit, id: id}
	}
	if depth, ok := strings.CutPrefix(rest, invokePrefix); ok {
		if digits, ok := strings.CutSuffix(depth, "]"); ok && isNumber(digits) {
			return line{kind: invoke, id: id, arg: digits}
		}
	}
	return line{}
}

// cutID takes a program id and the space after it off the front of s; the id is
// empty if there is none.
func cutID(s string) (id, rest string) {
	n := strings.IndexByte(s, ' ')
	if n < minIDLen || n > maxIDLen {
		return "", ""
	}
	for i := range n {
		if !isBase58(s[i]) {
			return "", ""
		}
	}
	return s[:n], s[n+1:]
}

// Bitcoin's alphabet as two sets of bits: letters and digits without 0, O, I
// and l.
const (
	base58Below64 uint64 = 0x3fe000000000000
	base58From64  uint64 = 0x7ffeffe07ff7dfe
)

func isBase58(c byte) bool {
	if c < 64 {
		return base58Below64>>c&1 == 1
	}
	return base58From64>>(c-64)&1 == 1 // none left above 127
}

// isNumber reports whether s is a decimal number above 0, without leading zeros.
func isNumber(s string) bool {
	if s == "" || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// printable reports whether s has no control characters: with one, a line is
// not what the runtime writes.
func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f {
			return false
		}
	}
	return true
}

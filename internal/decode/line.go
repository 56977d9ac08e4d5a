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
// forms from its first byte to its last is noise. running is the id that the
// line is likely to have, checked before, or nothing; it only saves time.
func readLine(text, running string) line {
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
	n := len(running)
	known := 0 < n && n < len(rest) && rest[n] == ' ' && rest[:n] == running
	if !known {
		if n = strings.IndexByte(rest, ' '); n < minIDLen || n > maxIDLen {
			return line{}
		}
	}
	l := line{id: rest[:n]}
	l.kind, l.arg = readEvent(rest[n+1:])
	if l.kind == noise || !known && !isBase58(l.id) {
		return line{}
	}
	return l
}

// readEvent reads what stands behind an id.
func readEvent(rest string) (kind lineKind, depth string) {
	if rest == successWord {
		return exit, ""
	}
	if depth, ok := strings.CutPrefix(rest, invokePrefix); ok {
		if digits, ok := strings.CutSuffix(depth, "]"); ok && isNumber(digits) {
			return invoke, digits
		}
	}
	if text, ok := strings.CutPrefix(rest, failedPrefix); ok && printable(text) {
		return exit, ""
	}
	return noise, ""
}

// base58Values are the values of the characters of ASCII in Bitcoin's alphabet,
// letters and digits without 0, O, I and l; 0xff stands for no value.
const base58Values = "" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" +
	"\xff\x00\x01\x02\x03\x04\x05\x06\x07\x08\xff\xff\xff\xff\xff\xff" +
	"\xff\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\xff\x11\x12\x13\x14\x15\xff" +
	"\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f\x20\xff\xff\xff\xff\xff" +
	"\xff\x21\x22\x23\x24\x25\x26\x27\x28\x29\x2a\x2b\xff\x2c\x2d\x2e" +
	"\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38\x39\xff\xff\xff\xff\xff"

// noBase58 is set in what base58Value gives for a character without a value.
const noBase58 = 0x80

func base58Value(c byte) byte { return base58Values[c&0x7f] | c&noBase58 }

func isBase58(s string) bool {
	var all byte
	for i := range len(s) {
		all |= base58Value(s[i])
	}
	return all&noBase58 == 0
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

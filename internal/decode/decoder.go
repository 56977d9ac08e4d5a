package decode

import "encoding/base64"

// A Decoder finds what one program wrote into logs. It has no state of its own
// and may be used from many goroutines.
type Decoder struct {
	program  string
	messages bool             // read lines of text that are base64, too
	encoding *base64.Encoding // padded, and no second way to write the same bytes
}

// New makes a decoder for a program by its address in base58.
func New(program string) *Decoder {
	return &Decoder{program: program, encoding: base64.StdEncoding.Strict()}
}

// WithMessages makes one that takes the program's lines of text for payloads too
// where they are nothing but base64. Players choose what some programs print:
// it is for programs that are known to print their events so.
func (d *Decoder) WithMessages() *Decoder {
	with := *d
	with.messages = true
	return &with
}

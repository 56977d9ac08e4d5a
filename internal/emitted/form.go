package emitted

import (
	"fmt"

	"minesaudit/internal/decode"
)

// Form is what a profile says of a program's events: what they are, and by which
// ways they are emitted.
type Form struct {
	Layout   *decode.Layout
	In       decode.Where
	Messages bool           // in lines of text too
	Balance  decode.Balance // what a payout that no event publishes is read from
}

// Reader reads the events of a program by its address in base58.
func (f *Form) Reader(program string) (Reader, error) {
	reader, err := decode.NewReader(program, f.Layout, f.In, f.Messages)
	if err != nil {
		return Reader{}, fmt.Errorf("read events: %w", err)
	}
	return Reader{Reader: reader, balance: f.Balance}, nil
}

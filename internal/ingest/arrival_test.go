package ingest

import (
	"strings"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
)

// A settlement whose bytes do not fit is no settlement, and no silence either.
func TestAnEventThatCannotBeReadIsAProblem(t *testing.T) {
	t.Parallel()
	named := append([]byte{0xee, 0x31, 0x82, 0x63, 0xf9, 0xc8, 0x6f, 0x72}, make([]byte, 200)...) // MinesGameSettled, and too much
	account := [32]byte{7}
	for _, c := range []struct {
		name    string
		log     decode.Log
		problem string
	}{
		{"nothing amiss", decode.Log{}, ""},
		{"another event of the program", decode.Log{Unknown: 1, Events: []decode.Event{{Kind: decode.KindUnknown, Data: []byte("12345678 and more")}}}, ""},
		{"a line that is no event", decode.Log{Malformed: 1, Events: []decode.Event{{Kind: decode.KindMalformed, Data: []byte("YWI= YWI=")}}}, ""},
		{"an event by name", decode.Log{Malformed: 1, Events: []decode.Event{decode.Parse(named)}}, "malformed: MinesGameSettled of 208 bytes"},
		{"cut short", decode.Log{State: decode.LogTruncated}, "truncated"},
	} {
		a := arrival{tx: rpc.Tx{Accounts: [][32]byte{account}}, log: c.log, layout: decode.BuiltinLayout()}
		row := a.row(1)
		if !strings.HasPrefix(row.Problem, c.problem) || (c.problem == "") != (row.Problem == "") || (c.problem == "") != a.whole() {
			t.Errorf("%s: problem %q, whole %v; want %q", c.name, row.Problem, a.whole(), c.problem)
		}
		if (row.Problem != "") != (len(row.Accounts) == 1) {
			t.Errorf("%s: %d accounts kept", c.name, len(row.Accounts))
		}
	}
}

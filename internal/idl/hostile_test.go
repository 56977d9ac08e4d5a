package idl_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"minesaudit/internal/idl"
)

// Files that would grow far beyond their size if nothing held them: Parse must
// come back, and hold a small multiple of them.
func TestFilesThatWouldGrow(t *testing.T) {
	constants := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"defined":{"name":"G","generics":[{"kind":"const","value":"%d"}]}},`, i)
		}
		return b.String()
	}
	const (
		growing = `{"vec":{"defined":{"name":"G","generics":[{"kind":"type","type":{%q:{"generic":"T"}}}]}}}`
		byConst = `{"name":"G","generics":[{"kind":"const","name":"N"}],"type":{"kind":"struct","fields":[{"name":"f","type":{"array":["u8",{"generic":"N"}]}}]}}`
	)
	branching := `{"name":"G","generics":[{"kind":"type","name":"T"}],"type":{"kind":"struct","fields":[` +
		`{"name":"f","type":` + fmt.Sprintf(growing, "vec") + `},{"name":"g","type":` + fmt.Sprintf(growing, "option") + `}]}}`
	tests := []struct{ name, text string }{
		{"generics that branch", oneEvent(`{"defined":{"name":"G","generics":[{"kind":"type","type":"u8"}]}}`, branching)},
		{"a constant each", oneEvent(`{"tuple":[`+constants(40_000)+`"u8"]}`, byConst)},
		{"fields", oneEvent(`{"tuple":[`+strings.Repeat(`"u8",`, 500_000)+`"u8"]}`, ``)},
		{"a spelled tuple", oneEvent(`{"defined":"(`+strings.Repeat("u8,", 500_000)+`)"}`, ``)},
		{"spelled parentheses", oneEvent(`{"defined":"`+strings.Repeat("(", 500_000)+strings.Repeat(")", 500_000)+`"}`, ``)},
		{"space within types", oneEvent(strings.Repeat(`{"vec":`, 33)+`{"array":["u8",`+strings.Repeat(" ", 2<<20)+`3]}`+strings.Repeat("}", 33), ``)},
	}
	for _, test := range tests {
		if e := event(t, parse(t, test.text), "E"); !errors.Is(e.Broken, idl.ErrBounds) {
			t.Errorf("%s: %v", test.name, e.Broken)
		}
	}
}

// Types that lie in each other by the thousand, each compiled when those within
// it are: no bound but that of the bytes may stop them.
func TestLongChainsOfTypes(t *testing.T) {
	const n = 2000
	var types, events []string
	for i := range n {
		types = append(types, fmt.Sprintf(`{"name":"D%d","type":{"kind":"struct","fields":[{"name":"f","type":{"option":{"defined":"D%d"}}}]}}`, i, i+1))
	}
	for i := n - 1; i >= 0; i-- {
		events = append(events, fmt.Sprintf(`{"name":"E%d","fields":[{"name":"f","type":{"defined":"D%d"}}]}`, i, i))
	}
	parsed := parse(t, `{"events":[`+strings.Join(events, ",")+`],"types":[`+strings.Join(types, ",")+`,{"name":"D2000","type":{"kind":"struct"}}]}`)
	e := event(t, parsed, "E0")
	if e.Broken != nil {
		t.Fatal(e.Broken)
	}
	if got, err := e.AppendJSON(nil, []byte{1, 1, 0}); err != nil || string(got) != `{"f":{"f":{"f":{"f":null}}}}` {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := e.AppendJSON(nil, []byte(strings.Repeat("\x01", n))); !errors.Is(err, idl.ErrTooDeep) {
		t.Errorf("all of them: %v", err)
	}
}

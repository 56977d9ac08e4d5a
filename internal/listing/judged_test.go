package listing

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/txjson"
)

// Real mainnet transactions and IDLs, kept outside the repository because they
// are other people's data, and what is right about them.
const fixtures = "../../../shared/fixtures"

func needFixtures(t testing.TB) {
	t.Helper()
	if _, err := os.Stat(fixtures); err != nil {
		t.Skipf("the mainnet transactions are not here (../shared/fixtures beside the repository): %v", err)
	}
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func readFixture(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(fixture(t, name), into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// judged is an event, or a payload that is none, as a person found it.
type judged struct {
	Program, IDL, Name, Source string
	LogIndex, Depth            *int
	Ix, Pos, StackHeight       *int
	Data                       any
	TrailingBytes              int
}

func (j judged) place() string {
	if j.LogIndex != nil {
		return fmt.Sprintf("line %d", *j.LogIndex)
	}
	return fmt.Sprintf("ix %d.%d", *j.Ix, *j.Pos)
}

func (j judged) String() string {
	source := map[string]string{"log-data": "log", "log-msg": "log-msg", "cpi": "cpi"}[j.Source]
	depth := cmp.Or(j.Depth, j.StackHeight)
	text := fmt.Sprintf("%s %s of %s at %s", source, j.Name, j.Program, j.place())
	if depth != nil {
		text += fmt.Sprintf(" depth %d", *depth)
	}
	if j.TrailingBytes > 0 {
		text += " trailing"
	}
	return text
}

// listed is one line of output.
type listed struct {
	Program, Name, Source, Malformed, Unverifiable string
	Ordinal                                        int
	LogIndex                                       *int `json:"log_index"`
	Ix                                             []int
	Depth                                          int
	Data                                           any
}

func (l listed) place() string {
	if l.LogIndex != nil {
		return fmt.Sprintf("line %d", *l.LogIndex)
	}
	return fmt.Sprintf("ix %d.%d", l.Ix[0], l.Ix[1])
}

func (l listed) String() string {
	text := fmt.Sprintf("%s %s of %s at %s depth %d", l.Source, l.Name, l.Program, l.place(), l.Depth)
	if l.Malformed != "" {
		text += " " + l.Malformed
	}
	return text
}

// list runs a document through the reader and a lister, and sorts the lines.
func list(t *testing.T, program, alias string, document []byte) (events, malformed []listed, unverifiable []string) {
	t.Helper()
	file, err := idl.Parse(fixture(t, "idl/"+alias+".json"))
	if err != nil {
		t.Fatalf("%s: %v", alias, err)
	}
	l, err := New(program, file, Options{Messages: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []byte
	var p txjson.Parser
	for _, tx := range p.Parse(string(document)) {
		out = l.Append(out, &tx)
	}
	for line := range bytes.Lines(out) {
		var x listed
		if err := json.Unmarshal(line, &x); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch {
		case x.Unverifiable != "":
			unverifiable = append(unverifiable, x.Unverifiable)
		case x.Malformed != "" && x.Data == nil:
			malformed = append(malformed, x)
		default:
			events = append(events, x)
		}
	}
	if l.Counts.Events != len(events) || l.Counts.Unverifiable != len(unverifiable) {
		t.Errorf("counted %+v of %d events and %d unverifiable", l.Counts, len(events), len(unverifiable))
	}
	return events, malformed, unverifiable
}

func compare(t *testing.T, got []listed, want []judged) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d events %v, want %d %v", len(got), got, len(want), want)
	}
	for i, w := range want {
		g := got[i]
		text := g.String()
		if w.Depth == nil && w.StackHeight == nil {
			text = strings.Replace(text, fmt.Sprintf(" depth %d", g.Depth), "", 1)
		}
		if text != w.String() {
			t.Errorf("event %d is %s, want %s", i, text, w)
		}
		if !same(g.Data, w.Data) {
			t.Errorf("%s holds %v, want %v", g, g.Data, w.Data)
		}
	}
}

func TestMainnetTransactions(t *testing.T) {
	needFixtures(t)
	var manifest struct {
		Txs []struct{ ID, File, Expected string }
	}
	readFixture(t, "manifest.json", &manifest)
	total := 0
	for _, tx := range manifest.Txs {
		var expected struct {
			Pairs  []struct{ Program, IDL string } `json:"program_ids_with_idl"`
			Judged struct{ LogEvents, CPIEvents, Undecodable []judged }
		}
		readFixture(t, tx.Expected, &expected)
		for _, pair := range expected.Pairs {
			t.Run(tx.ID+" "+pair.IDL, func(t *testing.T) {
				mine := func(all []judged) []judged {
					return slices.DeleteFunc(slices.Clone(all), func(j judged) bool { return j.Program != pair.Program || j.IDL != pair.IDL })
				}
				events, malformed, doubts := list(t, pair.Program, pair.IDL, fixture(t, tx.File))
				compare(t, events, append(mine(expected.Judged.LogEvents), mine(expected.Judged.CPIEvents)...))
				total += len(events)
				if slices.Contains(doubts, "unattributable") {
					return // what follows the fault is nobody's
				}
				var places, want []string
				for _, m := range malformed {
					places = append(places, m.place())
				}
				for _, u := range mine(expected.Judged.Undecodable) {
					want = append(want, u.place())
				}
				if !reflect.DeepEqual(places, want) {
					t.Errorf("malformed at %v, want %v: %v", places, want, malformed)
				}
			})
		}
	}
	if total < 80 {
		t.Errorf("%d events in all", total)
	}
}

// The transactions of which not everything can be known, and no others.
func TestMainnetDoubts(t *testing.T) {
	needFixtures(t)
	want := map[string][]string{
		"carbon-nested_cpi_tx meteora_dlmm_legacy": {"no_keys"},        // account keys not recorded
		"drift-trigger drift_v2":                   {"unattributable"}, // begins within an invocation
		"drift-swift47 jupiter_v6":                 {"no_inner"},       // a log alone
		"frame-pump-create-buy pumpfun_2024":       {"no_inner"},
		"frame-pump-create-buy pumpfun_2025":       {"no_inner"},
		"vix-ev-XbXyUniNYySC jupiter_v6":           {"no_inner"}, // whose record lost them
	}
	var manifest struct {
		Txs []struct{ ID, File, Expected string }
	}
	readFixture(t, "manifest.json", &manifest)
	for _, tx := range manifest.Txs {
		var expected struct {
			Pairs []struct{ Program, IDL string } `json:"program_ids_with_idl"`
		}
		readFixture(t, tx.Expected, &expected)
		for _, pair := range expected.Pairs {
			name := tx.ID + " " + pair.IDL
			_, _, got := list(t, pair.Program, pair.IDL, fixture(t, tx.File))
			if !slices.Equal(got, want[name]) {
				t.Errorf("%s: %v, want %v", name, got, want[name])
			}
		}
	}
}

func TestDerivedLogs(t *testing.T) {
	needFixtures(t)
	var derived []struct {
		ID, IDL, Program string
		Logs             []string
		Judged           []judged
	}
	readFixture(t, "derived-logs.json", &derived)
	malformed := map[string][]string{
		"d-short-payload": {"short"},
		"d-odd-lines":     {"not_one_slice", "not_one_slice", "unknown_discriminator", "not_one_slice"},
	}
	doubts := map[string][]string{"d-trunc-middle": {"truncated"}}
	for _, test := range derived {
		t.Run(test.ID, func(t *testing.T) {
			for i := range test.Judged {
				test.Judged[i].Program = test.Program
			}
			document, err := json.Marshal(test.Logs)
			if err != nil {
				t.Fatal(err)
			}
			events, others, got := list(t, test.Program, test.IDL, document)
			compare(t, events, test.Judged)
			var reasons []string
			for _, m := range others {
				reasons = append(reasons, m.Malformed)
			}
			if !slices.Equal(reasons, malformed[test.ID]) || !slices.Equal(got, doubts[test.ID]) {
				t.Errorf("malformed %v, unverifiable %v; want %v, %v", reasons, got, malformed[test.ID], doubts[test.ID])
			}
		})
	}
}

// same compares our value with a judged one, which has bytes as {"hex"} or lists
// of numbers, and names of variants in camel case where the IDL has not.
func same(got, want any) bool {
	switch want := want.(type) {
	case map[string]any:
		if text, ok := want["hex"]; ok && len(want) == 1 {
			return got == text
		}
		members, ok := got.(map[string]any)
		if !ok || len(members) != len(want) {
			return false
		}
		for name, value := range members {
			other, ok := want[name]
			for key := range want {
				if !ok && len(want) == 1 && strings.EqualFold(key, name) {
					other, ok = want[key], true
				}
			}
			if !ok || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		if text, ok := got.(string); ok {
			return sameBytes(text, want)
		}
		list, ok := got.([]any)
		return ok && slices.EqualFunc(list, want, same)
	default:
		return got == want
	}
}

func sameBytes(text string, want []any) bool {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(want) {
		return false
	}
	for i, b := range raw {
		if want[i] != float64(b) {
			return false
		}
	}
	return true
}

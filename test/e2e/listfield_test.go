//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// list has `indexer decode` list every transaction of the minefield by its IDL alone, and holds the
// lines against what was emitted. An IDL does not say where events are: those in logs are listed too,
// and logs that were cut short are told of.
func (f *Minefield) list(t *testing.T, bin string) {
	t.Helper()
	var answers []byte
	truncated := 0
	for _, landed := range f.ledger.Landed() {
		raw, err := f.chain.answer(t.Context(), landed.Signature)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(append(answers, raw...), '\n')
		if landed.Code == 0 && slices.Contains(landed.Logs, truncationMarker) {
			truncated++
		}
	}
	file := filepath.Join(t.TempDir(), "transactions.jsonl")
	if err := os.WriteFile(file, answers, 0o644); err != nil {
		t.Fatal(err)
	}
	out, code := indexer(t, bin, "decode", "--idl", filepath.Join("testdata", "minefield.json"), "--signatures", file)
	if code != 3 {
		t.Errorf("exit code %d, want 3: some logs were cut short", code)
	}
	got := readListing(t, out)
	want := f.emitted()
	for line, n := range got.events {
		if n != want[line] {
			t.Errorf("listed %d times, emitted %d times: %s", n, want[line], line)
		}
	}
	for line := range want {
		if got.events[line] == 0 {
			t.Errorf("not listed: %s", line)
		}
	}
	for what, want := range map[string]int{
		"truncated": truncated, "forged": int(f.forged.Load()),
		"short": 2 * plays, "trailing": plays, "variant": plays, "in log": plays, "TableOpened": plays,
	} {
		if got.others[what] != want {
			t.Errorf("%d lines are %s, want %d", got.others[what], what, want)
		}
	}
}

// listing is what `indexer decode` prints, each line as often as it is there.
type listing struct {
	events map[string]int // events of games by CPI: signature, name and data
	others map[string]int // by what they are
}

func readListing(t *testing.T, out []byte) listing {
	t.Helper()
	l := listing{map[string]int{}, map[string]int{}}
	for line := range bytes.Lines(out) {
		var e struct {
			Signature, Name, Source, Malformed, Unverifiable string
			Data                                             json.RawMessage
		}
		if err := json.Unmarshal(line, &e); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		switch {
		case e.Malformed != "":
			l.others[e.Malformed]++
		case e.Unverifiable != "":
			l.others[e.Unverifiable]++
		case e.Source != "cpi":
			l.others["in "+e.Source]++
		case e.Name == "TableOpened":
			l.others[e.Name]++
		default:
			l.events[eventLine(e.Signature, e.Name, string(e.Data))]++
		}
	}
	return l
}

func eventLine(signature, name, data string) string { return signature + " " + name + " " + data }

// emitted are the lines of all events in the ledger.
func (f *Minefield) emitted() map[string]int {
	lines := map[string]int{}
	for _, g := range f.ledger.Games() {
		for _, s := range g.Starts {
			lines[eventLine(s.Signature.String(), "HandDealt", dealtJSON(dealt{s.Event, g.Edge}))]++
		}
		for _, s := range g.Ends {
			name, data := "", ""
			switch e := s.Event.(type) {
			case Settled:
				name, data = "HandFinished", finishedJSON(e)
			case Voided:
				name, data = "HandGivenBack", givenBackJSON(e)
			}
			lines[eventLine(s.Signature.String(), name, data)]++
		}
	}
	return lines
}

// The data of each event as it has to be listed.

func dealtJSON(d dealt) string {
	return fmt.Sprintf(`{"seat":%s,"sealed":"%x","slot":{"0":"%x"},"bet":{"lamports":"%d","odds":{"mines":%d,"edge_ppb":%d,"ceiling":"%d"},"give_back_after":%d},"at":"%d"}`,
		seatJSON(d.GameKey), d.Commit, d.SlotHash, d.Stake, d.Mines, d.EdgePPB, d.MaxPayout, d.RefundTimeout, d.StartedAt)
}

func finishedJSON(s Settled) string {
	var field []string
	for _, flag := range uncounted(flags(s.Mask)) {
		field = append(field, strconv.FormatBool(flag == 1))
	}
	result := `{"Burst":{}}`
	if !s.burst() {
		result = fmt.Sprintf(`{"CashedOut":{"times":"%d","paid":"%d"}}`, s.Multiplier, s.Payout)
	}
	return fmt.Sprintf(`{"seat":%s,"proof":{"seed":"%x","slot":{"0":"%x"},"field":[%s],"opened":"%x"},"hit":%d,"result":%s}`,
		seatJSON(s.GameKey), s.Seed, s.SlotHash, strings.Join(field, ","), uncounted(tiles(s.Revealed)), s.BustTile, result)
}

func givenBackJSON(v Voided) string {
	return fmt.Sprintf(`{"seat":%s,"lamports":"%d","by":%q}`, seatJSON(v.GameKey), v.Refund, v.Authority)
}

func seatJSON(k GameKey) string {
	return fmt.Sprintf(`{"table":%q,"player":%q,"hand":"%d"}`, k.Game, k.User, k.Nonce)
}

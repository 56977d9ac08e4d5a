package bets

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// A line is a record of a bet, by field.
type line map[string]any

func asJSON(t testing.TB, lines ...line) string {
	t.Helper()
	var b strings.Builder
	for _, l := range lines {
		raw, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(raw, '\n'))
	}
	return b.String()
}

func asCSV(lines ...line) string {
	var b strings.Builder
	columns := Fields()
	b.WriteString(strings.Join(columns, ",") + "\n")
	for _, l := range lines {
		var fields []string
		for _, column := range columns {
			text := ""
			if v, ok := l[column]; ok {
				text = `"` + strings.ReplaceAll(strings.Trim(fmt.Sprint(v), "[]"), `"`, `""`) + `"`
			}
			fields = append(fields, text)
		}
		b.WriteString(strings.Join(fields, ",") + "\n")
	}
	return b.String()
}

func auditText(t testing.TB, o Options, texts ...string) *Result {
	t.Helper()
	var sources []records.Source
	for i, text := range texts {
		sources = append(sources, records.Source{Name: fmt.Sprintf("file%d", i), Reader: strings.NewReader(text)})
	}
	r, err := Audit(sources, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func found(r *Result) []string {
	list := []string{}
	for _, f := range r.Findings {
		list = append(list, fmt.Sprintf("%d:%d %s %s %s", f.At.Source, f.At.Line, f.Check, f.Result, f.Reason))
	}
	return list
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

const seed = "fee74140a1"

// rolled is a bet on dice of known outcome: face 2.
func rolled() line {
	return line{
		"game": "dice", "server_seed": "fee74140", "server_seed_hash": hashOf("fee74140"), "client_seed": "d0155ceeb8af537b", "nonce": "1",
		"game_seed": "254734fe5f58c0375a2629ab6ccd069958fb98698dd6f2d2aeb550c235f59335", "selected": []int{3, 2, 5}, "face": 2, "win": true,
	}
}

// placed is a bet on a board of known mines.
func placed() line {
	return line{
		"game": "hmac-mines", "server_seed": "453c32d8104b8f5739efe4a2b0b94754f6a393f9aee1007494db2c36f80770d2",
		"server_seed_hash": hashOf("453c32d8104b8f5739efe4a2b0b94754f6a393f9aee1007494db2c36f80770d2"), "client_seed": "c441e8295df2", "nonce": "1743525658590",
		"mines": 3, "tiles": []int{6, 8, 1},
	}
}

// Each field that is changed fails what it must and nothing else.
func TestMutations(t *testing.T) {
	for _, test := range []struct {
		name   string
		bet    func() line
		mutate func(line)
		want   []string
	}{
		{"nothing of dice", rolled, func(line) {}, nil},
		{"nothing of mines", placed, func(line) {}, nil},
		{"server seed", rolled, func(l line) { l["server_seed"] = "fee74141"; delete(l, "game_seed") }, []string{"seed_hash fail mismatch", "outcome fail mismatch"}},
		{"server seed hash", rolled, func(l line) { l["server_seed_hash"] = hashOf("other") }, []string{"seed_hash fail mismatch"}},
		{"hash in capitals", rolled, func(l line) { l["server_seed_hash"] = strings.ToUpper(hashOf("fee74140")) }, nil},
		{"no hash", rolled, func(l line) { delete(l, "server_seed_hash") }, []string{"seed_hash inconclusive server_seed_hash_not_given"}},
		{"client seed", placed, func(l line) { l["client_seed"] = "c441e8295df3" }, []string{"outcome fail mismatch"}},
		{"nonce", placed, func(l line) { l["nonce"] = "1743525658591" }, []string{"outcome fail mismatch"}},
		{"game seed", rolled, func(l line) { l["game_seed"] = hashOf("x") }, []string{"game_seed fail mismatch"}},
		{"face", rolled, func(l line) { l["face"] = 3 }, []string{"outcome fail mismatch"}},
		{"win", rolled, func(l line) { l["win"] = false }, []string{"outcome fail mismatch"}},
		{"selected", rolled, func(l line) { l["selected"] = []int{3, 5} }, []string{"outcome fail mismatch"}},
		{"face alone", rolled, func(l line) { delete(l, "win"); delete(l, "selected") }, nil},
		{"win alone", rolled, func(l line) { delete(l, "face") }, nil},
		{"win without numbers", rolled, func(l line) { delete(l, "selected") }, []string{"outcome inconclusive selected_not_given"}},
		{"too many numbers", rolled, func(l line) { l["selected"] = []int{1, 2, 3, 4, 5, 6} }, []string{"outcome inconclusive refused_by_the_game"}},
		{"no outcome", rolled, func(l line) { delete(l, "face"); delete(l, "win") }, []string{"outcome inconclusive outcome_not_given"}},
		{"tiles", placed, func(l line) { l["tiles"] = []int{6, 8, 2} }, []string{"outcome fail mismatch"}},
		{"a tile less", placed, func(l line) { l["tiles"] = []int{6, 8} }, []string{"outcome fail mismatch"}},
		{"a tile twice", placed, func(l line) { l["tiles"] = []int{6, 8, 1, 1} }, []string{"outcome fail mismatch"}},
		{"tiles in another order", placed, func(l line) { l["tiles"] = []int{1, 6, 8} }, nil},
		{"mines", placed, func(l line) { l["mines"] = 4 }, []string{"outcome fail mismatch"}},
		{"too many mines", placed, func(l line) { l["mines"] = 26 }, []string{"outcome inconclusive refused_by_the_game"}},
		{"no count", placed, func(l line) { delete(l, "mines") }, []string{"outcome inconclusive mines_not_given"}},
		{"no tiles", placed, func(l line) { delete(l, "tiles") }, []string{"outcome inconclusive outcome_not_given"}},
	} {
		l := test.bet()
		test.mutate(l)
		want := []string{}
		verdict := verify.VerdictPass
		for _, finding := range test.want {
			want = append(want, "0:1 "+finding)
			if verdict = verify.VerdictFail; strings.Contains(finding, "inconclusive") {
				verdict = verify.VerdictInconclusive
			}
		}
		var each []*Bet
		o := Options{Each: func(b *Bet) error { each = append(each, b); return nil }}
		r := auditText(t, o, asJSON(t, l))
		if got := found(r); !slices.Equal(got, want) || r.Verdict() != verdict || len(each) != 1 || each[0].Verdict != verdict {
			t.Errorf("%s: %s, %q %+v, want %q", test.name, r.Verdict(), got, r.Bad, want)
			continue
		}
		if in := auditText(t, Options{}, asCSV(l)); in.Counts != r.Counts || in.Bets != 1 {
			t.Errorf("%s: CSV gives %v, JSON %v", test.name, in.Counts, r.Counts)
		}
	}
}

// A hash of bytes binds the seed only where the text can be written in one way.
func TestHashOfBytes(t *testing.T) {
	sum := sha256.Sum256([]byte{0xfe, 0xe7, 0x41, 0x40})
	l := rolled()
	l["server_seed_hash"] = hex.EncodeToString(sum[:])
	if r := auditText(t, Options{}, asJSON(t, l)); r.Verdict() != verify.VerdictPass || r.OfBytes != 1 {
		t.Errorf("%s, %d of bytes: %v", r.Verdict(), r.OfBytes, found(r))
	}
	l["server_seed"] = "FEE74140"
	delete(l, "game_seed")
	r := auditText(t, Options{}, asJSON(t, l))
	if got := found(r); got[0] != "0:1 seed_hash inconclusive hash_of_bytes_written_in_upper_case" || r.OfBytes != 0 {
		t.Errorf("%q", got)
	}
}

func TestNonces(t *testing.T) {
	with := func(nonce string, more ...any) line {
		l := line{"server_seed": seed, "server_seed_hash": hashOf(seed), "client_seed": "c", "nonce": nonce, "mines": 0, "tiles": []int{}}
		for i := 0; i < len(more); i += 2 {
			l[more[i].(string)] = more[i+1]
		}
		return l
	}
	mines := Options{Game: "hmac-mines"}
	r := auditText(t, mines, asJSON(t, with("5"), with("7"), with("6"), with("11"), with("11")), asCSV(with("5")))
	if r.Verdict() != verify.VerdictPass || r.Repeated != 2 || r.Bets != 4 || r.Gaps != 1 || r.Missing != 3 || r.GapList[0].From != 8 || r.GapList[0].To != 10 || r.GapList[0].ClientSeed != `"c"` {
		t.Errorf("a counter: %s, %d repeated, %+v %v %+v", r.Verdict(), r.Repeated, r.GapList, found(r), r.Bad)
	}
	// Used for another bet: the same outcome was known.
	other := with("5", "mines", 1)
	tiles, err := verify.HMACMines(verify.GameSeed(seed, "c", 5).String(), 1)
	if err != nil {
		t.Fatal(err)
	}
	other["tiles"] = tiles
	r = auditText(t, mines, asJSON(t, with("5"), other), asJSON(t, with("5", "client_seed", "d")))
	if got := found(r); !slices.Equal(got, []string{"0:2 nonce_unique fail nonce_reused"}) || r.Findings[0].Observed != "that of line 1 of file0" || r.Pairs != 2 {
		t.Errorf("reused: %q", got)
	}
	// Two ways to write one key.
	r = auditText(t, mines, asJSON(t, with("5", "client_seed", "b:c", "server_seed", "a", "server_seed_hash", hashOf("a")), with("5", "server_seed", "a:b", "server_seed_hash", hashOf("a:b"))))
	if got := found(r); !slices.Equal(got, []string{"0:2 nonce_unique fail nonce_reused"}) {
		t.Errorf("another way to write the key: %q", got)
	}
	// Times have no gaps.
	r = auditText(t, mines, asJSON(t, with("1743525658590"), with("1743525699999"), with("3")))
	if r.Gaps != 0 || r.Verdict() != verify.VerdictPass {
		t.Errorf("times: %+v", r.GapList)
	}
	r = auditText(t, mines, asJSON(t, with("-9223372036854775808"), with("-9223372036854775806"), with("1")))
	if r.Gaps != 2 || r.Missing != 1<<63-1 {
		t.Errorf("from the least: %d gaps of %d", r.Gaps, r.Missing)
	}
}

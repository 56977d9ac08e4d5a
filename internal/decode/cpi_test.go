package decode

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/base58"
)

func newFinder(t testing.TB) *Finder {
	t.Helper()
	f, err := NewFinder(program)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func authority(t testing.TB) string {
	t.Helper()
	key, _, err := solana.FindProgramAddress([][]byte{[]byte("__event_authority")}, solana.MustPublicKeyFromBase58(program))
	if err != nil {
		t.Fatal(err)
	}
	return key.String()
}

// The address of the seed is what the library of Solana derives, for programs
// whose first bump fails too.
func TestEventAuthority(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	later := 0
	for range 200 {
		var id solana.PublicKey
		for i := range id {
			id[i] = byte(r.Uint32())
		}
		want, bump, err := solana.FindProgramAddress([][]byte{[]byte("__event_authority")}, id)
		if err != nil {
			t.Fatal(err)
		}
		if bump < 255 {
			later++
		}
		if got, err := EventAuthority(id.String()); err != nil || got != want.String() {
			t.Errorf("%s: %s, %v; want %s", id, got, err, want)
		}
	}
	if later == 0 {
		t.Error("no program needs a second bump")
	}
	for _, bad := range []string{"", "x", program[:40], program + "1", strings.Repeat("0", 44)} {
		if got, err := EventAuthority(bad); err == nil {
			t.Errorf("%q has the authority %s", bad, got)
		}
	}
}

func TestDecodeBase58(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		raw := make([]byte, r.IntN(400))
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		for i := range min(len(raw), r.IntN(4)) {
			raw[i] = 0
		}
		got, ok := decodeBase58([]byte("x"), base58.Encode(raw))
		if !ok || !bytes.Equal(got, append([]byte("x"), raw...)) {
			t.Fatalf("%x: %x, %v", raw, got, ok)
		}
	}
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	for i := range alphabet {
		if got, ok := decodeBase58(nil, alphabet[i:i+1]); !ok || len(got) != 1 || int(got[0]) != i {
			t.Errorf("%c: %v, %v", alphabet[i], got, ok)
		}
	}
	for _, bad := range []string{"0", "a b", "l", "é", "11111111111\n", strings.Repeat("z", maxInstructionText+1)} {
		if got, ok := decodeBase58(nil, bad); ok {
			t.Errorf("%.20q gives %x", bad, got)
		}
	}
	longest := bytes.Repeat([]byte{0xff}, 10_240)
	if got, ok := decodeBase58(nil, base58.Encode(longest)); !ok || !bytes.Equal(got, longest) {
		t.Errorf("the longest data of an instruction: %d bytes, %v", len(got), ok)
	}
}

// calls makes a transaction of short notation, a word an instruction: its height,
// its program (P, A, S or ? for unknown) and what it holds (e = an event with the
// authority as sole account, see payloadOf; nothing = other data).
func calls(t testing.TB, text string) *Transaction {
	t.Helper()
	tx := &Transaction{KeysMissing: true, LogsMissing: true}
	names := map[byte]string{'P': program, 'A': attacker, 'S': system, '?': ""}
	outer, inner := -1, -1
	for word := range strings.FieldsSeq(text) {
		in := Instruction{Height: int(word[0] - '0'), Program: names[word[1]], Accounts: 1, Account: authority(t)}
		inner++
		if in.Height == 1 {
			outer, inner = outer+1, -1
		}
		in.Outer, in.Inner = outer, inner
		data := []byte("something else")
		if len(word) > 2 {
			data = payloadOf(word[2])
			switch word[2] {
			case 'a': // another account
				in.Account = attacker
			case 'u':
				in.Account = ""
			case '2':
				in.Accounts = 2
			case '0':
				in.Accounts, in.Account = 0, ""
			case 'n':
				in.NoData = true
			}
		}
		if in.Data = base58.Encode(data); word[len(word)-1] == 'b' {
			in.Data, in.Bytes = "", data
		}
		tx.Instructions = append(tx.Instructions, in)
	}
	return tx
}

func payloadOf(kind byte) []byte {
	switch kind {
	case 't': // another tag
		return append([]byte{1, 2, 3, 4, 5, 6, 7, 8}, sampleVoid()...)
	case 's': // a tag cut short
		return []byte(eventTag[:7])
	case 'z': // a tag and nothing
		return []byte(eventTag)
	}
	return append([]byte(eventTag), sampleVoid()...)
}

func TestEventsByCPI(t *testing.T) {
	tests := []struct {
		name, calls string
		at          [][2]int // of the events
		depth       int
		forged      []string
		doubt       Reason
	}{
		{"by itself", "1P 2Pe", [][2]int{{0, 0}}, 2, nil, ""},
		{"called by another", "1A 2P 3Pe", [][2]int{{0, 1}}, 3, nil, ""},
		{"after calls of its own", "1P 2A 3S 2S 2Pe", [][2]int{{0, 3}}, 2, nil, ""},
		{"several", "1P 2Pe 2Pe 1A 2S 1P 2Pe", [][2]int{{0, 0}, {0, 1}, {2, 0}}, 2, nil, ""},
		{"an event within an event's call", "1P 2Pe 3Pe", [][2]int{{0, 0}, {0, 1}}, 0, nil, ""},
		{"by the transaction", "1Pe", nil, 0, []string{"called by the transaction itself"}, ""},
		{"by the transaction, in bytes", "1Peb", nil, 0, []string{"called by the transaction itself"}, ""},
		{"by another", "1A 2Pe", nil, 0, []string{"called by " + attacker}, ""},
		{"by another after the program ended", "1A 2P 2Pe", nil, 0, []string{"called by " + attacker}, ""},
		{"by another within the program", "1P 2A 3Pe", nil, 0, []string{"called by " + attacker}, ""},
		{"of another program", "1A 2Ae", nil, 0, nil, ""},
		{"another tag", "1P 2Pt", nil, 0, nil, ""},
		{"half a tag", "1P 2Ps", nil, 0, nil, ""},
		{"a tag alone", "1P 2Pz", [][2]int{{0, 0}}, 2, nil, ""},
		{"another account", "1P 2Pa", nil, 0, []string{"signed by " + attacker}, ""},
		{"two accounts", "1P 2P2", nil, 0, []string{"2 accounts"}, ""},
		{"no account", "1P 2P0", nil, 0, []string{"0 accounts"}, ""},
		{"true among forged", "1A 2Pe 1P 2Pa 2Pe 1Pe", [][2]int{{1, 1}}, 2, []string{"called by", "signed by", "called by"}, ""},
		{"account not named", "1P 2Pu", nil, 0, nil, ReasonNoKeys},
		{"program not named", "1P 2?e", nil, 0, nil, ReasonNoKeys},
		{"caller not named", "1? 2Pe", nil, 0, nil, ReasonNoKeys},
		{"others not named", "1? 2? 2P 3Pe", [][2]int{{0, 2}}, 3, nil, ""},
		{"no data", "1P 2Pn", nil, 0, nil, ReasonForm},
		{"no data of others", "1A 2Sn 1Pn 2Pe", [][2]int{{1, 0}}, 2, nil, ""},
		{"no heights", "1P 0Pe", nil, 0, nil, ReasonNoHeight},
		{"no heights where there is no event", "1A 0S 0A 1P 2Pe", [][2]int{{1, 0}}, 2, nil, ""},
		{"height that skips one", "1P 3Pe", nil, 0, nil, ReasonNoHeight},
		{"height of a top-level instruction", "1P 1S", nil, 0, nil, ""},
		{"nothing after a doubt", "1P 2Pe 2Pu 2Pe", [][2]int{{0, 0}}, 2, nil, ReasonNoKeys},
	}
	f := newFinder(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := f.Events(calls(t, test.calls))
			if got.Doubt.Reason != test.doubt || (got.Doubt.Detail != "") != (test.doubt != "") {
				t.Errorf("doubt %+v, want %q", got.Doubt, test.doubt)
			}
			if len(got.List) != len(test.at) {
				t.Fatalf("%d events, want %v", len(got.List), test.at)
			}
			for i, p := range got.List {
				if p.Source != SourceCPI || p.Ordinal != uint32(i) || [2]int{p.Outer, p.Inner} != test.at[i] || test.depth > 0 && p.Depth != test.depth {
					t.Errorf("event %d: %+v, want it at %v", i, p, test.at[i])
				}
				if len(p.Data) > 0 && !bytes.Equal(p.Data, sampleVoid()) {
					t.Errorf("event %d holds %x", i, p.Data)
				}
			}
			if len(got.Forged) != len(test.forged) {
				t.Fatalf("forged %+v, want %v", got.Forged, test.forged)
			}
			for i, why := range test.forged {
				if !strings.Contains(got.Forged[i].Why, why) {
					t.Errorf("forged %q, want %q", got.Forged[i].Why, why)
				}
			}
		})
	}
}

func TestNoInnerInstructionsAreADoubt(t *testing.T) {
	tx := calls(t, "1P")
	tx.InnerMissing = true
	if got := newFinder(t).Events(tx); got.Doubt.Reason != ReasonNoInner {
		t.Errorf("%+v", got)
	}
}

// A record without heights is proved by a complete log, and by nothing less.
func TestHeightsByLog(t *testing.T) {
	log := lines("Program S invoke [1]", "Program S success", "Program P invoke [1]", "Program A invoke [2]", "Program A success",
		"Program P invoke [2]", "Program P success", "Program P success")
	const good = "1S 1P 0A 0Pe"
	tests := []struct {
		name, calls    string
		log            []string
		events, forged int
	}{
		{"complete", good, log, 1, 0},
		{"called by another", "1A 0Pe", lines("Program A invoke [1]", "Program P invoke [2]", "Program P success", "Program A success"), 0, 1},
		{"truncated", good, append(log[:len(log):len(log)], truncationMarker), 0, 0},
		{"cut off", good, log[:7], 0, 0},
		{"another program", "1S 1P 0S 0Pe", log, 0, 0},
		{"fewer instructions", "1S 1P 0Pe", log, 0, 0},
		{"more instructions", good + " 0S", log, 0, 0},
		{"an inner one on top", "1S 1P 1A 0Pe", log, 0, 0},
		{"none", good, nil, 0, 0},
	}
	f := newFinder(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tx := calls(t, test.calls)
			tx.Logs, tx.LogsMissing = test.log, false
			got := f.Events(tx)
			if len(got.List) != test.events || len(got.Forged) != test.forged {
				t.Errorf("%d events, forged %v, want %d and %d", len(got.List), got.Forged, test.events, test.forged)
			}
			if proved := got.Doubt.Reason == ""; proved != (test.events+test.forged > 0) {
				t.Errorf("doubt %+v", got.Doubt)
			}
		})
	}
	signed := calls(t, good)
	signed.Instructions = append([]Instruction{{Inner: -1, Program: "Ed25519SigVerify111111111111111111111111111", Height: 0}}, signed.Instructions...)
	signed.Logs, signed.LogsMissing = log, false
	if got := f.Events(signed); len(got.List) != 1 {
		t.Errorf("with a precompile, which logs nothing: %+v", got)
	}
	unlogged := calls(t, good)
	unlogged.Logs = log
	if got := f.Events(unlogged); len(got.List) != 0 {
		t.Errorf("a log that is missing proves %+v", got)
	}
}

func TestFind(t *testing.T) {
	selfCall := lines("Program P invoke [1]", "Program data: E", "Program P invoke [2]", "Program P success", "Program P success")
	foreign := lines("Program A invoke [1]", "Program data: E", "Program A success")
	tests := []struct {
		name     string
		tx       Transaction
		log, cpi int
		doubts   []Reason
	}{
		{"both ways", with(calls(t, "1P 2Pe"), selfCall), 1, 1, nil},
		{"a log alone that shows calls", Transaction{Logs: selfCall, KeysMissing: true, InnerMissing: true}, 1, 0, []Reason{ReasonNoInner}},
		{"a log alone without", Transaction{Logs: lines("Program P invoke [1]", "Program P success"), KeysMissing: true, InnerMissing: true}, 0, 0, nil},
		{"instructions lost", with(calls(t, "1P"), selfCall), 1, 0, []Reason{ReasonNoInner}},
		{"a call that the log has not", with(calls(t, "1P 2P 2Pe"), selfCall), 1, 2 - 1, []Reason{ReasonNoInner}},
		{"no log", *calls(t, "1P 2Pe"), 0, 1, []Reason{ReasonNoLog}},
		{"truncated, all by CPI", with(calls(t, "1P 2Pe"), lines("Program P invoke [1]", "Log truncated")), 0, 1, []Reason{ReasonTruncated}},
		{"cut off", with(calls(t, "1P"), lines("Program P invoke [1]")), 0, 0, []Reason{ReasonUnattributable}},
		{"two doubts", with(calls(t, "1P 2Pu"), lines("Program P invoke [1]", "Log truncated")), 0, 0, []Reason{ReasonTruncated, ReasonNoKeys}},
		{"not concerned", with(calls(t, "1A"), foreign), 0, 0, nil},
		{"not concerned, though nobody is named", with(calls(t, "1? 2?e"), foreign), 0, 0, nil},
		{"not among the keys, truncated", Transaction{Logs: lines("Program A invoke [1]", "Log truncated"), Keys: []string{attacker}}, 0, 0, nil},
		{"among the keys, truncated", Transaction{Logs: lines("Program A invoke [1]", "Log truncated"), Keys: []string{program}}, 0, 0, []Reason{ReasonTruncated}},
		{"not among the keys, no log", Transaction{LogsMissing: true, Keys: []string{attacker}}, 0, 0, nil},
	}
	f := newFinder(t)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := f.Find(&test.tx)
			if len(got.Log.List) != test.log || len(got.Calls.List) != test.cpi {
				t.Errorf("%d events in the log, %d by CPI, want %d, %d", len(got.Log.List), len(got.Calls.List), test.log, test.cpi)
			}
			var doubts []Reason
			for _, d := range got.Doubts {
				doubts = append(doubts, d.Reason)
			}
			if len(doubts) != len(test.doubts) || strings.Join(text(doubts), " ") != strings.Join(text(test.doubts), " ") {
				t.Errorf("doubts %v, want %v", got.Doubts, test.doubts)
			}
		})
	}
}

func with(tx *Transaction, log []string) Transaction {
	tx.Logs, tx.LogsMissing = log, false
	return *tx
}

func text(reasons []Reason) []string {
	var out []string
	for _, r := range reasons {
		out = append(out, string(r))
	}
	return out
}

package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// chainHash reads a hash of a test.
func chainHash(t testing.TB, s string) ChainHash {
	t.Helper()
	h, err := ParseChainHash(s)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

type chainVector struct {
	Secret      string
	N           uint64
	Checkpoints map[string]string
	Last        string
	Published   string `json:"published_sha256_of_last"`
	Rounds      []struct {
		Round uint64
		Hash  string
		Steps uint64 `json:"steps_to_published"`
	}
}

func chainVectors(t testing.TB) []chainVector {
	t.Helper()
	var file struct{ Cases []chainVector }
	readVectors(t, "hashchain.json", &file)
	if len(file.Cases) != 60 {
		t.Fatalf("%d chains, want 60", len(file.Cases))
	}
	return file.Cases
}

func TestChainVectors(t *testing.T) {
	for i, v := range chainVectors(t) {
		h := HashText(v.Secret)
		for n := uint64(0); n < v.N; n++ {
			if want, ok := v.Checkpoints[decimal(n)]; ok && h.String() != want {
				t.Fatalf("chain %d: hash %d is %s, want %s", i, n, h, want)
			}
			if n < v.N-1 {
				h = h.Next()
			}
		}
		if h.String() != v.Last || h.Next().String() != v.Published {
			t.Errorf("chain %d ends in %s, then %s", i, h, h.Next())
		}
	}
}

func TestCheckRoundVectors(t *testing.T) {
	for i, v := range chainVectors(t) {
		last, published := chainHash(t, v.Last), chainHash(t, v.Published)
		for _, r := range v.Rounds {
			h := chainHash(t, r.Hash)
			if steps, ok := Distance(h, published, v.N+1); !ok || steps != r.Steps {
				t.Errorf("chain %d: round %d is %d steps from the end, %v", i, r.Round, steps, ok)
			}
			for _, form := range []TerminalForm{EitherForm, FinalSHA256} {
				result, place, err := CheckRound(h, r.Round, published, form)
				if want := (Place{true, r.Round, FinalSHA256}); err != nil || result != ResultPass || place != want {
					t.Errorf("chain %d: round %d as %v: %v, %+v, %v", i, r.Round, form, result, place, err)
				}
			}
			for _, form := range []TerminalForm{EitherForm, FinalHash} {
				result, place, err := CheckRound(h, r.Round, last, form)
				if want := (Place{true, r.Round - 1, FinalHash}); err != nil || result != ResultPass || place != want {
					t.Errorf("chain %d: round %d as %v: %v, %+v, %v", i, r.Round, form, result, place, err)
				}
			}
		}
	}
}

func TestCheckRoundRefusesOtherRounds(t *testing.T) {
	hashes := []ChainHash{HashText("a secret")} // of round 6, 5, …, 1, and the one after
	for range 6 {
		hashes = append(hashes, hashes[len(hashes)-1].Next())
	}
	published, last := hashes[6], hashes[5]
	tests := []struct {
		name     string
		at       int // the hash's index
		round    uint64
		terminal ChainHash
		form     TerminalForm
		result   Result
		place    Place
	}{
		{"round 4", 2, 4, published, FinalSHA256, ResultPass, Place{true, 4, FinalSHA256}},
		{"as round 5", 2, 5, published, FinalSHA256, ResultFail, Place{true, 4, FinalSHA256}},
		{"as round 3", 2, 3, published, FinalSHA256, ResultFail, Place{false, 0, FinalSHA256}},
		{"not known which was published, as the next round", 2, 5, published, EitherForm, ResultPass, Place{true, 4, FinalHash}},
		{"not known which was published, two rounds off", 2, 6, published, EitherForm, ResultFail, Place{true, 4, EitherForm}},
		{"the last hash, as if its SHA-256", 2, 4, last, FinalSHA256, ResultFail, Place{true, 3, FinalSHA256}},
		{"the last hash", 2, 4, last, FinalHash, ResultPass, Place{true, 3, FinalHash}},
		{"its SHA-256, as if the last hash", 2, 4, published, FinalHash, ResultFail, Place{true, 4, FinalHash}},
		{"round 1 is the last hash", 5, 1, last, FinalHash, ResultPass, Place{true, 0, FinalHash}},
		{"another chain", 2, 4, HashText("another"), EitherForm, ResultFail, Place{false, 0, EitherForm}},
	}
	for _, test := range tests {
		result, place, err := CheckRound(hashes[test.at], test.round, test.terminal, test.form)
		if err != nil || result != test.result || place != test.place {
			t.Errorf("%s: %v, %+v, %v; want %v, %+v", test.name, result, place, err, test.result, test.place)
		}
	}
	for _, round := range []uint64{0, ChainLength + 1, 1<<64 - 1} {
		if _, _, err := CheckRound(published, round, published, EitherForm); err == nil || !strings.Contains(err.Error(), "1..10000000") {
			t.Errorf("round %d: error %v", round, err)
		}
	}
}

func TestTerminals(t *testing.T) {
	// From the page that publishes them.
	want := map[string]string{
		"platform": "eeb4d340bfaed702601b9a08faba2f8088c4810c3e3a883293accaf25053b883", "platforms": "",
		"crash": "c46f0705f6ba4df891ce44accda8f89f5a6fa8b987eb7c7b445280cf6cabfbc6", "rocket": "",
		"battle": "63cb1eb64ec4eb4de02f6bad85e42365d08f37497a1b7e907bd0b9183f27e1b3",
	}
	want["platforms"], want["rocket"] = want["platform"], want["crash"]
	for name, hash := range want {
		if terminal, ok := FindTerminal(name); !ok || terminal.Hash.String() != hash {
			t.Errorf("%s: %v, %v", name, terminal, ok)
		}
	}
	if _, ok := FindTerminal("dice"); ok {
		t.Error("dice has a chain")
	}
	for _, terminal := range Terminals() {
		chainHash(t, terminal.Hash.String())
	}
}

func TestParseChainHash(t *testing.T) {
	good := strings.Repeat("0123456789abcdef", 4)
	if h, err := ParseChainHash(good); err != nil || h.String() != good {
		t.Errorf("%s, %v", h, err)
	}
	for _, bad := range []string{
		"", good[1:], good + "0", strings.ToUpper(good), "g" + good[1:], "/" + good[1:], ":" + good[1:], "`" + good[1:], good[:63] + " ", "é" + good[2:],
	} {
		if _, err := ParseChainHash(bad); err == nil {
			t.Errorf("%q is taken for a hash", bad)
		}
	}
}

// Every digit at every place, against the common encoder.
func TestChainHashIsHex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum := drawHash(t, "sum")
		if got, want := hexText(&sum).String(), hex.EncodeToString(sum[:]); got != want {
			t.Fatalf("%s, want %s", got, want)
		}
		text := rapid.String().Draw(t, "text")
		first := sha256.Sum256([]byte(text))
		second := sha256.Sum256([]byte(hex.EncodeToString(first[:])))
		if got, want := HashText(text).Next().String(), hex.EncodeToString(second[:]); got != want {
			t.Fatalf("second hash of %q is %s, want %s", text, got, want)
		}
	})
}

func TestChainAllocates(t *testing.T) {
	if instrumented {
		t.Skip("counts allocations")
	}
	h, terminal := HashText("a"), HashText("b")
	if n := testing.AllocsPerRun(20, func() { Distance(h, terminal, 50) }); n != 0 {
		t.Errorf("%v allocations in 50 steps", n)
	}
}

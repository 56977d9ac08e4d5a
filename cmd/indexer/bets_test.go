package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// diceBet is a bet of the known answers, whose face is 2.
func diceBet() map[string]any {
	sum := sha256.Sum256([]byte("fee74140"))
	return map[string]any{
		"game": "dice", "server_seed": "fee74140", "server_seed_hash": hex.EncodeToString(sum[:]), "client_seed": "d0155ceeb8af537b", "nonce": "1",
		"selected": []int{3, 2, 5}, "face": 2, "win": true,
	}
}

func betLine(t *testing.T, change map[string]any) string {
	t.Helper()
	bet := diceBet()
	for field, value := range change {
		bet[field] = value
	}
	raw, err := json.Marshal(bet)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw) + "\n"
}

func TestBetsAudit(t *testing.T) {
	withoutEnv(t)
	good := betLine(t, nil)
	for _, test := range []struct {
		lines string
		args  []string
		code  int
		out   string
		err   string
	}{
		{good, nil, 0, "PASS: every server seed is the one whose hash was given", ""},
		{good + good, nil, 0, "given again     1 times the same", ""},
		{betLine(t, map[string]any{"face": 3}), nil, 1, "outcome fail: mismatch\n    expected  face 2, won\n    observed  face 3, won", ""},
		{betLine(t, map[string]any{"server_seed_hash": nil}), nil, 3, "seed_hash inconclusive: server_seed_hash_not_given", ""},
		{good + betLine(t, map[string]any{"face": 3}), nil, 1, "line 2 of standard input: nonce_unique fail: nonce_reused", ""},
		{good + "{", nil, 3, "line 2 of standard input: not a JSON object", ""},
		{betLine(t, map[string]any{"amount": 5}), nil, 3, "unknown field \"amount\"", ""},
		{betLine(t, map[string]any{"amount": 5}), []string{"--ignore", "amount,id"}, 0, "PASS", ""},
		{betLine(t, map[string]any{"game": nil}), []string{"--game", "dice"}, 0, "PASS", ""},
		{betLine(t, map[string]any{"game": nil}), nil, 3, "game: not given", ""},
		{good, []string{"--game", "rocket"}, 2, "", "--game: \"rocket\": want dice or hmac-mines"},
		{good, []string{"--json"}, 0, `"verdict":"pass"`, ""},
		{"a,b\n", nil, 2, "", "unknown field \"a\""},
		{"", nil, 3, "no bet was given", ""},
	} {
		withStdin(t, test.lines)
		code, out, err := indexer(append([]string{"bets", "audit", "-"}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(err, test.err) || (test.err == "") != (err == "") {
			t.Errorf("%q %v: exit %d, want %d with %q, %q\n%s%s", test.lines, test.args, code, test.code, test.out, test.err, out, err)
		}
		if test.out != "" && !strings.Contains(out, "millisecond that is the nonce") {
			t.Errorf("%q promises too much:\n%s", test.lines, out)
		}
	}
	if code, _, err := indexer("bets", "audit", filepath.Join(t.TempDir(), "none")); code != 2 || !strings.Contains(err, "no such file") {
		t.Errorf("exit %d: %s", code, err)
	}
}

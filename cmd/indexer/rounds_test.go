package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/verify"
)

// A testChain is a chain of rounds by the plain rule: hashes[n] is the hash of
// round n, and hashes[0] the terminal.
type testChain struct {
	hashes []verify.ChainHash
	dir    string
}

func newTestChain(t *testing.T, rounds int) *testChain {
	t.Helper()
	c := &testChain{make([]verify.ChainHash, rounds+1), t.TempDir()}
	h := verify.HashText("a secret")
	for n := rounds; n >= 0; n-- {
		c.hashes[n] = h
		h = verify.HashText(h.String())
	}
	return c
}

func (c *testChain) terminal() string { return c.hashes[0].String() }

// csv is rounds of Rocket, each line changed by change.
func (c *testChain) csv(t *testing.T, change func(n int, line string) string, rounds ...int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("round,hash,multiplier\n")
	for _, n := range rounds {
		rocket, err := verify.NewRocket(c.hashes[n].String())
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%d,%s,%.2f", n, c.hashes[n], rocket.Multiplier)
		if change != nil {
			line = change(n, line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// file is a file with a text.
func (c *testChain) file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(c.dir, name)
	write(t, path, text)
	return path
}

// onLine changes the line of one round.
func onLine(round int, from, to string) func(int, string) string {
	return func(n int, line string) string {
		if n == round {
			return strings.ReplaceAll(line, from, to)
		}
		return line
	}
}

func TestRoundsAudit(t *testing.T) {
	withoutEnv(t)
	c := newTestChain(t, 60)
	good := c.file(t, "good.csv", c.csv(t, nil, 3, 1, 2, 50, 49))
	hashes := c.file(t, "hashes.jsonl", `{"round":60,"hash":"`+c.hashes[60].String()+`"}`+"\n")
	wrong := c.file(t, "wrong.csv", c.csv(t, onLine(2, ",", ",1"), 1, 2, 3))
	wrongOutcome := c.file(t, "outcome.csv", c.csv(t, func(n int, line string) string { return line + "9" }, 7))
	broken := c.file(t, "broken.csv", c.csv(t, nil, 1, 2)+"3,abc,1.00\n")
	both := c.file(t, "both.csv", c.csv(t, func(n int, line string) string { return line + "9" }, 7)+"broken\n")
	header := c.file(t, "header.csv", "round,hash,time\n")
	empty := c.file(t, "empty.csv", "")
	chain := []string{"--chain", c.terminal(), "--terminal-form", "sha256", "--game", "rocket"}
	for _, test := range []struct {
		args []string
		code int
		out  string // in stdout
		err  string // in stderr
	}{
		{[]string{good}, 0, "PASS: every hash leads to the terminal, and every outcome is what its hash gives", ""},
		{[]string{good}, 0, "4 to 48", ""},
		{[]string{good, hashes}, 3, "round 60 (line 1 of " + hashes + "): outcome inconclusive: outcome_not_given", ""},
		{[]string{hashes}, 0, "PASS: every hash leads to the terminal; no outcome was claimed", ""},
		{[]string{good, good}, 0, "given again     5 times the same, 0 times something else", ""},
		{[]string{wrong}, 3, "line 3 of " + wrong, ""},
		{[]string{wrongOutcome}, 1, "round 7 (line 2 of " + wrongOutcome + "): outcome fail: mismatch", ""},
		{[]string{broken}, 3, "line 4 of " + broken + ": hash of 3 characters: want 64 hex digits", ""},
		{[]string{both}, 1, "line 3 of " + both, ""},
		{[]string{empty}, 3, "no round was given", ""},
		{[]string{header}, 2, "", "unknown field \"time\""},
		{[]string{header}, 2, "", "--ignore"},
		{[]string{header, "--ignore", "time"}, 3, "no round was given", ""},
		{[]string{c.dir}, 2, "", "is a directory"},
		{[]string{filepath.Join(c.dir, "none")}, 2, "", "no such file"},
		{[]string{"-", "-"}, 2, "", "standard input can be read once"},
		{[]string{good, "--checkpoints", good}, 2, "", "not the checkpoint file of this chain"},
		{nil, 2, "", "indexer rounds audit --help"},
	} {
		args := append(append([]string{"rounds", "audit"}, chain...), test.args...)
		code, out, err := indexer(args...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(err, test.err) {
			t.Errorf("%v: exit %d, want %d with %q, %q\n%s%s", test.args, code, test.code, test.out, test.err, out, err)
		}
		if (test.out == "") != (out == "") || (test.err == "") != (err == "") {
			t.Errorf("%v: stdout %q, stderr %q", test.args, out, err)
		}
		if test.out != "" && !strings.Contains(out, "What this does not prove") {
			t.Errorf("%v promises too much:\n%s", test.args, out)
		}
	}
	for _, test := range []struct {
		args []string
		code int
		err  string
	}{
		{[]string{"--chain", c.terminal(), good}, 2, "the chain's game is not known: give --game"},
		{[]string{"--chain", "crash", good}, 1, ""},
		{[]string{"--chain", "crash", "--game", "battle", good}, 2, "--game battle: the chain crash is that of rocket"},
		{[]string{"--chain", "crash", "--terminal-form", "final", good}, 2, "--terminal-form final"},
		{[]string{"--chain", "dice", good}, 2, "--chain \"dice\": want platform, crash, battle or 64 hex digits"},
		{[]string{good}, 2, "--chain"},
	} {
		code, out, err := indexer(append([]string{"rounds", "audit"}, test.args...)...)
		if code != test.code || !strings.Contains(err, test.err) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", test.args, code, test.code, test.err, out, err)
		}
	}
}

func TestRoundsAuditJSON(t *testing.T) {
	withoutEnv(t)
	c := newTestChain(t, 20)
	withStdin(t, c.csv(t, onLine(5, c.hashes[5].String(), c.hashes[6].String()), 1, 2, 5, 6, 7)+"x\n")
	code, out, errOut := indexer("rounds", "audit", "--chain", c.terminal(), "--game", "rocket", "--json", "-")
	var got struct {
		Verdict      string
		TerminalForm string `json:"terminal_form"`
		Rounds       int
		Fail         int
		Gaps         int
		GapList      [][2]int `json:"gap_list"`
		FindingList  []struct {
			Round         int
			Line          int
			File          string
			Check, Reason string
		} `json:"finding_list"`
		BadLines    int                  `json:"bad_lines"`
		BadLineList []struct{ Line int } `json:"bad_line_list"`
		NotProved   []string             `json:"not_proved"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || strings.Count(out, "\n") != 1 {
		t.Fatalf("%v\n%s%s", err, out, errOut)
	}
	if code != 1 || got.Verdict != "fail" || got.Rounds != 5 || got.Fail != 1 || got.Gaps != 1 || got.GapList[0] != [2]int{3, 4} || got.TerminalForm != "sha256_of_final_hash" ||
		got.BadLines != 1 || got.BadLineList[0].Line != 7 || len(got.NotProved) < 3 {
		t.Errorf("exit %d: %+v", code, got)
	}
	if f := got.FindingList[0]; f.Round != 5 || f.Line != 4 || f.File != "standard input" || f.Check != "chain" || f.Reason != "not_on_the_chain" {
		t.Errorf("%+v", f)
	}
	withStdin(t, c.csv(t, nil, 1, 3, 5, 7))
	_, out, _ = indexer("rounds", "audit", "--chain", c.terminal(), "--game", "rocket", "--json", "--findings", "0", "-")
	got.GapList = nil
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Gaps != 3 || len(got.GapList) != 0 {
		t.Errorf("%v: %s", err, out)
	}
}

func TestRoundsChain(t *testing.T) {
	withoutEnv(t)
	c := newTestChain(t, 100)
	from := c.hashes[100].String()
	file := filepath.Join(c.dir, "points")
	for _, test := range []struct {
		args []string
		code int
		out  string
		err  string
	}{
		{[]string{"--from", from, "--steps", "100"}, 0, "hash    " + c.terminal() + "\nhashed  100 times\n", ""},
		{[]string{"--from", from, "--steps", "0"}, 0, "hash    " + from, ""},
		{[]string{"--from", from, "--steps", "40", "--checkpoints", file, "--every", "7"}, 0, "hash    " + c.hashes[60].String() + "\nhashed  40 times\n", ""},
		{[]string{"--from", from, "--steps", "100", "--checkpoints", file, "--every", "7"}, 0, "hash    " + c.terminal() + "\nhashed  65 times, the rest taken from checkpoints\n", ""},
		{[]string{"--from", from, "--steps", "30", "--checkpoints", file, "--every", "7", "--json"}, 0, `"hash":"` + c.hashes[70].String() + `"`, ""},
		{[]string{"--from", from, "--steps", "100", "--checkpoints", file}, 2, "", "its checkpoints are 7 steps apart, not 10000"},
		{[]string{"--from", c.terminal(), "--steps", "100", "--checkpoints", file, "--every", "7"}, 2, "", "not the checkpoint file of this chain"},
		{[]string{"--from", strings.ToUpper(from), "--steps", "1"}, 2, "", "--from: hash with"},
		{[]string{"--from", from, "--steps", "9999999999999", "--checkpoints", file, "--every", "7"}, 2, "", "too many checkpoints"},
		{[]string{"--from", from, "--steps", "1", "--checkpoints", c.dir}, 2, "", "is a directory"},
		{[]string{"--from", from, "--steps", "1", "--every", "0"}, 2, "", "--every"},
		{[]string{"--from", from, "--steps", "-1"}, 2, "", "--steps"},
	} {
		code, out, err := indexer(append([]string{"rounds", "chain"}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(err, test.err) {
			t.Errorf("%v: exit %d, want %d with %q, %q\n%s%s", test.args, code, test.code, test.out, test.err, out, err)
		}
	}

	rounds := c.file(t, "rounds.csv", c.csv(t, nil, 90, 91, 95))
	audit := []string{"rounds", "audit", "--chain", c.terminal(), "--game", "rocket", "--checkpoints", file, rounds}
	if code, out, err := indexer(audit...); code != 0 || !strings.Contains(out, "What the checkpoints skip") {
		t.Errorf("with checkpoints: exit %d\n%s%s", code, out, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := strings.Replace(string(text), "\n14 ", "\n15 ", 1)
	write(t, file, damaged)
	if code, _, err := indexer(audit...); code != 2 || !strings.Contains(err, "damaged") || !strings.Contains(err, "line 3") {
		t.Errorf("a damaged file: exit %d: %s", code, err)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != damaged {
		t.Errorf("a damaged file was changed: %v", err)
	}
	write(t, file, string(text[:len(text)/2]))
	if code, _, err := indexer(audit...); code != 2 || !strings.Contains(err, "do not end at the chain's terminal") {
		t.Errorf("a file that was cut off: exit %d: %s", code, err)
	}
}

// Killed in the middle of its work, it goes on from its last checkpoint, and
// the file is what it would have been.
func TestRoundsChainKilled(t *testing.T) {
	withoutEnv(t)
	dir := t.TempDir()
	from := verify.HashText("killed").String()
	args := func(file string, steps string) []string {
		return []string{"rounds", "chain", "--from", from, "--steps", steps, "--every", "50", "--checkpoints", file}
	}
	killed := filepath.Join(dir, "killed")
	child := spawn(t, "indexer", nil, args(killed, "40000000")...)
	size := func() int64 {
		info, err := os.Stat(killed)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	for deadline := time.Now().Add(patience); size() < 50_000; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) || child.ended() {
			t.Fatalf("%d bytes of checkpoints\n%s", size(), child.text())
		}
	}
	if err := child.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-child.done
	if size() > 4_000_000 {
		t.Fatal("it had got too far before it was killed")
	}
	const steps = "2500000"
	code, out, errOut := indexer(args(killed, steps)...)
	whole := filepath.Join(dir, "whole")
	wantCode, wantOut, _ := indexer(args(whole, steps)...)
	if code != 0 || wantCode != 0 || !strings.Contains(out, "the rest taken from checkpoints") || strings.Split(out, "hashed")[0] != strings.Split(wantOut, "hashed")[0] {
		t.Fatalf("exit %d\n%s%swant\n%s", code, out, errOut, wantOut)
	}
	got, gotErr := os.ReadFile(killed)
	want, wantErr := os.ReadFile(whole)
	if gotErr != nil || wantErr != nil || string(got) != string(want) {
		t.Errorf("the files differ: %v, %v, %d bytes and %d", gotErr, wantErr, len(got), len(want))
	}
}

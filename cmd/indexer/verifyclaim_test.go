package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A cashed out game of one mine, in full.
func minesFlags(more ...string) []string {
	return append([]string{
		"mines", "--server-seed", "14fd16808fc2b3b0d02e2b488854483089530fc61699ab8eef6d69b1589975d4",
		"--slothash", "9c78d92ceeda65965758fecd48911d959a769d1766ae5b3688053798dfc8547d",
		"--user", "3fa27f67fd0753fd82b933e134b5eaee8d3976afcded155922aa74db264b914d", "--nonce", "831557", "--mines-count", "1",
	}, more...)
}

func claimFlags(more ...string) []string {
	return minesFlags(append([]string{
		"--commit-hash", "9ec0f8b8eb75d261233f3acd1b5d3c876e3cd51916b680307f0521710e8873fe", "--mines-mask", "0x2",
		"--revealed", "2,4,6,8,10,11,15,18,19,20,22,23,24", "--bust-tile", "none", "--house-edge-bps", "875",
		"--stake", "1000000000", "--max-payout", "18446744073709551615", "--multiplier", "19010",
	}, more...)...)
}

const roundHash = "ace25a2ab6889d7148e190394b78817614153e29eeabe01a9d501c212e6eadd4"

func TestVerifyByHand(t *testing.T) {
	withoutEnv(t)
	// A chain of the known answers: round 7 of 10, and what was published.
	const seventh = "48495b8a2972df830d8627fbb5c5c24023fa9f5c803d9258e0fdffc2a2f38ff7"
	const published = "3bce766ccf15877a5a91a62e1fce6fe5068541e8894dfdbbf168556997b2be2c"
	seeds := []string{"--server-seed", "fee74140", "--client-seed", "d0155ceeb8af537b", "--nonce", "1"}
	with := func(command string, flags []string, more ...string) []string {
		return append(append([]string{command}, flags...), more...)
	}
	for _, test := range []struct {
		args []string
		code int
		out  string // in stdout
		err  string // in stderr
	}{
		{minesFlags(), 3, "INCONCLUSIVE: nothing was given that could be checked", ""},
		{minesFlags(), 3, "    0 .  1 *  2 .", ""},
		{minesFlags("--explain"), 3, "draw  0: fc97a990 = 4237797776 < 4294967275, mod 25 = 1", ""},
		{claimFlags("--payout", "1901041666"), 0, "PASS: every check of the 10 that applies passed", ""},
		{claimFlags("--payout", "1901041666", "--explain"), 0, "payout     = floor(1000000000 x 365/192) = 1901041666", ""},
		{claimFlags("--payout", "1901041667"), 1, "FAIL: failed: payout", ""},
		{claimFlags(), 3, "INCONCLUSIVE: could not be checked: outcome, payout", ""},
		{minesFlags("--bust-tile", "1"), 3, "X bust: the mine that was hit", ""},
		{minesFlags("--mines-mask", "4"), 1, "+ published as a mine, is none", ""},
		{minesFlags("--revealed-mask", "0x80000000"), 1, "beyond the board", ""},
		{minesFlags("--revealed", "25"), 2, "", "--revealed: tile 25: want 0..24"},
		{minesFlags("--revealed", "3,3"), 2, "", "--revealed: tile 3 is named twice"},
		{minesFlags("--revealed", "3", "--revealed-mask", "8"), 2, "", "can't be used together"},
		{minesFlags("--mines-mask", "x"), 2, "", "--mines-mask: \"x\": want a number of 32 bits"},
		{minesFlags("--bust-tile", "25"), 2, "", "--bust-tile: 25 is out of range: want 0..24"},
		{minesFlags("--house-edge-bps", "10001"), 2, "", "--house-edge-bps: 10001 is out of range: want 0..10000"},
		{minesFlags("--mines-count", "25"), 2, "", "--mines-count: 25 is out of range: want 1..24"},
		{minesFlags("--profile", "builtin:x"), 2, "", "--profile: "},
		{[]string{"mines"}, 2, "", "indexer verify mines --help"},
		{with("dice", seeds, "--selected", "3,2,5"), 0, "won: the face is among", ""},
		{with("dice", seeds, "--selected", "3,5"), 0, "lost: the face is not among", ""},
		{with("dice", seeds, "--selected", "3", "--explain"), 0, "fee74140:d0155ceeb8af537b:1", ""},
		{with("dice", seeds[:4], "--selected", "3"), 2, "", "--nonce: not given"},
		{with("dice", nil, "--selected", "3"), 2, "", "--game-seed: not given, nor server_seed"},
		{with("hmac-mines", seeds, "--mines", "25"), 0, "25 *\n", ""},
		{[]string{"hmac-mines", "--game-seed", "43d2abf74e259e33d1c24e20d74dd81dc257a499109ba9db06e1c8657c96183d", "--mines", "9", "--explain"}, 0, "a mine already: passed over", ""},
		{with("hmac-mines", seeds, "--mines", "26"), 2, "", "--mines: 26 is out of range: want 0..25"},
		{[]string{"platforms", "--hash", roundHash, "--explain"}, 0, "last platform   13", ""},
		{[]string{"platforms", "--hash", "00"}, 2, "", "1 bytes: want 8 or more"},
		{[]string{"rocket", "--hash", roundHash, "--explain"}, 0, "multiplier      3.05", ""},
		{[]string{"rocket"}, 2, "", "indexer verify rocket --help"},
		{[]string{"battle", "--hash", roundHash, "--chances", "20,30,50", "--explain"}, 0, "participant 2, counted from 0", ""},
		{[]string{"battle", "--hash", strings.Repeat("f", 16), "--chances", "50,50"}, 3, "none", "no winner"},
		{[]string{"battle", "--hash", roundHash, "--chances", "20,30"}, 2, "", "want 99.99..100.01"},
		{[]string{"battle", "--hash", roundHash, "--chances", "NaN,100"}, 2, "", "chance NaN of participant 0"},
		{[]string{"chain", "--hash", seventh, "--round", "7", "--terminal", published, "--explain"}, 0, "step 7", ""},
		{[]string{"chain", "--hash", seventh, "--round", "6", "--terminal", published}, 1, "terminal_not_reached", ""},
		{[]string{"chain", "--hash", seventh, "--round", "7", "--terminal", "crash"}, 1, "terminal_not_reached", ""},
		{[]string{"chain", "--hash", seventh, "--terminal", published}, 3, "7 to the terminal", ""},
		{[]string{"chain", "--hash", seventh, "--terminal", "dice"}, 2, "", "--terminal: \"dice\": want platform, crash, battle"},
	} {
		code, out, err := indexer(append([]string{"verify"}, test.args...)...)
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
}

// The JSON of a game by hand is the line of a batch, with the steps.
func TestVerifyByHandJSON(t *testing.T) {
	withoutEnv(t)
	for _, args := range [][]string{
		claimFlags("--payout", "1901041666"), {"rocket", "--hash", roundHash}, {"dice", "--game-seed", roundHash, "--selected", "1"},
	} {
		_, out, err := indexer(append([]string{"verify"}, append(args, "--json", "--explain")...)...)
		var got struct {
			Game    string
			Error   *string
			Explain json.RawMessage
		}
		if jsonErr := json.Unmarshal([]byte(out), &got); jsonErr != nil || got.Game != args[0] || got.Error != nil || len(got.Explain) < 10 || strings.Count(out, "\n") != 1 {
			t.Errorf("%v: %v\n%s%s", args, jsonErr, out, err)
		}
	}
}

func TestVerifyBatch(t *testing.T) {
	withoutEnv(t)
	won := `{"game":"mines","server_seed":"14fd16808fc2b3b0d02e2b488854483089530fc61699ab8eef6d69b1589975d4","slothash":"9c78d92ceeda65965758fecd48911d959a769d1766ae5b3688053798dfc8547d",` +
		`"user":"3fa27f67fd0753fd82b933e134b5eaee8d3976afcded155922aa74db264b914d","nonce":"831557","mines_count":1,"commit_hash":"9ec0f8b8eb75d261233f3acd1b5d3c876e3cd51916b680307f0521710e8873fe",` +
		`"mines_mask":2,"revealed_mask":31231316,"bust_tile":null,"house_edge_bps":875,"stake":"1000000000","max_payout":"18446744073709551615","multiplier":"19010","payout":"1901041666"}`
	rocket := `{"game":"rocket","hash":"` + roundHash + `"}`
	for _, test := range []struct {
		lines string
		code  int
		err   string
	}{
		{won + "\n" + rocket + "\n", 0, "2 lines: 1 pass, 0 fail, 0 inconclusive, 1 without a verdict, 0 errors"},
		{"", 0, "0 lines"},
		{won + "\n" + strings.Replace(won, `"mines_mask":2`, `"mines_mask":4`, 1) + "\nbroken\n", 1, "1 pass, 1 fail, 0 inconclusive, 0 without a verdict, 1 errors"},
		{strings.Replace(won, `"mines_mask":2,`, "", 1), 3, "1 inconclusive"},
		{won + "\nbroken", 3, "1 errors"},
	} {
		withStdin(t, test.lines)
		code, out, err := indexer("verify", "batch")
		if code != test.code || !strings.Contains(err, test.err) || strings.Count(out, "\n") != strings.Count(strings.TrimSuffix(test.lines, "\n"), "\n")+min(1, len(test.lines)) {
			t.Errorf("%q: exit %d, want %d\n%s%s", test.lines, code, test.code, out, err)
		}
	}
	if code, _, err := indexer("verify", "batch", "--profile", "builtin:x"); code != 2 || !strings.Contains(err, "--profile") {
		t.Errorf("exit %d: %s", code, err)
	}
}

// withStdin gives the command line its standard input.
func withStdin(t *testing.T, text string) {
	t.Helper()
	file, err := os.CreateTemp(t.TempDir(), "stdin")
	if err != nil {
		t.Fatal(err)
	}
	write(t, file.Name(), text)
	stdin := os.Stdin
	t.Cleanup(func() {
		os.Stdin = stdin
		_ = file.Close()
	})
	os.Stdin = file
}

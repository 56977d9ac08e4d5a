//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// minefieldProfile writes testdata/minefield.yaml and its IDL into a folder of the test's, with the
// operator's key added. Its path is given.
func minefieldProfile(t *testing.T, operator string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"minefield.json", "minefield.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "minefield.yaml" {
			data = fmt.Appendf(data, "operators: [%s]\n", operator)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "minefield.yaml")
}

// indexer runs a subcommand and gives what it prints, and its exit code.
func indexer(t *testing.T, bin string, args ...string) (stdout []byte, code int) {
	t.Helper()
	var out, complaints bytes.Buffer
	cmd := exec.CommandContext(t.Context(), bin, args...)
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("indexer %q: %v", args, err)
	}
	code = cmd.ProcessState.ExitCode()
	if code == 2 || code == 4 {
		t.Fatalf("indexer %q: exit code %d\n%s", args, code, complaints.Bytes())
	}
	return out.Bytes(), code
}

// inspectField asks `indexer verify tx` for a game of each round and for one of each verdict, by its
// last transaction.
func (s *Stage) inspectField(t *testing.T, bin, profile string) {
	t.Helper()
	rounds := s.fieldRounds()
	seen := map[string]bool{}
	for _, g := range s.Field.ledger.Games() {
		kind := g.Verdict + " " + g.Status()
		if slices.ContainsFunc(rounds, func(r Round) bool { return r.Name == g.Name }) {
			kind = g.Name
		}
		if !seen[kind] {
			seen[kind] = true
			s.inspectGame(t, bin, profile, g)
		}
	}
	t.Logf("%d games inspected", len(seen))
}

// inspection is what the test reads of `indexer verify tx --json`.
type inspection struct {
	Verdict string `json:"verdict"`
	Games   []struct {
		Game    string `json:"game"`
		User    string `json:"user"`
		Nonce   string `json:"nonce"`
		Verdict string `json:"verdict"`
		Checks  []struct {
			Check    string `json:"check"`
			Result   string `json:"result"`
			Reason   string `json:"reason"`
			Expected string `json:"expected"`
			Observed string `json:"observed"`
		} `json:"checks"`
	} `json:"games"`
}

// inspectGame holds what an inspection says of a game, and the exit code, against the truth. A game
// that still runs has no verdict yet.
func (s *Stage) inspectGame(t *testing.T, bin, profile string, g *Game) {
	t.Helper()
	var signature solana.Signature
	if end := g.End(); end != nil {
		signature = end.Signature
	} else {
		signature = g.Starts[0].Signature
	}
	out, code := indexer(t, bin, "verify", "tx", signature.String(), "--profile", profile, "--rpc-url", s.Node.RPC, "--json")
	var got inspection
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%s: %q: %v", g.Name, out, err)
	}
	verdict, wantCode := g.Verdict, map[string]int{"pass": 0, "fail": 1}[g.Verdict]
	if !g.Over() || verdict == "inconclusive" {
		verdict, wantCode = "inconclusive", 3
	}
	if got.Verdict != verdict || code != wantCode || len(got.Games) != 1 {
		t.Errorf("%s: inspected as %s, exit code %d, want %s, %d and one game: %s", g.Name, got.Verdict, code, verdict, wantCode, out)
		return
	}
	of := got.Games[0]
	if key := of.Game + "/" + of.User + "/" + of.Nonce; key != g.key() {
		t.Errorf("%s: game %s, want %s", g.Name, key, g.key())
	}
	checks := map[string]checkRow{}
	for _, c := range of.Checks {
		checks[c.Check] = checkRow{c.Result, c.Reason, c.Expected, c.Observed}
	}
	compareChecks(t, g, checks)
}

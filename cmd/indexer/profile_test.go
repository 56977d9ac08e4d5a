package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const tilesIDL = "../../internal/decode/testdata/hidden_tiles.json"

// From an IDL to a profile that can be used, by the commands alone.
func TestProfileInitAndCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "profile.yaml")
	code, _, stderr := indexer("profile", "init", "--idl", tilesIDL, "-o", file)
	if code != exitGood || stderr != "" {
		t.Fatalf("init: exit %d: %s", code, stderr)
	}
	code, stdout, stderr := indexer("profile", "check", file)
	if code != exitGood || !strings.Contains(stdout, "voided by RoundClosed when reason.Cancelled") {
		t.Fatalf("check: exit %d: %s\n%s", code, stderr, stdout)
	}
	code, stdout, _ = indexer("profile", "check", "--json", file)
	var report struct {
		Events    []struct{ Event string }
		Checkable bool
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || code != exitGood || len(report.Events) != 4 || !report.Checkable {
		t.Errorf("exit %d, %v: %+v", code, err, report)
	}
	if code, _, stderr := indexer("profile", "init", "--idl", tilesIDL, "-o", file); code != exitUsage || !strings.Contains(stderr, "exists: name another file") {
		t.Errorf("init over a profile: exit %d: %s", code, stderr)
	}
}

func TestProfileInitPrints(t *testing.T) {
	code, stdout, _ := indexer("profile", "init", "--idl", tilesIDL, "--program", "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma")
	if code != exitGood || !strings.Contains(stdout, "\nprogram: 6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma\n") {
		t.Errorf("exit %d:\n%s", code, stdout)
	}
}

func TestProfileRefusals(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, test := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no IDL", []string{"init", "--idl", filepath.Join(dir, "none.json")}, exitUsage, "--idl: open"},
		{"not an IDL", []string{"init", "--idl", write("x.json", "{}")}, exitUsage, "not an Anchor IDL"},
		{"no events", []string{"init", "--idl", write("y.json", `{"instructions":[]}`)}, exitUsage, "has no events"},
		{"bad program", []string{"init", "--idl", tilesIDL, "--program", "x"}, exitUsage, "--program: "},
		{"nowhere to write", []string{"init", "--idl", tilesIDL, "-o", filepath.Join(dir, "no", "dir")}, exitUsage, "--output: "},
		{
			"no game of Mines",
			[]string{"init", "--idl", write("z.json", `{"instructions":[],"events":[{"name":"Swapped","fields":[]}]}`)},
			exitInconclusive, "does not look like a game of Mines",
		},
		{"broken profile", []string{"check", write("p.yaml", "keys: [game]\n")}, exitUsage, `line 1: unknown key "keys": did you mean "key"?`},
		{"no profile", []string{"check", filepath.Join(dir, "none.yaml")}, exitUsage, "no readable profile"},
	} {
		code, _, stderr := indexer(append([]string{"profile"}, test.args...)...)
		if code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%s: exit %d: %s", test.name, code, stderr)
		}
	}
	nothing := write("nothing.yaml", "idl: z.json\nkey: [game]\nsettled: {event: Swapped, fields: {game: id}}\n")
	write("z.json", `{"instructions":[],"events":[{"name":"Swapped","fields":[{"name":"id","type":"pubkey"}]}]}`)
	if code, stdout, stderr := indexer("profile", "check", nothing); code != exitInconclusive || !strings.Contains(stdout, "nothing can be checked") {
		t.Errorf("nothing to check: exit %d: %s\n%s", code, stderr, stdout)
	}
}

package main

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

const someProgram = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"

// withoutComments leaves the settings.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^#.*\n| # .*$`).ReplaceAllString(text, "")
}

// What config prints is a file that gives the same again.
func TestConfigReadsWhatItPrints(t *testing.T) {
	withoutEnv(t)
	t.Setenv("MINESAUDIT_RPC_URL", "https://node.example/KEYKEYKEY")
	code, first, stderr := indexer("config", "--program", someProgram, "--from", "77", "--keep-foreign", "720h", "--backfill-workers", "2", "--backfill-from-slot", "250000000", "--rpc-rate", "2.5", "--pprof", "--log-level", "warn")
	if code != exitGood {
		t.Fatalf("%d %s", code, stderr)
	}
	for _, want := range []string{
		"#   rpc_url: https://node.example ($MINESAUDIT_RPC_URL)\n", "#   ws_url: wss://node.example (follows from rpc_url)\n",
		"#   database_url: not set (default)\n", "program: " + someProgram + " # flag\n", "keep_foreign: 720h0m0s # flag\n", "backfill_workers: 2 # flag\n", "backfill_from_slot: 250000000 # flag\n", "listen: 127.0.0.1:9477 # default\n",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("no %q in\n%s", want, first)
		}
	}
	code, second, stderr := indexer("config", "--config", temporary(t, first))
	if code != exitGood || withoutComments(first) != withoutComments(second) {
		t.Errorf("%d %s\n%s\nbecame\n%s", code, stderr, first, second)
	}
	if !strings.Contains(second, "pprof: true # file\n") {
		t.Errorf("where it comes from:\n%s", second)
	}
}

func TestConfigTellsWhatIsWrong(t *testing.T) {
	withoutEnv(t)
	code, stdout, stderr := indexer("config", "--log-level", "loud")
	if code != exitUsage || stdout != "" {
		t.Errorf("%d %q", code, stdout)
	}
	for _, field := range []string{"--rpc-url ($MINESAUDIT_RPC_URL): not set", "--program", "--log-level"} {
		if !strings.Contains(stderr, field) {
			t.Errorf("no %q in %s", field, stderr)
		}
	}
	if code, _, _ := indexer("config", "--rpc-url", "http://node:65535", "--program", someProgram); code != exitUsage {
		t.Errorf("a websocket port that cannot follow: %d", code)
	}
}

func TestConfigNamesTheProgramOfTheProfile(t *testing.T) {
	withoutEnv(t)
	profile := temporary(t, "program: "+someProgram+"\n")
	code, stdout, stderr := indexer("config", "--json", "--rpc-url", "http://node", "--profile", profile)
	var got map[string]struct {
		Value any
		From  string
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitGood {
		t.Fatalf("%d %s: %v", code, stderr, err)
	}
	if p := got["program"]; p.Value != someProgram || p.From != "profile" {
		t.Errorf("program %+v", p)
	}
	if p := got["profile"]; p.Value != profile || p.From != "flag" {
		t.Errorf("profile %+v", p)
	}
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"minesaudit/internal/simchain"
)

// indexer runs the command line as main does.
func indexer(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// answer is the path of a captured getTransaction answer.
func answer(name string) string {
	return filepath.Join("..", "..", "internal", "inspect", "testdata", name+".json")
}

// withoutEnv keeps the caller's own settings out of a test.
func withoutEnv(t *testing.T) {
	t.Helper()
	for _, setting := range os.Environ() {
		if name, _, _ := strings.Cut(setting, "="); strings.HasPrefix(name, "MINESAUDIT_") {
			t.Setenv(name, "")
		}
	}
}

func TestVerifyFileExitCodes(t *testing.T) {
	withoutEnv(t)
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.json")
	profile := filepath.Join(dir, "profile.yaml")
	const other = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
	write(t, bad, "{")
	write(t, profile, "program: "+other+"\n")
	for _, test := range []struct {
		args []string
		code int
		out  string // in stdout
		err  string // in stderr
	}{
		{[]string{answer("none-won-start"), answer("none-won")}, 0, "PASS: cashed out", ""},
		{[]string{answer("extra-mine-start"), answer("extra-mine")}, 1, "FAIL: ", ""},
		{[]string{answer("none-won")}, 3, "INCONCLUSIVE: ", ""},
		{[]string{answer("none-won-start")}, 3, "PENDING: ", ""},
		{[]string{answer("failed")}, 3, "NO GAME: ", ""},
		{[]string{answer("none-won-start"), answer("none-won"), answer("none-lost")}, 3, "all together: inconclusive", ""},
		{[]string{answer("none-won-start"), answer("none-won"), "--program", other}, 3, "NO GAME: ", ""},
		{[]string{answer("none-won-start"), answer("none-won"), "--profile", profile}, 3, "NO GAME: ", ""},
		{[]string{answer("none-won"), "--profile", profile, "--program", "AKkzLhjhyFtM9j7WAhbaqYpFe49cXeJBg2kzLRC2PnNa"}, 2, "", "not the profile's program"},
		{[]string{answer("none-won"), "--program", "x"}, 2, "", "--program"},
		{[]string{answer("none-won"), "--profile", "builtin:x"}, 2, "", "--profile"},
		{[]string{bad}, 2, "", "bad.json"},
		{[]string{filepath.Join(dir, "none")}, 2, "", "no such file"},
		{nil, 2, "", "indexer verify file --help"},
		{[]string{answer("none-won"), "--nonsense"}, 2, "", "indexer verify file --help"},
	} {
		code, out, err := indexer(append([]string{"verify", "file"}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(err, test.err) {
			t.Errorf("%v: exit %d, want %d\n%s%s", test.args, code, test.code, out, err)
		}
		if (test.out == "") != (out == "") || (test.err == "") != (err == "") {
			t.Errorf("%v: stdout %q, stderr %q", test.args, out, err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestVerifyFileReadsStandardInput(t *testing.T) {
	withoutEnv(t)
	start, end := open(t, answer("none-won-start")), answer("none-won")
	stdin := os.Stdin
	t.Cleanup(func() { os.Stdin = stdin })
	os.Stdin = start
	if code, out, err := indexer("verify", "file", "-", end); code != 0 {
		t.Errorf("exit %d\n%s%s", code, out, err)
	}
}

func open(t *testing.T, path string) *os.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func TestVerifyJSON(t *testing.T) {
	withoutEnv(t)
	_, out, _ := indexer("verify", "file", "--json", "--explain", answer("extra-mine-start"), answer("extra-mine"))
	var got struct {
		Verdict string
		Games   []struct{ Explain *struct{ Draws []any } }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || got.Verdict != "fail" || len(got.Games[0].Explain.Draws) != 5 {
		t.Errorf("%v: %+v", err, got)
	}
}

func TestColoursAreForTerminals(t *testing.T) {
	if coloured(&bytes.Buffer{}) {
		t.Error("a buffer gets colours")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no terminal can be had: %v", err)
	}
	t.Cleanup(func() { _ = terminal.Close() })
	for noColour, want := range map[string]bool{"": true, "1": false} {
		t.Setenv("NO_COLOR", noColour)
		if coloured(terminal) != want {
			t.Errorf("NO_COLOR=%q: colours on a terminal: %v, want %v", noColour, !want, want)
		}
	}
}

// The node and the program may stand in the daemon's own file.
func TestVerifyReadsTheDaemonsFile(t *testing.T) {
	withoutEnv(t)
	chain, url := playedChain(t)
	file := filepath.Join(t.TempDir(), "minesaudit.yaml")
	write(t, file, "rpc_url: "+url+"\nprogram: "+chain.Program()+"\nlisten: 127.0.0.1:1\n")
	if code, out, err := indexer("verify", "tx", honest(t, chain), "--config", file); code != 0 {
		t.Errorf("tx: exit %d\n%s%s", code, out, err)
	}
	if code, out, _ := indexer("verify", "file", answer("none-won"), "--config", file); code != 3 || !strings.Contains(out, chain.Program()) {
		t.Errorf("file: exit %d\n%s", code, out)
	}
}

// playedChain serves a chain on which all games are over.
func playedChain(t *testing.T) (*simchain.Chain, string) {
	t.Helper()
	chain, err := simchain.New(simchain.Config{Seed: 9, Games: 40, Cheats: simchain.Cheats(), FinalitySlots: 5, TruncateEvery: 3})
	if err != nil {
		t.Fatal(err)
	}
	for over := false; !over; {
		if err := chain.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case <-chain.Done():
			over = true
		default:
		}
	}
	server := httptest.NewServer(chain.Handler())
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return chain, server.URL
}

// honest gives a signature of a game that passes.
func honest(t *testing.T, chain *simchain.Chain) string {
	t.Helper()
	for _, truth := range chain.Truth() {
		if truth.Verdict == "pass" {
			return truth.StartSignature
		}
	}
	t.Fatal("no game passes")
	return ""
}

func TestVerifyTx(t *testing.T) {
	withoutEnv(t)
	chain, url := playedChain(t)
	codes := map[string]int{"pass": 0, "fail": 1, "inconclusive": 3}
	seen := map[string]bool{}
	for _, truth := range chain.Truth() {
		seen[truth.Verdict] = true
		for _, signature := range []string{truth.StartSignature, truth.EndSignature} {
			code, out, err := indexer("verify", "tx", signature, "--rpc-url", url, "--program", chain.Program())
			if code != codes[truth.Verdict] || err != "" {
				t.Errorf("%q, truth %s: exit %d\n%s%s", truth.Cheat, truth.Verdict, code, out, err)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("only %v happened", seen)
	}
}

func TestVerifyTxExitCodes(t *testing.T) {
	withoutEnv(t)
	chain, url := playedChain(t)
	signature := honest(t, chain)
	tooNew := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32015,"message":"Transaction version (2) is not supported"}}`)
	}))
	t.Cleanup(tooNew.Close)
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for name, test := range map[string]struct {
		args []string
		code int
		want string
	}{
		"malformed signature": {[]string{"abc", "--rpc-url", url, "--program", chain.Program()}, 2, "signature: "},
		"no signature":        {[]string{"--rpc-url", url, "--program", chain.Program()}, 2, "indexer verify tx --help"},
		"no node":             {[]string{signature, "--program", chain.Program()}, 2, "--rpc-url ($MINESAUDIT_RPC_URL): not set"},
		"no program":          {[]string{signature, "--rpc-url", url}, 2, "--program ($MINESAUDIT_PROGRAM): not set"},
		"no history":          {[]string{signature, "--rpc-url", url, "--program", chain.Program(), "--max-history", "0"}, 2, "--max-history"},
		"bounded history":     {[]string{signature, "--rpc-url", url, "--program", chain.Program(), "--max-history", "1"}, 3, "not read to its"},
		"another program":     {[]string{signature, "--rpc-url", url, "--program", chain.Operator()}, 3, "does not run it"},
		"unknown":             {[]string{strings.Repeat("1", 63) + "2", "--rpc-url", url, "--program", chain.Program()}, 3, "no such transaction"},
		"version too new":     {[]string{signature, "--rpc-url", tooNew.URL, "--program", chain.Program()}, 3, "of a version that this program cannot read"},
		"refused":             {[]string{signature, "--rpc-url", gone.URL, "--program", chain.Program()}, 4, "getTransaction: unavailable"},
	} {
		code, out, err := indexer(append([]string{"verify", "tx"}, test.args...)...)
		if code != test.code || !strings.Contains(out+err, test.want) {
			t.Errorf("%s: exit %d, want %d with %q\n%s%s", name, code, test.code, test.want, out, err)
		}
	}
}

// The node's address comes from a file, and no part of it but the host is shown
// whatever goes wrong.
func TestVerifyTxKeepsTheNodesKey(t *testing.T) {
	withoutEnv(t)
	const key = "s3cr3tk3y0fth3n0d3"
	chain, url := playedChain(t)
	signature := honest(t, chain)
	secret := filepath.Join(t.TempDir(), "rpc")
	for name, address := range map[string]string{
		"good":    url + "/?api-key=" + key,
		"refused": "http://127.0.0.1:1/" + key,
		"user":    strings.Replace(url, "http://", "http://me:"+key+"@", 1),
		"bad":     "http://127.0.0.1:99999/" + key,
		"scheme":  "ftp://host/" + key,
	} {
		write(t, secret, address+"\n")
		t.Setenv("MINESAUDIT_RPC_URL_FILE", secret)
		code, out, err := indexer("verify", "tx", signature, "--program", chain.Program())
		if strings.Contains(out+err, key) {
			t.Errorf("%s (exit %d): the key is shown:\n%s%s", name, code, out, err)
		}
		if (code == 2 || code == 4) == (name == "good" || name == "user") {
			t.Errorf("%s: exit %d\n%s", name, code, err)
		}
	}
}

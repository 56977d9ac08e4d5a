package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"minesaudit/internal/config"
	"minesaudit/internal/idl"
	"minesaudit/internal/rpc"
)

// idlNode has one account, of the Program Metadata program; empty: none but the
// program itself.
func idlNode(t *testing.T, program, text string) string {
	t.Helper()
	key, err := config.ParseKey(program)
	if err != nil {
		t.Fatal(err)
	}
	address, err := idl.MetadataAddress(key, nil, "idl")
	if err != nil {
		t.Fatal(err)
	}
	data := append([]byte{2}, key[:]...)
	data = append(data, make([]byte, 96-len(data))...)
	data[83], data[85] = 1, 1 // UTF-8, JSON; length 0 is all
	data = append(data, text...)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Params []any           `json:"params"`
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		value := "null"
		switch {
		case req.Params[0] == rpc.KeyString(address) && text != "":
			value = fmt.Sprintf(`{"owner":%q,"data":[%q,"base64"],"executable":false}`, rpc.KeyString(idl.MetadataProgram()), base64.StdEncoding.EncodeToString(data))
		case req.Params[0] == program:
			value = `{"owner":"11111111111111111111111111111111","data":["","base64"],"executable":true}`
		}
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"context":{"slot":1},"value":%s}}`, req.ID, value)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// From the chain to a profile that can be used.
func TestIDLFetch(t *testing.T) {
	withoutEnv(t)
	const program = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	text, err := os.ReadFile(tilesIDL)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, profile := filepath.Join(dir, "idl.json"), filepath.Join(dir, "profile.yaml")
	url := idlNode(t, program, string(text))
	code, stdout, stderr := indexer("idl", "fetch", program, "--rpc-url", url, "-o", file)
	if code != exitGood || stdout != "" || !strings.Contains(stderr, "5 events, from the account of the Program Metadata program") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != string(text) {
		t.Errorf("wrote %d bytes of %d, %v", len(got), len(text), err)
	}
	if code, _, stderr := indexer("profile", "init", "--idl", file, "-o", profile); code != exitGood {
		t.Errorf("init: exit %d: %s", code, stderr)
	}
	if code, stdout, stderr := indexer("profile", "check", profile); code != exitGood || !strings.Contains(stdout, "idl.json, 5 events, from slot 0") {
		t.Errorf("check: exit %d: %s\n%s", code, stderr, stdout)
	}
	if code, stdout, _ := indexer("idl", "fetch", program, "--rpc-url", url); code != exitGood || stdout != string(text) {
		t.Errorf("to standard output: exit %d", code)
	}
}

func TestIDLFetchRefusals(t *testing.T) {
	withoutEnv(t)
	const program = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	empty := idlNode(t, program, "")
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"x", "--rpc-url", empty}, exitUsage, "program: "},
		{[]string{program}, exitUsage, "--rpc-url ($MINESAUDIT_RPC_URL): not set"},
		{[]string{program, "--rpc-url", "ftp://x"}, exitUsage, "rpc-url"},
		{[]string{program, "--rpc-url", empty, "--authority", "y"}, exitUsage, "--authority: "},
		{[]string{program, "--rpc-url", empty}, exitInconclusive, "no usable IDL: Anchor's own account at "},
	} {
		code, _, stderr := indexer(append([]string{"idl", "fetch"}, test.args...)...)
		if code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%v: exit %d: %s", test.args, code, stderr)
		}
	}
}

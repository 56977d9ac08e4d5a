package idlfetch

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/rpc"
)

const (
	document = `{"address":"11111111111111111111111111111111","instructions":[],"events":[{"name":"A","fields":[]}]}`
	other    = `{"address":"11111111111111111111111111111111","instructions":[],"events":[]}`
)

func program() [32]byte { return [32]byte{7: 9} }

// An account as the node has it.
type account struct {
	owner      [32]byte
	data       []byte
	executable bool
}

// node serves accounts by address, and notes which were asked for.
type node struct {
	*rpc.Client
	mu       sync.Mutex
	accounts map[string]account
	asked    []string
	broken   bool
}

func newNode(t *testing.T, accounts map[[32]byte]account) *node {
	t.Helper()
	n := &node{accounts: map[string]account{rpc.KeyString(program()): {executable: true}}}
	for address, a := range accounts {
		n.accounts[rpc.KeyString(address)] = a
	}
	server := httptest.NewServer(n)
	t.Cleanup(server.Close)
	var err error
	if n.Client, err = rpc.NewClient(rpc.Config{URL: server.URL}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Client.Close)
	return n
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params []any           `json:"params"`
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil || req.Method != "getAccountInfo" {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.broken {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	address := req.Params[0].(string)
	n.asked = append(n.asked, address)
	value := "null"
	if a, ok := n.accounts[address]; ok {
		value = fmt.Sprintf(`{"owner":%q,"data":[%q,"base64"],"executable":%t}`,
			rpc.KeyString(a.owner), base64.StdEncoding.EncodeToString(a.data), a.executable)
	}
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"context":{"slot":42},"value":%s}}`, req.ID, value)
}

func legacyAddress(t *testing.T) [32]byte {
	t.Helper()
	address, err := idl.LegacyAddress(program())
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func metadataAddress(t *testing.T, authority *[32]byte) [32]byte {
	t.Helper()
	address, err := idl.MetadataAddress(program(), authority, "idl")
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func legacyAccount(t *testing.T, text string) account {
	t.Helper()
	var body bytes.Buffer
	w := zlib.NewWriter(&body)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	data := append([]byte{0x18, 0x46, 0x62, 0xbf, 0x3a, 0x90, 0x7b, 0x9e}, make([]byte, 32)...)
	data = binary.LittleEndian.AppendUint32(data, uint32(body.Len()))
	return account{owner: program(), data: append(data, body.Bytes()...)}
}

// metadataAccount has the text in itself (source 0), a URL (1) or the address of
// another account (2).
func metadataAccount(source byte, body []byte) account {
	p := program()
	data := append([]byte{2}, p[:]...)
	data = append(data, make([]byte, 32+1+1+16)...)
	data = append(data, 1, 0, 1, source) // UTF-8, not compressed, JSON
	data = binary.LittleEndian.AppendUint32(data, uint32(len(body)))
	return account{owner: idl.MetadataProgram(), data: append(append(data, make([]byte, 5)...), body...)}
}

func TestFetch(t *testing.T) {
	authority, far := [32]byte{1, 2}, [32]byte{3, 4}
	external := append(far[:], make([]byte, 8)...)
	legacy, metadata, theirs := legacyAddress(t), metadataAddress(t, nil), metadataAddress(t, &authority)
	for _, test := range []struct {
		name      string
		accounts  map[[32]byte]account
		authority *[32]byte
		text      string
		from      [32]byte
		notes     []string
	}{
		{"Anchor's own", map[[32]byte]account{legacy: legacyAccount(t, document)}, nil, document, legacy, nil},
		{"metadata", map[[32]byte]account{metadata: metadataAccount(0, []byte(document))}, nil, document, metadata, nil},
		{"both alike", map[[32]byte]account{legacy: legacyAccount(t, document), metadata: metadataAccount(0, []byte(document))}, nil, document, legacy, nil},
		{"both", map[[32]byte]account{legacy: legacyAccount(t, document), metadata: metadataAccount(0, []byte(other))}, nil, document, legacy, []string{"holds another one"}},
		{"the first is foreign", map[[32]byte]account{legacy: {owner: far, data: legacyAccount(t, document).data}, metadata: metadataAccount(0, []byte(document))}, nil, document, metadata, nil},
		{"the first is a URL's", map[[32]byte]account{legacy: legacyAccount(t, document), metadata: metadataAccount(1, []byte("https://x"))}, nil, document, legacy, nil},
		{"someone else's", map[[32]byte]account{legacy: legacyAccount(t, other), theirs: metadataAccount(0, []byte(document))}, &authority, document, theirs, nil},
		{"external", map[[32]byte]account{metadata: metadataAccount(2, external), far: {owner: authority, data: []byte(document)}}, nil, document, metadata, []string{"the text lies in the account"}},
	} {
		n := newNode(t, test.accounts)
		found, err := Fetch(t.Context(), Source{Client: n.Client, Program: program(), Authority: test.authority})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		notes := slices.DeleteFunc(found.Notes, func(note string) bool { return strings.HasPrefix(note, "it says that it is of program") })
		if string(found.JSON) != test.text || found.Address != test.from || found.Slot != 42 || len(notes) != len(test.notes) {
			t.Errorf("%s: %+v", test.name, found)
			continue
		}
		for i, want := range test.notes {
			if !strings.Contains(notes[i], want) {
				t.Errorf("%s: note %q, want %q", test.name, notes[i], want)
			}
		}
		if len(notes) == len(found.Notes) {
			t.Errorf("%s: nothing is said of the other program's address in it", test.name)
		}
	}
}

// Where there is no IDL it is said where it was looked for, and what was there.
func TestFetchNone(t *testing.T) {
	far := [32]byte{3, 4}
	external := append(far[:], make([]byte, 8)...)
	legacy, metadata := legacyAddress(t), metadataAddress(t, nil)
	both := []string{rpc.KeyString(legacy), rpc.KeyString(metadata)}
	for _, test := range []struct {
		name     string
		accounts map[[32]byte]account
		want     []string
	}{
		{"nothing", nil, append(both, "does not exist")},
		{"a URL", map[[32]byte]account{metadata: metadataAccount(1, []byte("https://x"))}, append(both, "names a URL, which is not fetched")},
		{"a loop", map[[32]byte]account{metadata: metadataAccount(2, external), far: metadataAccount(2, external)}, []string{rpc.KeyString(far)}},
		{"external and gone", map[[32]byte]account{metadata: metadataAccount(2, external)}, []string{rpc.KeyString(far), "which does not exist"}},
		{"another owner", map[[32]byte]account{legacy: {owner: far, data: legacyAccount(t, document).data}}, []string{"is not an account of this program's IDL"}},
		{"no IDL", map[[32]byte]account{metadata: metadataAccount(0, []byte(`{"kind":"rootNode"}`))}, []string{"holds what cannot be used", "Codama"}},
		{"no program", map[[32]byte]account{program(): {}}, []string{"is an account, and no program"}},
	} {
		n := newNode(t, test.accounts)
		_, err := Fetch(t.Context(), Source{Client: n.Client, Program: program()})
		if !errors.Is(err, ErrNone) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, want := range test.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in %v", test.name, want, err)
			}
		}
		if len(n.asked) > 4 {
			t.Errorf("%s: asked for %v", test.name, n.asked)
		}
	}
	n := newNode(t, nil)
	delete(n.accounts, rpc.KeyString(program()))
	if _, err := Fetch(t.Context(), Source{Client: n.Client, Program: program()}); !errors.Is(err, ErrNone) || !strings.Contains(err.Error(), "this cluster has no program") {
		t.Error(err)
	}
}

// What the node cannot do is not taken for an answer.
func TestFetchNodeFails(t *testing.T) {
	n := newNode(t, nil)
	n.broken = true
	if _, err := Fetch(t.Context(), Source{Client: n.Client, Program: program()}); rpc.ClassOf(err) != rpc.Auth || errors.Is(err, ErrNone) {
		t.Error(err)
	}
}

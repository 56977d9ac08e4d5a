package idl_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/idl"
)

const document = `{"instructions":[]}`

func program() [32]byte { return [32]byte{7: 9} }

func zlibbed(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	return squeezed(t, &b, zlib.NewWriter(&b), text)
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	return squeezed(t, &b, gzip.NewWriter(&b), text)
}

func squeezed(t *testing.T, b *bytes.Buffer, w io.WriteCloser, text []byte) []byte {
	t.Helper()
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// legacyAccount lays an account out by the numbers of its description; what
// follows the text is room for a longer one.
func legacyAccount(body []byte, room int) []byte {
	account := append([]byte{0x18, 0x46, 0x62, 0xbf, 0x3a, 0x90, 0x7b, 0x9e}, make([]byte, 32)...)
	account = binary.LittleEndian.AppendUint32(account, uint32(len(body)))
	return append(append(account, body...), make([]byte, room)...)
}

func metadataAccount(encoding, compression, format, source byte, body []byte) []byte {
	p := program()
	account := append([]byte{2}, p[:]...)
	account = append(account, make([]byte, 32+1+1+16)...)
	account = append(account, encoding, compression, format, source)
	account = binary.LittleEndian.AppendUint32(account, uint32(len(body)))
	return append(append(account, make([]byte, 5)...), body...)
}

func TestAccountsHoldIDLs(t *testing.T) {
	text := []byte(document)
	in64 := []byte(base64.StdEncoding.EncodeToString(text))
	tests := []struct {
		name  string
		owner [32]byte
		data  []byte
		want  string
	}{
		{"legacy", program(), legacyAccount(zlibbed(t, text), 0), document},
		{"legacy with room", program(), legacyAccount(zlibbed(t, text), 100), document},
		{"plain", idl.MetadataProgram(), metadataAccount(1, 0, 1, 0, text), document},
		{"gzip", idl.MetadataProgram(), metadataAccount(1, 1, 1, 0, gzipped(t, text)), document},
		{"zlib", idl.MetadataProgram(), metadataAccount(1, 2, 1, 0, zlibbed(t, text)), document},
		{"no encoding, no format", idl.MetadataProgram(), metadataAccount(0, 0, 0, 0, text), document},
		{"shown as base64", idl.MetadataProgram(), metadataAccount(3, 2, 1, 0, zlibbed(t, text)), document},
		{"text of base64", idl.MetadataProgram(), metadataAccount(3, 2, 1, 0, zlibbed(t, in64)), document},
		{"text of base58", idl.MetadataProgram(), metadataAccount(2, 0, 1, 0, []byte(base58.Encode(text))), document},
	}
	for _, test := range tests {
		got, err := idl.FromAccount(program(), test.owner, test.data)
		if err != nil || string(got.JSON) != test.want || got.External != nil {
			t.Errorf("%s: got %+v, %v", test.name, got, err)
		}
		for n := range test.data {
			if got, err := idl.FromAccount(program(), test.owner, test.data[:n]); err == nil && string(got.JSON) != test.want {
				t.Errorf("%s: the first %d bytes gave %q", test.name, n, got.JSON)
			}
		}
	}
}

func TestAccountsThatHoldNone(t *testing.T) {
	text := []byte(document)
	foreign := metadataAccount(1, 0, 1, 0, text)
	foreign[1] ^= 1
	buffer := metadataAccount(1, 0, 1, 0, text)
	buffer[0] = 1
	bomb := zlibbed(t, make([]byte, 64<<20))
	tests := []struct {
		name  string
		owner [32]byte
		data  []byte
		want  error
	}{
		{"another owner", [32]byte{1}, legacyAccount(zlibbed(t, text), 0), idl.ErrForeign},
		{"another account of the program", program(), make([]byte, 200), idl.ErrForeign},
		{"another program's metadata", idl.MetadataProgram(), foreign, idl.ErrForeign},
		{"a buffer", idl.MetadataProgram(), buffer, idl.ErrForeign},
		{"a URL", idl.MetadataProgram(), metadataAccount(1, 0, 1, 1, []byte("https://example.invalid/idl.json")), idl.ErrURL},
		{"YAML", idl.MetadataProgram(), metadataAccount(1, 0, 2, 0, text), idl.ErrNoIDL},
		{"an unknown source", idl.MetadataProgram(), metadataAccount(1, 0, 1, 3, text), idl.ErrNoIDL},
		{"an unknown compression", idl.MetadataProgram(), metadataAccount(1, 3, 1, 0, text), idl.ErrNoIDL},
		{"no JSON", idl.MetadataProgram(), metadataAccount(1, 0, 1, 0, []byte("idl")), idl.ErrNoIDL},
		{"nothing", program(), legacyAccount(nil, 0), idl.ErrNoIDL},
		{"no zlib", program(), legacyAccount(text, 0), idl.ErrNoIDL},
		{"a bomb", program(), legacyAccount(bomb, 0), idl.ErrBounds},
	}
	for _, test := range tests {
		if got, err := idl.FromAccount(program(), test.owner, test.data); !errors.Is(err, test.want) {
			t.Errorf("%s: got %.40q, %v; want %v", test.name, got.JSON, err, test.want)
		}
	}
}

func TestExternalContent(t *testing.T) {
	where := [32]byte{5: 3}
	body := zlibbed(t, []byte(document))
	reference := binary.LittleEndian.AppendUint32(where[:], 11)
	reference = binary.LittleEndian.AppendUint32(reference, uint32(len(body)))
	got, err := idl.FromAccount(program(), idl.MetadataProgram(), metadataAccount(1, 2, 1, 2, reference))
	if err != nil || got.JSON != nil || got.External == nil || got.External.Address != where {
		t.Fatalf("got %+v, %v", got, err)
	}
	account := append(append(make([]byte, 11), body...), 1, 2, 3)
	if text, err := got.External.Content(account); err != nil || string(text) != document {
		t.Errorf("got %q, %v", text, err)
	}
	if text, err := got.External.Content(account[:20]); !errors.Is(err, idl.ErrNoIDL) {
		t.Errorf("of a short account: %q, %v", text, err)
	}
	got.External.Length = 0 // the rest, the three bytes after the checksum too
	if text, err := got.External.Content(account); err != nil || string(text) != document {
		t.Errorf("to the end: %q, %v", text, err)
	}
}

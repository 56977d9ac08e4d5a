package idl_test

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"minesaudit/internal/idl"
)

// IDLs and payloads of mainnet programs, kept outside the repository because
// they are other people's data.
const fixtures = "../../../shared/fixtures"

func needFixtures(tb testing.TB) {
	tb.Helper()
	if _, err := os.Stat(fixtures); err != nil {
		tb.Skipf("the mainnet IDLs are not here (../shared/fixtures beside the repository): %v", err)
	}
}

func load(tb testing.TB, path string) *idl.IDL {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	parsed, err := idl.Parse(raw)
	if err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return parsed
}

func glob(tb testing.TB, pattern string) []string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, pattern))
	if err != nil || len(files) == 0 {
		tb.Fatalf("%s: %d files, %v", pattern, len(files), err)
	}
	return files
}

func TestMainnetIDLsLoad(t *testing.T) {
	needFixtures(t)
	var manifest struct {
		IDLs []struct {
			File   string
			Spec   string
			Events int
		}
	}
	raw, err := os.ReadFile(filepath.Join(fixtures, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &manifest); err != nil {
		t.Fatal(err)
	}
	if len(manifest.IDLs) == 0 {
		t.Fatal("no IDLs in the manifest")
	}
	for _, entry := range manifest.IDLs {
		parsed := load(t, filepath.Join(fixtures, entry.File))
		if len(parsed.Events) != entry.Events || parsed.Legacy != (entry.Spec == "legacy") {
			t.Errorf("%s: %d events, legacy %t; want %d, %s", entry.File, len(parsed.Events), parsed.Legacy, entry.Events, entry.Spec)
		}
		for _, e := range parsed.Events {
			if e.Broken != nil {
				t.Errorf("%s: %s: %v", entry.File, e.Name, e.Broken)
			}
			if got, ok := parsed.Match(append(e.Discriminator[:len(e.Discriminator):len(e.Discriminator)], 1, 2, 3)); !ok || got != e {
				t.Errorf("%s: %s is not matched by its discriminator", entry.File, e.Name)
			}
		}
	}
}

// A judgedPayload is one event's bytes. Data is absent where they do not fit.
type judgedPayload struct {
	Base64   []byte
	Name     string
	Data     any
	TooShort bool
}

type payloadFile struct {
	IDL      string
	Payloads []judgedPayload
}

func loadPayloads(tb testing.TB, path string) (*idl.IDL, payloadFile) {
	tb.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var file payloadFile
	if err := json.Unmarshal(raw, &file); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	return load(tb, filepath.Join(fixtures, "idl", file.IDL+".json")), file
}

func TestMainnetPayloads(t *testing.T) {
	needFixtures(t)
	read, refused, trailing := 0, 0, 0
	for _, path := range glob(t, "payload/*.json") {
		parsed, file := loadPayloads(t, path)
		for i, want := range file.Payloads {
			e, ok := parsed.Match(want.Base64)
			if !ok {
				t.Errorf("%s %d: no event has its discriminator", file.IDL, i)
				continue
			}
			got, err := e.AppendJSON(nil, want.Base64[len(e.Discriminator):])
			if want.Data == nil {
				refused++
				if err == nil || got != nil {
					t.Errorf("%s %d: %s: %s of bytes that do not fit", file.IDL, i, e.Name, got)
				}
				continue
			}
			read++
			if errors.Is(err, idl.ErrTrailing) { // the judge of the payloads does not say which
				trailing++
			} else if err != nil {
				t.Errorf("%s %d: %v", file.IDL, i, err)
				continue
			}
			var value any
			if err := json.Unmarshal(got, &value); err != nil {
				t.Errorf("%s %d: %v in %s", file.IDL, i, err, got)
				continue
			}
			if e.Name != want.Name || !same(value, want.Data, parsed.Legacy) {
				t.Errorf("%s %d: got %s %s\nwant %s %s", file.IDL, i, e.Name, got, want.Name, mustJSON(t, want.Data))
			}
		}
	}
	// Six are events of pump.fun in a newer layout than either of its IDLs.
	if read < 700 || refused != 5 || trailing != 6 {
		t.Errorf("%d payloads were read, %d of them with bytes left over, and %d refused: want most, 6 and 5", read, trailing, refused)
	}
}

// same compares our value with a judged one, which has bytes as {"hex"} or lists
// of numbers and, in legacy IDLs, names of variants in camel case.
func same(got, want any, legacy bool) bool {
	switch want := want.(type) {
	case map[string]any:
		if text, ok := want["hex"]; ok && len(want) == 1 {
			return got == text
		}
		members, ok := got.(map[string]any)
		if !ok || len(members) != len(want) {
			return false
		}
		for name, value := range members {
			other, ok := want[name]
			if !ok && legacy && len(want) == 1 {
				other, ok = foldedMember(want, name)
			}
			if !ok || !same(value, other, legacy) {
				return false
			}
		}
		return true
	case []any:
		if text, ok := got.(string); ok {
			return sameBytes(text, want)
		}
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range list {
			if !same(list[i], want[i], legacy) {
				return false
			}
		}
		return true
	default:
		return got == want
	}
}

func sameBytes(text string, want []any) bool {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(want) {
		return false
	}
	for i, b := range raw {
		if want[i] != float64(b) {
			return false
		}
	}
	return true
}

// foldedMember finds the one member of a variant by its name in any case.
func foldedMember(want map[string]any, name string) (any, bool) {
	for other, value := range want {
		if strings.EqualFold(other, name) {
			return value, true
		}
	}
	return nil, false
}

func mustJSON(t *testing.T, value any) string {
	t.Helper()
	var text strings.Builder
	if err := json.NewEncoder(&text).Encode(value); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

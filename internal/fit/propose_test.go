package fit

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/config"
	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
	"minesaudit/internal/idl/idltest"
)

const tiles = "../decode/testdata/hidden_tiles"

func read(t testing.TB, path string) *idl.IDL {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := idl.Parse(raw)
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file
}

// load reads a proposal as indexer run would.
func load(t testing.TB, text string) (config.Profile, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.LoadProfile(path)
}

func absolute(t testing.TB, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// What is guessed of programs with telling names is what people wrote down.
func TestProposeIsAsWritten(t *testing.T) {
	for name, events := range map[string]int{tiles: 4, "../../test/e2e/testdata/minefield": 4} {
		file := absolute(t, name+".json")
		p := Propose(Source{IDL: read(t, file), File: file})
		if !p.Mines || p.Found != events {
			t.Errorf("%s: mines is %v, %d events", name, p.Mines, p.Found)
		}
		got, err := load(t, p.Text)
		if err != nil {
			t.Errorf("%s: %v in\n%s", name, err, p.Text)
			continue
		}
		want, err := config.LoadProfile(name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		if got.Program != want.Program || got.EventsIn != decode.InBoth || got.Layout.EdgeScale() != want.Layout.EdgeScale() {
			t.Errorf("%s: program %s, events in %s, edges in parts of %d", name, got.Program, got.EventsIn, got.Layout.EdgeScale())
		}
		compare(t, got.Layout.Bounds(), want.Layout.Bounds())
	}
}

// compare holds guesses to what was written: what is no field is not guessed as
// one either.
func compare(t *testing.T, got, want []decode.Bound) {
	t.Helper()
	for i, b := range got {
		if i >= len(want) || b.Event != want[i].Event || b.When != want[i].When || b.Says != want[i].Says {
			t.Errorf("%s when %s: %s", b.Event, b.When, b.Says)
			continue
		}
		for _, f := range want[i].Fields {
			switch found := pathOf(b, f.Role); {
			case f.Path == "" && found.Path != "":
				t.Errorf("%s: %s is guessed as %s", b.Event, f.Role, found.Path)
			case f.Path != found.Path || f.As != found.As && f.Path != "":
				t.Errorf("%s: %s is %s as %s, want %s as %s", b.Event, f.Role, found.Path, found.As, f.Path, f.As)
			}
		}
	}
}

func pathOf(b decode.Bound, role decode.Role) decode.BoundField {
	for _, f := range b.Fields {
		if f.Role == role {
			return f
		}
	}
	return decode.BoundField{}
}

// The built-in events' own IDL gives back the built-in layout.
func TestProposeBuiltinNames(t *testing.T) {
	const text = `{"instructions":[],"metadata":{"address":"8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"},"events":[
	{"name":"MinesGameStarted","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
	 {"name":"minesCount","type":"u8"},{"name":"stake","type":"u64"},{"name":"commitHash","type":{"array":["u8",32]}},{"name":"slothash","type":{"array":["u8",32]}},
	 {"name":"houseEdgeBps","type":"u16"},{"name":"maxPayout","type":"u64"},{"name":"refundTimeout","type":"i64"},{"name":"startedAt","type":"i64"}]},
	{"name":"MinesGameSettled","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
	 {"name":"serverSeed","type":{"array":["u8",32]}},{"name":"slothash","type":{"array":["u8",32]}},{"name":"minesMask","type":"u32"},{"name":"revealedMask","type":"u32"},
	 {"name":"bustTile","type":{"option":"u8"}},{"name":"multiplier","type":"u64"},{"name":"payout","type":"u64"}]},
	{"name":"MinesGameVoided","fields":[{"name":"game","type":"publicKey"},{"name":"user","type":"publicKey"},{"name":"nonce","type":"u64"},
	 {"name":"refund","type":"u64"},{"name":"authority","type":"publicKey"}]}]}`
	path := filepath.Join(t.TempDir(), "idl.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	proposal := Propose(Source{IDL: read(t, path), File: path})
	p, err := load(t, proposal.Text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, proposal.Text)
	}
	report := Check(&p)
	for _, e := range report.Events {
		if len(e.Missing) > 0 {
			t.Errorf("%s: %v are missing in\n%s", e.Event, e.Missing, proposal.Text)
		}
	}
	for _, e := range report.Ends {
		if len(e.Open) > 0 {
			t.Errorf("%s by %s: %v", e.Outcome, e.Event, e.Open)
		}
	}
	if len(report.Ends) != 3 || !report.Checkable {
		t.Errorf("ends %+v", report.Ends)
	}
}

// Programs that have nothing to do with Mines get a profile that says so, and
// that is not fit to run by accident.
func TestProposeForeign(t *testing.T) {
	const dir = "../../../shared/fixtures/idl"
	files, _ := filepath.Glob(dir + "/*.json")
	if len(files) == 0 {
		t.Skipf("%s is not here: it holds other people's IDLs", dir)
	}
	for _, path := range files {
		file := read(t, path)
		p := Propose(Source{IDL: file, File: absolute(t, path)})
		if p.Mines || !strings.Contains(p.Text, "does not look like a game of Mines") {
			t.Errorf("%s is taken for a game of Mines", path)
		}
		profile, err := load(t, p.Text)
		if err != nil {
			if strings.Contains(err.Error(), "yaml") && !strings.Contains(err.Error(), "profile.yaml") {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		report := Check(&profile)
		for _, e := range report.Ends {
			if e.Outcome != "voided" && !strings.Contains(strings.Join(report.Warnings, "\n"), "no board of a game that ends by "+e.Event) {
				t.Errorf("%s: games that end by %s look as if they could be checked", path, e.Event)
			}
		}
	}
}

// Names in an IDL are a stranger's: whatever they are, the text stays YAML that
// says what is meant and nothing else.
func TestProposeHostileNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "idl: #x.json")
	for _, name := range []string{"\nprogram: x", "# Ga", "Ga: {", `Ga"me`, "Ga'me", "Ga\x00", "é", "null", "- Ga", "{a: b}", "&a", "!!int", "\u2028x: y", "\u202e", "0x10", "12"} {
		event, field := name+" Settled", name+" payout"
		raw, err := json.Marshal(map[string]any{
			"instructions": []any{}, "metadata": map[string]any{"address": name},
			"events": []any{map[string]any{"name": event, "discriminator": []int{1, 2}, "fields": []any{
				map[string]any{"name": "game", "type": "pubkey"},
				map[string]any{"name": field, "type": "u64"},
				map[string]any{"name": name, "type": "string"},
			}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		text := Propose(Source{IDL: read(t, path), File: path, Program: "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"}).Text
		p, err := load(t, text)
		if err != nil {
			t.Errorf("%q: %v in\n%s", name, err, text)
			continue
		}
		bounds := p.Layout.Bounds()
		if len(bounds) != 1 || bounds[0].Event != event || pathOf(bounds[0], decode.RolePayout).Path != field {
			t.Errorf("%q: %+v in\n%s", name, bounds, text)
		}
		for _, r := range text {
			if r != '\n' && (r < ' ' || r > '~') && r != '×' {
				t.Errorf("%q: %q is in the text", name, r)
			}
		}
		report := Check(&p)
		for _, r := range report.Text() {
			if r != '\n' && (r < ' ' || r > '~') && r != '×' {
				t.Errorf("%q: %q is in the report", name, r)
			}
		}
	}
}

// Whatever an IDL has, a proposal for it can be read, or says what is wrong with
// its mapping.
func TestProposeAny(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "idl.json")
	rapid.Check(t, func(rt *rapid.T) {
		c := idltest.Draw(rt)
		if err := os.WriteFile(path, c.File, 0o600); err != nil {
			rt.Fatal(err)
		}
		file, err := idl.Parse(c.File)
		if err != nil {
			rt.Fatal(err)
		}
		p := Propose(Source{IDL: file, File: path})
		profile := filepath.Join(dir, "profile.yaml")
		if err := os.WriteFile(profile, []byte(p.Text), 0o600); err != nil {
			rt.Fatal(err)
		}
		if loaded, err := config.LoadProfile(profile); err == nil {
			Check(&loaded)
		} else if strings.Contains(err.Error(), "unknown key") || strings.Contains(err.Error(), "no readable") {
			rt.Fatalf("%v in\n%s", err, p.Text)
		}
	})
}

// A proposal stays a file that can be read, however much an IDL has in it.
func TestProposeMany(t *testing.T) {
	var events []any
	for i := range 3000 {
		events = append(events, map[string]any{"name": fmt.Sprintf("Settled%d", i), "discriminator": []int{i / 256, i % 256}, "fields": []any{
			map[string]any{"name": "game", "type": "pubkey"},
		}})
	}
	raw, err := json.Marshal(map[string]any{"instructions": []any{}, "events": events})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "idl.json")
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if p, err := load(t, Propose(Source{IDL: read(t, path), File: path}).Text); err != nil || len(p.Layout.Bounds()) != 1 {
		t.Error(err)
	}
}

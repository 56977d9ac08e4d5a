package idl_test

import (
	"encoding/base64"
	"errors"
	"testing"

	"minesaudit/internal/idl"
)

type sample struct {
	idl  *idl.IDL
	text []byte // base64
}

func samples(tb testing.TB) []sample {
	needFixtures(tb)
	var all []sample
	for _, path := range glob(tb, "payload/*.json") {
		parsed, file := loadPayloads(tb, path)
		for _, p := range file.Payloads {
			if p.Data != nil {
				all = append(all, sample{parsed, base64.StdEncoding.AppendEncode(nil, p.Base64)})
			}
		}
	}
	return all
}

// BenchmarkPayloads reads mainnet programs' events from base64 and writes them as
// JSON; one operation is one payload.
func BenchmarkPayloads(b *testing.B) {
	all := samples(b)
	var data, out []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := all[i%len(all)]
		var err error
		if data, err = base64.StdEncoding.AppendDecode(data[:0], s.text); err != nil {
			b.Fatal(err)
		}
		e, ok := s.idl.Match(data)
		if !ok {
			b.Fatal("no event")
		}
		if out, err = e.AppendJSON(out[:0], data[len(e.Discriminator):]); err != nil && !errors.Is(err, idl.ErrTrailing) {
			b.Fatal(err)
		}
	}
}

// BenchmarkBuiltin reads the three events of the built-in layout through plans
// of all their fields; one operation is one event.
func BenchmarkBuiltin(b *testing.B) {
	three := builtin(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		three[i%len(three)].read(b)
	}
}

// BenchmarkParse reads the largest IDL of mainnet at hand.
func BenchmarkParse(b *testing.B) {
	needFixtures(b)
	raw := readFile(b, fixtures+"/idl/drift_v2.json")
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		if _, err := idl.Parse(raw); err != nil {
			b.Fatal(err)
		}
	}
}

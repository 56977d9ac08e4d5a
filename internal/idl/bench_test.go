package idl_test

import (
	"testing"

	"minesaudit/internal/idl"
)

type sample struct {
	idl  *idl.IDL
	data []byte
}

func samples(tb testing.TB) []sample {
	needFixtures(tb)
	var all []sample
	for _, path := range glob(tb, "payload/*.json") {
		parsed, file := loadPayloads(tb, path)
		for _, p := range file.Payloads {
			if p.Data != nil {
				all = append(all, sample{parsed, p.Base64})
			}
		}
	}
	return all
}

// BenchmarkPayloads matches and writes mainnet programs' events as JSON; one
// operation is one payload.
func BenchmarkPayloads(b *testing.B) {
	all := samples(b)
	var out []byte
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s := all[i%len(all)]
		e, ok := s.idl.Match(s.data)
		if !ok {
			b.Fatal("no event")
		}
		out, _ = e.AppendJSON(out[:0], s.data[len(e.Discriminator):])
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

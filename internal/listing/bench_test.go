package listing

import (
	"bytes"
	"encoding/json"
	"syscall"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/txjson"
)

// benchCase is a mainnet transaction and a lister for each program in it whose
// IDL is known.
type benchCase struct {
	text    string
	tx      txjson.Tx
	listers []*Lister
}

func benchCases(b *testing.B) []benchCase {
	needFixtures(b)
	var manifest struct {
		Txs []struct{ File, Expected string }
	}
	readFixture(b, "manifest.json", &manifest)
	var cases []benchCase
	for _, tx := range manifest.Txs {
		var expected struct {
			Pairs []struct{ Program, IDL string } `json:"program_ids_with_idl"`
		}
		readFixture(b, tx.Expected, &expected)
		c := benchCase{text: string(fixture(b, tx.File))}
		c.tx = new(txjson.Parser).Parse(c.text)[0]
		for _, pair := range expected.Pairs {
			file, err := idl.Parse(fixture(b, "idl/"+pair.IDL+".json"))
			if err != nil {
				b.Fatal(err)
			}
			l, err := New(pair.Program, file, Options{})
			if err != nil {
				b.Fatal(err)
			}
			c.listers = append(c.listers, l)
		}
		cases = append(cases, c)
	}
	return cases
}

// processorSeconds is what this process has taken so far. Rates by it mean
// something on a machine that has other things to do.
func processorSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Sec+u.Stime.Sec) + float64(u.Utime.Usec+u.Stime.Usec)/1e6
}

func reportRate(b *testing.B, transactions int, since float64) {
	b.ReportMetric(float64(transactions)/(processorSeconds(b)-since), "tx/cpu-s")
}

// A: attribution and decoding, transactions in memory. What is compared with the
// peer's A.
func BenchmarkA(b *testing.B) {
	cases := benchCases(b)
	var out []byte
	b.ReportAllocs()
	began := processorSeconds(b)
	for b.Loop() {
		out = out[:0]
		for i := range cases {
			for _, l := range cases[i].listers {
				out = l.Append(out, &cases[i].tx)
			}
		}
	}
	reportRate(b, len(cases)*b.N, began)
	b.ReportMetric(float64(bytes.Count(out, []byte(`"data":`))), "events")
}

// B: the same from the JSON text.
func BenchmarkB(b *testing.B) {
	cases := benchCases(b)
	var p txjson.Parser
	var out []byte
	b.ReportAllocs()
	began := processorSeconds(b)
	for b.Loop() {
		out = out[:0]
		for i := range cases {
			txs := p.Parse(cases[i].text)
			for _, l := range cases[i].listers {
				out = l.Append(out, &txs[0])
			}
		}
	}
	reportRate(b, len(cases)*b.N, began)
	b.ReportMetric(float64(bytes.Count(out, []byte(`"data":`))), "events")
}

// The same from a stream of JSON lines, as indexer decode reads them.
func BenchmarkStream(b *testing.B) {
	cases := benchCases(b)
	var text []byte
	for range 50 {
		for i := range cases {
			var line bytes.Buffer
			if err := json.Compact(&line, []byte(cases[i].text)); err != nil {
				b.Fatal(err)
			}
			text = append(append(text, line.Bytes()...), '\n')
		}
	}
	lister := cases[1].listers[0]
	var out []byte
	n := 0
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	began := processorSeconds(b)
	for b.Loop() {
		r := txjson.NewReader(bytes.NewReader(text))
		for {
			txs, err := r.Next()
			if err != nil {
				break
			}
			n += len(txs)
			for i := range txs {
				out = lister.Append(out[:0], &txs[i])
			}
		}
	}
	reportRate(b, n, began)
}

package listing

import (
	"bytes"
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

func reportRates(b *testing.B, cases []benchCase, out []byte) {
	b.ReportMetric(float64(len(cases)*b.N)/b.Elapsed().Seconds(), "tx/s")
	b.ReportMetric(float64(bytes.Count(out, []byte(`"data":`))), "events")
}

// A: attribution and decoding, transactions in memory. What is compared with the
// peer's A.
func BenchmarkA(b *testing.B) {
	cases := benchCases(b)
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = out[:0]
		for i := range cases {
			for _, l := range cases[i].listers {
				out = l.Append(out, &cases[i].tx)
			}
		}
	}
	reportRates(b, cases, out)
}

// B: the same from the JSON text.
func BenchmarkB(b *testing.B) {
	cases := benchCases(b)
	var p txjson.Parser
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = out[:0]
		for i := range cases {
			txs := p.Parse(cases[i].text)
			for _, l := range cases[i].listers {
				out = l.Append(out, &txs[0])
			}
		}
	}
	reportRates(b, cases, out)
}

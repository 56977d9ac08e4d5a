package txjson

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Real mainnet transactions, kept outside the repository because they are other
// people's data.
const fixtures = "../../../shared/fixtures"

func fixtureTexts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(fixtures, "tx", "*.json"))
	if err != nil || len(files) == 0 {
		t.Skipf("the mainnet transactions are not here (../shared/fixtures beside the repository): %v", err)
	}
	texts := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(file)] = string(raw)
	}
	return texts
}

func BenchmarkParse(b *testing.B) {
	texts := fixtureTexts(b)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var p Parser
	for b.Loop() {
		for name, text := range texts {
			if txs := p.Parse(text); len(txs) != 1 || txs[0].Problem.Reason != "" {
				b.Fatalf("%s: %+v", name, txs)
			}
		}
	}
}

// The same by the library: how long text takes it that is all skipped.
func BenchmarkEncodingJSON(b *testing.B) {
	texts := fixtureTexts(b)
	size := 0
	for _, text := range texts {
		size += len(text)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, text := range texts {
			var none struct{}
			if err := json.Unmarshal([]byte(text), &none); err != nil {
				b.Fatal(err)
			}
		}
	}
}

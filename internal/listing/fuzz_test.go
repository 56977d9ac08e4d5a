package listing

import (
	"bytes"
	"encoding/json"
	"testing"

	"minesaudit/internal/idl"
	"minesaudit/internal/txjson"
)

// Whatever a document holds, what is listed of it is a JSON object a line, each
// of them an event, malformed or unverifiable, and as many as are counted.
func FuzzAppend(f *testing.F) {
	const program = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	file, err := idl.Parse([]byte(`{"address":"` + program + `","metadata":{"name":"x","version":"1","spec":"0.1.0"},"instructions":[],
 "events":[{"name":"A","discriminator":[7]}],"types":[{"name":"A","type":{"kind":"struct","fields":[{"name":"text","type":"string"},{"name":"rest","type":{"vec":{"option":"u64"}}}]}}]}`))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(`["Program `+program+` invoke [1]","Program data: BwAAAAAAAAAA","Program data: x y","Program log: BwMAAACAgYL/AAAA","Program `+program+` success"]`, true)
	f.Add(`{"signature":"\ud800\"","err":{"x":1},"logs":["Program `+program+` invoke [1]","Program data: Bw==","Log truncated"]}`, true)
	f.Add(`{"meta":{"logMessages":null,"innerInstructions":[{"index":0,"instructions":[{"programId":"`+program+`","accounts":["a"],"data":"g2","stackHeight":2}]}]}}`, false)
	f.Fuzz(func(t *testing.T, document string, everything bool) {
		l, err := New(program, file, Options{Messages: everything, Failed: everything, Where: everything})
		if err != nil {
			t.Fatal(err)
		}
		l.In("a \"file\"\x00")
		var out []byte
		for _, tx := range new(txjson.Parser).Parse(document) {
			out = l.Append(out, &tx)
		}
		var events, malformed, unverifiable int
		for line := range bytes.Lines(out) {
			var fields map[string]any
			if err := json.Unmarshal(line, &fields); err != nil || line[len(line)-1] != '\n' {
				t.Fatalf("%q: %v", line, err)
			}
			if fields["data"] != nil {
				events++
			}
			if fields["malformed"] != nil {
				malformed++
			}
			if fields["unverifiable"] != nil {
				unverifiable++
			}
		}
		if events != l.Events || malformed != l.Malformed || unverifiable != l.Unverifiable {
			t.Fatalf("%d, %d, %d lines are counted as %+v\n%s", events, malformed, unverifiable, l.Counts, out)
		}
	})
}

package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/base58"

	"minesaudit/internal/decode"
)

// The programs and the events of made-up transactions.
const (
	decoded  = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	stranger = "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"

	// Paid {amount: u64, to: option<u8>}, whose discriminator is the file's own,
	// one byte, which Paused {} begins with too.
	idlNew = `{"address":"` + decoded + `","metadata":{"name":"till","version":"0.1.0","spec":"0.1.0"},"instructions":[],
 "events":[{"name":"Paid","discriminator":[7]},{"name":"Paused","discriminator":[7,9]}],
 "types":[{"name":"Paid","type":{"kind":"struct","fields":[{"name":"amount","type":"u64"},{"name":"to","type":{"option":"u8"}}]}},{"name":"Paused","type":{"kind":"struct"}}]}`
	idlLegacy = `{"version":"0.1.0","name":"till","instructions":[],"events":[{"name":"Paid","fields":[{"name":"amount","type":"u64","index":false}]}]}`

	tag = "\xe4\x45\xa5\x2e\x51\xcb\x9a\x1d"
)

// paid is the event Paid of the amount 2^64-1 to nobody.
var paid = "\x07\xff\xff\xff\xff\xff\xff\xff\xff\x00"

const paidData = `"data":{"amount":"18446744073709551615","to":null}`

// logOf makes a log of short notation: P and A are the programs, where a word of
// their own, and E the event Paid in base64.
func logOf(lines ...string) string {
	names := map[string]string{"P": decoded, "A": stranger, "E": base64.StdEncoding.EncodeToString([]byte(paid))}
	out := make([]string, len(lines))
	for i, line := range lines {
		words := strings.Split(line, " ")
		for j, word := range words {
			if name, ok := names[word]; ok {
				words[j] = name
			}
		}
		out[i] = strings.Join(words, " ")
	}
	text, _ := json.Marshal(out)
	return string(text)
}

// callOf makes the record of a transaction in which A calls P, and caller then
// calls P with data and the account of that index: 2 is the event authority, 3 one
// that was loaded from a table.
func callOf(t *testing.T, caller string, account int, data string) string {
	t.Helper()
	authority, err := decode.EventAuthority(decoded)
	if err != nil {
		t.Fatal(err)
	}
	height := map[string]int{"P": 3, "A": 2}[caller]
	log := logOf("Program A invoke [1]", "Program P invoke [2]", "Program P invoke [3]", "Program P success", "Program P success", "Program A success")
	if caller == "A" {
		log = logOf("Program A invoke [1]", "Program P invoke [2]", "Program P success", "Program P invoke [2]", "Program P success", "Program A success")
	}
	return fmt.Sprintf(`{"slot":9,"transaction":{"signatures":["Sig"],"message":{"accountKeys":[%q,%q,%q],"addressTableLookups":[{"writableIndexes":[1],"readonlyIndexes":[2]}],
 "instructions":[{"programIdIndex":0,"accounts":[],"data":"1","stackHeight":null}]}},
 "meta":{"err":null,"logMessages":%s,"loadedAddresses":{"writable":[%q],"readonly":[%q]},"innerInstructions":[{"index":0,"instructions":[
 {"programIdIndex":4,"accounts":[],"data":"1","stackHeight":2},{"programIdIndex":4,"accounts":[%d],"data":%q,"stackHeight":%d}]}]}}`,
		stranger, stranger, authority, log, stranger, decoded, account, base58.Encode([]byte(data)), height)
}

// What people reported as gone wrong with events in logs and instructions, and
// what must be made of it.
func TestDecodeOfWhatGoesWrong(t *testing.T) {
	withoutEnv(t)
	event := func(ordinal, line, depth int) string {
		return fmt.Sprintf(`{"program":%q,"name":"Paid","source":"log","ordinal":%d,"log_index":%d,"depth":%d,%s}`, decoded, ordinal, line, depth, paidData)
	}
	byCPI := `{"program":"` + decoded + `","name":"Paid","source":"cpi","ordinal":0,"ix":[0,1],"depth":3,` + paidData + `}`
	padding := func(n int) string { return "Program log: " + strings.Repeat("x", n) }
	tests := []struct {
		name, document string
		code           int
		want           []string // a line each, or how it begins
	}{
		{"foreign data", logOf("Program A invoke [1]", "Program data: E", "Program A success"), 0, nil},
		{"a call between", logOf("Program P invoke [1]", "Program A invoke [2]", "Program data: E", "Program A success", "Program data: E", "Program P success"), 0, []string{event(0, 4, 1)}},
		{"called by another", logOf("Program A invoke [1]", "Program P invoke [2]", "Program data: E", "Program P success", "Program A success"), 0, []string{event(0, 2, 2)}},
		{
			"a later instruction", logOf("Program ComputeBudget111111111111111111111111111111 invoke [1]", "Program ComputeBudget111111111111111111111111111111 success",
				"Program P invoke [1]", "Program data: E", "Program P success"), 0, []string{event(0, 3, 1)},
		},
		{
			"text like structure", logOf("Program P invoke [1]", "Program log: invoke [3]", "Program log: transfer failed", "Program log: Program A success", "Program log: x invoke [1]",
				"Program log: a\x00b\nProgram P success", "Program return: P success", "Program data: E", "Program P success"), 0, []string{event(0, 7, 1)},
		},
		{"an event as text", logOf("Program P invoke [1]", "Program log: E", "Program P success"), 0, nil},
		{"no end", logOf("Program P invoke [1]", "Program data: E", "Log truncated"), 3, []string{event(0, 1, 1), `{"unverifiable":"truncated",`}},
		{
			"forged behind the cut", logOf("Program A invoke [1]", padding(9600), "Program A success", "Program P invoke [1]", "Log truncated", "Program data: E", "Program A success"),
			3,
			[]string{`{"unverifiable":"truncated",`},
		},
		{"data of nobody", logOf("Program data: E", "Program P invoke [1]", "Program P success"), 3, []string{`{"unverifiable":"unattributable",`}},
		{"data before a lost begin", logOf("Program P invoke [1]", "Program data: E", "Program P success", "Program data: E", "Program P success"), 3, []string{event(0, 1, 1), `{"unverifiable":"unattributable","detail":"line 3`}},
		{
			"odd lines", logOf("Program P invoke [1]", "Program data: E E", "Program data: ", "Program data: !!!", "Program data: AAAA", "Program data: E", "Program P success"), 0,
			[]string{`{"malformed":"not_one_slice","detail":"2 slices`, `{"malformed":"not_one_slice",`, `{"malformed":"not_one_slice",`, `{"malformed":"unknown_discriminator",`, event(4, 5, 1)},
		},
		{
			"failed", `{"signature":"Sig","err":{"InstructionError":[0,{"Custom":6001}]},"logs":` + logOf("Program P invoke [1]", "Program data: E", "Program P failed: custom program error: 0x1771") + `}`,
			0, nil,
		},
		{"by CPI", callOf(t, "P", 2, tag+paid), 0, []string{byCPI}},
		{"by CPI, another tag", callOf(t, "P", 2, "\x01\x02\x03\x04\x05\x06\x07\x08"+paid), 0, nil},
		{"by CPI, another account", callOf(t, "P", 3, tag+paid), 0, []string{`{"malformed":"forged","detail":"signed by ` + stranger}},
		{"by CPI, another caller", callOf(t, "A", 2, tag+paid), 0, []string{`{"malformed":"forged","detail":"called by ` + stranger}},
		{"by CPI, one byte short", callOf(t, "P", 2, tag+paid[:len(paid)-1]), 0, []string{`{"malformed":"short",`}},
		{"by CPI, option tag 7", callOf(t, "P", 2, tag+paid[:len(paid)-1]+"\x07"), 0, []string{`{"malformed":"option",`}},
		{"by CPI, bytes left over", callOf(t, "P", 2, tag+paid+"\x01\x02"), 0, []string{strings.Replace(byCPI, `"data"`, `"malformed":"trailing","data"`, 1)}},
		{"the longest discriminator", callOf(t, "P", 2, tag+"\x07\x09"), 0, []string{strings.Replace(byCPI[:strings.Index(byCPI, `"data"`)], "Paid", "Paused", 1) + `"data":{}}`}},
		{
			"twins", logOf("Program P invoke [1]", "Program data: E", "Program data: E", "Program P success"), 0, []string{event(0, 1, 1), event(1, 2, 1)},
		},
		{"not known", `{"jsonrpc":"2.0","result":null,"id":1}`, 3, []string{`{"unverifiable":"not_found",`}},
		{"an error", `{"jsonrpc":"2.0","error":{"code":-32015,"message":"Transaction version (1) is not supported"},"id":1}`, 3, []string{`{"unverifiable":"error",`}},
		{"no log", `{"meta":{"err":null,"logMessages":null,"innerInstructions":[]}}`, 3, []string{`{"unverifiable":"no_log",`}},
		{"damaged", `{"logs":[`, 3, []string{`{"unverifiable":"not_json",`}},
	}
	dir := t.TempDir()
	file, in := filepath.Join(dir, "idl.json"), filepath.Join(dir, "in.json")
	write(t, file, idlNew)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			write(t, in, test.document)
			code, out, stderr := indexer("decode", "--idl", file, in)
			if code != test.code {
				t.Errorf("code %d, want %d: %s", code, test.code, stderr)
			}
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if out == "" {
				lines = nil
			}
			if len(lines) != len(test.want) {
				t.Fatalf("%d lines, want %d:\n%s", len(lines), len(test.want), out)
			}
			for i, line := range lines {
				if !json.Valid([]byte(line)) || !strings.HasPrefix(line, test.want[i]) || strings.HasSuffix(test.want[i], "}") && line != test.want[i] {
					t.Errorf("%s\nwant %s", line, test.want[i])
				}
			}
		})
	}
}

func TestDecodeOptions(t *testing.T) {
	withoutEnv(t)
	dir := t.TempDir()
	path := func(name, text string) string {
		name = filepath.Join(dir, name)
		write(t, name, text)
		return name
	}
	var (
		file    = path("idl.json", idlNew)
		legacy  = path("legacy.json", idlLegacy)
		noIDL   = path("none.json", `{"hello":1}`)
		empty   = path("empty.json", `{"address":"`+decoded+`","metadata":{"name":"x","version":"1","spec":"0.1.0"},"instructions":[]}`)
		log     = path("log.json", `{"signature":"Sig","slot":"5","logs":`+logOf("Program P invoke [1]", "Program data: E", "Program P success")+`}`)
		text    = path("text.json", logOf("Program P invoke [1]", "Program log: "+base64.StdEncoding.EncodeToString([]byte(paid)), "Program log: transferring", "Program P success"))
		failed  = path("failed.json", `{"err":"X","logs":`+logOf("Program P invoke [1]", "Program data: E", "Program P success")+`}`)
		damaged = path("damaged.jsonl", "[\"x\"]\n{\"logs\":[}\n[\"x\"]\n")
		absent  = filepath.Join(dir, "absent")
	)
	for _, test := range []struct {
		args     []string
		code     int
		out, err string
	}{
		{[]string{"--idl", file, log}, 0, `"name":"Paid"`, "1 transactions, 1 events, 0 malformed, 0 unverifiable"},
		{[]string{"--idl", file, "--signatures", log}, 0, `{"signature":"Sig","slot":5,"program":`, ""},
		{[]string{"--idl", file, log, log}, 0, "", "2 transactions, 2 events"},
		{[]string{"--idl", file, "--program", stranger, log}, 0, "", "1 transactions, 0 events"},
		{[]string{"--idl", file, text}, 0, "", "1 lines of text look like events; --log-messages reads them"},
		{[]string{"--idl", file, "--log-messages", text}, 0, `"source":"log-msg","ordinal":0,"log_index":1`, "1 events, 0 malformed"},
		{[]string{"--idl", file, failed}, 0, "", "1 transactions failed on chain; their 1 events are left out, --failed lists them"},
		{[]string{"--idl", file, "--failed", failed}, 0, `"depth":1,"failed":true,"data":`, "1 events"},
		{[]string{"--idl", file, damaged}, 3, `damaged.jsonl","line":2}`, "2 transactions, 0 events, 0 malformed, 1 unverifiable"},
		{[]string{"--idl", legacy, log}, 2, "", "--program: " + legacy + " names no address"},
		{[]string{"--idl", legacy, "--program", decoded, log}, 0, "unknown_discriminator", ""},
		{[]string{"--idl", legacy, "--program", "x", log}, 2, "", "--program: "},
		{[]string{"--idl", noIDL, log}, 2, "", "--idl: " + noIDL},
		{[]string{"--idl", empty, log}, 2, "", "has no events"},
		{[]string{"--idl", absent, log}, 2, "", "--idl: "},
		{[]string{"--idl", file, absent}, 2, "", "absent"},
		{[]string{log}, 2, "", "--idl"},
		{[]string{"--help"}, 0, "indexer decode --idl mines.json transactions.jsonl", ""},
	} {
		code, out, stderr := indexer(append([]string{"decode"}, test.args...)...)
		if code != test.code || !strings.Contains(out, test.out) || !strings.Contains(stderr, test.err) {
			t.Errorf("%v: %d\n%s\n%s\nwant %d, %q, %q", test.args, code, out, stderr, test.code, test.out, test.err)
		}
	}
}

// Standard input is read as a file is.
func TestDecodeStandardInput(t *testing.T) {
	withoutEnv(t)
	file := filepath.Join(t.TempDir(), "idl.json")
	write(t, file, idlNew)
	read, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = read
	t.Cleanup(func() { os.Stdin = stdin; _ = read.Close() })
	go func() {
		_, _ = fmt.Fprintln(feed, logOf("Program P invoke [1]", "Program data: E", "Program P success"))
		_ = feed.Close()
	}()
	if code, out, stderr := indexer("decode", "--idl", file, "-"); code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, paidData) {
		t.Errorf("%d\n%s\n%s", code, out, stderr)
	}
}

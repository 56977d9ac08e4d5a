package txjson

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// read gives what a reader says of text, a word a transaction: its first line,
// or its problem, each with the line of the file.
func read(t testing.TB, r *Reader) []string {
	t.Helper()
	var got []string
	for {
		txs, err := r.Next()
		if errors.Is(err, io.EOF) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, tx := range txs {
			what := string(tx.Problem.Reason)
			if what == "" {
				what = strings.Join(tx.Logs, "+")
			}
			got = append(got, fmt.Sprintf("%s@%d", what, tx.Line))
		}
	}
}

func TestReader(t *testing.T) {
	pretty := "{\n \"logs\": [\n  \"p\"\n ]\n}\n"
	long := `{"logs":["` + strings.Repeat("l", 3*firstLook) + `"]}`
	short := func(got []string) string {
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], strings.Repeat("l", 3*firstLook), "long")
		}
		return strings.Join(got, " ")
	}
	for name, test := range map[string]struct{ text, want string }{
		"nothing":                {"", ""},
		"blank":                  {" \n\t\r\n", ""},
		"lines":                  {"[\"a\"]\n{\"logs\":[\"b\"]}\n\n[\"c\"]", "a@1 b@2 c@4"},
		"carriage returns":       {"[\"a\"]\r\n[\"b\"]\r\n", "a@1 b@2"},
		"pretty":                 {pretty + pretty, "p@1 p@6"},
		"on one line":            {`["a"]["b"] {"logs":["c"]}`, "a@1 b@1 c@1"},
		"array":                  {`[{"logs":["a"]},{"logs":["b"]}]`, "a@1 b@1"},
		"pretty array":           {"[\n" + pretty + ",\n" + pretty + "]\n[\"z\"]", "p@2 p@8 z@14"},
		"array of lists":         {"[ [\"a\"],\n[\"b\"] ]", "a@1 b@2"},
		"arrays of documents":    {"[[\"a\"]]\n[[\"b\"],[\"c\"]]\n", "a@1 b@2 c@2"},
		"nested":                 {`[[[]],["b"]]`, "not_a_transaction@1 b@1"},
		"long":                   {long + "\n[\"b\"]\n" + long, "long@1 b@2 long@3"},
		"damaged line":           {"[\"a\"]\n{\"logs\":[\"x\n[\"b\"]", "a@1 not_json@2 b@3"},
		"two damaged lines":      {"[\"a\"\n]]\n{x}\n[\"b\"]", "a@1 not_json@2 not_json@3 b@4"},
		"no JSON":                {"<html>\nhello\n[\"b\"]", "not_json@1 not_json@2 b@3"},
		"cut at the end":         {"[\"a\"]\n{\"logs\":[", "a@1 not_json@2"},
		"cut within a line":      {"{\"logs\":[\"a\",\n[\"b\"]\n[\"c\"]\n", "not_json@1 c@3"},
		"cut after a member":     {"{\"slot\":1\n[\"b\"]\n[\"c\"]\n", "not_json@1 b@2 c@3"},
		"pretty, damaged":        {"{\n \"logs\": [\n  \"p\"\n  \"q\"\n ],\n \"x\": {\n }\n}\n[\"b\"]", "not_json@1 b@9"},
		"element damaged":        {"[\n[\"a\"],\n[\"x\" \"y\"],\n[\"b\"]\n]\n[\"c\"]", "a@2 not_json@3 b@4 c@6"},
		"comma missing":          {"[[\"a\"] [\"b\"]\n", "a@1 b@1"},
		"array without end":      {"[[\"a\"],", "a@1 not_json@1"},
		"array of documents cut": {"[[\"a\"],[\"b", "a@1 not_json@1"},
		"other JSON":             {"17\n{\"slot\":1}\n[\"b\"]", "not_a_transaction@1 not_a_transaction@2 b@3"},
		"a stream's frames":      {"{\"result\":7,\"id\":1}\n{\"method\":\"logsNotification\",\"params\":{\"result\":{\"value\":{\"logs\":[\"n\"]}}}}\n", "n@2"},
	} {
		for way, from := range map[string]io.Reader{
			"whole": strings.NewReader(test.text), "bytes": iotest.OneByteReader(strings.NewReader(test.text)), "with the end": iotest.DataErrReader(strings.NewReader(test.text)),
		} {
			if got := short(read(t, NewReader(from))); got != test.want {
				t.Errorf("%s, %s: %q, want %q", name, way, got, test.want)
			}
		}
	}
}

func TestReaderThatFails(t *testing.T) {
	broken := errors.New("disk on fire")
	for _, text := range []string{"", "[\"a\"", "[\"a\"]\n[", "{}\n"} {
		r := NewReader(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		for range 10 {
			txs, err := r.Next()
			if errors.Is(err, broken) {
				text = "told"
				break
			}
			if err != nil || len(txs) == 1 && txs[0].Problem.Reason == NotJSON {
				t.Fatalf("%q: %+v, %v", text, txs, err)
			}
		}
		if text != "told" {
			t.Errorf("%q: the failure is not told", text)
		}
	}
	if _, err := NewReader(stuck{}).Next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// A document beyond the bound is told and passed over, a line each.
func TestTooLong(t *testing.T) {
	r := NewReader(strings.NewReader("[\"a\"]\n[\"" + strings.Repeat("x", 9*firstLook) + "\"]\n[\"b\"]"))
	r.limit = 4 * firstLook
	if got := strings.Join(read(t, r), " "); got != "a@1 too_long@2 b@3" {
		t.Errorf("%q", got)
	}
	if len(r.buf) > 16*firstLook {
		t.Errorf("%d bytes kept", len(r.buf))
	}
}

// The reader's memory is that of one document, in lines and in one array.
func TestMemoryIsThatOfOneDocument(t *testing.T) {
	for _, separator := range []string{"\n", ","} {
		document := strings.ReplaceAll(sample, "\n", "") + separator
		const documents = 20_000
		parts := make([]io.Reader, documents)
		for i := range parts {
			parts[i] = strings.NewReader(document)
		}
		begin, end := "", ""
		if separator == "," {
			begin, end = "[", `["z"]]`
		}
		r := NewReader(io.MultiReader(slices.Concat([]io.Reader{strings.NewReader(begin)}, parts, []io.Reader{strings.NewReader(end)})...))
		n := 0
		for {
			txs, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || len(txs) != 1 || txs[0].Problem.Reason != "" {
				t.Fatalf("after %d: %+v, %v", n, txs, err)
			}
			n++
		}
		if n < documents || cap(r.buf) > 16*firstLook || cap(r.parser.txs) > 8 || len(r.parser.free) > 4 {
			t.Errorf("%q: %d documents; %d bytes, %d transactions and %d records kept", separator, n, cap(r.buf), cap(r.parser.txs), len(r.parser.free))
		}
	}
}

// A line that has come whole is given without waiting for the next.
func TestReaderDoesNotWait(t *testing.T) {
	from, to := io.Pipe()
	defer func() { _ = from.Close() }()
	go func() { _, _ = io.WriteString(to, "{\"logs\":[\"a\"]}\n") }() // and the pipe stays open
	txs, err := NewReader(from).Next()
	if err != nil || len(txs) != 1 || txs[0].Logs[0] != "a" {
		t.Errorf("%+v, %v", txs, err)
	}
}

// Whatever stands in a file, reading it ends, and every problem names a line of it.
func FuzzReader(f *testing.F) {
	f.Add([]byte("[\"a\"]\n{\"logs\":[\"x\n[\"b\"]"))
	f.Add([]byte("[{\"logs\":[]},\n{\"logs\":[]]\n{}"))
	f.Add([]byte(sample + "\n" + sample))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := NewReader(strings.NewReader(string(data)))
		lines := strings.Count(string(data), "\n") + 1
		last := 1
		for range 2*len(data) + 10 {
			txs, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, tx := range txs {
				if tx.Line < last || tx.Line > lines {
					t.Fatalf("line %d after %d of %d", tx.Line, last, lines)
				}
				last = tx.Line
			}
		}
		t.Fatal("no end")
	})
}

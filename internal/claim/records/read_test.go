package records

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

var testFormat = Format{Fields: []string{"round", "hash", "outcome", "chances", "win"}, Ignore: []string{"time"}}

// shown reads everything of a record that can be read.
func shown(r *Record) (string, error) {
	var parts []string
	for _, field := range testFormat.Fields {
		if !r.Has(field) {
			continue
		}
		s, _ := r.Text(field)
		n, _ := r.Int(field)
		d, _ := r.Decimal(field)
		b, _ := r.Bool(field)
		floats, _ := r.Floats(field)
		ints, _ := r.Ints(field)
		parts = append(parts, fmt.Sprint(field, " ", s, n, d, b, floats, ints))
	}
	return strings.Join(parts, "; "), nil
}

// readAll gives a line for each record or error.
func readAll(work func(*Record) (string, error), readers ...io.Reader) (lines []string, err error) {
	var sources []Source
	for i, r := range readers {
		sources = append(sources, Source{Name: fmt.Sprint("file ", i), Reader: r})
	}
	err = Read(sources, testFormat, work, func(at Place, got string, err error) error {
		if err != nil {
			got = "error: " + err.Error()
		}
		lines = append(lines, fmt.Sprintf("%d:%d %s", at.Source, at.Line, got))
		return nil
	}, nil)
	return lines, err
}

func roundAndHash(r *Record) (string, error) {
	n, err := r.Int("round")
	if err != nil {
		return "", err
	}
	hash, err := r.Text("hash")
	return fmt.Sprint(n, " ", hash), err
}

func TestBothFormsSayTheSame(t *testing.T) {
	const jsonLines = `{"round":1,"hash":"ab","outcome":"3.05","time":{"a":[1,"}"]}}

{ "hash" : "q\"u,o" , "round" : "2", "chances":[25, 75.5],"outcome":null }
{"win":true,"round":-3}
{}
`
	const inCSV = "\xef\xbb\xbfround,hash,outcome,chances,win,time\r\n1,ab,3.05,,,x\r\n\r\n" + `2,"q""u,o",,"25,75.5",,` + "\n-3,,,,true,\n,,,,,"
	loosely := func(r *Record) (string, error) { // without what differs: the kinds
		hash, _ := r.Text("hash")
		n, _ := r.Int("round")
		d, _ := r.Decimal("outcome")
		chances, _ := r.Floats("chances")
		win, _ := r.Bool("win")
		return fmt.Sprintf("%d %s %v %v %v %v %v", n, hash, d, chances, win, r.Has("outcome"), r.Has("win")), nil
	}
	fromJSON, err := readAll(loosely, strings.NewReader(jsonLines))
	if err != nil {
		t.Fatal(err)
	}
	fromCSV, err := readAll(loosely, iotest.OneByteReader(strings.NewReader(inCSV)))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"1 ab 3.05 [] false true false", "2 q\"u,o 0 [25 75.5] false false false", "-3  0 [] true false true", "0  0 [] false false false"}
	for name, test := range map[string]struct {
		got   []string
		lines []int
	}{"JSON": {fromJSON, []int{1, 3, 4, 5}}, "CSV": {fromCSV, []int{2, 4, 5, 6}}} {
		for i := range want {
			if line := fmt.Sprintf("0:%d %s", test.lines[i], want[i]); i >= len(test.got) || test.got[i] != line {
				t.Errorf("%s gives %q, want %q at %d", name, test.got, line, i)
			}
		}
	}
}

func TestBadLinesGoOn(t *testing.T) {
	in := strings.Join([]string{
		`{"round":1,"hash":"a"}`, `{"round":1`, `{"round":2,"hash":"b"}`, `[1]`, `{"rund":1}`, `{"round":1,"round":2}`, `{"round":1,"round":null}`,
		`{"round":9007199254740993,"hash":"c"}`, `{"round":"9007199254740993","hash":"c"}`, `{"round":1.0,"hash":"c"}`, `{"round":"+1","hash":"c"}`,
		`{"round":true,"hash":"c"}`, `{"round":{},"hash":"c"}`, `{"round":1,"hash":5}`, "{\"round\":1,\"hash\":\"\xff\"}", `{"hash":"c"}`, strings.Repeat("x", MaxLine+5), `{"\u0072ound":7,"hash":"\u0061"}`,
	}, "\n")
	got, err := readAll(roundAndHash, strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"1 a", "error: not a JSON object: unexpected end", "2 b", "error: JSON that is no object", `error: unknown field "rund"`, `error: field "round" is given twice`, `error: field "round" is given twice`,
		"error: round: 9007199254740993: above 2^53", "9007199254740993 c", `error: round: "1.0": want a whole number`, `error: round: "+1"`,
		`error: round: "true"`, `error: round: "{}": want no object`, `error: hash: "5": want a text`, "error: not UTF-8", "error: round: not given", "error: line of more than", "7 a",
	} {
		if i >= len(got) || !strings.HasPrefix(got[i], fmt.Sprintf("0:%d %s", i+1, want)) {
			t.Errorf("line %d: %s, want %q", i+1, got[min(i, len(got)-1)], want)
		}
	}
	if n := strings.Count(in, "\n") + 1; len(got) != n {
		t.Errorf("%d lines came of %d", len(got), n)
	}

	got, err = readAll(roundAndHash, strings.NewReader("hash,round\na,1\nb,2,3\n\"c\n,4\nd\"e,5\n\"f\"g,6\n\"h\",7\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"1 a", "error: 3 fields: want 2", "error: a quote is not closed", "4 ", "error: a quote that", "error: a quote that", "7 h"} {
		if i >= len(got) || !strings.HasPrefix(got[i], fmt.Sprintf("0:%d %s", i+2, want)) && !strings.Contains(got[i], "hash: not given") {
			t.Errorf("line %d of CSV: %q, want %q", i+2, got, want)
		}
	}
}

func TestHeaders(t *testing.T) {
	for header, want := range map[string]string{
		"round,hsh":        `unknown field "hsh"`,
		"round,round":      `column "round" is given twice`,
		"[{\"round\":1}]":  "jq -c",
		"round,\"hash":     "not closed",
		"1,a243,3.05":      `unknown field "1"`,
		" round , hash\n1": "",
	} {
		_, err := readAll(roundAndHash, strings.NewReader(header))
		if want == "" {
			if err != nil {
				t.Errorf("%q: %v", header, err)
			}
			continue
		}
		if !errors.Is(err, ErrHeader) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "file 0") {
			t.Errorf("%q: %v, want %q", header, err, want)
		}
	}
}

// Records come in the order of the lines, however the sources are cut.
func TestOrderOverManyChunks(t *testing.T) {
	const lines = 20_000
	var inJSON, inCSV strings.Builder
	inCSV.WriteString("hash,round\n")
	for i := range lines {
		fmt.Fprintf(&inJSON, "{\"round\":%d,\"hash\":\"%s\"}\n", i+1, strings.Repeat("h", i%50))
		fmt.Fprintf(&inCSV, "%s,%d\n", strings.Repeat("h", i%50), i+2)
	}
	read := 0
	next := Place{0, 1}
	err := Read([]Source{{"a", strings.NewReader(inJSON.String())}, {"b", strings.NewReader(inCSV.String())}, {"c", strings.NewReader("")}}, testFormat,
		func(r *Record) (int64, error) { return r.Int("round") },
		func(at Place, n int64, err error) error {
			if at.Source == 1 && next.Source == 0 {
				if next.Line != lines+1 {
					t.Fatalf("the first file ends before line %d", next.Line)
				}
				next = Place{1, 2}
			}
			if err != nil || at != next || n != int64(at.Line) {
				t.Fatalf("%+v: %d, %v, want %+v", at, n, err, next)
			}
			next.Line++
			return nil
		}, func(n int) { read += n })
	if err != nil || next != (Place{1, lines + 2}) || read != inJSON.Len()+inCSV.Len() {
		t.Errorf("ended at %+v after %d bytes of %d: %v", next, read, inJSON.Len()+inCSV.Len(), err)
	}
}

func TestReadErrors(t *testing.T) {
	broken := errors.New("broken disk")
	got, err := readAll(roundAndHash, io.MultiReader(strings.NewReader("{\"round\":1,\"hash\":\"a\"}\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), "file 0") || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	enough := errors.New("enough")
	err = Read([]Source{{"a", strings.NewReader(strings.Repeat("{\"round\":1}\n", 100_000))}}, testFormat,
		func(r *Record) (int64, error) { return r.Int("round") }, func(Place, int64, error) error { return enough }, nil)
	if !errors.Is(err, enough) {
		t.Errorf("take says %v, Read %v", enough, err)
	}
}

// FuzzRead holds the two readers against those of the standard library.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"round":1,"hash":"a\u0041","chances":[1,[2,"]"]],"win":false}`, `{"round":"1","outcome":3.5e1}` + "\n{}", "round,hash\n1,\"a,\"\"b\"\n", "\xef\xbb\xbfwin\ntrue", "{\"a\":\xff}",
		`{"hash":"\\","round":1}`, `{ "round" : 1 , "time":[{"x":"\"}"}] }`, "round,hash\r\n1,a\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		at := 0
		lines := strings.Split(strings.TrimPrefix(string(in), "\xef\xbb\xbf"), "\n")
		err := Read([]Source{{"fuzz", strings.NewReader(string(in))}}, testFormat, func(r *Record) (map[string]value, error) {
			_, _ = shown(r)
			got := map[string]value{}
			for i, v := range r.values {
				if v.kind != absent {
					got[testFormat.Fields[i]] = v
				}
			}
			return got, nil
		}, func(place Place, got map[string]value, err error) error {
			if place.Line <= at || place.Line > len(lines) {
				t.Fatalf("line %d after %d of %d", place.Line, at, len(lines))
			}
			at = place.Line
			if err == nil {
				holdAgainst(t, strings.TrimSuffix(lines[at-1], "\r"), got)
			}
			return nil
		}, nil)
		if err != nil && !errors.Is(err, ErrHeader) {
			t.Fatal(err)
		}
	})
}

// holdAgainst reads a line that was accepted as the standard library does.
func holdAgainst(t *testing.T, line string, got map[string]value) {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(line), &object) != nil {
		if strings.Contains(line, "\r") {
			return // a carriage return in the middle of a line is part of a field here, and not there
		}
		fields, err := csv.NewReader(strings.NewReader(line + "\n")).Read()
		if err != nil {
			t.Fatalf("%q was read: %v", line, err)
		}
		for name, v := range got {
			if !slices.Contains(fields, v.text) {
				t.Fatalf("%q has %s = %q", line, name, v.text)
			}
		}
		return
	}
	want := map[string]value{}
	for name, raw := range object {
		if name != "time" && string(raw) != "null" {
			v := value{number, string(raw)}
			switch raw[0] {
			case '"':
				v.kind = text
				_ = json.Unmarshal(raw, &v.text)
			case '[':
				v.kind = list
			case 't', 'f':
				v.kind = truth
			}
			want[name] = v
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%q gives %v, want %v", line, got, want)
	}
}

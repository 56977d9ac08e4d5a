package jsonread

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// The cursor takes what encoding/json takes, but for deep nesting, and reads the
// same strings.
func FuzzCursor(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-2.5e+3,0,"x\u00e9\ud83d\udca3\n",true,false,null],"b":{}}`, `[]`, ` "lone \ud800 \udc00\ud800\u0041" `, `{"a":1,}`, `[1 2]`,
		`01`, `-`, `1.`, `1e`, `tru`, `"\x"`, "\"\x01\"", `"\u12g4"`, `"\u12`, `{"a"`, `{"a":`, `{1:2}`, `[`, ``, `{} {}`, "\"\xff\"", `"12345678\"90123456"`,
		strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat("[", 64) + strings.Repeat("]", 64), `nul`, `[1,]`, `[,1]`, "\v1", `"a` + "\x7f" + `"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c := Cursor{Text: string(text)}
		raw := c.Raw()
		c.End()
		valid := json.Valid(text)
		switch deep := nesting(text) > maxNesting; {
		case c.Err == nil && !valid:
			t.Fatalf("%q is taken", text)
		case c.Err != nil && valid && !deep:
			t.Fatalf("%q: %v", text, c.Err)
		case c.Err == nil && deep:
			t.Fatalf("%q is nested too deep", text)
		case c.Err != nil:
			return
		}
		if raw != string(bytes.Trim(text, " \t\r\n")) {
			t.Fatalf("%q is read as %q", text, raw)
		}
		if raw[0] != '"' {
			return
		}
		c = Cursor{Text: string(text)}
		var want string
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if got := c.Str(); utf8.Valid(text) && got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	})
}

// nesting is how deep the brackets outside strings of valid JSON go.
func nesting(text []byte) (most int) {
	deep := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '[', '{':
			deep++
			most = max(most, deep)
		case ']', '}':
			deep--
		}
	}
	return most
}

func TestACursorWalks(t *testing.T) {
	t.Parallel()
	c := Cursor{Text: ` {"a" : [1, "two"], "b": {"c": null}} `}
	var got []string
	for w := c.Object(); w.Next(); {
		got = append(got, w.Key)
		if w.Key == "b" {
			got = append(got, c.Raw())
			continue
		}
		for w := c.Array(); w.Next(); {
			got = append(got, c.Raw())
		}
	}
	c.End()
	if want := `a 1 "two" b {"c": null}`; c.Err != nil || strings.Join(got, " ") != want {
		t.Errorf("%q (%v), want %q", got, c.Err, want)
	}
}

// What more text may mend is told from what it may not.
func TestShortTextIsTold(t *testing.T) {
	t.Parallel()
	const text = `{"a":[1,{"b":"c\u00e9"}],"d":true}`
	for n := range text {
		c := Cursor{Text: text[:n]}
		if c.Skip(); !errors.Is(c.Err, ErrShort) {
			t.Errorf("%q: %v", text[:n], c.Err)
		}
	}
	for _, text := range []string{`{"a" 1}`, `[1 2]`, `{a`, `"` + "\n"} {
		c := Cursor{Text: text}
		if c.Skip(); c.Err == nil || errors.Is(c.Err, ErrShort) {
			t.Errorf("%q: %v", text, c.Err)
		}
	}
}

package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

// Whole responses, results alone and arrays of them, in one line or many, are
// all the same.
func TestFormsOfAnswers(t *testing.T) {
	whole := read(t, "none-won.json")
	var response struct{ Result json.RawMessage }
	if err := json.Unmarshal(whole, &response); err != nil {
		t.Fatal(err)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, whole); err != nil {
		t.Fatal(err)
	}
	one, bare := line.String(), string(response.Result)
	for name, test := range map[string]struct {
		text string
		want int
	}{
		"response":          {string(whole), 1},
		"result":            {bare, 1},
		"lines":             {one + "\n" + one + "\n\n", 2},
		"array":             {"[" + one + "," + bare + "]", 2},
		"arrays":            {"[" + one + "]\n[" + bare + "," + bare + "]", 3},
		"without line ends": {one + bare, 2},
		"empty array":       {"[]" + one, 1},
		"block":             {`{"blockhash":"h","transactions":[` + bare + `]}`, 1},
		"error null":        {`{"error":null,"result":` + bare + `}`, 1},
	} {
		txs := answers1(t, []byte(test.text))
		if len(txs) != test.want {
			t.Errorf("%s: %d answers, want %d", name, len(txs), test.want)
		}
		for _, tx := range txs {
			if tx.Slot != 262 || len(tx.Logs) == 0 || len(tx.Accounts) == 0 {
				t.Errorf("%s: %+v", name, tx)
			}
		}
	}
}

func TestBadAnswers(t *testing.T) {
	good := strings.TrimSpace(string(read(t, "none-won.json")))
	for name, test := range map[string]struct{ text, want string }{
		"empty":           {"", "the file is empty"},
		"blank":           {" \n\t", "the file is empty"},
		"no JSON":         {"<html>\x1b]0;owned\a</html>", "'<' where a value should be"},
		"control":         {"\x1b[31m", `'\x1b' where a value should be`},
		"cut":             {good[:len(good)/2], "line 1: unusable input: the text ends within a value"},
		"second cut":      {good + "\n{", "the text ends within a value"},
		"number":          {"17", "line 1: unusable input: neither an object nor a list of lines: 17"},
		"text":            {`"\u001b[2J"`, `list of lines: "\u001b[2J"`},
		"nested arrays":   {"[[" + good + "]]", "neither an object nor a list of lines"},
		"null":            {"null", "neither an object nor a list of lines: null"},
		"null result":     {good + `{"jsonrpc":"2.0","result":null}`, "unusable input: the node did not know the transaction"},
		"error":           {"{\"error\":{\"code\":-32015,\"message\":\"\u202e\u009b31m\"}}", `{"code":-32015,"message":"\u202e\u009b31m"}`},
		"other object":    {`{"slots":1}`, "an object without transaction"},
		"no signature":    {`{"slot":1,"meta":null,"transaction":null}`, "no readable signature"},
		"another method":  {`{"result":[{"signature":"x"}]}`, "the result is a list"},
		"no slot":         {`{"meta":{}}`, "no slot: give whole answers"},
		"a log alone":     {`["Program log: x"]`, "no slot"},
		"slot of text":    {`{"slot":"x","meta":{}}`, `slot: x`},
		"slot over 2^64":  {`{"slot":18446744073709551616,"meta":{}}`, "slot: 18446744073709551616"},
		"logs of numbers": {`{"slot":1,"meta":{"logMessages":[1]}}`, "log: 1"},
	} {
		_, err := ReadAnswers(strings.NewReader(test.text), "x.json")
		if !errors.Is(err, ErrInput) {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		if !strings.HasPrefix(err.Error(), "x.json: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %q, want %q", name, err, test.want)
		}
		if !plain(err.Error()) {
			t.Errorf("%s: control characters in %q", name, err)
		}
	}
}

func TestReaderThatFails(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := ReadAnswers(iotest.ErrReader(broken), "x.json"); !errors.Is(err, broken) || errors.Is(err, ErrInput) {
		t.Errorf("error %v", err)
	}
}

// plain reports whether text may go to any terminal.
func plain(text string) bool {
	for _, b := range []byte(text) {
		if b != '\n' && (b < ' ' || b > '~') {
			return false
		}
	}
	return true
}

// Whatever a file holds, reading and judging it ends, in printable text.
func FuzzFiles(f *testing.F) {
	for _, name := range []string{"none-won-start", "none-won", "none-voided", "failed", "truncated", "settled-twice"} {
		f.Add(read(f, name+".json"))
	}
	f.Add([]byte(`[{"slot":1,"transaction":{"signatures":["`))
	f.Fuzz(func(t *testing.T, data []byte) {
		txs, err := ReadAnswers(bytes.NewReader(data), "fuzz")
		if err != nil {
			if !plain(err.Error()) {
				t.Errorf("error %q", err)
			}
			return
		}
		for _, program := range []string{"", minesProgram, emitter} {
			r, err := InspectFiles(txs, audit(program))
			if err != nil {
				continue
			}
			if out := text(t, r, TextOptions{Explain: true}); !plain(out) {
				t.Errorf("text %q", out)
			}
			var b bytes.Buffer
			if err := r.WriteJSON(&b, true); err != nil || !json.Valid(b.Bytes()) {
				t.Errorf("JSON %q: %v", b.Bytes(), err)
			}
		}
	})
}

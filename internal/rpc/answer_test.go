package rpc

import (
	"encoding/json"
	"reflect"
	"testing"
)

// Answers are read quickly to what encoding/json makes of them; where they are odd
// it does so itself.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"slot":5,"a":"\u00e9\n"}}`, `{"jsonrpc":"2.0","id":"x","error":{"code":-32015,"message":"no","data":{"a":1}}}`,
		`[{"id":1,"result":null},{"id":18446744073709551615,"result":[1, 2]}]`, `{"id":1,"ID":2,"result":3}`, `{"result":1,"result":2}`, `[]`, `null`, `{"id":1}`,
		`{"result":1,"unknown":2}`, `[{"result":1},null]`, `{"result":1} x`, `{"error":null,"result":1}`, `{"error":7}`, `{"result":`, `{"Result":1}`, `{"error":{"code":"x"}}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var one answer
		var many []answer
		isOne, isMany := json.Unmarshal([]byte(text), &one) == nil, json.Unmarshal([]byte(text), &many) == nil
		got, ok := readAnswer(text)
		if ok != isOne || ok && !reflect.DeepEqual(got, one) {
			t.Errorf("%q is read as %+v (%v), want %+v (%v)", text, got, ok, one, isOne)
		}
		list, ok := readAnswers(text)
		if ok != isMany || len(list) != len(many) {
			t.Fatalf("%q is read as %+v (%v), want %+v (%v)", text, list, ok, many, isMany)
		}
		for i := range list {
			if !reflect.DeepEqual(list[i], many[i]) {
				t.Errorf("%q: answer %d is read as %+v, want %+v", text, i, list[i], many[i])
			}
		}
	})
}

func TestOddIDsAreNobodysAnswers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{`{"id":7}`: 7, `{"id":-1}`: -1, `{"id":"7"}`: -2, `{"id":null}`: -2, `{}`: -2, `{"id":7.5}`: -2, `{"id":99999999999999999999}`: -2} {
		a, _ := readAnswer(text)
		i, ok := a.of()
		if !ok {
			i = -2
		}
		if i != want {
			t.Errorf("%s answers request %d, want %d", text, i, want)
		}
	}
}

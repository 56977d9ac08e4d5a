package rpc

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// quickAnswers are answers that the quick reader must take, and some that it must
// leave to the other one.
func quickAnswers() (taken, left []string) {
	const whole = `{"slot":7,"blockTime":1700000000,"version":0,"transaction":["AQ==","base64"],"meta":{"err":null,"status":{"Ok":null},"fee":5000,` +
		`"preBalances":[1,2],"postBalances":[],"innerInstructions":[{"index":0,"instructions":[{"data":"a]}\"","accounts":[0]}]}],` +
		`"logMessages":["Program log: a","quote \" and \u0041 and é",""],"preTokenBalances":[],"postTokenBalances":[],"rewards":null,` +
		`"loadedAddresses":{"writable":["a","b"],"readonly":[]},"computeUnitsConsumed":12}}`
	taken = []string{
		whole, " " + strings.ReplaceAll(whole, ",", " ,\n\t") + " ",
		strings.Replace(whole, `"blockTime":1700000000`, `"blockTime":null`, 1),
		strings.Replace(whole, `"version":0`, `"version":"legacy"`, 1),
		strings.Replace(whole, `"rewards":null`, `"rewards":-1.5e3`, 1),
		`{"meta":{"logMessages":[],"err":null},"transaction":null,"slot":18446744073709551615}`,
	}
	left = []string{
		`null`, `[]`, `{}`, `{"slot":7}`, whole + "x",
		strings.Replace(whole, `"slot":7`, `"slot":-7`, 1), strings.Replace(whole, `"slot":7`, `"slot":7.0`, 1),
		strings.Replace(whole, `"slot":7`, `"Slot":7`, 1), strings.Replace(whole, `"slot":7`, `"slot":7,"slot":8`, 1),
		strings.Replace(whole, `"err":null`, `"err":{"InstructionError":[0,"x"]}`, 1),
		strings.Replace(whole, `"fee"`, `"LogMessages"`, 1), strings.Replace(whole, `"fee"`, `"unheard_of"`, 1),
		strings.Replace(whole, `"a","b"`, `"a",null`, 1),
	}
	return taken, left
}

func TestTheQuickReaderTakesWhatNodesWrite(t *testing.T) {
	t.Parallel()
	taken, left := quickAnswers()
	for _, name := range []string{"ok", "ok-v0", "multi-field"} { // of a real node
		var record struct {
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(readFile(t, "testdata/"+name+".getTransaction.json"), &record); err != nil {
			t.Fatal(err)
		}
		taken = append(taken, string(record.Result))
	}
	for _, text := range taken {
		if _, ok := readTxQuick(text); !ok {
			t.Errorf("not taken: %s", text)
		}
		sameTx(t, text)
	}
	for _, text := range left {
		if _, ok := readTxQuick(text); ok {
			t.Errorf("taken: %s", text)
		}
	}
}

// sameTx holds the two readers together.
func sameTx(t *testing.T, text string) {
	t.Helper()
	quick, ok := readTxQuick(text)
	if !ok {
		return
	}
	slow, err := readTxAny([]byte(text))
	if err != nil {
		t.Fatalf("read quickly, and in no other way: %s", text)
	}
	if slow.Meta == nil || !isNull(slow.Meta.Err) {
		t.Fatalf("%s: read as a success", text)
	}
	slow.Meta.Err = nil // as absent
	if !reflect.DeepEqual(quick, slow) {
		t.Fatalf("%s: %+v, not %+v", text, quick, slow)
	}
}

func FuzzTransactionQuick(f *testing.F) {
	taken, left := quickAnswers()
	for _, text := range append(taken, left...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if json.Valid([]byte(text)) {
			sameTx(t, text)
		}
	})
}

package rpc

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestReplies(t *testing.T) {
	var replies map[string]json.RawMessage
	if err := json.Unmarshal(readFile(t, "testdata/subscribe-replies.json"), &replies); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]frame{
		"logsA": {kind: frameAck, id: 1, subscription: 1},
		"slot":  {kind: frameAck, id: 6, subscription: 0},
	} {
		if f, err := readFrame(replies[name]); err != nil || !reflect.DeepEqual(f, want) {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	f, err := readFrame(replies["bad2"])
	if err != nil || f.kind != frameRefusal || f.id != 5 || *f.refusal.Code != -32602 {
		t.Errorf("refusal %+v, %v", f, err)
	}
	var slots []json.RawMessage
	if err := json.Unmarshal(readFile(t, "testdata/slotNotification.json"), &slots); err != nil {
		t.Fatal(err)
	}
	if f, err := readFrame(slots[0]); err != nil || !reflect.DeepEqual(f, frame{kind: frameSlot, slot: 142, root: 142}) {
		t.Errorf("slot %+v, %v", f, err)
	}
}

func TestFramesThatEndAConnection(t *testing.T) {
	for _, text := range []string{
		``, `{}`, `[]`, `null`, `1`, `"x"`, `{"id":1}`, `{"id":1,"result":null}`, `{"id":1,"result":"7"}`,
		`{"id":1,"result":-1}`, `{"id":1,"result":18446744073709551616}`, `{"id":1,"result":7} {}`,
		`{"method":"slotNotification","params":{"result":{"slot":1}}}`,
		`{"method":"slotNotification","params":{"result":{},"subscription":1}}`,
		`{"method":"slotNotification","params":{"result":5,"subscription":1}}`,
		`{"method":"logsNotification"}`,
		strings.Replace(noteFrame(1, 1, 7), `"slot":1`, `"slot":-1`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"slot":1`, `"slot":18446744073709551616`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"slot":1`, `"slot":1.0`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"slot":1`, `"slot":"1"`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"slot":1`, `"slot":01`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"subscription":7`, `"subscription":null`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"logs":[`, `"logs":[1,`, 1),
		strings.Replace(noteFrame(1, 1, 7), `"err":null`, `"err":nul`, 1),
		strings.Replace(noteFrame(1, 1, 7), SignatureString(testSig(1)), "abc", 1),
	} {
		if f, err := readFrame([]byte(text)); err == nil {
			t.Errorf("%s: %+v", text, f)
		}
	}
}

func TestLogsAndErrorsOfNotifications(t *testing.T) {
	note := func(err, logs string) string {
		return `{"method":"logsNotification","params":{"subscription":18446744073709551615,"result":{"value":{"logs":` + logs +
			`,"err":` + err + `,"signature":"` + SignatureString(testSig(1)) + `"},"context":{"slot":18446744073709551615,"apiVersion":"2"}}}}`
	}
	for _, tc := range []struct {
		err, logs string
		want      Tx
	}{
		{`null`, `[]`, Tx{Logs: []string{}}},
		{`null`, `null`, Tx{LogsMissing: true}},
		{`{"InstructionError": [0, {"Custom": 18446744073709551615}]}`, `[""]`, Tx{Err: []byte(`{"InstructionError":[0,{"Custom":18446744073709551615}]}`), Logs: []string{""}}},
		{` "AccountNotFound" `, `["a\u0000b\nProgram P success","\\\"","é","\u00e9"]`, Tx{Err: []byte(`"AccountNotFound"`), Logs: []string{"a\x00b\nProgram P success", `\"`, "é", "é"}}},
	} {
		tc.want.Signature, tc.want.Slot = testSig(1), 1<<64-1
		f, err := readFrame([]byte(note(tc.err, tc.logs)))
		if err != nil || f.subscription != 1<<64-1 || !reflect.DeepEqual(*f.tx, tc.want) {
			t.Errorf("%s %s: %+v, %v", tc.err, tc.logs, f.tx, err)
		}
	}
}

// The quick reader must be in use for what nodes send, or the benchmark lies.
func TestQuickReaderTakesWhatNodesWrite(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.logsNotification.json")
	taken := 0
	for _, file := range files {
		var frames []json.RawMessage
		if err := json.Unmarshal(readFile(t, file), &frames); err != nil {
			t.Fatal(err)
		}
		var flat bytes.Buffer
		if err := json.Compact(&flat, frames[0]); err != nil {
			t.Fatal(err)
		}
		_, ok := readQuick(flat.String())
		if failed := strings.Contains(file, "fail-plain"); ok == failed {
			t.Errorf("%s: taken %v", file, ok)
		}
		taken++
	}
	if _, ok := readQuick(string(typicalNote())); !ok || taken < 6 {
		t.Errorf("typical note not taken, or only %d samples", taken)
	}
}

func TestFrameOwnsItsMemory(t *testing.T) {
	data := typicalNote()
	f, err := readFrame(data)
	if err != nil {
		t.Fatal(err)
	}
	line := strings.Clone(f.tx.Logs[0])
	clear(data)
	if f.tx.Logs[0] != line {
		t.Error("a log line changed with the read buffer")
	}
}

func FuzzReadFrame(f *testing.F) {
	f.Add(typicalNote())
	f.Add([]byte(noteFrame(1, 1, 7)))
	f.Add([]byte(`{"jsonrpc":"2.0","result":7,"id":1}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"slot":142,"parent":141,"root":142},"subscription":0}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7}`))
	files, _ := filepath.Glob("testdata/*.logsNotification.json")
	for _, file := range files {
		var frames []json.RawMessage
		if err := json.Unmarshal(readFile(f, file), &frames); err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(frames[0]))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, err := readAny(data)
		got, ok := readQuick(string(data))
		if ok && (err != nil || !reflect.DeepEqual(got, want)) {
			t.Errorf("quick %+v %+v\njson  %+v %+v, %v", got, got.tx, want, want.tx, err)
		}
	})
}

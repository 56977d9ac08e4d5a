package decode

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// inLogs is the log of a call that emits voids of these nonces by log.
func inLogs(nonces ...uint64) []string {
	log := lines("Program P invoke [1]")
	for _, n := range nonces {
		log = append(log, dataLine(nonceVoid(n)))
	}
	return append(log, lines("Program P success")...)
}

func nonceVoid(n uint64) []byte {
	key := sampleKey()
	key.Nonce = n
	return encodeVoided(key, Voided{})
}

// withCalls adds self-calls with events to a log and makes the transaction.
func withCalls(t *testing.T, log []string, nonces ...uint64) *Transaction {
	t.Helper()
	authority, err := EventAuthority(program)
	if err != nil {
		t.Fatal(err)
	}
	tx := &Transaction{
		Logs: slices.Clone(log), Keys: []string{program, authority},
		Instructions: []Instruction{{Outer: 0, Inner: -1, Program: program, Height: 1}},
	}
	end := len(tx.Logs)
	if end > 0 && strings.HasSuffix(tx.Logs[end-1], "success") {
		end--
	}
	for i, n := range nonces {
		tx.Logs = slices.Insert(tx.Logs, end, lines("Program P invoke [2]", "Program P success")...)
		tx.Instructions = append(tx.Instructions, Instruction{
			Outer: 0, Inner: i, Program: program, Accounts: 1, Account: authority, Height: 2, Bytes: append([]byte(eventTag), nonceVoid(n)...),
		})
	}
	return tx
}

func newReader(t *testing.T, w Where, messages bool) *Reader {
	t.Helper()
	r, err := NewReader(program, BuiltinLayout(), w, messages)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// bySource lists events as source, ordinal and nonce.
func bySource(log Log) []string {
	var list []string
	for _, e := range log.Events {
		list = append(list, e.Source.String()+" "+string('0'+rune(e.Ordinal))+": "+string('0'+rune(e.Nonce)))
	}
	return list
}

func TestTransactionByWays(t *testing.T) {
	cut := append(inLogs(1)[:2:2], "Log truncated")
	truncated := withCalls(t, nil, 1, 2)
	truncated.Logs = cut
	noLog := withCalls(t, nil, 1, 2)
	noLog.Logs, noLog.LogsMissing = nil, true
	noInner := &Transaction{Logs: withCalls(t, inLogs(1), 1).Logs, InnerMissing: true, Keys: []string{program}}
	cutNoInner := &Transaction{Logs: cut, InnerMissing: true, Keys: []string{program}}
	quiet := &Transaction{Logs: inLogs(1), InnerMissing: true, Keys: []string{program}}
	foreign := &Transaction{Logs: append(lines("Program A invoke [1]", "Program data: E")[:2:2], "Log truncated"), InnerMissing: true, Keys: []string{attacker}}
	lacking := withCalls(t, inLogs(), 1, 2)
	lacking.Instructions = lacking.Instructions[:2]
	for _, test := range []struct {
		name  string
		tx    *Transaction
		where Where
		state LogState
		want  []string
	}{
		{"logs", withCalls(t, inLogs(1, 2), 3), InLogs, LogComplete, []string{"log 0: 1", "log 1: 2"}},
		{"cpi", withCalls(t, inLogs(1, 2), 3, 4), InCPI, LogComplete, []string{"cpi 0: 3", "cpi 1: 4"}},
		{"both, each its own", withCalls(t, inLogs(1), 2), InBoth, LogComplete, []string{"log 0: 1", "cpi 0: 2"}},
		{"both, the same twice", withCalls(t, inLogs(1, 2), 1, 2), InBoth, LogComplete, []string{"log 0: 1", "log 1: 2"}},
		{"both, another order", withCalls(t, inLogs(1, 2), 2, 1), InBoth, LogComplete, []string{"log 0: 1", "log 1: 2"}},
		{"both, once more by CPI", withCalls(t, inLogs(1), 1, 1), InBoth, LogComplete, []string{"log 0: 1", "cpi 1: 1"}},
		{"both, once more in the log", withCalls(t, inLogs(1, 1), 1), InBoth, LogComplete, []string{"log 0: 1", "log 1: 1"}},
		{"cut, cpi", truncated, InCPI, LogComplete, []string{"cpi 0: 1", "cpi 1: 2"}},
		{"cut, both", truncated, InBoth, LogTruncated, []string{"log 0: 1", "cpi 1: 2"}},
		{"cut, logs", truncated, InLogs, LogTruncated, []string{"log 0: 1"}},
		{"no log, cpi", noLog, InCPI, LogComplete, []string{"cpi 0: 1", "cpi 1: 2"}},
		{"no log, both", noLog, InBoth, LogMissing, []string{"cpi 0: 1", "cpi 1: 2"}},
		{"no instructions, cpi", noInner, InCPI, LogUnattributable, nil},
		{"no instructions, logs", noInner, InLogs, LogComplete, []string{"log 0: 1"}},
		{"cut and no instructions", cutNoInner, InCPI, LogTruncated, nil},
		{"no instructions and no calls", quiet, InCPI, LogComplete, nil},
		{"another program", foreign, InCPI, LogComplete, nil},
		{"calls that are not recorded", lacking, InCPI, LogUnattributable, []string{"cpi 0: 1"}},
	} {
		got := newReader(t, test.where, false).Transaction(5, test.tx)
		if got.State != test.state || !slices.Equal(bySource(got), test.want) {
			t.Errorf("%s: %v %q with %q, want %v with %q", test.name, got.State, got.Problem, bySource(got), test.state, test.want)
		}
		if (got.State == LogUnattributable) != (got.Problem != "") || got.Ask {
			t.Errorf("%s: problem %q, ask %v", test.name, got.Problem, got.Ask)
		}
	}
}

// A log alone says whether the instructions may hold more.
func TestLogsByWays(t *testing.T) {
	calling := withCalls(t, inLogs(1), 1).Logs
	cut := append(inLogs(1)[:2:2], "Log truncated")
	for _, test := range []struct {
		name    string
		log     []string
		missing bool
		where   Where
		state   LogState
		ask     bool
		events  int
	}{
		{"logs", calling, false, InLogs, LogComplete, false, 1},
		{"logs, cut", cut, false, InLogs, LogTruncated, false, 1},
		{"logs, missing", nil, true, InLogs, LogMissing, false, 0},
		{"cpi", calling, false, InCPI, LogUnattributable, true, 0},
		{"cpi, no calls", inLogs(1), false, InCPI, LogComplete, false, 0},
		{"cpi, cut", cut, false, InCPI, LogTruncated, true, 0},
		{"cpi, missing", nil, true, InCPI, LogMissing, true, 0},
		{"both", calling, false, InBoth, LogUnattributable, true, 1},
		{"both, no calls", inLogs(1), false, InBoth, LogComplete, false, 1},
		{"both, cut", cut, false, InBoth, LogTruncated, true, 1},
	} {
		got := newReader(t, test.where, false).Logs(5, test.log, test.missing)
		if got.State != test.state || got.Ask != test.ask || len(got.Events) != test.events {
			t.Errorf("%s: %v, ask %v, %d events", test.name, got.State, got.Ask, len(got.Events))
		}
	}
}

// Text counts as an event only where it begins as one, and keeps its own count.
func TestReaderMessages(t *testing.T) {
	log := append(lines("Program P invoke [1]", "Program log: E", "Program log: hello", "Program log: AAAAAAAAAAAAAAAA"), dataLine(nonceVoid(1)))
	log = append(log, lines("Program log: E", "Program P success", "Program A invoke [1]", "Program log: E", "Program A success")...)
	want := []string{"log-msg 0: 3", "log 0: 1", "log-msg 2: 3"}
	r := newReader(t, InLogs, true)
	if got := bySource(r.Logs(5, log, false)); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	both := newReader(t, InBoth, true)
	if got := bySource(both.Transaction(5, withCalls(t, log[:7], 9))); !slices.Equal(got, append(want, "cpi 0: 9")) {
		t.Errorf("got %q", got)
	}
	if got := bySource(newReader(t, InLogs, false).Logs(5, log, false)); !slices.Equal(got, want[1:2]) {
		t.Errorf("without messages: %q", got)
	}
}

// A reader of logs finds an event for each payload that a decoder does.
func TestReaderIsDecoder(t *testing.T) {
	r, d := newReader(t, InLogs, false), New(program)
	for _, log := range [][]string{
		inLogs(1, 2), lines("Program P invoke [1]", "Program data: E E", "Program data: !!", "Program data: AAAA", "Program P success"),
		lines("Program data: E"), nil,
	} {
		got, want := r.Logs(3, log, false), d.Payloads(log, false)
		if got.State != want.State || got.Problem != want.Problem || got.Invocations != want.Invocations || len(got.Events) != len(want.List) {
			t.Errorf("got %+v, want %+v", got, want)
			continue
		}
		for i, p := range want.List {
			e := got.Events[i]
			same := e.Problem == p.Problem && string(e.Data) == p.Text
			if p.Problem == "" {
				same = bytes.Equal(e.Data, p.Data)
			}
			if e.Source != p.Source || e.Ordinal != p.Ordinal || e.Line != p.Line || !same || (p.Problem != "" && e.Kind != KindMalformed) {
				t.Errorf("event %+v of payload %+v", e, p)
			}
		}
	}
}

// Events that pretend to be the program's are none, and are told of.
func TestReaderForged(t *testing.T) {
	tx := withCalls(t, inLogs(), 1)
	tx.Instructions[1].Account = attacker
	got := newReader(t, InCPI, false).Transaction(5, tx)
	if len(got.Events) != 0 || len(got.Forged) != 1 || got.State != LogComplete {
		t.Errorf("%+v", got)
	}
}

func TestNewReaderRefuses(t *testing.T) {
	for _, test := range []struct {
		program  string
		where    Where
		messages bool
		want     string
	}{
		{"x", InLogs, false, "base58"},
		{program, InBoth + 1, false, "want one of"},
		{program, InCPI, true, "one of the two"},
	} {
		if _, err := NewReader(test.program, BuiltinLayout(), test.where, test.messages); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v", test, err)
		}
	}
	for _, w := range []Where{InLogs, InCPI, InBoth} {
		if got, err := ParseWhere(w.String()); err != nil || got != w {
			t.Errorf("%v: %v, %v", w, got, err)
		}
	}
	if _, err := ParseWhere("log"); err == nil {
		t.Error("log is taken")
	}
}

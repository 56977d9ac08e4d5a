package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"minesaudit/internal/ingest"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

// pagedNode serves a chain on which all games are over, in short pages of its
// list.
type pagedNode struct {
	chain   *simchain.Chain
	url     string
	pages   atomic.Int64
	fetched atomic.Int64
	stop    atomic.Int64 // the page at which it falls silent; 0: none
	silent  chan struct{}
	going   sync.Once
}

func newPagedNode(t *testing.T) *pagedNode {
	t.Helper()
	n := &pagedNode{silent: make(chan struct{})}
	n.chain, _ = playedChain(t)
	handler := n.chain.Handler()
	gone := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			if bytes.Contains(body, []byte(`"getTransaction"`)) {
				n.fetched.Add(1)
			}
			if bytes.Contains(body, []byte(`"getSignaturesForAddress"`)) && n.pages.Add(1) == n.stop.Load() {
				close(n.silent)
				<-gone
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(bytes.Replace(body, []byte(`"limit":1000`), []byte(`"limit":20`), 1)))
			r.ContentLength = -1
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		close(gone)
		n.chain.DropSockets()
		server.CloseClientConnections()
		server.Close()
	})
	n.url = server.URL
	return n
}

// follow has a daemon bring a record up to the chain's end.
func (n *pagedNode) follow(t *testing.T, dsn string) {
	t.Helper()
	n.goOn(t)
	c := spawn(t, "indexer", nil, "run", "--rpc-url", n.url, "--ws-url", n.ws(), "--program", n.chain.Program(), "--from", "genesis",
		"--database-url", dsn, "--listen", "127.0.0.1:0", "--reconcile-interval", "200ms")
	last := strconv.FormatUint(n.chain.FinalizedSlot(), 10)
	c.await(t, `"auditing"`)
	for deadline := time.Now().Add(patience); rowsOf(t, dsn, `select frontier >= `+last+` from audit.watch`) != "true"; time.Sleep(10 * time.Millisecond) {
		if c.ended() || time.Now().After(deadline) {
			t.Fatalf("the frontier does not come to slot %s:\n%s", last, c.text())
		}
	}
	if code := c.stop(t); code != exitGood {
		t.Fatalf("the daemon: exit %d\n%s", code, c.text())
	}
}

// record saves the chain's transactions and gives what was printed.
func (n *pagedNode) record(t *testing.T, file string, more ...string) map[string]any {
	t.Helper()
	code, out, err := indexer(append([]string{"record", "--rpc-url", n.url, "--program", n.chain.Program(), "--json", "-o", file}, more...)...)
	if code != exitGood {
		t.Fatalf("record: exit %d\n%s%s", code, out, err)
	}
	var said map[string]any
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatal(err)
	}
	return said
}

// plain is the text of a file that may be compressed.
func plain(t *testing.T, file string) string {
	t.Helper()
	from, end, err := inflate(open(t, file))
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	text, err := io.ReadAll(from)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRecordAndReplayMakeTheRecordOfADaemon(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	live := pgtest.URL(t)
	n.follow(t, live)
	want := storetest.Content(t, live)

	dir := t.TempDir()
	file := filepath.Join(dir, "all.jsonl.zst")
	said := n.record(t, file)
	text := plain(t, file)
	lines := slices.Collect(strings.Lines(text))
	if stored := rowsOf(t, live, `select count(*)::text from audit.tx`); stored != strconv.Itoa(len(lines)) || said["transactions"] != float64(len(lines)) {
		t.Errorf("%d lines, %v said, of %s transactions", len(lines), said["transactions"], stored)
	}
	slices.Reverse(lines)
	backwards, half := filepath.Join(dir, "backwards.jsonl"), filepath.Join(dir, "half.jsonl")
	write(t, backwards, strings.Join(lines, ""))
	write(t, half, strings.Join(lines[:2*len(lines)/3], ""))
	n.record(t, filepath.Join(dir, "all.jsonl.gz"))
	if got := plain(t, filepath.Join(dir, "all.jsonl.gz")); got != text {
		t.Error("gzip holds something else than zstd")
	}

	flags := func(dsn string, files ...string) []string {
		return append([]string{"replay", "--database-url", dsn, "--program", n.chain.Program(), "--genesis", said["genesis"].(string), "--from-slot", "0"}, files...)
	}
	for name, replay := range map[string]func(dsn string) []*child{
		"twice": func(dsn string) []*child {
			first := spawn(t, "indexer", nil, flags(dsn, file)...)
			first.wait(t)
			return []*child{first, spawn(t, "indexer", nil, flags(dsn, file, file)...)}
		},
		"backwards": func(dsn string) []*child { return []*child{spawn(t, "indexer", nil, flags(dsn, backwards)...)} },
		"a part, then all": func(dsn string) []*child {
			return []*child{spawn(t, "indexer", nil, flags(dsn, half, file)...)}
		},
		"from two processes": func(dsn string) []*child {
			// Bound first: of two that bind at once one may be told that another writes.
			spawn(t, "indexer", nil, flags(dsn, half)...).wait(t)
			return []*child{spawn(t, "indexer", nil, flags(dsn, file, half)...), spawn(t, "indexer", nil, flags(dsn, backwards, file)...)}
		},
		"beside a daemon": func(dsn string) []*child {
			spawn(t, "indexer", nil, flags(dsn, half)...).wait(t)
			daemon := spawn(t, "indexer", nil, "run", "--rpc-url", n.url, "--ws-url", n.ws(), "--program", n.chain.Program(), "--database-url", dsn, "--listen", "127.0.0.1:0")
			replay := spawn(t, "indexer", nil, flags(dsn, file, backwards)...)
			replay.wait(t)
			daemon.stop(t)
			return []*child{replay}
		},
	} {
		dsn := pgtest.URL(t)
		for _, c := range replay(dsn) {
			if code := c.wait(t); code != exitGood {
				t.Errorf("%s: exit %d\n%s", name, code, c.text())
			}
		}
		if name != "beside a daemon" {
			if got := rowsOf(t, dsn, `select (select count(*) from audit.rollup)::text || ' ' || (select frontier from audit.watch)`); got != "0 -1" {
				t.Errorf("%s: cells and frontier are %s: a file proves nothing", name, got)
			}
		}
		before := n.fetched.Load()
		n.follow(t, dsn)
		if got := n.fetched.Load() - before; got != 0 {
			t.Errorf("%s: the daemon fetched %d transactions that were stored", name, got)
		}
		storetest.Same(t, name, want, storetest.Content(t, dsn))
		storetest.Consistent(t, dsn)
		if code, out, err := indexer("reaudit", "--database-url", dsn); code != exitGood {
			t.Errorf("%s: re-audit: exit %d\n%s%s", name, code, out, err)
		}
	}

	// Below the frontier a file has no say, not even with what was made up.
	forged := filepath.Join(dir, "forged.jsonl")
	write(t, forged, `{"signature":"`+strings.Repeat("1", 64)+`","slot":`+rowsOf(t, live, `select frontier::text from audit.watch`)+`,"err":null,"logs":[]}`+"\n")
	code, out, err := indexer("replay", "--database-url", live, forged)
	if code != exitGood || !strings.Contains(out, "1 at or below the frontier") {
		t.Errorf("exit %d\n%s%s", code, out, err)
	}
	storetest.Same(t, "after a forged file", want, storetest.Content(t, live))
}

func TestReplayRefusals(t *testing.T) {
	withoutEnv(t)
	dsn := pgtest.URL(t)
	program := newChain(t).Program()
	empty := temporary(t, "")
	zeros := strings.Repeat("1", 32)
	for _, test := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"a new record without a chain", []string{empty}, 2, "--program, --genesis and --from-slot"},
		{"no hash", []string{"--program", program, "--genesis", "x", "--from-slot", "1", empty}, 2, "--genesis"},
		{"no file", []string{"--program", program, "--genesis", zeros, "--from-slot", "1", "/nowhere"}, 2, "/nowhere"},
		{"bound", []string{"--program", program, "--genesis", zeros, "--from-slot", "1", empty}, 0, ""},
		{"of another program", []string{"--program", zeros, empty}, 2, "--program"},
		{"by another profile", []string{"--profile", temporary(t, "payout: {scale: 100}"), empty}, 2, "another profile"},
		{"something else", []string{temporary(t, "hello\n")}, 3, "line 1"},
		{"cut off gzip", []string{temporary(t, "\x1f\x8b\x08\x00")}, 2, "the compressed file is cut short"},
		{"a log without a transaction", []string{temporary(t, `{"slot":5,"transaction":["","base64"]}`)}, 3, "line 1"},
	} {
		code, out, err := indexer(append([]string{"replay", "--database-url", dsn}, test.args...)...)
		if code != test.code || !strings.Contains(out+err, test.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", test.name, code, test.code, test.says, out, err)
		}
	}
	code, out, _ := indexer("replay", "--dry-run", "--json", answer("none-won"))
	var said map[string]any
	if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitGood || said["transactions"] == float64(0) {
		t.Errorf("dry: exit %d, %v\n%s", code, err, out)
	}
}

// Of a file that ends early all is read that it holds, and the next file too.
func TestReplayOfACutFile(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dir := t.TempDir()
	for ending, begins := range map[string]string{".gz": "\x1f\x8b\x08", ".zst": "\x28\xb5\x2f\xfd"} {
		whole, cut, rotten := filepath.Join(dir, "whole"+ending), filepath.Join(dir, "cut"+ending), filepath.Join(dir, "rotten"+ending)
		all := n.record(t, whole)["transactions"].(float64)
		text, err := os.ReadFile(whole)
		if err != nil {
			t.Fatal(err)
		}
		write(t, cut, string(text[:2*len(text)/3]))
		text[bytes.LastIndex(text, []byte(begins))] ^= 0xff // inside a page, what comes of it may be text
		write(t, rotten, string(text))
		for file, why := range map[string]string{cut: "is cut short", rotten: "is damaged"} {
			code, out, stderr := indexer("replay", "--dry-run", "--json", file)
			var said map[string]any
			if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitInconclusive || !strings.Contains(stderr, filepath.Base(file)+": the compressed file "+why) {
				t.Errorf("%s: exit %d, %v\n%s%s", file, code, err, out, stderr)
				continue
			}
			had := said["transactions"].(float64)
			if had == 0 || had >= all || said["unreadable"] != 1.0 || said["ended_early"] != false {
				t.Errorf("%s: of %v transactions: %s", file, all, out)
			}
			_, out, _ = indexer("replay", "--dry-run", "--json", file, whole)
			if err := json.Unmarshal([]byte(out), &said); err != nil || said["transactions"] != had+all {
				t.Errorf("%s and another: %v, want %v and %v\n%s", file, err, had, all, out)
			}
		}
	}
}

// Verdicts that later ones took the place of are among those that a replay has made.
func TestReplayTellsWhichVerdictsItCounts(t *testing.T) {
	t.Parallel()
	total := &replayTotal{Replayed: ingest.Replayed{Given: 9, Verdicts: map[verify.Verdict]int64{verify.VerdictPass: 7, verify.VerdictFail: 2}}}
	for asJSON, want := range map[bool]string{
		false: "verdicts made, superseded ones too: 7 pass, 2 fail, 0 inconclusive\n",
		true:  `"verdicts_made":{"fail":2,"inconclusive":0,"pass":7}`,
	} {
		var out bytes.Buffer
		if err := (&replayCmd{JSON: asJSON}).show(&streams{Out: &out}, total, nil); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%v: no %q in %s", err, want, out.String())
		}
	}
}

// Killed in the middle, with a page half written, the same command makes the same
// file.
func TestRecordGoesOnWhereItWas(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.jsonl")
	n.record(t, whole)
	for _, name := range []string{"cut.jsonl", "cut.jsonl.gz", "cut.jsonl.zst"} {
		file := filepath.Join(dir, name)
		n.silent = make(chan struct{})
		n.stop.Store(n.pages.Load() + 3)
		c := spawn(t, "indexer", nil, "record", "--rpc-url", n.url, "--program", n.chain.Program(), "-o", file)
		select {
		case <-n.silent:
		case <-time.After(patience):
			t.Fatal(c.text())
		}
		if code, _, err := indexer("record", "--rpc-url", n.url, "--program", n.chain.Program(), "-o", file); code != exitUsage || !strings.Contains(err, "another indexer") {
			t.Errorf("%s: a second one: exit %d\n%s", name, code, err)
		}
		_ = c.cmd.Process.Signal(syscall.SIGKILL)
		<-c.done
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is there before it is whole", name)
		}
		torn, err := os.OpenFile(file+".part", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := torn.WriteString("torn"); err != nil {
			t.Fatal(err)
		}
		_ = torn.Close()
		if code, _, err := indexer("record", "--rpc-url", n.url, "--program", n.chain.Program(), "--from-slot", "7", "-o", file); code != exitUsage || !strings.Contains(err, "another recording") {
			t.Errorf("%s: of other slots: exit %d\n%s", name, code, err)
		}
		before := n.fetched.Load()
		n.record(t, file)
		if plain(t, file) != plain(t, whole) {
			t.Errorf("%s differs from a recording that nothing disturbed", name)
		}
		// Two pages of 20, but for what their ends split.
		if all := strings.Count(plain(t, whole), "\n"); int(n.fetched.Load()-before) > all-30 {
			t.Errorf("%s: %d of %d transactions were fetched, two pages of them again", name, n.fetched.Load()-before, all)
		}
		if left, _ := filepath.Glob(file + ".*"); len(left) != 0 {
			t.Errorf("%v are left", left)
		}
		if code, _, err := indexer("record", "--rpc-url", n.url, "--program", n.chain.Program(), "-o", file); code != exitUsage || !strings.Contains(err, "is there already") {
			t.Errorf("%s: once more: exit %d\n%s", name, code, err)
		}
	}
}

// What is not finalized yet is no recording of nothing.
func TestRecordOfSlotsToCome(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	file := filepath.Join(t.TempDir(), "none.jsonl")
	final := n.chain.FinalizedSlot()
	for from, want := range map[uint64]int{final + 1: exitUsage, 999_999_999_999: exitUsage, final: exitGood} {
		code, out, stderr := indexer("record", "--rpc-url", n.url, "--program", n.chain.Program(), "--from-slot", strconv.FormatUint(from, 10), "-o", file)
		if code != want || want == exitUsage && !strings.Contains(stderr, "lies above slot "+strconv.FormatUint(final, 10)) || strings.Contains(out, "up to slot 0") {
			t.Errorf("from slot %d: exit %d\n%s%s", from, code, out, stderr)
		}
		left, err := filepath.Glob(file + "*")
		if err != nil || want == exitUsage && len(left) > 0 {
			t.Errorf("from slot %d: %v are left (%v)", from, left, err)
		}
		_ = os.Remove(file)
	}
	// Slots in which nothing happened are recorded as such.
	code, out, stderr := indexer("record", "--rpc-url", n.url, "--program", n.chain.Program(), "--from-slot", "5", "--to-slot", "6", "-o", file)
	if code != exitGood || !strings.Contains(out, "none.jsonl: no transactions\n") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
}

func TestRecordOfSomeSlots(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dir := t.TempDir()
	n.record(t, filepath.Join(dir, "all"))
	slotOf := func(line string) uint64 {
		var x struct{ Slot uint64 }
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		return x.Slot
	}
	all := slices.Collect(strings.Lines(plain(t, filepath.Join(dir, "all"))))
	from, to := slotOf(all[2*len(all)/3]), slotOf(all[len(all)/3])
	var want []string
	for _, line := range all {
		if s := slotOf(line); s >= from && s <= to {
			want = append(want, line)
		}
	}
	n.record(t, filepath.Join(dir, "some"), "--from-slot", strconv.FormatUint(from, 10), "--to-slot", strconv.FormatUint(to, 10))
	if got := plain(t, filepath.Join(dir, "some")); got != strings.Join(want, "") || len(want) == 0 {
		t.Errorf("%d lines, want %d", strings.Count(got, "\n"), len(want))
	}
}

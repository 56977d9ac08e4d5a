package simchain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// stepNotes makes blocks and gives the signatures that a confirmed subscriber to
// the program is told of, in order.
func stepNotes(t *testing.T, c *Chain, blocks int) []string {
	t.Helper()
	program := c.cast.program
	var told []string
	for range blocks {
		b, _, err := c.append()
		if err != nil {
			t.Fatal(err)
		}
		frames := string(c.Node(0).frames(&subscription{only: &program, level: confirmed}, b, nil))
		for rest := frames; ; {
			_, after, more := strings.Cut(rest, `"signature":"`)
			if !more {
				break
			}
			name, tail, _ := strings.Cut(after, `"`)
			told, rest = append(told, name), tail
		}
	}
	return told
}

func TestWithholdAndDuplicate(t *testing.T) {
	config := Config{Seed: 4, GamesPerSlot: 10}
	all := stepNotes(t, newChain(t, config), 50)

	c := newChain(t, config)
	c.Faults.Withhold(0.3)
	c.Faults.Duplicate(0.2)
	got := stepNotes(t, c, 50)
	times := map[string]int{}
	for _, name := range got {
		times[name]++
	}
	counts := [3]int{}
	for _, name := range all {
		counts[times[name]]++
	}
	n := len(all)
	if counts[0] < n/5 || counts[0] > 2*n/5 || counts[2] < n/10 || counts[2] > 3*n/10 {
		t.Errorf("of %d notifications %d were withheld and %d doubled, want about 30 %% and 20 %%", n, counts[0], counts[2])
	}
}

func TestMute(t *testing.T) {
	c := newChain(t, Config{Seed: 4, Games: 10})
	conn := dial(t, serve(t, c).WSURL)
	subscribe(t, conn, "slotSubscribe", "[]")
	c.Faults.Mute(true)
	advance(t, c, 5)
	c.Faults.Mute(false)
	advance(t, c, 1)
	if n := mustReceive(t, conn); n.Params.Result.Slot != c.Slot() {
		t.Errorf("told of slot %d first, want %d, the first one after silence", n.Params.Result.Slot, c.Slot())
	}
}

func TestDropSockets(t *testing.T) {
	c := newChain(t, Config{Seed: 4, Games: 10})
	s := serve(t, c)
	one, two := dial(t, s.WSURL), dial(t, s.WSURL)
	subscribe(t, one, "slotSubscribe", "[]")
	subscribe(t, two, "slotSubscribe", "[]")
	if n := c.DropSockets(); n != 2 {
		t.Fatalf("%d sockets dropped, want 2", n)
	}
	if _, err := receive(t, one); err == nil {
		t.Error("a dropped socket still speaks")
	}
	subscribe(t, dial(t, s.WSURL), "slotSubscribe", "[]") // others may come
}

func TestNullFirst(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	name := c.ledger.blocks[1].txs[0].name()
	c.Faults.NullFirst(2)
	params := fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, name)
	for i, null := range []bool{true, true, false, false} {
		if a := ask(t, s, "getTransaction", params); (string(a.Result) == "null") != null || a.Error != nil {
			t.Errorf("call %d: %.60s", i, a.Result)
		}
	}
}

func TestHoles(t *testing.T) {
	c := newChain(t, Config{Seed: 4, GamesPerSlot: 5})
	s := serve(t, c)
	advance(t, c, 3)
	before := len(list(t, s, c.Program(), "confirmed", 1000))
	c.Faults.Holes(4)
	advance(t, c, 10)
	holed := list(t, s, c.Program(), "confirmed", 1000)
	c.Faults.FillHoles()
	full := list(t, s, c.Program(), "confirmed", 1000)
	if len(full)-len(holed) != 4 || len(holed) <= before {
		t.Fatalf("%d entries with holes, %d without, %d before", len(holed), len(full), before)
	}
	for _, info := range full {
		if a := ask(t, s, "getTransaction", fmt.Sprintf(`[%q,{"commitment":"confirmed","maxSupportedTransactionVersion":0}]`, info.Signature)); string(a.Result) == "null" {
			t.Fatalf("getTransaction does not know %s", info.Signature)
		}
	}
}

func TestHTTPFaults(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	const body = `{"jsonrpc":"2.0","id":4,"method":"getHealth"}`
	c.Faults.HTTP(TooManyRequests, RPCTooMany, ServerError, HTMLPage, CutJSON)
	for _, want := range []struct {
		status int
		text   string
	}{
		{http.StatusTooManyRequests, "Too Many Requests"},
		{http.StatusOK, `{"jsonrpc":"2.0","error":{"code":429,"message":"too many requests"},"id":4}`},
		{http.StatusServiceUnavailable, "unavailable"},
		{http.StatusOK, "<html>"},
		{http.StatusOK, `{"jsonrpc":"2.0","result":{"sl`},
		{http.StatusOK, `{"jsonrpc":"2.0","result":"ok","id":4}`},
	} {
		if status, text := post(t, s, body); status != want.status || !strings.HasPrefix(text, want.text) {
			t.Errorf("answered %d %q, want %d %q", status, text, want.status, want.text)
		}
	}
	c.Faults.HTTP(Hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.RPCURL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if resp, err := client.Do(req); !errors.Is(err, context.DeadlineExceeded) {
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		t.Errorf("a request that hangs ends with %v", err)
	}
}

// A node that is down answers what was asked for first, then nothing until it is healed.
func TestDown(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	c.Faults.Down()
	c.Faults.HTTP(TooManyBare)
	for i, want := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusServiceUnavailable, http.StatusOK} {
		if i == 3 {
			c.Faults.Heal()
		}
		if status, text := post(t, s, `{"jsonrpc":"2.0","id":4,"method":"getHealth"}`); status != want {
			t.Errorf("answer %d is %d %q, want %d", i, status, text, want)
		}
	}
}

// TestForks wants what a fork took back to be gone from every answer, what landed
// again to be in its new slot, and the truth to be what stands.
func TestForks(t *testing.T) {
	c := newChain(t, Config{Seed: 4, Games: 200, GamesPerSlot: 5, FinalitySlots: 8, Cheats: Cheats()})
	s := serve(t, c)
	advance(t, c, 5)
	for _, fault := range []func(int) error{c.Faults.DropStarts, c.Faults.DropEnds, c.Faults.RelandStarts, c.Faults.RelandEnds} {
		if err := fault(6); err != nil {
			t.Fatal(err)
		}
	}
	first := map[string]*tx{} // as they were first told of
	var moved, gone []*tx
	for done := false; !done; {
		select {
		case <-c.Done():
			done = true
		default:
			advance(t, c, 1)
			for _, tx := range c.ledger.blocks[c.ledger.tip(confirmed)].txs {
				if before := first[tx.name()]; before != nil {
					moved = append(moved, tx)
					if before.slot >= tx.slot {
						t.Fatalf("%s lands again in slot %d after slot %d", tx.name(), tx.slot, before.slot)
					}
					continue
				}
				first[tx.name()] = tx
			}
		}
	}
	for _, tx := range first {
		if now, _ := c.ledger.find(tx.signature); now == nil {
			gone = append(gone, tx)
		}
	}
	if len(moved) != 12 || len(gone) != 12 {
		t.Fatalf("%d transactions landed again and %d are gone, want 12 and 12", len(moved), len(gone))
	}
	listed := map[string]signatureInfo{}
	for _, info := range list(t, s, c.Program(), "finalized", 1000) {
		if _, twice := listed[info.Signature]; twice {
			t.Fatalf("%s is listed twice", info.Signature)
		}
		listed[info.Signature] = info
	}
	for _, now := range moved {
		if listed[now.name()].Slot != now.slot {
			t.Errorf("%s is listed in slot %d, want %d", now.name(), listed[now.name()].Slot, now.slot)
		}
		old := first[now.name()]
		if len(now.event) == startedSize && slices.Equal(now.event, old.event) {
			t.Errorf("the start %s landed again with the slot hash that it had", now.name())
		}
		if slices.ContainsFunc(c.ledger.block(old.slot).txs, func(tx *tx) bool { return tx.signature == now.signature }) {
			t.Errorf("%s is still in the block of slot %d", now.name(), old.slot)
		}
	}
	for _, tx := range gone {
		a := ask(t, s, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, tx.name()))
		if _, is := listed[tx.name()]; is || string(a.Result) != "null" {
			t.Errorf("%s is gone, and still answered", tx.name())
		}
	}
	checkForkTruth(t, c)
}

func checkForkTruth(t *testing.T, c *Chain) {
	t.Helper()
	seen := readChain(t, c)
	truth := c.Truth()
	if len(truth) != 200-6 || len(seen) != len(truth) {
		t.Fatalf("truth of %d games, the logs show %d; 200 started and 6 starts were dropped", len(truth), len(seen))
	}
	for _, is := range truth {
		compare(t, c, is, seen[idOf(t, is)])
	}
}

func TestForksNeedRoom(t *testing.T) {
	c := newChain(t, Config{FinalitySlots: 4})
	if err := c.Faults.RelandStarts(1); !errors.Is(err, ErrFinality) {
		t.Fatalf("got %v", err)
	}
}

package simchain

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"
)

func TestSubscribeFaults(t *testing.T) {
	c := someChain(t)
	conn := dial(t, serve(t, c).WSURL)
	for body, code := range map[string]int{
		`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":[]}`:                                                            -32602,
		`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":[{"mentions":["` + c.Program() + `","` + c.Operator() + `"]}]}`: -32602,
		`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":[{"mentions":["xyz"]}]}`:                                        -32602,
		`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":["some"]}`:                                                      -32602,
		`{"jsonrpc":"2.0","id":1,"method":"logsUnsubscribe","params":[77]}`:                                                        -32602,
		`{"jsonrpc":"2.0","id":1,"method":"rootSubscribe","params":[]}`:                                                            -32601,
		`{"jsonrpc":"2.0","id":1,"method":"getSlot"}`:                                                                              -32601,
		`{"jsonrpc":`: -32700,
	} {
		send(t, conn, body)
		if n := mustReceive(t, conn); n.Error == nil || n.Error.Code != code {
			t.Errorf("%s answers %+v, want %d", body, n.answerTo, code)
		}
	}
}

// TestNotifications wants what subscribers are told to be what is in the blocks, in
// their order, at both commitments and on both ports.
func TestNotifications(t *testing.T) {
	c := newChain(t, Config{Seed: 6, GamesPerSlot: 4, FinalitySlots: 3})
	s := serve(t, c)
	for name, tt := range map[string]struct {
		url, params string
		level       commitment
		tells       func(*tx) bool
	}{
		"confirmed": {s.WSURL, c.mentions("confirmed"), confirmed, func(tx *tx) bool { return tx.layout != foreignOnly }},
		"finalized": {"ws" + s.RPCURL[len("http"):], c.mentions("finalized"), finalized, func(tx *tx) bool { return tx.layout != foreignOnly }},
		"default":   {s.WSURL, fmt.Sprintf(`[{"mentions":[%q]}]`, c.Program()), finalized, func(tx *tx) bool { return tx.layout != foreignOnly }},
		"all":       {s.WSURL, `["all",{"commitment":"confirmed"}]`, confirmed, func(*tx) bool { return true }},
		"operator": {
			s.WSURL, fmt.Sprintf(`[{"mentions":[%q]},{"commitment":"processed"}]`, c.Operator()), processed,
			func(tx *tx) bool { return tx.signer == c.cast.operator },
		},
	} {
		t.Run(name, func(t *testing.T) {
			conn := dial(t, tt.url)
			id := subscribe(t, conn, "logsSubscribe", tt.params)
			c.mu.RLock()
			from := c.ledger.tip(tt.level)
			c.mu.RUnlock()
			stepped := make(chan error, 1)
			go func() {
				for range 20 {
					if err := c.Step(t.Context()); err != nil {
						stepped <- err
						return
					}
				}
				stepped <- nil
			}()
			told := 0
			for i := from + 1; i <= from+15; i++ {
				for _, tx := range blockAt(t, c, i).txs {
					if !tt.tells(tx) {
						continue
					}
					n := mustReceive(t, conn)
					r := n.Params.Result
					if n.Method != "logsNotification" || n.Params.Subscription != id || r.Context.Slot != tx.slot ||
						r.Value.Signature != tx.name() || string(r.Value.Err) != tx.errJSON() || !slices.Equal(r.Value.Logs, c.cast.log(tx).strings()) {
						t.Fatalf("told of %+v, want %s in slot %d", n, tx.name(), tx.slot)
					}
					told++
				}
			}
			if told == 0 {
				t.Fatal("nothing was told")
			}
			_ = conn.CloseNow() // the producer need not wait for it
			if err := <-stepped; err != nil {
				t.Fatal(err)
			}
		})
	}
}

// blockAt waits for the block at an index.
func blockAt(t *testing.T, c *Chain, i int) *block {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		c.mu.RLock()
		if i < len(c.ledger.blocks) {
			defer c.mu.RUnlock()
			return c.ledger.blocks[i]
		}
		c.mu.RUnlock()
	}
	t.Fatalf("no block %d is made", i)
	return nil
}

func TestSlotNotifications(t *testing.T) {
	c := newChain(t, Config{Seed: 6, Games: 1, FinalitySlots: 3})
	conn := dial(t, serve(t, c).WSURL)
	id := subscribe(t, conn, "slotSubscribe", "[]")
	for range 10 {
		advance(t, c, 1)
		n := mustReceive(t, conn)
		r := n.Params.Result
		if n.Method != "slotNotification" || n.Params.Subscription != id || r.Slot != c.Slot() || r.Root != c.FinalizedSlot() || r.Parent >= r.Slot {
			t.Fatalf("told of %+v in slot %d, root %d", r, c.Slot(), c.FinalizedSlot())
		}
	}
	send(t, conn, fmt.Sprintf(`{"jsonrpc":"2.0","id":8,"method":"slotUnsubscribe","params":[%d]}`, id))
	if n := mustReceive(t, conn); string(n.Result) != "true" {
		t.Fatalf("unsubscribe answers %+v", n.answerTo)
	}
	advance(t, c, 3)
	send(t, conn, fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"slotUnsubscribe","params":[%d]}`, id))
	if n := mustReceive(t, conn); n.Error == nil {
		t.Fatalf("still told after unsubscribing: %+v", n)
	}
}

// TestEqualSubscriptionsShareAnID is how a node does it, and what lets one buffer
// serve all subscribers.
func TestEqualSubscriptionsShareAnID(t *testing.T) {
	c := newChain(t, Config{Seed: 6, Games: 1})
	s := serve(t, c)
	one, two := dial(t, s.WSURL), dial(t, s.WSURL)
	first := subscribe(t, one, "logsSubscribe", c.mentions("confirmed"))
	if again := subscribe(t, two, "logsSubscribe", c.mentions("confirmed")); again != first {
		t.Errorf("ids %d and %d for one question", first, again)
	}
	if other := subscribe(t, one, "logsSubscribe", c.mentions("finalized")); other == first {
		t.Errorf("id %d for two questions", first)
	}
	if c.Subscribers() != 3 {
		t.Errorf("%d subscribers, want 3", c.Subscribers())
	}
}

// TestSlowReader wants a reader that does not read to hold the producer up at rate
// zero, and to be cut off above it.
func TestSlowReader(t *testing.T) {
	t.Run("paces", func(t *testing.T) {
		c := newChain(t, Config{Seed: 6, Games: 0, GamesPerSlot: 100})
		conn := dial(t, serve(t, c).WSURL)
		subscribe(t, conn, "logsSubscribe", c.mentions("confirmed"))
		const blocks = 120 // some 30 MB, more than any socket buffer holds
		produced := make(chan error, 1)
		go func() {
			var err error
			for range blocks {
				err = c.Step(t.Context())
			}
			produced <- err
		}()
		mustReceive(t, conn)
		select {
		case <-produced:
			t.Fatal("all blocks were made before anybody read them")
		default:
		}
		seen := map[uint64]bool{}
		for len(seen) < blocks {
			seen[mustReceive(t, conn).Params.Result.Context.Slot] = true
		}
		if c.Subscribers() != 1 {
			t.Fatal("the slow reader was cut off")
		}
		for drained := false; !drained; { // the last block's rest
			select {
			case err := <-produced:
				drained = true
				if err != nil {
					t.Fatal(err)
				}
			default:
				mustReceive(t, conn)
			}
		}
	})
	t.Run("is cut off", func(t *testing.T) {
		c := newChain(t, Config{Seed: 6, Games: 0, Rate: 250, SlotTime: 400 * time.Millisecond})
		conn := dial(t, serve(t, c).WSURL)
		subscribe(t, conn, "logsSubscribe", c.mentions("confirmed"))
		for n := 0; c.Subscribers() == 1; n++ {
			if n > queueBlocks {
				t.Fatal("a reader that does not read is never cut off")
			}
			advance(t, c, 1)
		}
		var err error
		for err == nil {
			_, err = receive(t, conn)
		}
		if status := websocket.CloseStatus(err); status != -1 {
			t.Fatalf("closed with a handshake, status %d; a node just goes", status)
		}
	})
}

func TestServerGoesAway(t *testing.T) {
	c := newChain(t, Config{Seed: 6, Games: 1})
	s, err := c.Serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn := dial(t, s.WSURL)
	subscribe(t, conn, "slotSubscribe", "[]")
	s.Close()
	if _, err := receive(t, conn); err == nil {
		t.Fatal("the socket outlives its server")
	}
}

func BenchmarkWebsocket(b *testing.B) {
	c := newChain(b, Config{Seed: 1, WaitForSubscriber: true})
	conn := dial(b, serve(b, c).WSURL)
	subscribe(b, conn, "logsSubscribe", c.mentions("confirmed"))
	go func() { _ = c.Run(b.Context()) }()
	for b.Loop() {
		if _, _, err := conn.Read(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}

package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// peer serves another node of a chain.
func (n *node) peer(t *testing.T, i int) (*simchain.Node, string) {
	t.Helper()
	p := n.chain.Node(i)
	return p, n.served(t, p, p.Handler())
}

func (n *node) served(t *testing.T, p *simchain.Node, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		p.DropSockets()
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// gated serves another node of a chain that answers as refuse does, where it does, until
// open is called.
func (n *node) gated(t *testing.T, i int, refuse func(w http.ResponseWriter, body []byte) bool) (url string, open func()) {
	t.Helper()
	p := n.chain.Node(i)
	opened, whole := make(chan struct{}), p.Handler()
	url = n.served(t, p, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		select {
		case <-opened:
		default:
			if refuse(w, body) {
				return
			}
		}
		whole.ServeHTTP(w, r)
	}))
	return url, func() { close(opened) }
}

// gone refuses everything, websockets too.
func gone(w http.ResponseWriter, _ []byte) bool {
	http.Error(w, "gone", http.StatusServiceUnavailable)
	return true
}

// withoutTransactions refuses to give transactions, in a way.
func withoutTransactions(refuse func(w http.ResponseWriter, body []byte)) func(http.ResponseWriter, []byte) bool {
	return func(w http.ResponseWriter, body []byte) bool {
		asked := bytes.Contains(body, []byte(`"getTransaction"`))
		if asked {
			refuse(w, body)
		}
		return asked
	}
}

// die has a node answer with errors until it is healed.
func die(n *simchain.Node) {
	dead := make([]simchain.HTTPFault, 100_000)
	for i := range dead {
		dead[i] = simchain.ServerError
	}
	n.Faults.HTTP(dead...)
}

// allChecked fails if slots were passed that no second node was asked for.
func (w *watcher) allChecked(t *testing.T) {
	t.Helper()
	if unchecked := testutil.ToFloat64(w.Metrics.slotsUnchecked); unchecked > 0 {
		t.Errorf("%v slots were left to one node's word", unchecked)
	}
}

// rpcNode is a node of a daemon under test.
type rpcNode struct {
	name, url string
	roles     []rpc.Role
}

// nodes has a daemon follow several nodes.
func nodes(t *testing.T, n *node, all ...rpcNode) func(*Config) {
	t.Helper()
	return func(c *Config) {
		c.Nodes.Close()
		var providers []rpc.Provider
		for _, one := range all {
			providers = append(providers, rpc.Provider{
				Client: rpc.Config{Name: one.name, Timeout: 5 * time.Second}, Roles: one.roles,
				Ends: rpc.Endpoints{RPC: one.url, WS: "ws" + strings.TrimPrefix(one.url, "http")},
			})
		}
		pool, err := rpc.NewPool(rpc.PoolConfig{Providers: providers, LookEvery: 20 * time.Millisecond, LeaveFor: 200 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		c.Nodes = pool
		c.Stream, err = pool.Live(rpc.StreamConfig{
			Program: n.chain.Program(), BackoffInitial: 10 * time.Millisecond, BackoffMax: 100 * time.Millisecond, StallAfter: 2 * time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// lies are what a node tells by itself from now on.
func lies(t *testing.T, n *simchain.Node, kinds ...simchain.Fault) {
	t.Helper()
	if err := n.Faults.Inject(1, kinds...); err != nil {
		t.Fatal(err)
	}
}

// texts reads the first column of a query, in order.
func texts(t *testing.T, dsn, query string) (all []string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	rows, err := conn.Query(context.Background(), query)
	if err != nil {
		t.Fatal(err)
	}
	if all, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		t.Fatal(err)
	}
	return all
}

// notFalse holds the record against what the chain knows as far as that can be known
// where nodes lie: no game passes that must not, and none fails that is in order. It
// gives how many games are as the chain knows them.
func notFalse(t *testing.T, n *node, dsn string) (right int) {
	t.Helper()
	got := outcomes(t, dsn)
	for _, truth := range n.chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		o, found := got[name]
		delete(got, name)
		switch verdict := o.Verdict.String(); {
		case !found: // both ends of it are in dispute
		case verdict == truth.Verdict:
			right++
		case verdict != "inconclusive":
			t.Errorf("game %s (%q): %s, want %s or inconclusive", name, truth.Cheat, verdict, truth.Verdict)
		}
	}
	for name, o := range got {
		if o.Verdict.String() != "inconclusive" {
			t.Errorf("game %s has verdict %s and was never played", name, o.Verdict)
		}
	}
	return right
}

// Whichever of the nodes hides transactions, the other one's are in the record before
// the frontier passes them.
func TestWhatOneNodeHidesTheOtherGives(t *testing.T) {
	t.Parallel()
	for name, liar := range map[string]int{"the first hides": 0, "the second hides": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := serve(t, quick(150, ""))
			_, other := n.peer(t, 1)
			lies(t, n.chain.Node(liar), "hide")
			lister := []rpc.Role{rpc.RoleRecord, rpc.RoleCheck}
			roles := [2][]rpc.Role{lister, lister}
			roles[liar] = nil // the one that hides is the one that is heard
			w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, roles[0]}, rpcNode{"b", other, roles[1]}))
			n.play(t)
			w.catchUp(t, n)
			agree(t, n, w.dsn)
			kinds := strings.Join(texts(t, w.dsn, `select distinct kind from audit.disagreement order by 1`), " ")
			if want := [2]string{"unlisted", "unknown"}[liar]; !strings.Contains(kinds, want) {
				t.Errorf("recorded are %q, want %s", kinds, want)
			}
			if left := texts(t, w.dsn, `select slots::text || ' ' || reason from audit.unchecked`); len(left) > 0 {
				t.Errorf("unchecked: %v", left)
			}
		})
	}
}

// The negative control of the test before: what one node hides is missing where there
// is no other to ask.
func TestWhatTheOnlyNodeHidesIsMissing(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, ""))
	lies(t, n.chain.Node(0), "hide")
	n.play(t)
	w := watch(t, n, database(t))
	w.catchUp(t, n)
	if got := outcomes(t, w.dsn); len(got) == len(n.chain.Truth()) {
		t.Errorf("all %d games are in the record", len(got))
	}
}

// A node that makes up or alters transactions convicts nobody and acquits nobody,
// while another one is honest and every transaction is looked at.
func TestOneHonestNodeKeepsVerdictsFromBeingFalse(t *testing.T) {
	t.Parallel()
	for _, lie := range []simchain.Fault{"alter", "invent"} {
		for name, liar := range map[string]int{"first": 0, "second": 1} {
			t.Run(string(lie)+" by the "+name, func(t *testing.T) {
				t.Parallel()
				n := serve(t, quick(150, "all"))
				_, other := n.peer(t, 1)
				lies(t, n.chain.Node(liar), lie)
				w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", other, nil}), func(c *Config) { c.Sample = 1 })
				n.play(t)
				w.catchUp(t, n)
				w.until(t, "everything is examined", func(s Status) bool { return s.Examined.Backlog == 0 && s.Examined.UncheckedSlots == 0 })
				w.stop(t) // what is under way is saved
				if right := notFalse(t, n, w.dsn); right < 75 {
					t.Errorf("only %d games of 150 are right", right)
				}
				if len(texts(t, w.dsn, `select kind from audit.disagreement`)) == 0 {
					t.Error("no disagreement is recorded")
				}
			})
		}
	}
}

// A third node settles what two disagree about.
func TestTheMajorityIsBelieved(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	_, second := n.peer(t, 1)
	_, third := n.peer(t, 2)
	lies(t, n.chain.Node(1), "alter")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", second, nil}, rpcNode{"c", third, nil}), func(c *Config) { c.Sample = 1 })
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "everything is examined", func(s Status) bool { return s.Examined.Backlog == 0 })
	w.stop(t)
	agree(t, n, w.dsn)
	if got := strings.Join(texts(t, w.dsn, `select distinct settled from audit.disagreement order by 1`), " "); !strings.Contains(got, "majority") || strings.HasPrefix(got, " ") {
		t.Errorf("settled as %q", got)
	}
}

// A log that one node cuts short is whole at another.
func TestALongerLogSettlesATruncatedOne(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	_, other := n.peer(t, 1)
	lies(t, n.chain.Node(0), "truncate")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", other, []rpc.Role{rpc.RoleCheck}}))
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "everything is examined", func(s Status) bool { return s.Examined.Backlog == 0 && s.Unverifiable == 0 })
	w.stop(t)
	agree(t, n, w.dsn)
	if got := texts(t, w.dsn, `select settled from audit.disagreement where kind = 'truncated'`); len(got) == 0 || got[0] != "longer" {
		t.Errorf("settled as %v", got)
	}
}

// The second node's failure holds nothing back; what was passed without it is shown
// and looked at again.
func TestTheFrontierDoesNotWaitForASecondNodeThatIsDown(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(100, "all"))
	other, back := n.gated(t, 1, gone)
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", other, nil}))
	n.chain.Node(0).Faults.Holes(1) // which the second will show
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "unchecked slots are shown", func(s Status) bool { return s.Examined.UncheckedSlots > 0 })
	if s := w.Status(); len(s.Nodes) != 2 || s.Nodes[1].Name != "b" || s.Nodes[1].State == "ok" || !s.Node.OK {
		t.Errorf("shown are %+v", s.Nodes)
	}
	back()
	w.until(t, "they are checked once it is back", func(s Status) bool { return s.Examined.UncheckedSlots == 0 && s.Nodes[1].State == "ok" })
	w.stop(t)
	agree(t, n, w.dsn)
}

// What one node alone has told of is held against another, though the one is the second
// by then.
func TestUncheckedSlotsAreNotCheckedByTheNodeThatListedThem(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(100, ""))
	lies(t, n.chain.Node(0), "hide")
	first, back := n.gated(t, 1, gone)
	n.chain.Node(1).Faults.Pages(20) // else its first page shows all that was ever played
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", first, nil}, rpcNode{"b", n.url, nil}))
	n.play(t)
	w.catchUp(t, n)
	if by := texts(t, w.dsn, `select distinct node from audit_api.v1_unchecked`); len(by) != 1 || by[0] != "b" {
		t.Errorf("the lists that nobody has checked are those of %v", by)
	}
	back()
	w.until(t, "all is checked", func(s Status) bool {
		return s.Examined.UncheckedSlots == 0 && s.Examined.Backlog == 0 && s.Nodes[0].State == "ok"
	})
	w.stop(t)
	agree(t, n, w.dsn)
}

// A second node that refuses every fifth call is asked again, and no range of slots is
// left to the word of the first, which makes transactions up.
func TestASecondNodeThatRefusesCallsIsAskedAgain(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	lies(t, n.chain.Node(0), "invent")
	p := n.chain.Node(1)
	up := p.Handler()
	var calls atomic.Int64
	other := n.served(t, p, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && calls.Add(1)%5 == 0 {
			http.Error(w, "come again", http.StatusServiceUnavailable)
			return
		}
		up.ServeHTTP(w, r)
	}))
	w := watch(t, n, database(t), second(t, n, other), func(c *Config) { c.Sample, c.AwaitSecond = 1, patience })
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "everything is examined", func(s Status) bool { return s.Examined.Backlog == 0 })
	w.stop(t)
	notFalse(t, n, w.dsn)
	w.allChecked(t)
}

// A second node that does not know what it has just listed is read from the newest again.
func TestASecondNodeThatForgetsItsAnchorIsReadAgain(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	p, other := n.peer(t, 1)
	p.Faults.Pages(20)
	lies(t, p, "anchors")
	w := watch(t, n, database(t), second(t, n, other))
	n.play(t)
	w.catchUp(t, n)
	w.stop(t)
	agree(t, n, w.dsn)
	w.allChecked(t)
}

// The record goes on at another node where the first one dies, and lies about nothing
// meanwhile.
func TestAnotherNodeTakesTheRecordOver(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(200, "all"))
	_, other := n.peer(t, 1)
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", other, nil}))
	n.play(t)
	w.until(t, "following", func(s Status) bool { return s.FrontierSlot != nil && s.Connection.Up })
	die(n.chain.Node(0))
	w.catchUp(t, n)
	if s := w.Status(); s.Nodes[0].State != "erring" && s.Nodes[0].State != "faulty" || s.Nodes[1].State != "ok" {
		t.Errorf("%+v", s.Nodes)
	}
	w.stop(t)
	agree(t, n, w.dsn)
}

// A node that lags is not read from, and slows nobody.
func TestALaggingNodeIsNotReadFrom(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, ""))
	_, other := n.peer(t, 1)
	n.chain.Node(0).Faults.Lag(400)
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleRecord}}, rpcNode{"b", other, nil}))
	n.play(t)
	w.catchUp(t, n) // to the chain's own slot, which a never tells of in time
	if s := w.Status(); s.Nodes[0].State != "lagging" {
		t.Errorf("%+v", s.Nodes[0])
	}
	agree(t, n, w.dsn)
}

// A transaction that a second node lists and cannot give for now holds the frontier
// back, whether that node can be asked meanwhile or not.
func TestTheFrontierWaitsForWhatAnotherNodeLists(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(60, ""))
	other, give := n.gated(t, 1, withoutTransactions(func(w http.ResponseWriter, _ []byte) {
		http.Error(w, "busy", http.StatusServiceUnavailable)
	}))
	lies(t, n.chain.Node(0), "hide")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", other, []rpc.Role{rpc.RoleCheck}}))
	n.play(t)
	w.until(t, "it waits", func(s Status) bool { return strings.Contains(s.Node.Error, errHeld.Error()) })
	held := w.Status().FrontierSlot
	<-n.chain.Done()
	w.until(t, "it waits still", func(s Status) bool { return strings.Contains(s.Node.Error, errHeld.Error()) })
	if now := w.Status().FrontierSlot; held != nil && *now != *held {
		t.Errorf("the frontier went from %d to %d", *held, *now)
	}
	if s := w.Status(); s.Nodes[0].State != "ok" {
		t.Errorf("the node that is read from is blamed: %+v", s.Nodes[0])
	}
	give()
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

// Nobody can be waited for without end.
func TestAHeldFrontierIsLetGoInTime(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(1, ""))
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", n.url, nil}))
	n.play(t)
	w.catchUp(t, n)
	w.stop(t)
	d := w.Daemon
	st, err := store.Open(w.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	d.Store, d.writer, d.examining.held = st, nil, nil
	x := &d.examining
	x.hold([]rpc.SignatureInfo{{Signature: [64]byte{1}, Slot: 7}, {Signature: [64]byte{2}, Slot: 9}})
	if err := d.holds(t.Context()); !errors.Is(err, errHeld) {
		t.Fatalf("two are waited for: %v", err)
	}
	for s, h := range x.held {
		h.since = h.since.Add(-holdFor)
		x.held[s] = h
	}
	if err := d.holds(t.Context()); err != nil || len(x.held) != 0 {
		t.Errorf("after %v: %v, %d are left", holdFor, err, len(x.held))
	}
	if got := texts(t, w.dsn, `select slots::text from audit.unchecked order by slots`); strings.Join(got, " ") != "[7,8) [9,10)" {
		t.Errorf("unchecked are %v", got)
	}
	_ = d.writer.Close(t.Context())
}

func TestALogWithinAnother(t *testing.T) {
	tx := func(lines ...string) *rpc.Tx { return &rpc.Tx{Logs: lines} }
	missing := &rpc.Tx{LogsMissing: true}
	for _, c := range []struct {
		what        string
		short, long *rpc.Tx
		want        bool
	}{
		{"cut at the end", tx("a", "b", cutMark), tx("a", "b", "c", "d"), true},
		{"lines left out, a short one kept", tx("a", cutMark, "d"), tx("a", "b", "c", "d"), true},
		{"both cut, at different lengths", tx("a", cutMark), tx("a", "b", cutMark), true},
		{"not marked", tx("a", "b"), tx("a", "b", "c"), false},
		{"a line of its own", tx("a", "x", cutMark), tx("a", "b", "c"), false},
		{"another order", tx("b", "a", cutMark), tx("a", "b", "c"), false},
		{"longer than the other", tx("a", "b", "c", cutMark), tx("a", "b"), false},
		{"none at all", missing, tx("a"), true},
		{"against none", tx("a", cutMark), missing, false},
		{"none against none", missing, missing, false},
	} {
		if got := within(c.short, c.long); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

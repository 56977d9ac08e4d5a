package rpc

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
)

// peerNode is a node of a pool: its slot and its ways can be changed at any time.
type peerNode struct {
	*httptest.Server
	slot    atomic.Uint64
	genesis atomic.Pointer[[32]byte]
	status  atomic.Int64 // HTTP; 0 = 200
	calls   atomic.Int64
}

func newPeerNode(t *testing.T, slot uint64) *peerNode {
	t.Helper()
	n := &peerNode{}
	n.slot.Store(slot)
	n.genesis.Store(&[32]byte{1})
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n.calls.Add(1)
		var ask request
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &ask)
		if status := n.status.Load(); status != 0 {
			w.WriteHeader(int(status))
			return
		}
		var answer any = n.slot.Load()
		if ask.Method == methodGenesisHash {
			answer = KeyString(*n.genesis.Load())
		}
		text, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": ask.ID, "result": answer})
		_, _ = w.Write(text)
	}))
	t.Cleanup(n.Close)
	return n
}

func newTestPool(t *testing.T, providers ...Provider) *Pool {
	t.Helper()
	p, err := NewPool(PoolConfig{Providers: providers, LookEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func provider(name string, n *peerNode, roles ...Role) Provider {
	return Provider{
		Client: Config{Name: name, Timeout: patience}, Roles: roles,
		Ends: Endpoints{RPC: n.URL, WS: "ws" + strings.TrimPrefix(n.URL, "http")},
	}
}

// looked lets the pool look at its nodes once.
func looked(p *Pool) { p.look(context.Background()) }

func names(nodes []*Node) string {
	var b strings.Builder
	for _, n := range nodes {
		b.WriteString(n.Name())
	}
	return b.String()
}

func TestTheFirstThatIsWellIsRead(t *testing.T) {
	a, b, c := newPeerNode(t, 1000), newPeerNode(t, 1000), newPeerNode(t, 1000)
	p := newTestPool(t, provider("a", a), provider("b", b, RoleRecord), provider("c", c, RoleCheck))
	genesis, _ := p.Record().GenesisHash(t.Context())
	p.Expect(genesis, p.Record())
	if n := p.Record(); n.Name() != "a" {
		t.Fatalf("%s is read before any other is known to follow the same chain", n.Name())
	}
	if got := names(p.Others(p.Record())); got != "" {
		t.Errorf("checked by %q, of which nothing is known", got)
	}
	looked(p)
	if got := names(p.Others(p.Record())); got != "cb" {
		t.Errorf("checked by %q, want c before b", got)
	}

	a.status.Store(500)
	for range erringAfter {
		_, _ = p.Record().Slot(t.Context(), Finalized)
	}
	if n := p.Record(); n.Name() != "b" {
		t.Errorf("after three failures of a, %s is read", n.Name())
	}
	b.status.Store(503)
	for range erringAfter {
		_, _ = p.named("b").Slot(t.Context(), Finalized)
	}
	if n := p.Record(); n.Name() != "a" {
		t.Errorf("with all of them failing, %s is read, not the one that failed first", n.Name())
	}
	a.status.Store(0)
	if _, err := p.Record().Slot(t.Context(), Finalized); err != nil || p.named("a").health.is() != NodeOK {
		t.Errorf("a answers again (%v) and is %s", err, p.named("a").health.is())
	}
}

func TestALaggingNodeIsLeftUntilItHasCaughtUp(t *testing.T) {
	a, b := newPeerNode(t, 1000), newPeerNode(t, 1150)
	p := newTestPool(t, provider("a", a), provider("b", b))
	p.Expect([32]byte{1}, p.Record())
	looked(p)
	if n := p.Record(); n.Name() != "a" {
		t.Fatalf("150 slots behind, and %s is read", n.Name())
	}
	b.slot.Store(1151)
	looked(p)
	if n := p.Record(); n.Name() != "b" {
		t.Errorf("151 slots behind, and %s is read", n.Name())
	}
	if h := p.Health()[0]; h.State != NodeLagging || h.LagSlots != 151 || !strings.Contains(h.Error, "151") {
		t.Errorf("%+v", h)
	}
	if lag := testutil.ToFloat64(p.cfg.Metrics.of("a").lag); lag != 151 {
		t.Errorf("the metric says %v", lag)
	}
	if got := names(p.Others(p.Record())); got != "" {
		t.Errorf("checked by %q, which is behind", got)
	}
	a.slot.Store(1151)
	looked(p)
	if n := p.Record(); n.Name() != "a" {
		t.Errorf("a has caught up, and %s is read", n.Name())
	}
}

func TestAFinalizedSlotThatGoesBackIsAFault(t *testing.T) {
	a, b := newPeerNode(t, 1000), newPeerNode(t, 1000)
	p := newTestPool(t, provider("a", a), provider("b", b))
	p.Expect([32]byte{1}, p.Record())
	looked(p)
	a.slot.Store(800)
	b.slot.Store(900) // so that a does not lag
	looked(p)
	if h := p.Health()[0]; h.State != NodeFaulty || p.Record().Name() != "b" {
		t.Errorf("a is %s, %s is read", h.State, p.Record().Name())
	}
}

// A wrong URL among several is neither read nor listened to.
func TestANodeOfAnotherChainIsNotUsed(t *testing.T) {
	a, b := newPeerNode(t, 1000), newPeerNode(t, 900_000)
	b.genesis.Store(&[32]byte{2})
	p := newTestPool(t, provider("a", a), provider("b", b))
	live, err := p.Live(StreamConfig{Program: testProgram, Metrics: p.cfg.Metrics})
	if err != nil {
		t.Fatal(err)
	}
	p.Expect([32]byte{1}, p.Record())
	looked(p)
	h := p.Health()
	if h[1].State != NodeForeign || h[0].State != NodeOK || p.Record().Name() != "a" || names(p.Others(p.Record())) != "" {
		t.Errorf("%+v, %s is read", h, p.Record().Name())
	}
	if live.streams[1].await(t.Context()) {
		t.Error("it is listened to")
	}
	if !live.streams[0].await(t.Context()) {
		t.Error("the right one is not listened to")
	}
	before := b.calls.Load()
	for range 3 {
		looked(p)
	}
	p.Praise(p.named("b"))
	if b.calls.Load() != before || p.named("b").health.is() != NodeForeign {
		t.Errorf("asked again, and is %s", p.named("b").health.is())
	}
}

func TestABlamedNodeIsTriedAgainLaterAndLater(t *testing.T) {
	h := newHealth(NewMetrics(nil).of("x"))
	now := at(0)
	wait := time.Duration(0)
	for i := range 8 {
		h.blame("lies", now)
		if h.usable(now) {
			t.Fatal("usable at once")
		}
		left := h.retryAt().Sub(now)
		if left < wait || left > longestLeave || (i == 0 && left != firstLeave) {
			t.Errorf("left for %v after %v", left, wait)
		}
		h.blame("lies still", now) // what was under way adds nothing
		if h.retryAt().Sub(now) != left {
			t.Error("one fault counts twice")
		}
		wait, now = left, now.Add(left)
		if !h.usable(now) {
			t.Error("not tried again")
		}
	}
	h.praise(now)
	h.blame("lies", now)
	if left := h.retryAt().Sub(now); left != firstLeave {
		t.Errorf("after it did well it is left for %v", left)
	}
}

func TestHowLongANodeIsLeftIsASetting(t *testing.T) {
	peer := newPeerNode(t, 1000)
	p, err := NewPool(PoolConfig{Providers: []Provider{provider("a", peer)}, LeaveFor: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	now := at(0)
	for i, want := range []time.Duration{1, 2, 4, 8, 16, 30, 30} {
		h := p.named("a").health
		h.blame("lies", now)
		if left := h.retryAt().Sub(now); left != want*time.Hour {
			t.Errorf("left for %v the time %d, want %v", left, i+1, want*time.Hour)
		}
		now = h.retryAt()
	}
}

func TestPausedNodesAreGoneRound(t *testing.T) {
	a, b := newPeerNode(t, 1000), newPeerNode(t, 1000)
	p := newTestPool(t, provider("a", a), provider("b", b))
	p.Expect([32]byte{1}, p.Record())
	looked(p)
	p.named("a").budget.answered(time.Now(), refusal(time.Minute), time.Now())
	if n := p.Record(); n.Name() != "b" {
		t.Errorf("a wants to be left alone, and %s is read", n.Name())
	}
	if h := p.Health()[0]; h.State != NodeOK || h.PausedFor <= 0 {
		t.Errorf("%+v", h)
	}
}

func TestWatchEndsWithItsContext(t *testing.T) {
	a, b := newPeerNode(t, 1000), newPeerNode(t, 1000)
	for _, p := range []*Pool{newTestPool(t, provider("a", a)), newTestPool(t, provider("a", a), provider("b", b))} {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- p.Watch(ctx) }()
		p.Expect([32]byte{1}, p.nodes[0])
		for deadline := time.Now().Add(patience); p.Several() && !p.nodes[1].chainKnown(); {
			if time.Now().After(deadline) {
				t.Fatal("it does not look")
			}
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestBadPoolsAreRefused(t *testing.T) {
	a := newPeerNode(t, 1)
	for what, providers := range map[string][]Provider{
		"none":       {},
		"no record":  {provider("a", a, RoleLive, RoleCheck)},
		"two alike":  {provider("a", a), provider("a", a)},
		"bad budget": {{Client: Config{RequestsPerSecond: -1}, Ends: Endpoints{RPC: a.URL}}},
	} {
		if _, err := NewPool(PoolConfig{Providers: providers}); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	p := newTestPool(t, provider("a", a, RoleRecord))
	if _, err := p.Live(StreamConfig{}); err == nil {
		t.Error("nobody is listened to")
	}
	if single := Single(newTestClient(t, a.URL)); single.Record() == nil || single.Several() || single.CanCheck() || len(single.Health()) != 1 {
		t.Error("a pool of one client is not that")
	}
}

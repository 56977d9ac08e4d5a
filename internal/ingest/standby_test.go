package ingest

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// Of several daemons on one database one leads. When it is gone another goes on
// where it ended, with nothing lost or doubled.
func TestAStandbyTakesOver(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(200, "all"))
	first := watch(t, n, database(t))
	first.until(t, "the first leads", func(Status) bool { return first.state.leads() })
	second := watch(t, n, first.dsn)
	n.play(t)
	second.until(t, "the second stands by", func(s Status) bool { return s.State == "standby" })
	first.until(t, "the first has come some way", func(s Status) bool { return s.Confirmed["pass"]+s.Games["pass"] > 40 })
	if second.state.leads() {
		t.Error("two lead")
	}
	first.stop(t)
	second.until(t, "the second leads", func(s Status) bool { return s.State == "following" || s.State == "reading_history" })
	second.catchUp(t, n)
	agree(t, n, second.dsn)
}

// A leader that lost its session to another daemon ends, and says why: it is for
// its caller to have it stand by.
func TestADeposedLeaderEnds(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(100, ""))
	first := watch(t, n, database(t))
	n.play(t)
	first.until(t, "the first follows", func(s Status) bool { return s.FrontierSlot != nil })
	second := watch(t, n, first.dsn)
	second.until(t, "the second stands by", func(s Status) bool { return s.State == "standby" })

	first.turn <- struct{}{} // it does nothing meanwhile, as if it were stopped
	cutOff(t, first.dsn)
	second.until(t, "the second leads", func(s Status) bool { return s.State == "following" })
	<-first.turn
	if err := first.wait(t); !errors.Is(err, store.ErrLocked) {
		t.Errorf("the first ended with %v, want ErrLocked", err)
	}
	second.catchUp(t, n)
	agree(t, n, second.dsn)
}

// A record of another program, profile or chain is refused in the same words whether
// or not another daemon leads.
func TestAStandbyRefusesAnothersRecord(t *testing.T) {
	t.Parallel()
	n, other := serve(t, quick(40, "")), serve(t, simchain.Config{Seed: 43, Games: 1})
	program := func(n *node) (key [32]byte) {
		key, err := rpc.ParseKey(n.chain.Program())
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	mistakes := []struct {
		name string
		node *node
		make func(*Config)
		says string
	}{
		{"program", n, func(c *Config) { c.Program = program(other) }, n.chain.Program()},
		{"program, and no node", n, func(c *Config) { c.Program, c.Nodes = program(other), unreachable(t) }, n.chain.Program()},
		{"profile", n, func(c *Config) { c.ProfileHash = "another" }, "another profile"},
		{"chain", other, func(c *Config) { c.Program = program(n) }, n.chain.Genesis()},
	}
	refusals := func(dsn string) (texts []string) {
		for _, m := range mistakes {
			err := watch(t, m.node, dsn, m.make).wait(t)
			if !errors.Is(err, store.ErrOtherWatch) || !strings.Contains(err.Error(), m.says) {
				t.Errorf("%s: ended with %v", m.name, err)
				continue
			}
			texts = append(texts, err.Error())
		}
		return texts
	}
	leader := watch(t, n, database(t))
	leader.until(t, "it leads", func(Status) bool { return leader.state.leads() })
	beside := refusals(leader.dsn)
	if !leader.state.leads() {
		t.Error("it leads no more")
	}
	leader.stop(t)
	if alone := refusals(leader.dsn); !slices.Equal(alone, beside) {
		t.Errorf("beside a leader %q, without one %q", beside, alone)
	}
}

// A node that cannot be reached ends no daemon that stands by, nor does it keep one from
// it; a node of another chain does, whenever it is seen to be one.
func TestAStandbyAsksItsNode(t *testing.T) {
	t.Parallel()
	n, other := serve(t, quick(40, "")), serve(t, simchain.Config{Seed: 43, Games: 1})
	leader := watch(t, n, database(t))
	n.play(t)
	leader.catchUp(t, n)

	front := newFront(t)
	second := watch(t, n, leader.dsn, front.ask(t))
	second.until(t, "it stands by with its node down", func(s Status) bool {
		return s.State == "standby" && !s.Node.OK && s.Nodes[0].State == "erring" && s.Nodes[0].Error != ""
	})
	front.to.Store(&n.url)
	second.until(t, "its node is up", func(s Status) bool { return s.State == "standby" && s.Node.OK && s.Nodes[0].State == "ok" })
	front.to.Store(nil)
	second.until(t, "its node is down again", func(s Status) bool { return s.State == "standby" && !s.Node.OK })
	front.to.Store(&other.url)
	if err := second.wait(t); !errors.Is(err, store.ErrOtherWatch) || !strings.Contains(err.Error(), other.chain.Genesis()) {
		t.Errorf("at another chain it ended with %v", err)
	}
	if !leader.state.leads() {
		t.Error("the leader leads no more")
	}
}

// Who stands by shows what the database has, and nothing of what it does not do.
func TestAStandbyShowsTheRecord(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(40, ""))
	leader := watch(t, n, database(t))
	n.play(t)
	leader.catchUp(t, n)
	second := watch(t, n, leader.dsn, nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", n.url, []rpc.Role{rpc.RoleCheck}}))
	last := int64(n.chain.FinalizedSlot())
	second.until(t, "it shows the record's frontier", func(s Status) bool {
		return s.State == "standby" && s.FrontierSlot != nil && *s.FrontierSlot >= last
	})
	s, of := second.Status(), leader.Status()
	if s.AuditedFromSlot == nil || *s.AuditedFromSlot != *of.AuditedFromSlot || s.GenesisHash != of.GenesisHash {
		t.Errorf("audited from %v on %q, the leader from %d on %q", s.AuditedFromSlot, s.GenesisHash, *of.AuditedFromSlot, of.GenesisHash)
	}
	if s.HeadSlot < uint64(*s.FrontierSlot) || len(s.Coverage) != len(of.Coverage) {
		t.Errorf("head %d, frontier %d, %d ranges", s.HeadSlot, *s.FrontierSlot, len(s.Coverage))
	}
	if s.LagSlots != nil || s.LagSeconds != nil || s.Nodes[0].State != "ok" || s.Nodes[1].State != "unknown" || s.Nodes[0].Subscription != nil {
		t.Errorf("lag %v, %v; nodes %+v", s.LagSlots, s.LagSeconds, s.Nodes)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), `"connection"`) {
		t.Errorf("a subscription that was not made is shown: %s", text)
	}
	if of.LagSlots == nil || of.Connection.Since == "" {
		t.Errorf("the leader shows lag %v, connection %+v", of.LagSlots, of.Connection)
	}
}

// front stands before a node, and has another one answer in its place or none.
type front struct {
	url string
	to  atomic.Pointer[string] // nil: none
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		to := f.to.Load()
		if to == nil {
			http.Error(w, "gone", http.StatusServiceUnavailable)
			return
		}
		target, err := url.Parse(*to)
		if err != nil {
			t.Error(err)
			return
		}
		httputil.NewSingleHostReverseProxy(target).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	f.url = server.URL
	return f
}

// ask has a daemon ask the node in front.
func (f *front) ask(t *testing.T) func(*Config) {
	t.Helper()
	client, err := rpc.NewClient(rpc.Config{URL: f.url, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return func(c *Config) { c.Nodes = rpc.Single(client) }
}

// unreachable is a node at a port where nobody listens.
func unreachable(t *testing.T) *rpc.Pool {
	t.Helper()
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	client, err := rpc.NewClient(rpc.Config{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return rpc.Single(client)
}

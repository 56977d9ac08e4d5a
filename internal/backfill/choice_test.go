package backfill

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/ingest"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

// pool makes a pool of nodes of the chain, each behind a handler, and has it compare
// them until the test ends.
func (p *played) pool(t testing.TB, handlers ...http.Handler) *rpc.Pool {
	t.Helper()
	var providers []rpc.Provider
	for i, h := range handlers {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		providers = append(providers, rpc.Provider{
			Client: rpc.Config{Name: fmt.Sprintf("n%d", i)}, Ends: rpc.Endpoints{RPC: server.URL}, Roles: []rpc.Role{rpc.RoleRecord},
		})
	}
	pool, err := rpc.NewPool(rpc.PoolConfig{Providers: providers, LookEvery: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := Meet(bounded(t), pool, store.Watch{Genesis: p.genesis, Program: p.program}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- pool.Watch(ctx) }()
	t.Cleanup(func() { cancel(); <-done; pool.Close() })
	eventually(t, "all nodes are known", func() bool {
		known := 0
		for _, h := range pool.Health() {
			if h.Known {
				known++
			}
		}
		return known == len(handlers)
	})
	return pool
}

// at has planners and workers read from a pool.
func at(pool *rpc.Pool) func(*Workers) { return func(w *Workers) { w.Nodes = pool } }

// readFrom makes a record of all history, planned and read at a pool.
func (p *played) readFrom(t testing.TB, pool *rpc.Pool) *record {
	t.Helper()
	r := p.bound(t)
	planner := p.planner(t, r)
	planner.Nodes = pool
	if err := planner.Plan(bounded(t), p.all()); err != nil {
		t.Fatal(err)
	}
	work(t, r, p.workers(t, r, at(pool)))
	return r
}

// A page that a node gets wrong is had from another one, whatever is wrong with the
// first; and the coverage does not tell of it.
func TestAPageIsHadFromAnotherNode(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 150, TruncateEvery: 9}, "all")
	want := storetest.Content(t, p.walked(t).dsn)
	for i, c := range []struct {
		name  string
		fault func(*simchain.Faults)
	}{
		{"withholds", func(f *simchain.Faults) { f.NullFirst(1000) }},
		{"errs", func(f *simchain.Faults) { f.Down() }},
		{"hides", func(f *simchain.Faults) {
			if err := f.Inject(1, "hide"); err != nil {
				t.Error(err)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			bad := p.chain.Node(2*i + 1)
			pool := p.pool(t, bad.Handler(), p.chain.Node(2*i+2).Handler())
			r := p.bound(t)
			plan(t, p, r, 60)
			c.fault(bad.Faults)
			work(t, r, p.workers(t, r, at(pool)))
			storetest.Same(t, c.name, want, storetest.Content(t, r.dsn))
			storetest.Consistent(t, r.dsn)
			if ranges := scan[string](t, r, `select string_agg(slots::text || complete::text, ' ') from audit.coverage`); ranges != fmt.Sprintf("[%d,%d)true", int64(ledger), p.final+1) {
				t.Errorf("covered are %s", ranges)
			}
		})
	}
}

// Where the only node withholds, all of that is on record: what the test before this
// one sees is the other node's doing.
func TestAPageThatNobodyGivesIsNotHad(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 30}, "")
	r := p.bound(t)
	plan(t, p, r, 0)
	exec(t, r, `update audit_jobs.river_job set attempt = max_attempts - 1`)
	bad := p.chain.Node(1)
	bad.Faults.NullFirst(1000)
	work(t, r, p.workers(t, r, at(p.pool(t, bad.Handler()))))
	if n := scan[int](t, r, `select count(*)::int from audit.coverage where not complete and reason like 'node n0: %'`); n == 0 {
		t.Error("nothing is on record as lacking")
	}
}

// A plan goes on at another node where one fails in the middle, with the same pages.
func TestAPlanGoesOnAtAnotherNode(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 120}, "")
	r := p.bound(t)
	first := p.chain.Node(1)
	first.Faults.Pages(60)
	p.chain.Node(2).Faults.Pages(60)
	planner := p.planner(t, r)
	planner.Nodes = p.pool(t, first.Handler(), p.chain.Node(2).Handler())
	var pages []Page
	err := planner.Each(bounded(t), p.all(), func(page Page) error {
		if pages = append(pages, page); len(pages) == 3 {
			first.Faults.Down()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	upper := p.final
	for _, page := range pages {
		if page.To != upper {
			t.Fatalf("slots %d to %d are in no page, or in two", page.To+1, upper)
		}
		upper = page.From - 1
	}
	if upper != ledger-1 || len(pages) < 5 {
		t.Errorf("%d pages down to slot %d", len(pages), upper+1)
	}
	if state := planner.Nodes.Health()[0].State; state == rpc.NodeOK {
		t.Error("the first node is well: this test shows nothing")
	}
}

// pruned is a node that keeps no slots below one.
func pruned(h http.Handler, begins int64) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"getFirstAvailableBlock"`)) {
			answer(w, body, begins)
			return
		}
		if !bytes.Contains(body, []byte(`"getSignaturesForAddress"`)) {
			h.ServeHTTP(w, r)
			return
		}
		whole := httptest.NewRecorder()
		h.ServeHTTP(whole, r)
		var said struct {
			Result []struct {
				Slot int64 `json:"slot"`
			} `json:"result"`
		}
		var kept struct {
			Result []json.RawMessage `json:"result"`
		}
		if json.Unmarshal(whole.Body.Bytes(), &said) != nil || json.Unmarshal(whole.Body.Bytes(), &kept) != nil {
			http.Error(w, "no list", http.StatusInternalServerError)
			return
		}
		n := 0
		for n < len(said.Result) && said.Result[n].Slot >= begins {
			n++
		}
		answer(w, body, kept.Result[:n])
	})
}

// answer writes a result for a request.
func answer(w http.ResponseWriter, request []byte, result any) {
	var asked struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(request, &asked) // without an id there is none to give back
	_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": asked.ID, "result": result})
}

// History that the first node does not keep any more is had from one that does.
func TestTheNodeThatKeepsTheSlotsIsAsked(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 150}, "all")
	want := storetest.Content(t, p.walked(t).dsn)
	begins := p.final - (p.final-ledger)/3
	short := func(i int) http.Handler { return pruned(p.chain.Node(i).Handler(), begins) }
	for _, c := range []struct {
		name  string
		nodes []http.Handler
		whole bool
	}{
		{"an archive behind it", []http.Handler{short(1), p.chain.Node(2).Handler()}, true},
		{"none", []http.Handler{short(3), short(4)}, false}, // else the case above shows nothing
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pool := p.pool(t, c.nodes...)
			r := p.readFrom(t, pool)
			lacking := scan[string](t, r, `select coalesce(string_agg(reason, ' '), '') from audit.coverage where not complete`)
			if (lacking == "") != c.whole || !c.whole && !strings.Contains(lacking, fmt.Sprint(begins)) {
				t.Errorf("lacking: %q", lacking)
			}
			if c.whole {
				storetest.Same(t, c.name, want, storetest.Content(t, r.dsn))
			}
		})
	}
}

func TestWhichNodeIsAsked(t *testing.T) {
	t.Parallel()
	now := time.Now()
	later, latest := now.Add(time.Minute), now.Add(time.Hour)
	for what, c := range map[string]struct {
		r, before regard
		want      bool
	}{
		"both keep it":                 {regard{begins: 0}, regard{begins: 5}, false},
		"only the first keeps it":      {regard{begins: 9}, regard{begins: 5}, false},
		"only the second keeps it":     {regard{begins: 5}, regard{begins: 9}, true},
		"neither, the second more":     {regard{begins: 8}, regard{begins: 9}, true},
		"neither, the first more":      {regard{begins: 9}, regard{begins: 8}, false},
		"the first is left":            {regard{begins: 9}, regard{until: later}, true},
		"the second is left":           {regard{until: later}, regard{begins: 9}, false},
		"both, the second not as long": {regard{until: later}, regard{until: latest}, true},
		"both, the first not as long":  {regard{until: latest}, regard{until: later}, false},
		"the first was left":           {regard{}, regard{until: now.Add(-time.Second)}, false},
	} {
		if got := c.r.over(&c.before, 5, now); got != c.want {
			t.Errorf("%s: the second is asked: %v", what, got)
		}
	}
}

// What one node hides of history another one gives, once a daemon with both looks at
// what was read from the one alone.
func TestHistoryIsHeldAgainstAnotherNode(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 250}, "")
	p.goOn(t)
	want := storetest.Content(t, p.walked(t).dsn)
	if err := p.chain.Node(0).Faults.Inject(1, "hide"); err != nil {
		t.Fatal(err)
	}
	pool := p.pool(t, p.chain.Handler(), p.chain.Node(1).Handler())
	r := p.readFrom(t, pool)
	if by := scan[string](t, r, `select string_agg(distinct node, ' ') from audit_api.v1_unchecked`); by != "n0" {
		t.Errorf("history is by the word of %q alone", by)
	}
	if storetest.Content(t, r.dsn) == want {
		t.Error("nothing was hidden: this test would not see that it is found")
	}
	d, stop := p.follow(t, r, ingest.From{Now: true}, func(c *ingest.Config) { c.Nodes = pool })
	eventually(t, "all is held against the other node", func() bool {
		s := d.Status()
		return s.Examined != nil && s.Examined.UncheckedSlots == 0 && s.Examined.Backlog == 0
	})
	stop()
	storetest.Same(t, "by two nodes", want, storetest.Content(t, r.dsn))
	storetest.Consistent(t, r.dsn)
}

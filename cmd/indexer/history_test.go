package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store/storetest"
)

// later runs a daemon on a node from now on, when all games are over; it is the
// process, and still runs.
func (n *pagedNode) later(t *testing.T, dsn string, more ...string) *child {
	t.Helper()
	c := spawn(t, "indexer", nil, append([]string{
		"run", "--rpc-url", n.url, "--ws-url", n.ws(), "--program", n.chain.Program(),
		"--database-url", dsn, "--listen", "127.0.0.1:0", "--reconcile-interval", "200ms", "--log-level", "debug",
	}, more...)...)
	if !c.await(t, `"auditing"`) {
		t.Fatalf("it has ended:\n%s", c.text())
	}
	return c
}

// becomes waits until a query gives an answer.
func becomes(t *testing.T, dsn, query, want string) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		got := rowsOf(t, dsn, query)
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s gives %q, not %q", query, got, want)
		}
	}
}

// ws is the node's address for subscriptions; only a chain that goes on brings them up.
func (n *pagedNode) ws() string { return "ws" + strings.TrimPrefix(n.url, "http") }

// goOn plays slots as they come until the test ends.
func (n *pagedNode) goOn(t *testing.T) {
	t.Helper()
	n.going.Do(func() {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- n.chain.Run(ctx) }()
		t.Cleanup(func() {
			cancel()
			if err := <-done; err != nil {
				t.Errorf("the chain stopped: %v", err)
			}
		})
	})
}

// recordedNode is a node whose games are over by the slot final and whose chain goes on,
// and a record that a daemon has made of it from genesis.
func recordedNode(t *testing.T) (n *pagedNode, final uint64, reference string) {
	t.Helper()
	withoutEnv(t)
	n = newPagedNode(t)
	final = n.chain.FinalizedSlot()
	reference = pgtest.URL(t)
	n.follow(t, reference)
	return n, final, reference
}

const (
	genesisSlot = 250_000_000 // of a simulated chain
	missing     = `select count(*) from audit_jobs.river_job where state <> 'completed'`
	isWhole     = "250000000 true"
)

// ranges asks what is complete from where, and whether beyond a slot.
func ranges(beyond uint64) string {
	return fmt.Sprintf(`select string_agg(lower(slots) || ' ' || (complete and upper(slots) > %d)::text, ' ') from audit.coverage`, beyond)
}

// The daemon's file serves backfill: of the nodes in it those are read from that have
// the role record, a page that the first withholds is had from the next, and the queues
// go by their names and methods.
func TestBackfillReadsFromTheNodesOfTheFile(t *testing.T) {
	n, final, reference := recordedNode(t)
	dsn := pgtest.URL(t)
	if code := n.later(t, dsn).stop(t); code != exitGood {
		t.Fatalf("the daemon ended with %d", code)
	}
	withholds := n.chain.Node(1)
	withholds.Faults.NullFirst(1000)
	var urls [3]string
	for i := range urls {
		server := httptest.NewServer(n.chain.Node(i + 1).Handler())
		t.Cleanup(server.Close)
		urls[i] = server.URL
	}
	file := temporary(t, `database_url: "`+dsn+`"
nodes:
  - {name: heard, http: "`+urls[2]+`", roles: [live, check]}
  - {name: first, http: "`+urls[0]+`", requests_per_second: 2000, limits: {getTransaction: 1500}, roles: [record]}
  - {name: second, http: "`+urls[1]+`", requests_per_second: 1000}
`)
	code, out, stderr := indexer("backfill", "--config", file, "--from-slot", strconv.Itoa(genesisSlot), "--json")
	var said backfilled
	if err := json.Unmarshal([]byte(out), &said); err != nil || code != exitGood || said.Signatures == 0 || len(said.Lacking) > 0 {
		t.Fatalf("exit %d (%v)\n%s%s", code, err, out, stderr)
	}
	storetest.Same(t, "from two nodes", storetest.Content(t, reference), storetest.Content(t, dsn))
	if got := rowsOf(t, dsn, ranges(final)); got != isWhole {
		t.Errorf("covered are %s", got)
	}
	if got := rowsOf(t, dsn, `select string_agg(node, ' ' order by node) from audit.call_queue`); got != "first first/getTransaction second" {
		t.Errorf("queues are %s", got)
	}
	// What it would take is reckoned at the pace of the node that is read from first.
	code, out, stderr = indexer("backfill", "--config", file, "--from-slot", strconv.Itoa(genesisSlot-50), "--dry-run")
	if code != exitGood || !strings.Contains(out, "1500 calls a second") {
		t.Errorf("exit %d\n%s%s", code, out, stderr)
	}
	// A worker takes the same file.
	worker := spawn(t, "indexer", nil, "worker", "--config", file)
	if !worker.await(t, `"nodes":"first, second"`) {
		t.Errorf("it has ended:\n%s", worker.text())
	}
	if code := worker.stop(t); code != exitGood {
		t.Errorf("the worker ended with %d:\n%s", code, worker.text())
	}
}

func TestNodesOfHistoryThatCannotBe(t *testing.T) {
	withoutEnv(t)
	nodes := temporary(t, "nodes:\n  - {name: a, http: 'http://MARKER.example', roles: [record]}\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "--rpc-url ($MINESAUDIT_RPC_URL): not set"},
		{[]string{"--config", nodes, "--rpc-url", "http://127.0.0.1:1"}, "--rpc-url ($MINESAUDIT_RPC_URL): set beside nodes"},
		{[]string{"--config", nodes, "--rpc-rate", "4"}, "--rpc-rate ($MINESAUDIT_RPC_RATE): set beside nodes"},
		{[]string{"--config", nodes, "--node", "mine"}, "--node: the nodes that --config lists have names"},
		{[]string{"--config", temporary(t, "nodes:\n  - {name: a, http: 'http://MARKER.example', roles: [live]}\n")}, "none has the role record"},
		{[]string{"--config", temporary(t, "nodes:\n  - {name: a, http: 'http://MARKER.example', limits: {getBlocks: 3}}\n")}, "node a: limit of \"getBlocks\""},
		{[]string{"--rpc-url", "http://127.0.0.1:1", "--pages", "0"}, "--pages 0"},
	} {
		for _, command := range [][]string{{"worker"}, {"backfill", "--all"}} {
			code, out, stderr := indexer(append(append(command, "--database-url", "postgres://127.0.0.1:1/none"), c.args...)...)
			if code != exitUsage || !strings.Contains(stderr, c.want) || out != "" {
				t.Errorf("%s %v: %d %s", command[0], c.args, code, stderr)
			}
			if strings.Contains(stderr, marker) {
				t.Errorf("%s %v: an address is told: %s", command[0], c.args, stderr)
			}
		}
	}
}

// A daemon that began when all was over and reads history by itself has all of it in
// the end, and shows it, although it was killed in the middle.
func TestADaemonThatReadsHistoryIsKilled(t *testing.T) {
	n, final, reference := recordedNode(t)
	dsn := pgtest.URL(t)
	// At thirty transactions a second, of which a page has twenty.
	flags := []string{"--backfill-workers", "1", "--backfill-from-slot", strconv.Itoa(genesisSlot), "--rpc-rate", "40"}
	for range 2 {
		c := n.later(t, dsn, flags...)
		if !c.await(t, `"history stored"`) {
			t.Fatalf("it has ended:\n%s", c.text())
		}
		_ = c.cmd.Process.Kill()
		<-c.done
		if rowsOf(t, dsn, missing) == "0" {
			t.Error("nothing is left to be read: this test would not see that it goes on")
		}
	}
	c := n.later(t, dsn, flags...)
	becomes(t, dsn, ranges(final), isWhole)
	becomes(t, dsn, missing, "0")
	storetest.Same(t, "beside the daemon", storetest.Content(t, reference), storetest.Content(t, dsn))
	storetest.Consistent(t, dsn)
	listen := strings.TrimPrefix(listening.FindString(c.text()), "http://")
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		_, out, stderr := indexer("status", "--listen", listen)
		shown := strings.Join(strings.Fields(out), " ")
		if strings.Contains(shown, fmt.Sprintf("audited from slot %d complete slots %d to ", genesisSlot, genesisSlot)) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the status does not show it:\n%s%s", out, stderr)
		}
	}
	if code := c.stop(t); code != exitGood {
		t.Errorf("the daemon ended with %d:\n%s", code, c.text())
	}
}

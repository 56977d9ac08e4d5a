package ingest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
)

// second is another node of a chain, to hold the first against.
func second(t *testing.T, n *node, url string) func(*Config) {
	t.Helper()
	return nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleLive, rpc.RoleRecord}}, rpcNode{"b", url, []rpc.Role{rpc.RoleCheck}})
}

// settled waits until all is examined that is to be, and ends the daemon.
func (w *watcher) settled(t *testing.T, n *node) {
	t.Helper()
	w.catchUp(t, n)
	w.until(t, "everything is examined", func(s Status) bool { return s.Examined.Backlog == 0 && s.Examined.UncheckedSlots == 0 })
	w.stop(t)
}

// A second node that answers null at first denies nothing: games that failed by what it
// was asked for have failed.
func TestANullIsNoDenial(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	_, other := n.peer(t, 1)
	lies(t, n.chain.Node(1), "null")
	w := watch(t, n, database(t), second(t, n, other))
	n.play(t)
	w.settled(t, n)
	agree(t, n, w.dsn)
	if got := texts(t, w.dsn, `select kind from audit.disagreement where kind = 'unknown'`); len(got) > 0 {
		t.Errorf("%d transactions are denied", len(got))
	}
}

// A second node whose history begins later denies nothing of what lies before.
func TestANodeThatDoesNotKeepASlotDeniesNothing(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	url := liar(t, n, func(method string, _ []any, result any) any {
		switch method {
		case "getFirstAvailableBlock":
			return 1_000_000_000
		case "getTransaction":
			return nil
		case "getSignatureStatuses":
			answer := result.(map[string]any)
			for i := range answer["value"].([]any) {
				answer["value"].([]any)[i] = nil
			}
			return answer
		}
		return result
	})
	w := watch(t, n, database(t), second(t, n, url))
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "nothing waits", func(s Status) bool { return s.Examined.Backlog == 0 })
	w.stop(t)
	agree(t, n, w.dsn)
}

// What one of three nodes makes up takes no verdict away.
func TestTwoOfThreeDisown(t *testing.T) {
	t.Parallel()
	for name, liar := range map[string]int{"the first": 0, "the second": 1, "the third": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := serve(t, quick(150, "all"))
			_, b := n.peer(t, 1)
			_, c := n.peer(t, 2)
			lies(t, n.chain.Node(liar), "invent")
			w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", b, nil}, rpcNode{"c", c, nil}))
			n.play(t)
			w.settled(t, n)
			agree(t, n, w.dsn)
		})
	}
}

// What two nodes cannot settle a third one does, also if it could not be asked when they
// were found to differ.
func TestAThirdNodeSettlesWhenItIsBack(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	_, b := n.peer(t, 1)
	c, back := n.gated(t, 2, gone)
	lies(t, n.chain.Node(0), "alter")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, nil}, rpcNode{"b", b, nil}, rpcNode{"c", c, nil}), func(c *Config) { c.Sample = 1 })
	n.play(t)
	w.catchUp(t, n)
	w.until(t, "much waits for the third", func(s Status) bool { return s.Examined.Open > 5 && s.Examined.Backlog > 5 })
	notFalse(t, n, w.dsn)
	back()
	w.settled(t, n)
	agree(t, n, w.dsn)
}

// What a node makes up fails no game either where it comes late: in slots that two
// others had agreed about before this one was read from.
func TestWhatIsMadeUpBelowTheFrontierIsExamined(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "all"))
	_, b := n.peer(t, 1)
	_, c := n.peer(t, 2)
	lies(t, n.chain.Node(1), "invent")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleLive, rpc.RoleRecord}},
		rpcNode{"b", b, []rpc.Role{rpc.RoleRecord}}, rpcNode{"c", c, []rpc.Role{rpc.RoleCheck}}))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	die(n.chain.Node(0))
	w.until(t, "what is made up is disputed", func(s Status) bool { return s.Examined.Open > 0 })
	n.chain.Node(0).Faults.Heal()
	w.settled(t, n)
	agree(t, n, w.dsn)
}

// Where events have to be asked for, it is not who notified a transaction that told what
// the record has of it, but who was asked: that one's word confirms nothing.
func TestWhoAnsweredIsHeldAgainstAnother(t *testing.T) {
	t.Parallel()
	cfg := quick(150, "all")
	cfg.CPI = true
	n := serve(t, cfg)
	_, b := n.peer(t, 1)
	_, c := n.peer(t, 2)
	lies(t, n.chain.Node(0), "alter")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleRecord, rpc.RoleCheck}},
		rpcNode{"b", b, []rpc.Role{rpc.RoleLive, rpc.RoleCheck}}, rpcNode{"c", c, []rpc.Role{rpc.RoleLive, rpc.RoleRecord}}), func(c *Config) { c.Sample = 1 })
	n.play(t)
	w.settled(t, n)
	agree(t, n, w.dsn)
}

// What a subscription made up and the record never had leaves no word behind: a game
// that fails by two ends fails by two, also where a third was heard of.
func TestWhatNeverWasLeavesNoWords(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "double-settlement,settled-and-voided"))
	_, liar := n.peer(t, 1)
	lies(t, n.chain.Node(1), "invent")
	honest := watch(t, n, database(t))
	lied := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleRecord, rpc.RoleCheck}}, rpcNode{"b", liar, []rpc.Role{rpc.RoleLive}}))
	n.play(t)
	for _, w := range []*watcher{honest, lied} {
		w.catchUp(t, n)
		w.stop(t)
	}
	storetest.Same(t, "a liar is listened to", storetest.Content(t, honest.dsn), storetest.Content(t, lied.dsn))
}

// What waits to be examined when a daemon ends is examined by the next one.
func TestWhatWaitsIsExaminedAfterARestart(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(150, "wrong-payout,wrong-multiplier"))
	other, give := n.gated(t, 1, withoutTransactions(answerMissing))
	lies(t, n.chain.Node(0), "alter")
	all := func(c *Config) { c.Sample = 1 }
	first := watch(t, n, database(t), second(t, n, other), all)
	n.play(t)
	first.catchUp(t, n)
	first.until(t, "much waits", func(s Status) bool { return s.Examined.Backlog > 150 })
	first.stop(t)
	give()
	w := watch(t, n, first.dsn, second(t, n, other), all)
	w.settled(t, n)
	if right := notFalse(t, n, w.dsn); right < 75 {
		t.Errorf("only %d games of 150 are right", right)
	}
}

// answerMissing is the answer of a node that does not keep a transaction.
func answerMissing(w http.ResponseWriter, body []byte) {
	var request struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(body, &request)
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32011,"message":"Transaction history is not available from this node"}}`, request.ID)
}

// Of two logs of which one is the other cut short the longer is followed only as far as
// a third node does not have other lines.
func TestTheLongestLog(t *testing.T) {
	logs := func(lines ...string) *answer {
		tx := &rpc.Tx{Logs: lines}
		return &answer{tx: tx, arrival: arrival{tx: *tx, log: decode.Log{}}}
	}
	won := logs("a", "b", "c")
	for _, c := range []struct {
		what    string
		further []*answer
		how     store.Settled
		want    *answer
	}{
		{"nobody else", nil, store.ByLength, won},
		{"one that has the same", []*answer{logs("a", "b", "c")}, store.ByMajority, won},
		{"one that cut it, too", []*answer{logs("a", cutMark)}, store.ByLength, won},
		{"one that has it not", []*answer{{}}, store.ByLength, won},
		{"one that has other lines", []*answer{logs("a", "b", "x")}, store.LeftOpen, nil},
		{"other lines after the same", []*answer{logs("a", "b", "c"), logs("a", "y")}, store.LeftOpen, nil},
	} {
		if got, how := longest(won, c.further); got != c.want || how != c.how {
			t.Errorf("%s: %q", c.what, how)
		}
	}
	cut, whole := logs("a", cutMark), logs("a", "b", "c")
	if got, how := longest(cut, []*answer{whole}); got != whole || how != store.ByLength {
		t.Errorf("one that has it longer still: %q", how)
	}
}

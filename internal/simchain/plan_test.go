package simchain

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// inject has faults of one kind happen to a chain's node.
func inject(t *testing.T, n *Node, seed int64, kinds ...Fault) {
	t.Helper()
	if err := n.Faults.Inject(seed, kinds...); err != nil {
		t.Fatal(err)
	}
}

// injected is a chain, served, on which faults of some kinds happen.
func injected(t *testing.T, config Config, kinds ...Fault) (*Chain, *Server) {
	t.Helper()
	c := newChain(t, config)
	inject(t, c.Node(0), 5, kinds...)
	return c, serve(t, c)
}

// stream is what a confirmed subscriber of a node would be sent in some blocks.
func stream(t *testing.T, n *Node, blocks int) []byte {
	t.Helper()
	program := n.chain.cast.program
	sub := &subscription{only: &program, level: confirmed}
	var all []byte
	for range blocks {
		b, final, err := n.chain.append()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n.frames(sub, b, final)...)
		all = append(all, n.Faults.garbage(sub, b)...)
		n.hub.held = b
	}
	return all
}

func TestInjectionFollowsFromTheSeed(t *testing.T) {
	all, err := ParseFaults("all,hide,alter,invent")
	if err != nil {
		t.Fatal(err)
	}
	sent := func(seed int64) []byte {
		c := newChain(t, Config{Seed: 4, GamesPerSlot: 5})
		inject(t, c.Node(0), seed, all...)
		return stream(t, c.Node(0), 60)
	}
	if !bytes.Equal(sent(1), sent(1)) {
		t.Error("the same seed does different things")
	}
	if bytes.Equal(sent(1), sent(2)) {
		t.Error("two seeds do the same")
	}
}

func TestReorderLosesNothing(t *testing.T) {
	config := Config{Seed: 4, GamesPerSlot: 10}
	want := stepNotes(t, newChain(t, config), 50)
	c := newChain(t, config)
	inject(t, c.Node(0), 1, reorder)
	got := namesIn(stream(t, c.Node(0), 51))
	if slices.Equal(want, got[:len(want)]) {
		t.Error("the order is that of the chain")
	}
	seen := map[string]bool{}
	for _, name := range got {
		if seen[name] {
			t.Errorf("%s is told of twice", name)
		}
		seen[name] = true
	}
	for _, name := range want {
		if !seen[name] {
			t.Errorf("%s is never told of", name)
		}
	}
}

func namesIn(frames []byte) []string {
	var names []string
	for rest := string(frames); ; {
		_, after, more := strings.Cut(rest, `"signature":"`)
		if !more {
			return names
		}
		name, tail, _ := strings.Cut(after, `"`)
		names, rest = append(names, name), tail
	}
}

func TestDropAndDuplicateBySeed(t *testing.T) {
	config := Config{Seed: 4, GamesPerSlot: 10}
	all := stepNotes(t, newChain(t, config), 50)
	c := newChain(t, config)
	inject(t, c.Node(0), 1, dropNotes, doubleNotes)
	times := map[string]int{}
	for _, name := range stepNotes(t, c, 50) {
		times[name]++
	}
	counts := [3]int{}
	for _, name := range all {
		counts[times[name]]++
	}
	n := len(all)
	if counts[0] < n/8 || counts[0] > n/3 || counts[2] < n/10 || counts[2] > n/3 {
		t.Errorf("of %d notifications %d never come and %d come twice, want one in five each", n, counts[0], counts[2])
	}
}

func TestMalformedFrames(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 1}, malformed)
	conn := dial(t, s.WSURL)
	subscribe(t, conn, "logsSubscribe", c.mentions("confirmed"))
	go func() {
		for range 200 {
			_ = c.Step(t.Context())
		}
		c.DropSockets()
	}()
	broken := 0
	for {
		_, text, err := conn.Read(t.Context())
		if err != nil {
			break
		}
		var n note
		if json.Unmarshal(text, &n) != nil || n.Params.Subscription != 0 {
			broken++
		}
	}
	if broken < 3 || broken > 40 {
		t.Errorf("%d frames of 200 blocks are broken, want about ten", broken)
	}
}

func TestRefusedSubscriptions(t *testing.T) {
	c, s := injected(t, Config{Seed: 4}, refuseSubs)
	conn := dial(t, s.WSURL)
	refused := 0
	for range 30 {
		send(t, conn, `{"jsonrpc":"2.0","id":5,"method":"logsSubscribe","params":`+c.mentions("confirmed")+`}`)
		if n := mustReceive(t, conn); n.Error != nil {
			refused++
		}
	}
	if refused < 3 || refused > 20 {
		t.Errorf("%d of 30 subscriptions are refused, want about ten", refused)
	}
}

func TestHalfOpenAndCutSockets(t *testing.T) {
	c := newChain(t, Config{Seed: 4, Games: 1})
	s := serve(t, c)
	conn := dial(t, s.WSURL)
	subscribe(t, conn, "slotSubscribe", "[]")
	if n := c.Node(0).DeafenSockets(); n != 1 {
		t.Fatalf("%d sockets are half open, want 1", n)
	}
	advance(t, c, 5)
	if n := c.Node(0).DropSockets(); n != 1 {
		t.Fatalf("%d sockets were still open, want 1", n)
	}
	if n, err := receive(t, conn); err == nil {
		t.Errorf("a half-open socket says %+v", n)
	}
	for kind, want := range map[Fault][2]bool{cutSockets: {true, false}, halfOpen: {false, true}} {
		p, cuts, deaf := newPlan(3, []Fault{kind}), 0, 0
		for slot := range uint64(1_000) {
			cut, deafen := p.cuts(slot, slot+1)
			cuts, deaf = cuts+b2i(cut), deaf+b2i(deafen)
		}
		if cuts > 0 != want[0] || deaf > 0 != want[1] || cuts+deaf > 60 {
			t.Errorf("%s: in 1,000 slots sockets are cut %d times and deafened %d times", kind, cuts, deaf)
		}
	}
}

func TestNullBySeed(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 5}, nullFirst)
	advance(t, c, 20)
	nulls, most := 0, 0
	for _, b := range c.ledger.blocks {
		for _, x := range b.txs {
			asked := 0
			for ; asked < 10; asked++ {
				a := ask(t, s, "getTransaction", fmt.Sprintf(`[%q,{"commitment":"confirmed","maxSupportedTransactionVersion":0}]`, x.name()))
				if string(a.Result) != "null" {
					break
				}
			}
			nulls, most = nulls+b2i(asked > 0), max(most, asked)
		}
	}
	if nulls == 0 || most > 3 {
		t.Errorf("%d transactions are denied at first, one of them %d times; want some, three times at most", nulls, most)
	}
}

func TestMissingHistory(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 5}, noHistory)
	advance(t, c, 20)
	lacking := 0
	for _, x := range c.ledger.txs {
		params := fmt.Sprintf(`[%q,{"commitment":"confirmed","maxSupportedTransactionVersion":0}]`, x.name())
		tries := 0
		for ; tries < 10; tries++ {
			a := ask(t, s, "getTransaction", params)
			if a.Error == nil {
				break
			}
			if a.Error.Code != -32011 {
				t.Fatalf("error %d, want -32011", a.Error.Code)
			}
		}
		lacking += b2i(tries > 0)
		if tries > 3 {
			t.Errorf("%s is denied %d times, want three at most", x.name(), tries)
		}
	}
	if n := len(c.ledger.txs); lacking < n/20 || lacking > n/4 {
		t.Errorf("%d of %d transactions have no history at first, want one in eight", lacking, n)
	}
}

func TestHTTPFaultsBySeed(t *testing.T) {
	_, s := injected(t, Config{Seed: 4}, rateLimit, serverError, htmlPage, cutJSON)
	seen := map[string]int{}
	for range 300 {
		resp, err := http.Post(s.RPCURL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":4,"method":"getHealth"}`))
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		_, _ = text.ReadFrom(resp.Body)
		_ = resp.Body.Close()
		what := fmt.Sprint(resp.StatusCode, " ", resp.Header.Get("Retry-After"))
		switch {
		case strings.HasPrefix(text.String(), "<html>"):
			what += " html"
		case strings.Contains(text.String(), `"code":429`):
			what += " code 429"
		case !json.Valid(text.Bytes()) && resp.StatusCode == 200:
			what += " cut"
		}
		seen[what]++
	}
	for _, want := range []string{"200 ", "429 1", "429 ", "200  code 429", "500 ", "502  html", "503 ", "200  html", "200  cut"} {
		if seen[want] == 0 {
			t.Errorf("nothing is answered with %q; answered was %v", want, seen)
		}
	}
	if seen["200 "] < 150 {
		t.Errorf("only %d of 300 requests are answered well", seen["200 "])
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestUnknownAnchors(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 5}, anchors)
	advance(t, c, 10)
	full := list(t, s, c.Program(), "confirmed", 1000)
	middle := full[len(full)/2].Signature
	unknown, ignored := 0, 0
	for range 40 {
		a := ask(t, s, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"commitment":"confirmed","before":%q}]`, c.Program(), middle))
		if a.Error != nil {
			unknown++
			if a.Error.Code != -32020 {
				t.Fatalf("error %d, want -32020", a.Error.Code)
			}
		}
		page := get[[]signatureInfo](t, s, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"commitment":"confirmed","until":%q}]`, c.Program(), middle))
		ignored += b2i(len(page) == len(full))
	}
	if unknown == 0 || unknown > 30 || ignored == 0 || ignored == 40 {
		t.Errorf("of 40 each, `before` was unknown %d times and `until` ignored %d times", unknown, ignored)
	}
}

// TestShortPages wants a list that is read page by page to be complete, whatever
// the length of the pages and the order in a slot.
func TestShortPages(t *testing.T) {
	config := Config{Seed: 4, GamesPerSlot: 12}
	c := newChain(t, config)
	s := serve(t, c)
	advance(t, c, 12)
	full := list(t, s, c.Program(), "confirmed", 1000)
	inject(t, c.Node(0), 5, shortPages)
	place := map[string]int{}
	for i := range full {
		place[full[i].Signature] = i
	}
	byPlace := func(a, b signatureInfo) int { return place[a.Signature] - place[b.Signature] }
	bySignature := func(a, b signatureInfo) int {
		x, _ := parseSignature(a.Signature)
		y, _ := parseSignature(b.Signature)
		return cmp.Or(cmp.Compare(b.Slot, a.Slot), bytes.Compare(y[:], x[:]))
	}
	var last *signatureInfo
	split, orders := false, [2]int{}
	for {
		before := ""
		if last != nil {
			before = fmt.Sprintf(`,"before":%q`, last.Signature)
		}
		page := get[[]signatureInfo](t, s, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"commitment":"confirmed"%s}]`, c.Program(), before))
		if len(page) == 0 {
			break
		}
		if len(page) > 40 {
			t.Fatalf("a page of %d", len(page))
		}
		for i := range page {
			if _, listed := place[page[i].Signature]; !listed {
				t.Fatalf("%s is in no whole list", page[i].Signature)
			}
		}
		switch place, signature := slices.IsSortedFunc(page, byPlace), slices.IsSortedFunc(page, bySignature); {
		case !place && !signature:
			t.Fatal("a page in neither order")
		case !place:
			orders[0]++
		case !signature:
			orders[1]++
		}
		split = split || last != nil && page[0].Slot == last.Slot
		last = &page[len(page)-1]
	}
	if !split {
		t.Error("no page ends inside a slot")
	}
	if orders[0] == 0 || orders[1] == 0 {
		t.Errorf("%d pages are by signature only, %d by place only; want some of both", orders[0], orders[1])
	}
}

func TestHolesBySeedClose(t *testing.T) {
	config := Config{Seed: 4, GamesPerSlot: 10, FinalitySlots: 5}
	c, s := injected(t, config, holes)
	advance(t, c, 30)
	holed := list(t, s, c.Program(), "finalized", 1000)
	tip := c.FinalizedSlot()
	advance(t, c, 20)
	full := list(t, s, c.Program(), "finalized", 1000)
	n := 0
	for _, info := range full {
		if info.Slot <= tip {
			n++
		}
	}
	if len(holed) >= n {
		t.Errorf("%d entries at first, %d later: no hole was closed", len(holed), n)
	}
	for _, x := range c.ledger.txs {
		if x.slot > tip || x.layout == foreignOnly {
			continue
		}
		if !slices.ContainsFunc(full, func(i signatureInfo) bool { return i.Signature == x.name() }) {
			t.Errorf("%s is still missing", x.name())
		}
	}
}

func TestForksBySeed(t *testing.T) {
	c, _ := injected(t, Config{Seed: 4, Games: 200, GamesPerSlot: 5, FinalitySlots: 8}, forks)
	playOut(t, c)
	gone, moved := 0, map[[64]byte]int{}
	for _, x := range c.ledger.txs {
		if now, _ := c.ledger.find(x.signature); now == nil {
			gone++
		}
		moved[x.signature]++
	}
	again := 0
	for _, n := range moved {
		again += b2i(n > 1)
	}
	if gone < 5 || again < 5 {
		t.Errorf("%d transactions are taken back and %d land again, want some of each", gone, again)
	}
	near := newChain(t, Config{FinalitySlots: 4})
	if err := near.Faults.Inject(1, forks); !errors.Is(err, ErrFinality) {
		t.Errorf("forks without room: %v", err)
	}
}

func TestLagGoesBackAndCatchesUp(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 1}, lag)
	back, behind, level := 0, 0, 0
	last := uint64(0)
	for range 150 {
		advance(t, c, 1)
		slot := get[uint64](t, s, "getSlot", `[{"commitment":"confirmed"}]`)
		back += b2i(slot < last)
		behind += b2i(slot < c.Slot())
		level += b2i(slot == c.Slot())
		last = slot
	}
	if back == 0 || behind == 0 || level == 0 {
		t.Errorf("the head goes back %d times, is behind %d times and level %d times", back, behind, level)
	}
	c.Faults.Heal()
	if slot := get[uint64](t, s, "getSlot", `[{"commitment":"confirmed"}]`); slot != c.Slot() {
		t.Errorf("healed, the node is at %d, the chain at %d", slot, c.Slot())
	}
}

// TestShortLogs wants the log of a node that keeps less to be cut alike in a
// notification and in an answer.
func TestShortLogs(t *testing.T) {
	c, s := injected(t, Config{Seed: 4, GamesPerSlot: 5}, shortLogs)
	conn := dial(t, s.WSURL)
	subscribe(t, conn, "logsSubscribe", c.mentions("confirmed"))
	cut := 0
	for range 30 {
		go func() { _ = c.Step(t.Context()) }()
		n := mustReceive(t, conn)
		told := n.Params.Result.Value
		answer := get[struct {
			Meta struct{ LogMessages []string }
		}](t, s, "getTransaction",
			fmt.Sprintf(`[%q,{"commitment":"confirmed","maxSupportedTransactionVersion":0}]`, told.Signature))
		if !slices.Equal(told.Logs, answer.Meta.LogMessages) {
			t.Fatalf("told of %q, answered with %q", told.Logs, answer.Meta.LogMessages)
		}
		whole := c.cast.log(find(t, c, told.Signature)).strings()
		if !slices.Equal(told.Logs, whole) {
			cut++
			if !slices.Contains(told.Logs, "Log truncated") || len(told.Logs) >= len(whole)+1 {
				t.Fatalf("cut to %q", told.Logs)
			}
		}
	}
	if cut == 0 {
		t.Error("no log is shorter")
	}
}

func find(t *testing.T, c *Chain, name string) *tx {
	t.Helper()
	sig, fault := parseSignature(name)
	if fault != nil {
		t.Fatal(fault.Message)
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	x, _ := c.ledger.find(sig)
	if x == nil {
		t.Fatalf("%s is not on the chain", name)
	}
	return x
}

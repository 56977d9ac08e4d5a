package inspect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/verify"
)

// chainNode is a simulated chain, served over real sockets.
type chainNode struct {
	*simchain.Chain
	client *rpc.Client
	url    string

	mu     sync.Mutex
	answer func(method string, params []json.RawMessage) (result string, ok bool) // overrules the chain
}

// overrule answers some requests in the chain's place; nil ends that.
func (n *chainNode) overrule(answer func(method string, params []json.RawMessage) (string, bool)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.answer = answer
}

func serve(t *testing.T, config simchain.Config) *chainNode {
	t.Helper()
	chain, err := simchain.New(config)
	if err != nil {
		t.Fatal(err)
	}
	n := &chainNode{Chain: chain}
	server := httptest.NewServer(http.HandlerFunc(n.serveHTTP))
	n.url = server.URL
	if n.client, err = rpc.NewClient(rpc.Config{URL: server.URL}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		n.client.Close()
		server.Close()
	})
	return n
}

// ask gives the raw result of a request, as the chain answers it.
func (n *chainNode) ask(t *testing.T, method, params string) string {
	t.Helper()
	recorder := httptest.NewRecorder()
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":[%s]}`, method, params)
	n.Handler().ServeHTTP(recorder, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	var answer struct{ Result json.RawMessage }
	if err := json.Unmarshal(recorder.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	return string(answer.Result)
}

func (n *chainNode) serveHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var call struct {
		ID     json.RawMessage   `json:"id"`
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	_ = json.Unmarshal(body, &call)
	n.mu.Lock()
	answer := n.answer
	n.mu.Unlock()
	if answer != nil {
		if result, ok := answer(call.Method, call.Params); ok {
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, call.ID, result)
			return
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	n.Handler().ServeHTTP(w, r)
}

// play makes blocks until every game is over and final.
func (n *chainNode) play(t *testing.T) {
	t.Helper()
	for {
		select {
		case <-n.Done():
			return
		default:
			if err := n.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func (n *chainNode) inspect(t *testing.T, signature string) *Result {
	t.Helper()
	r, err := n.try(t, signature, 5000)
	if err != nil {
		t.Fatalf("%s: %v", signature, err)
	}
	return r
}

func (n *chainNode) try(t *testing.T, signature string, most int) (*Result, error) {
	t.Helper()
	sig, err := rpc.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	node := Node{Client: n.client, MaxHistory: most}
	return node.Inspect(t.Context(), sig, audit(n.Program()))
}

// one gives the case of a truth.
func one(t *testing.T, r *Result, truth simchain.Truth) *Case {
	t.Helper()
	for i := range r.Cases {
		if c := &r.Cases[i]; rpc.KeyString(c.Game.Address) == truth.Game && fmt.Sprint(c.Game.Nonce) == truth.Nonce {
			return c
		}
	}
	t.Fatalf("no case of %+v: %+v", truth, r)
	return nil
}

func everyCheat(games int) simchain.Config {
	return simchain.Config{Seed: 11, Games: games, Cheats: simchain.Cheats(), FinalitySlots: 10}
}

// Whichever end of a game is named, the verdict and the failing checks are
// those that the chain knows to be true.
func TestEveryCheatFromBothEnds(t *testing.T) {
	n := serve(t, everyCheat(65))
	n.play(t)
	cheats := map[simchain.Cheat]int{}
	for _, truth := range n.Truth() {
		cheats[truth.Cheat]++
		for _, signature := range []string{truth.StartSignature, truth.EndSignature} {
			r := n.inspect(t, signature)
			c := one(t, r, truth)
			if r.Verdict().String() != truth.Verdict || c.Report.Verdict.String() != truth.Verdict {
				t.Errorf("%q by %s: %v, the truth is %s", truth.Cheat, signature, c.Report.Verdict, truth.Verdict)
			}
			got, want := failing(c), slices.Clone(truth.Fails)
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%q: %v failed, the truth is %v", truth.Cheat, got, want)
			}
			if r.Asked.Commitment != "finalized" || len(c.Notes) > 0 {
				t.Errorf("%+v, notes %q", r.Asked, c.Notes)
			}
		}
	}
	for _, cheat := range append(simchain.Cheats(), "") {
		if cheats[cheat] == 0 {
			t.Errorf("cheat %q did not happen", cheat)
		}
	}
}

func TestTruncatedLogsAreNeverAPass(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 5, Games: 60, TruncateEvery: 3, FinalitySlots: 5})
	n.play(t)
	seen := map[string]bool{}
	for _, truth := range n.Truth() {
		seen[truth.Truncated] = true
		for name, signature := range map[string]string{"start": truth.StartSignature, "end": truth.EndSignature} {
			r := n.inspect(t, signature)
			if r.Verdict().String() != truth.Verdict {
				t.Errorf("%s by its %s: %v, the truth is %s", truth.Truncated, name, r.Verdict(), truth.Verdict)
			}
			lost := truth.Truncated == name+"_lost"
			if lost != (len(r.Cases) == 0) || lost != strings.Contains(r.Nothing, "truncated") {
				t.Errorf("%s by its %s: %d games, %q", truth.Truncated, name, len(r.Cases), r.Nothing)
			}
			if !lost && truth.Truncated != "" && !slices.ContainsFunc(one(t, r, truth).Notes, func(s string) bool { return strings.Contains(s, "truncated") }) {
				t.Errorf("%s by its %s: notes %q", truth.Truncated, name, one(t, r, truth).Notes)
			}
		}
	}
	for _, kind := range []string{"", "start_kept", "start_lost", "end_kept", "end_lost"} {
		if !seen[kind] {
			t.Errorf("no game was cut as %q", kind)
		}
	}
}

// Everything that is in the program's list and is no game says what it is.
func TestTransactionsWithoutAGame(t *testing.T) {
	n := serve(t, everyCheat(80))
	n.play(t)
	page, err := n.client.Signatures(t.Context(), n.Program(), rpc.SignaturesOpts{})
	if err != nil {
		t.Fatal(err)
	}
	failed, mentions := 0, 0
	for _, entry := range page {
		r := n.inspect(t, rpc.SignatureString(entry.Signature))
		switch {
		case entry.Err != nil:
			failed++
			if len(r.Cases) > 0 || !strings.HasPrefix(r.Nothing, "this transaction failed on chain: nothing happened ({") {
				t.Errorf("a failed transaction: %d games, %q", len(r.Cases), r.Nothing)
			}
		case len(r.Cases) == 0:
			mentions++
			if !strings.Contains(r.Nothing, "mentions the program, but does not run it") {
				t.Errorf("no game: %q", r.Nothing)
			}
		}
		if len(r.Cases) == 0 && r.Verdict() != verify.VerdictInconclusive {
			t.Errorf("no game, and the verdict is %v", r.Verdict())
		}
	}
	if failed == 0 || mentions == 0 {
		t.Errorf("%d failed, %d mentions: nothing was tested", failed, mentions)
	}
	unknown := n.inspect(t, rpc.SignatureString([64]byte{1, 2, 3}))
	if !strings.Contains(unknown.Nothing, "no such transaction") || unknown.Asked.Commitment != "" {
		t.Errorf("unknown: %+v", unknown)
	}
}

// An unread rest of the history makes no pass, whether it is cut by the bound
// or by a hole in the node's list; a proved fail stays one.
func TestUnreadHistory(t *testing.T) {
	n := serve(t, everyCheat(65))
	n.play(t)
	for _, truth := range n.Truth() {
		for _, most := range []int{1, 2} { // an address has two or three transactions
			r, err := n.try(t, truth.StartSignature, most)
			if err != nil {
				t.Fatal(err)
			}
			c := one(t, r, truth)
			switch c.Report.Verdict {
			case verify.VerdictPass, verify.VerdictPending:
				t.Errorf("%q: %v with %d transactions of history", truth.Cheat, c.Report.Verdict, most)
			case verify.VerdictFail:
				if truth.Verdict != "fail" {
					t.Errorf("%q: failed with %d transactions of history", truth.Cheat, most)
				}
			default:
				f := c.Checks[verify.CheckLifecycle]
				if f.Result != verify.ResultInconclusive || f.Reason != ReasonHistoryNotRead || !strings.Contains(strings.Join(c.Notes, ""), "not read to its beginning") {
					t.Errorf("%+v, notes %q", f, c.Notes)
				}
			}
		}
	}
}

func TestHoleInTheListOfTheAddress(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 3, Games: 1, FinalitySlots: 5})
	n.play(t)
	truth := n.Truth()[0]
	n.overrule(func(method string, _ []json.RawMessage) (string, bool) {
		return `"result":[]`, method == "getSignaturesForAddress"
	})
	c := one(t, n.inspect(t, truth.EndSignature), truth)
	if c.Report.Verdict != verify.VerdictInconclusive || !strings.Contains(strings.Join(c.Notes, ""), "does not hold the transaction asked for") {
		t.Errorf("%v, notes %q", c.Report.Verdict, c.Notes)
	}
}

// The list of an address that has served many games names only transactions;
// the events of other games are none of this one's.
func TestOtherGamesOfTheAddress(t *testing.T) {
	n := serve(t, everyCheat(60))
	n.play(t)
	program, err := json.Marshal(n.Program())
	if err != nil {
		t.Fatal(err)
	}
	all := n.ask(t, "getSignaturesForAddress", string(program)+`,{"commitment":"finalized"}`)
	n.overrule(func(method string, _ []json.RawMessage) (string, bool) {
		return `"result":` + all, method == "getSignaturesForAddress"
	})
	for _, truth := range n.Truth()[:10] {
		r := n.inspect(t, truth.EndSignature)
		if c := one(t, r, truth); len(r.Cases) != 1 || c.Report.Verdict.String() != truth.Verdict {
			t.Errorf("%q: %v of %d games, the truth is %s", truth.Cheat, c.Report.Verdict, len(r.Cases), truth.Verdict)
		}
	}
}

// pageSize is the longest that nodes give.
const pageSize = 1000

// A long history is paged back to its beginning, and failed transactions of it
// are not fetched.
func TestPagesOfHistory(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 3, Games: 1, FinalitySlots: 5})
	n.play(t)
	truth := n.Truth()[0]
	var names, lines []string // newest first
	add := func(name string, slot uint64, failed string) {
		names = append(names, name)
		lines = append(lines, fmt.Sprintf(`{"signature":%q,"slot":%d,"err":%s}`, name, slot, failed))
	}
	for i := range pageSize {
		add(rpc.SignatureString([64]byte{1, byte(i), byte(i >> 8)}), truth.EndSlot+uint64(pageSize-i), `"AccountInUse"`)
	}
	add(truth.EndSignature, truth.EndSlot, "null")
	add(truth.StartSignature, truth.StartSlot, "null")
	n.overrule(func(method string, params []json.RawMessage) (string, bool) {
		if method != "getSignaturesForAddress" {
			return "", false
		}
		var opts struct{ Before string }
		if err := json.Unmarshal(params[1], &opts); err != nil {
			t.Error(err)
		}
		page := lines[slices.Index(names, opts.Before)+1:]
		return `"result":[` + strings.Join(page[:min(len(page), pageSize)], ",") + `]`, true
	})
	for most, want := range map[int]string{pageSize: "inconclusive", pageSize + 2: "inconclusive", pageSize + 3: truth.Verdict} {
		r, err := n.try(t, truth.EndSignature, most)
		if err != nil {
			t.Fatal(err)
		}
		if c := one(t, r, truth); c.Report.Verdict.String() != want {
			t.Errorf("%v with %d of history, want %s", c.Report.Verdict, most, want)
		}
	}
}

// What is only confirmed is judged, and said to be confirmed.
func TestConfirmedOnly(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 3, Games: 3, FinalitySlots: 200})
	for len(n.Truth()) == 0 {
		if err := n.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	truth := n.Truth()[0]
	r := n.inspect(t, truth.StartSignature)
	c := one(t, r, truth)
	if r.Asked.Commitment != "confirmed" || c.Report.Verdict.String() != truth.Verdict || len(c.Notes) != len(c.Events) || c.Levels[0] != rpc.Confirmed {
		t.Errorf("%+v: %v, notes %q", r.Asked, c.Report.Verdict, c.Notes)
	}
}

func TestNodeThatLagsOrIsBusy(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 3, Games: 1, FinalitySlots: 5})
	n.play(t)
	truth := n.Truth()[0]
	n.Faults.NullFirst(1)
	n.Faults.HTTP(simchain.ServerError, simchain.HTMLPage, simchain.CutJSON)
	if c := one(t, n.inspect(t, truth.EndSignature), truth); c.Report.Verdict.String() != truth.Verdict {
		t.Errorf("%v, the truth is %s", c.Report.Verdict, truth.Verdict)
	}
}

// A node that cannot answer is an error and never a verdict, at each step.
func TestNodeErrors(t *testing.T) {
	n := serve(t, simchain.Config{Seed: 3, Games: 1, FinalitySlots: 5})
	n.play(t)
	truth := n.Truth()[0]
	refuse := func(code int) string { return fmt.Sprintf(`"error":{"code":%d,"message":"no"}`, code) }
	other := func(params []json.RawMessage) bool { return !strings.Contains(string(params[0]), truth.StartSignature) }
	for _, test := range []struct {
		name, answer string
		at           func(method string, params []json.RawMessage) bool
		want         rpc.Class
	}{
		{"version above", refuse(-32015), func(m string, _ []json.RawMessage) bool { return m == "getTransaction" }, rpc.UnsupportedVersion},
		{"version above, other end", refuse(-32015), func(m string, p []json.RawMessage) bool { return m == "getTransaction" && other(p) }, rpc.UnsupportedVersion},
		{"no history", refuse(-32011), func(m string, _ []json.RawMessage) bool { return m == "getTransaction" }, rpc.NoHistory},
		{"no list", refuse(-32601), func(m string, _ []json.RawMessage) bool { return m == "getSignaturesForAddress" }, rpc.Invalid},
		{"no slot", refuse(-32601), func(m string, _ []json.RawMessage) bool { return m == "getSlot" }, rpc.Invalid},
		{"listed, then null", `"result":null`, func(m string, p []json.RawMessage) bool { return m == "getTransaction" && other(p) }, rpc.NotFound},
	} {
		t.Run(test.name, func(t *testing.T) {
			n.overrule(func(method string, params []json.RawMessage) (string, bool) {
				return test.answer, test.at(method, params)
			})
			r, err := n.try(t, truth.StartSignature, 5000)
			if r != nil || !errors.Is(err, test.want) {
				t.Fatalf("%+v, error %v, want %v", r, err, test.want)
			}
			if test.want == rpc.UnsupportedVersion && !strings.Contains(err.Error(), "of a version that this program cannot read") {
				t.Errorf("the message is %q", err)
			}
		})
	}
}

package simchain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// liarAnd is a chain that is over, with an honest node 0 and a node 1 that lies.
func liarAnd(t *testing.T, kinds ...Fault) (c *Chain, honestNode, liar *Server) {
	t.Helper()
	c = newChain(t, Config{Seed: 4, Games: 150, GamesPerSlot: 5, FinalitySlots: 5, Cheats: Cheats()})
	inject(t, c.Node(1), 9, kinds...)
	playOut(t, c)
	liar, err := c.Node(1).Serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(liar.Close)
	return c, serve(t, c), liar
}

// view is what a node lists and gives: the log of each transaction.
func view(t *testing.T, c *Chain, s *Server) map[string]string {
	t.Helper()
	logs := map[string]string{}
	for _, info := range list(t, s, c.Program(), "finalized", 1000) {
		answer := get[*struct {
			Meta struct{ LogMessages []string }
		}](t, s, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, info.Signature))
		if answer == nil {
			t.Fatalf("%s is listed and not given", info.Signature)
		}
		logs[info.Signature] = strings.Join(answer.Meta.LogMessages, "\n")
	}
	return logs
}

func TestANodeThatHides(t *testing.T) {
	c, right, wrong := liarAnd(t, hide)
	truth, told := view(t, c, right), view(t, c, wrong)
	hidden := 0
	for name, log := range truth {
		switch shown, is := told[name]; {
		case !is:
			hidden++
			if a := ask(t, wrong, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, name)); string(a.Result) != "null" {
				t.Errorf("%s is not listed, and given", name)
			}
		case shown != log:
			t.Errorf("%s is shown otherwise", name)
		}
	}
	if hidden == 0 || hidden > len(truth)/5 || len(told) != len(truth)-hidden {
		t.Errorf("%d of %d transactions are hidden, %d shown", hidden, len(truth), len(told))
	}
}

func TestANodeThatInvents(t *testing.T) {
	c, right, wrong := liarAnd(t, invent)
	truth, told := view(t, c, right), view(t, c, wrong)
	invented := 0
	for name := range told {
		if _, is := truth[name]; !is {
			invented++
			a := get[struct{ Value []*statusAnswer }](t, wrong, "getSignatureStatuses", fmt.Sprintf(`[[%q],{"searchTransactionHistory":true}]`, name))
			if a.Value[0] == nil {
				t.Errorf("%s is listed and has no status", name)
			}
		}
	}
	if invented == 0 || len(told) != len(truth)+invented {
		t.Errorf("%d transactions are invented; %d are shown of %d", invented, len(told), len(truth))
	}
}

// TestANodeThatWhitewashes wants what the operator did wrong to look right by
// this node, and something that was right to look wrong.
func TestANodeThatWhitewashes(t *testing.T) {
	c, right, wrong := liarAnd(t, alter)
	truth, told := view(t, c, right), view(t, c, wrong)
	for _, is := range c.Truth() {
		rigged := is.Cheat != honest
		second := slices.Contains([]Cheat{doubleSettled, settledVoided}, is.Cheat)
		if rigged && !second && told[is.EndSignature] == truth[is.EndSignature] {
			t.Errorf("the end of a game with %s is shown as it is", is.Cheat)
		}
	}
	lost, altered := 0, 0
	for name, log := range truth {
		shown, is := told[name]
		lost, altered = lost+b2i(!is), altered+b2i(is && shown != log)
	}
	if lost == 0 || altered < 10 || altered > len(truth)/4 {
		t.Errorf("of %d transactions %d are altered and %d second ends hidden", len(truth), altered, lost)
	}
}

// TestNodesHaveFaultsOfTheirOwn wants what goes wrong with one node to leave the
// others alone.
func TestNodesHaveFaultsOfTheirOwn(t *testing.T) {
	c := newChain(t, Config{Seed: 4, GamesPerSlot: 5})
	one, err := c.Node(1).Serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(one.Close)
	zero := serve(t, c)
	advance(t, c, 40)
	c.Node(1).Faults.Lag(20)
	c.Node(1).Faults.HTTP(ServerError)
	if slot := get[uint64](t, zero, "getSlot", `[{"commitment":"confirmed"}]`); slot != c.Slot() {
		t.Errorf("node 0 is at %d, the chain at %d", slot, c.Slot())
	}
	if status, _ := post(t, one, `{"jsonrpc":"2.0","id":1,"method":"getSlot"}`); status != 503 {
		t.Errorf("node 1 answers %d", status)
	}
	if slot := get[uint64](t, one, "getSlot", `[{"commitment":"confirmed"}]`); slot >= c.Slot() {
		t.Errorf("node 1 is at %d, the chain at %d", slot, c.Slot())
	}
	conn := dial(t, one.WSURL)
	subscribe(t, conn, "slotSubscribe", "[]")
	if c.Node(0).DropSockets() != 0 || c.Node(1).DropSockets() != 1 {
		t.Error("sockets are not the node's own")
	}
}

func TestParseFaults(t *testing.T) {
	if kinds, err := ParseFaults(" drop, lag,drop "); err != nil || !slices.Equal(kinds, []Fault{dropNotes, lag}) {
		t.Errorf("%v, %v", kinds, err)
	}
	all, err := ParseFaults("all")
	if err != nil || len(all) != len(FaultKinds())-3 || slices.Contains(all, hide) {
		t.Errorf("all is %v, %v", all, err)
	}
	if _, err := ParseFaults("drop,dorp"); !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), `"dorp"`) {
		t.Errorf("a wrong name: %v", err)
	}
	each, err := ParseNodeFaults("drop;;hide", 4)
	if err != nil || len(each) != 4 || !slices.Equal(each[0], []Fault{dropNotes}) || each[1] != nil || !slices.Equal(each[2], []Fault{hide}) || each[3] != nil {
		t.Errorf("%v, %v", each, err)
	}
	if each, err = ParseNodeFaults("lag", 2); err != nil || !slices.Equal(each[0], each[1]) || len(each[0]) != 1 {
		t.Errorf("one list for two nodes: %v, %v", each, err)
	}
	if _, err := ParseNodeFaults("drop;lag;cut", 2); !errors.Is(err, ErrConfig) {
		t.Errorf("three lists for two nodes: %v", err)
	}
}

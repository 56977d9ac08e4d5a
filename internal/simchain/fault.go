package simchain

import (
	"fmt"
	"slices"
	"strings"
)

// Fault is a kind of trouble that a node makes by itself, all the time, where
// Faults.Inject asks for it.
type Fault string

// What an honest node's network, load and software do to its clients.
const (
	dropNotes   Fault = "drop"
	doubleNotes Fault = "duplicate"
	reorder     Fault = "reorder"
	delayNotes  Fault = "delay"
	cutSockets  Fault = "cut"
	halfOpen    Fault = "half-open"
	refuseSubs  Fault = "refuse"
	malformed   Fault = "malformed"
	nullFirst   Fault = "null"
	noHistory   Fault = "history"
	rateLimit   Fault = "rate-limit"
	serverError Fault = "server-error"
	htmlPage    Fault = "html"
	cutJSON     Fault = "cut-json"
	hang        Fault = "hang"
	anchors     Fault = "anchors"
	shortPages  Fault = "pages"
	holes       Fault = "holes"
	forks       Fault = "forks"
	lag         Fault = "lag"
	shortLogs   Fault = "truncate"
)

// What a dishonest node does. It tells the same lie each time it is asked.
const (
	hide   Fault = "hide"
	alter  Fault = "alter"
	invent Fault = "invent"
)

// FaultHelp is a fault with a line on what it does.
type FaultHelp struct {
	Fault Fault
	Help  string
	Lie   bool // of a dishonest node; "all" does not ask for it
}

// FaultKinds lists every fault there is.
func FaultKinds() []FaultHelp {
	return []FaultHelp{
		{dropNotes, "one notification in five never comes", false},
		{doubleNotes, "one in five comes twice", false},
		{reorder, "a block's notifications come in another order, some of them with the next block's", false},
		{delayNotes, "for some slots, notifications come up to 24 slots late, some after their slot is final", false},
		{cutSockets, "all websockets are cut, without a closing handshake", false},
		{halfOpen, "all websockets stay open and say nothing any more, not even pong", false},
		{refuseSubs, "one subscription to logs in three is answered with an error", false},
		{malformed, "a websocket gets a frame that is no JSON-RPC, or of another's subscription", false},
		{nullFirst, "getTransaction answers null to the first questions for one transaction in four", false},
		{noHistory, "getTransaction answers -32011 to the first questions for one transaction in eight, as a balancer's other node does", false},
		{rateLimit, "one request in twelve gets 429, with Retry-After, without, or as a JSON-RPC error", false},
		{serverError, "one request in twelve gets 500, 502 or 503", false},
		{htmlPage, "one request in twelve gets a page of HTML with 200", false},
		{cutJSON, "one request in twelve gets an answer that ends in its middle", false},
		{hang, "one request in sixty gets no answer until the client gives up", false},
		{anchors, "one `before` in six is unknown (-32020), and one `until` in two, which then bounds nothing", false},
		{shortPages, "signature lists come in pages of 5 to 40, cut inside slots, half of them ordered by signature within a slot", false},
		{holes, "one transaction in twelve is missing from lists until some slots after it is final", false},
		{forks, "starts and ends are taken back, or land in a later slot, before they are final (all nodes see the same)", false},
		{lag, "for some slots the node falls 5 to 30 slots behind, so that its head goes back, and catches up", false},
		{shortLogs, "the node keeps less of one log in eight than others do", false},
		{hide, "a lie: one transaction in twelve is nowhere", true},
		{alter, "a lie: one event in ten says another payout, and what the operator did wrong is made good", true},
		{invent, "a lie: transactions that never happened are told of, listed and given", true},
	}
}

// ParseFaults reads a comma-separated list of faults: "" for none, "all" for
// every one that an honest node has. An unknown name is an error that lists the
// known ones.
func ParseFaults(list string) ([]Fault, error) {
	var kinds []Fault
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		found, err := faultsNamed(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		for _, k := range found {
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds, nil
}

func faultsNamed(name string) ([]Fault, error) {
	var honest []Fault
	var names []string
	for _, k := range FaultKinds() {
		if string(k.Fault) == name {
			return []Fault{k.Fault}, nil
		}
		if !k.Lie {
			honest = append(honest, k.Fault)
		}
		names = append(names, string(k.Fault))
	}
	if name == "all" {
		return honest, nil
	}
	return nil, fmt.Errorf("%w: no fault is called %q; use all or some of %s", ErrConfig, name, strings.Join(names, ", "))
}

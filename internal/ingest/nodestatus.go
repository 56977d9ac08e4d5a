package ingest

import (
	"time"

	"go.uber.org/zap"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// NodeStatus is a node as /status shows it: by name, never by URL.
type NodeStatus struct {
	Name         string   `json:"name"`
	Roles        []string `json:"roles"`
	State        string   `json:"state"` // ok, erring, lagging, faulty, refused, other_chain; unknown before its chain was compared, or while standing by it was asked
	Since        string   `json:"since"`
	Error        string   `json:"error,omitempty"`
	Slot         uint64   `json:"finalized_slot,omitempty"`
	LagSlots     *uint64  `json:"lag_slots"`                    // null where slots were not compared: with one node, and while standing by
	PausedFor    float64  `json:"paused_for_seconds,omitempty"` // at its own wish
	Subscription *bool    `json:"subscription_up,omitempty"`    // of a node with the role live
}

// Examined is what /status shows of the cross-examination of nodes.
type Examined struct {
	UncheckedSlots int64 `json:"unchecked_slots"` // in the record on one node's word
	Backlog        int   `json:"transactions_waiting"`
	LetGo          int   `json:"transactions_let_go,omitempty"` // too many waited
	Disagreements  int64 `json:"disagreements"`                 // on record, settled ones too
	Open           int64 `json:"disagreements_open"`
}

func (d *Daemon) nodes() []NodeStatus {
	all := []NodeStatus{}
	waits := d.state.standby()
	for _, h := range d.Nodes.Health() {
		n := NodeStatus{
			Name: h.Name, State: string(h.State), Since: stamp(h.Since), Error: h.Error, Slot: h.Slot,
			PausedFor: h.PausedFor.Round(time.Millisecond).Seconds(),
		}
		if !h.Known && h.Error == "" {
			n.State = "unknown"
		}
		for _, r := range h.Roles {
			n.Roles = append(n.Roles, string(r))
		}
		if h.Slot > 0 {
			n.LagSlots = &h.LagSlots
		}
		if h.Subscribe {
			n.Subscription = &h.Listens
		}
		if waits {
			d.state.showAsked(&n)
		}
		all = append(all, n)
	}
	return all
}

// showAsked has a node show what came of asking it while standing by: of the others
// nothing is known but what failed before, and none is subscribed to.
func (s *state) showAsked(n *NodeStatus) {
	asked, f := s.lastAsked()
	n.Subscription = nil
	switch {
	case n.Error != "":
	case n.Name != asked:
		n.State = "unknown"
	case f.err != nil:
		n.State, n.Error, n.Since = string(rpc.NodeErring), f.err.Error(), stamp(f.since)
	default:
		n.State = string(rpc.NodeOK)
	}
}

// examined is nil where there is no second node.
func (d *Daemon) examined() *Examined {
	if !d.examines() {
		return nil
	}
	counts, _ := d.examination()
	e := &Examined{UncheckedSlots: counts.UncheckedSlots, Open: counts.Disagreements[store.LeftOpen]}
	for _, n := range counts.Disagreements {
		e.Disagreements += n
	}
	e.Backlog, e.LetGo = d.examiner.length()
	return e
}

// tellDisagreements logs the few lines an operator acts on. The rows are the record.
func (d *Daemon) tellDisagreements(all []store.Disagreement) {
	const most = 5
	for i := range all[:min(len(all), most)] {
		dis := &all[i]
		d.Log.Warn("nodes disagree", zap.String("kind", string(dis.Kind)), zap.String("transaction", signatureText(dis.Signature)),
			zap.Uint64("slot", dis.Slot), zap.String("node", dis.Node), zap.String("other_node", dis.Other), zap.String("settled", string(dis.Settled)))
	}
	if len(all) > most {
		d.Log.Warn("nodes disagree about more transactions; audit_api.v1_disagreements has them", zap.Int("more", len(all)-most))
	}
}

package ingest

import (
	"math"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Status is the daemon's account of itself, for /status. Counts come from the
// database, at most two seconds old.
type Status struct {
	State       string `json:"state"` // starting, standby, reading_history, following, stalled
	Program     string `json:"program"`
	GenesisHash string `json:"genesis_hash,omitempty"`
	ProfileHash string `json:"profile_hash"`

	HeadSlot        uint64   `json:"head_slot"`         // while standing by, as who leads last noted it
	FrontierSlot    *int64   `json:"frontier_slot"`     // null before the first history is complete
	AuditedFromSlot *int64   `json:"audited_from_slot"` // null before the first start reached a node
	LagSlots        *int64   `json:"lag_slots"`         // null while it follows nothing: before a start reached a node, and while standing by
	LagSeconds      *float64 `json:"lag_seconds"`
	WalkedToSlot    *uint64  `json:"walked_to_slot,omitempty"` // of history that is being read, newest first
	AdvancedAt      *string  `json:"frontier_moved_at"`
	VoidCeiling     *float64 `json:"void_rate_ceiling"`

	Connection Connection   `json:"connection,omitzero"` // none is made while standing by
	Node       Health       `json:"node"`                // whichever one is read from
	Nodes      []NodeStatus `json:"nodes"`
	Examined   *Examined    `json:"cross_examination,omitempty"` // null with one node
	Database   Health       `json:"database"`

	ReconciledAt *string        `json:"reconciled_at"`      // when a pass over the finalized list last ended well
	Coverage     []CoveredRange `json:"coverage"`           // lowest first; nothing is known of slots in no range
	Backfill     *Waiting       `json:"backfill,omitempty"` // null where none is read beside this daemon

	Gaps         []OpenGap        `json:"gaps"` // those that are open, the latest first, a hundred at most
	OpenGaps     int64            `json:"open_gaps"`
	Unverifiable int64            `json:"unverifiable_transactions"`
	Games        map[string]int64 `json:"games"`     // finalized, by verdict
	Confirmed    map[string]int64 `json:"confirmed"` // above the frontier, by verdict; a fork may undo them
	Voids        map[string]int64 `json:"voids"`     // finalized, by when
}

// Connection is the log subscription.
type Connection struct {
	Up         bool   `json:"up"`
	Since      string `json:"since"`
	Reconnects uint64 `json:"reconnects"`
	LastReason string `json:"last_end_reason,omitempty"`
	LastError  string `json:"last_error,omitempty"`
	QueueDepth int    `json:"queue_depth"`
}

// CoveredRange is a range of slots that the record holds whole, or why it does
// not.
type CoveredRange struct {
	FromSlot int64  `json:"from_slot"`
	ToSlot   int64  `json:"to_slot"`
	Complete bool   `json:"complete"`
	Reason   string `json:"reason,omitempty"`
	Source   string `json:"source"`
	MadeAt   string `json:"made_at"`
}

// OpenGap is a time without a subscription that the record has not passed yet.
type OpenGap struct {
	Reason   string `json:"reason"`
	FromSlot int64  `json:"from_slot"`
	ToSlot   *int64 `json:"to_slot"` // null: it lasts
	OpenedAt string `json:"opened_at"`
}

// Health is whether something works, and if not, since when and why.
type Health struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	Since string `json:"since,omitempty"`
}

// Status gives a copy. It waits at most two seconds, for the database's counts.
func (d *Daemon) Status() Status {
	totals := d.totals()
	s := Status{
		Program: keyText(d.Program), ProfileHash: d.ProfileHash, VoidCeiling: d.VoidCeiling,
		Nodes: d.nodes(), Examined: d.examined(),
		OpenGaps: totals.Open, Unverifiable: totals.Unverifiable,
		Games: verdictCounts(totals.Games), Confirmed: verdictCounts(d.confirmed()), Voids: map[string]int64{},
	}
	for _, w := range []verify.VoidWhen{verify.BeforeTimeout, verify.AfterTimeout, verify.VoidWhenUnknown} {
		s.Voids[w.String()] = totals.Voids[w]
	}
	s.Coverage, s.Gaps = d.coverage()
	s.Backfill = d.waiting()
	if !d.state.standby() {
		s.Connection = d.connection()
	}
	d.state.show(&s, d.watched())
	return s
}

func (d *Daemon) connection() Connection {
	stream := d.Stream.State()
	return Connection{
		Up: stream.Connected, Since: stamp(stream.Since), Reconnects: stream.Reconnects,
		LastReason: string(stream.LastReason), LastError: stream.LastError, QueueDepth: len(d.Stream.Items()),
	}
}

// show adds what the daemon knows of itself, and what of it the database knows better:
// history that is read beside it moves the beginning of the audit down. watch is nil
// where that was never read.
func (st *state) show(s *Status, watch *store.Watch) {
	st.mu.Lock()
	defer st.mu.Unlock()
	s.HeadSlot = st.headSlot
	s.Node, s.Database = health(st.nodeFault), health(st.dbFault)
	s.State = "starting"
	if st.waits {
		s.State = "standby"
		if watch != nil {
			s.record(watch)
		}
		return
	}
	if !st.isBound {
		return
	}
	s.GenesisHash = rpc.KeyString(st.watch.Genesis)
	from, begun := st.watch.AuditedFrom, st.frontierAt >= st.watch.AuditedFrom
	if watch != nil {
		from, begun = watch.AuditedFrom, begun || watch.Frontier >= watch.AuditedFrom
	}
	s.AuditedFromSlot = &from
	lag := max(int64(st.headSlot)-st.frontierAt, 0)
	seconds := math.Round(float64(lag)*st.clock.slotSeconds()*1000) / 1000
	s.LagSlots, s.LagSeconds = &lag, &seconds
	s.State = "reading_history"
	if begun {
		frontier := st.frontierAt
		s.FrontierSlot, s.State = &frontier, "following"
	}
	if st.walkSlot > 0 {
		slot := st.walkSlot
		s.WalkedToSlot = &slot
	}
	if !st.reconciledAt.IsZero() {
		at := stamp(st.reconciledAt)
		s.ReconciledAt = &at
	}
	if !st.advancedAt.IsZero() {
		at := stamp(st.advancedAt)
		s.AdvancedAt = &at
	}
	if !s.Node.OK || !s.Database.OK {
		s.State = "stalled"
	}
}

// record adds what the database says of a record that another daemon leads.
func (s *Status) record(watch *store.Watch) {
	s.GenesisHash = rpc.KeyString(watch.Genesis)
	s.HeadSlot = uint64(max(watch.Head, 0))
	s.AuditedFromSlot = &watch.AuditedFrom
	if watch.Frontier >= watch.AuditedFrom {
		s.FrontierSlot = &watch.Frontier
	}
}

func health(f fault) Health {
	if f.err == nil {
		return Health{OK: true}
	}
	return Health{Error: f.err.Error(), Since: stamp(f.since)}
}

func verdictCounts(counts map[verify.Verdict]int64) map[string]int64 {
	named := map[string]int64{}
	for _, v := range []verify.Verdict{verify.VerdictPass, verify.VerdictFail, verify.VerdictInconclusive} {
		named[v.String()] = counts[v]
	}
	return named
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// Turned is when the main loop last turned, for /livez. It touches nothing else.
func (d *Daemon) Turned() time.Time { return d.state.turnedAt() }

// Bound gives what the database is bound to; false before that is known.
func (d *Daemon) Bound() (store.Watch, bool) { return d.state.boundTo() }

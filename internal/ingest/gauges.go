package ingest

import (
	"math"

	"github.com/prometheus/client_golang/prometheus"

	"minesaudit/internal/verify"
)

// RegisterGauges registers what is read at each scrape. Nothing here waits for
// the database longer than a second; what it cannot read keeps its last value.
func (d *Daemon) RegisterGauges(reg prometheus.Registerer) {
	gauge := func(name, help string, f func() float64) {
		reg.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "minesaudit_" + name, Help: help}, f))
	}
	gauge("leader", "1 while this daemon follows the program and writes, 0 while it starts or stands by for another one.", func() float64 { return oneIf(d.state.leads()) })
	gauge("head_slot", "Latest slot that the node told of.", func() float64 { return float64(d.state.head()) })
	gauge("frontier_slot", "Slot up to which every transaction of the program is in the record, finalized.", func() float64 { return float64(d.state.frontier()) })
	gauge("audited_from_slot", "First slot that is audited; reading history moves it down.", func() float64 { return float64(d.auditedFrom()) })
	gauge("lag_seconds", "Estimated age of the frontier: slots to the head times the slot time lately seen.", d.state.lagSeconds)
	gauge("progress_timestamp_seconds", "When the record last came further: the frontier moved, or a page of history was stored; at first the daemon's start. Unix time.", func() float64 {
		return float64(d.state.progressed().UnixMilli()) / 1000
	})
	gauge("node_up", "1 while the node answers as it should, 0 from a failed pass of the reconciler to the next good one.", func() float64 {
		node, _ := d.state.works()
		return oneIf(node)
	})
	gauge("database_up", "1 while the database can be written to, 0 from a failed write to the next good one.", func() float64 {
		_, database := d.state.works()
		return oneIf(database)
	})
	gauge("failed_games", "Finalized games whose standing verdict is fail, from the database; NaN until that was read once.", func() float64 {
		totals, known := d.totalsKnown()
		if !known {
			return math.NaN()
		}
		return float64(totals.Games[verify.VerdictFail])
	})
	gauge("gaps_open", "Ends of the subscription that the frontier has not passed yet.", func() float64 { return float64(d.totals().Open) })
	gauge("unverifiable_transactions", "Stored transactions whose log could not be read to its end.", func() float64 { return float64(d.totals().Unverifiable) })
	gauge("unchecked_slots", "Slots in the record on one node's word, although several are configured; NaN until that was read once.", func() float64 {
		e, known := d.examination()
		if !known {
			return math.NaN()
		}
		return float64(e.UncheckedSlots)
	})
	gauge("examination_backlog", "Transactions that wait to be held against a second node.", d.examiner.backlog)
	if d.Waiting != nil {
		left := func(of func(*Waiting) int64) func() float64 {
			return func() float64 {
				if w := d.waiting(); w != nil {
					return float64(of(w))
				}
				return math.NaN()
			}
		}
		gauge("backfill_waiting_pages", "Pages of history that are planned and not read yet; NaN until that was found out.", left(func(w *Waiting) int64 { return w.Pages }))
		gauge("backfill_waiting_transactions", "Transactions in them.", left(func(w *Waiting) int64 { return w.Transactions }))
		gauge("backfill_failing_pages", "Those of them whose last try failed; they are tried again.", left(func(w *Waiting) int64 { return w.Failing }))
	}
	gauge("void_rate_ceiling_ratio", "The profile's ceiling for voided among all ended games; NaN where it sets none.", func() float64 {
		if d.VoidCeiling == nil {
			return math.NaN()
		}
		return *d.VoidCeiling
	})
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

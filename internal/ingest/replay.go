package ingest

import (
	"context"
	"time"

	"minesaudit/internal/emitted"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Replay feeds transactions that somebody has saved into the record, through the
// path that the stream's take. It believes them as it believes the stream: above
// the frontier they are stored, and the next pass over the finalized list holds
// their existence, slot and outcome against it. At or below the frontier the
// record is complete: what it lacks there was not on the chain by the list, and
// nothing is overruled. A file proves no completeness; so the frontier stays where
// it is, and no coverage is claimed.
type Replay struct {
	Reader   emitted.Reader
	Standard Standard
}

// Replayed is what became of transactions.
type Replayed struct {
	Given    int64
	New      int64
	Replaced int64 // stored in another slot or with another outcome before
	Known    int64 // as they are
	Settled  int64 // at or below the frontier, where a file has no say
	Partial  int64 // not stored: they do not hold all that is needed, and a node is to be asked
	Verdicts map[verify.Verdict]int64
}

// Add adds what became of others.
func (r *Replayed) Add(o Replayed) {
	r.Given += o.Given
	r.New += o.New
	r.Replaced += o.Replaced
	r.Known += o.Known
	r.Settled += o.Settled
	r.Partial += o.Partial
	if r.Verdicts == nil {
		r.Verdicts = map[verify.Verdict]int64{}
	}
	for v, n := range o.Verdicts {
		r.Verdicts[v] += n
	}
}

// Save stores transactions, in any order, in one turn. Stored twice they are there
// once. A crash before the turn's end leaves nothing of them, one after it all.
func (r *Replay) Save(ctx context.Context, w *store.Writer, txs []*rpc.Tx) (Replayed, error) {
	done := Replayed{Given: int64(len(txs)), Verdicts: map[verify.Verdict]int64{}}
	d := &Daemon{Config: Config{Reader: r.Reader}}
	var job work
	for _, tx := range txs {
		a := d.arrive(*tx, false, time.Time{})
		switch {
		case tx.StatusMissing, a.log.Ask, !a.whole() && tx.Accounts == nil:
			done.Partial++
		case int64(tx.Slot) <= w.Frontier():
			done.Settled++
		default:
			job.arrivals = append(job.arrivals, a)
		}
	}
	if len(job.arrivals) == 0 {
		return done, nil
	}
	job.times = timesOf(job.arrivals)
	batch, _, err := commit(ctx, w, &job, &standard{layout: r.Standard.Layout, rules: &r.Standard.Rules})
	if err != nil {
		return Replayed{}, err
	}
	done.New, done.Replaced = int64(len(batch.New)), int64(len(batch.Replaced))
	done.Known = int64(len(job.arrivals)) - done.New - done.Replaced
	for i := range batch.Verdicts {
		done.Verdicts[batch.Verdicts[i].Verdict]++
	}
	return done, nil
}

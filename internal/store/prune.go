package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// pruneChunk is how many rows one call looks at: a few milliseconds, between
// which batches are saved.
const pruneChunk = 10_000

// Pruned is what one chunk of pruning did.
type Pruned struct {
	Rows int64 // verdicts or transactions deleted
	UpTo int64 // the slot after which the next chunk goes on
	Done bool  // there is no next chunk for now
}

// PruneSuperseded deletes verdicts, with their findings, that another one of
// the same game superseded longer than keep ago, by the database's clock. It
// looks at the superseding ones in slots above after.
//
// Why no count can change: what a game counts for as of a frontier F is its
// verdict of the highest seq among those with slot <= F. A row that is deleted
// has seq s and slot <= F, and the game has another with seq > s and slot <= F
// too. The frontier only rises, so as of every later one some seq > s is there
// to be preferred: no statement of this package, now or later, would have
// picked the deleted row. Nor does it stand, since the highest seq of all does.
// A superseded row above the frontier is left alone: as of a frontier between
// the two slots it might be the one that counts.
func (w *Writer) PruneSuperseded(ctx context.Context, keep time.Duration, after int64) (Pruned, error) {
	// One statement: a crash leaves no finding without its verdict.
	return w.prune(ctx, "superseded verdicts", `with looked as (
			select slot from audit.verdict where slot > $1 and slot <= $2 and seq > 0 order by slot limit $3),
		edge as (select max(slot) as slot, count(*) as n from looked),
		later as (
			select v.game, v.seq from audit.verdict v, edge
			where v.slot > $1 and v.slot <= edge.slot and v.seq > 0 and v.made_at < now() - $4::interval),
		gone as (
			delete from audit.verdict v using later l where v.game = l.game and v.seq < l.seq and v.slot <= $2
			returning v.game, v.seq),
		findings as (
			delete from audit.finding f using gone g where f.game = g.game and f.seq = g.seq)
		select (select count(*) from gone), coalesce(edge.slot, $2), edge.n from edge`,
		after, w.frontier, pruneChunk, keep)
}

// Overlap is what of the record the reconciler compares again at every pass:
// transactions that are missing there it fetches again.
type Overlap struct {
	Slots int64 // below the frontier
	Rows  int64 // the newest at or below it
}

// EventlessUpTo gives the last slot whose event-less transactions may be
// pruned: older than keep, both by the database's clock and by the chain's
// latest time at the frontier, and below the overlap. A slot without a time is
// as old as a later one that has one. It looks at slots above after; after or
// less means that there is none.
func (w *Writer) EventlessUpTo(ctx context.Context, keep time.Duration, o Overlap, after int64) (int64, error) {
	var upTo int64
	// Both searches of slot_time stop at the first row, or go once over what has
	// become old since the last time.
	err := w.conn.QueryRow(ctx, `with clock as (
			select least(now(), frontier_time) - $1::interval as at from audit.watch),
		edge as (
			select least($5 - $2::bigint, slot - 1) as slot from audit.tx where slot <= $5 and not dropped
			order by slot desc offset $3 - 1 limit 1),
		young as (
			select t.slot from audit.slot_time t where t.slot > $4 and t.slot <= (select slot from edge) and t.block_time >= (select at from clock)
			order by t.slot limit 1)
		select coalesce((
			select t.slot from audit.slot_time t
			where t.slot > $4 and t.slot <= (select slot from edge) and t.slot < coalesce((select slot from young), 9223372036854775807)
				and t.block_time < (select at from clock)
			order by t.slot desc limit 1), $4)`,
		keep, o.Slots, o.Rows, after, w.frontier).Scan(&upTo)
	if err != nil {
		return after, fmt.Errorf("find old transactions: %w", err)
	}
	return upTo, nil
}

// PruneEventless deletes transactions in slots above after up to upTo that
// hold nothing of the program: no event and no log that could not be read.
// Failed ones are among them. Games, verdicts and counts rest on events alone.
func (w *Writer) PruneEventless(ctx context.Context, after, upTo int64) (Pruned, error) {
	return w.prune(ctx, "event-less transactions", `with looked as (
			select slot from audit.tx where slot > $1 and slot <= $2 order by slot limit $3),
		edge as (select max(slot) as slot, count(*) as n from looked),
		gone as (
			delete from audit.tx t using edge where t.slot > $1 and t.slot <= edge.slot
				and not exists (select from audit.event e where e.tx = t.id)
				and not exists (select from audit.unverifiable u where u.tx = t.id)
			returning 1)
		select (select count(*) from gone), coalesce(edge.slot, $2), edge.n from edge`,
		after, upTo, pruneChunk)
}

func (w *Writer) prune(ctx context.Context, what, query string, args ...any) (Pruned, error) {
	var (
		p      Pruned
		looked int64
	)
	q := &pgx.Batch{}
	q.Queue(query, args...).QueryRow(func(row pgx.Row) error { return row.Scan(&p.Rows, &p.UpTo, &looked) })
	if err := w.transact(ctx, q); err != nil {
		return p, fmt.Errorf("prune %s: %w", what, err)
	}
	p.Done = looked < pruneChunk
	return p, nil
}

//go:build sim

package sim

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// seal is what a record says at one moment of the slots that it calls complete:
// a range once complete must say the same for ever.
type seal struct {
	begins, frontier      int64
	txs, events, verdicts string // digests
}

// sealed says what a record says of the slots up to one; 0 is its frontier. A
// verdict stands as of a slot where a later one supersedes it above that slot.
const sealed = `with w as (select audited_from, frontier, case $1::bigint when 0 then frontier else $1 end as upto from audit.watch)
	select audited_from, frontier,
		coalesce((select md5(string_agg(encode(signature, 'hex') || slot || failed, ',' order by signature)) from audit.tx where not dropped and slot <= upto), ''),
		coalesce((select md5(string_agg(encode(t.signature, 'hex') || e.source || e.ordinal || encode(e.data, 'hex'), ',' order by t.signature, e.source, e.ordinal))
			from audit.event e join audit.tx t on t.id = e.tx where not t.dropped and t.slot <= upto), ''),
		coalesce((select md5(string_agg(game || ':' || verdict || ':' || results, ',' order by game))
			from (select distinct on (game) game::text, verdict, results from audit.verdict where slot <= upto order by game, seq desc) v), '')
	from w`

// lookAt reads the seal of a record up to its frontier; false if it is bound to
// nothing yet.
func lookAt(ctx context.Context, dsn string) (s seal, bound bool, err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return s, false, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return look(ctx, conn, 0)
}

// look is lookAt up to a slot, 0 for the frontier.
func look(ctx context.Context, conn *pgx.Conn, upTo int64) (s seal, bound bool, err error) {
	rows, err := conn.Query(ctx, sealed, upTo)
	if err != nil {
		return s, false, err
	}
	s, err = pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (s seal, err error) {
		return s, row.Scan(&s.begins, &s.frontier, &s.txs, &s.events, &s.verdicts)
	})
	if err == pgx.ErrNoRows {
		return s, false, nil
	}
	return s, err == nil, err
}

// kept holds seals against what the record says in the end: complete ranges
// neither change nor shrink.
func kept(ctx context.Context, dsn string, seals []seal, mayGain bool) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	last := int64(0)
	for _, was := range seals {
		is, _, err := look(ctx, conn, was.frontier)
		switch {
		case err != nil:
			return err
		case is.begins != was.begins || is.frontier < was.frontier || was.frontier < last:
			return fmt.Errorf("%w: complete was %d to %d, is %d to %d", errShrunk, was.begins, was.frontier, is.begins, is.frontier)
		case mayGain:
		case is.txs != was.txs || is.events != was.events || is.verdicts != was.verdicts:
			return fmt.Errorf("%w: up to slot %d, transactions %v, events %v, verdicts %v", errChanged, was.frontier,
				is.txs == was.txs, is.events == was.events, is.verdicts == was.verdicts)
		}
		last = was.frontier
	}
	return nil
}

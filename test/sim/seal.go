//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/decode"
)

// seal is what a record says at one moment of the slots that it calls complete:
// a range once complete must say the same for ever.
type seal struct {
	begins, frontier int64
	complete         string            // slots, a multirange
	unchecked        string            // slots of them that were held against no second node
	txs              map[string]string // what is said of each transaction
	games            map[string]string // the verdict on each game as of the frontier
	loose            map[string]string // games of which nothing was certain then: keys alone
}

// bounds reads what a record calls complete.
const bounds = `select audited_from, frontier,
		coalesce((select range_agg(slots) from audit.coverage where complete), '{}')::text,
		coalesce((select range_agg(slots) from audit.unchecked), '{}')::text
	from audit.watch`

// sealedTxs says what a record says of transactions up to a slot.
const sealedTxs = `select encode(signature, 'hex'), format('slot %s, failed %s, log %s, events ', slot, failed, log_state)
		|| coalesce((select md5(string_agg(e.source || ':' || e.ordinal || ':' || encode(e.data, 'hex'), ',' order by e.source, e.ordinal))
			from audit.event e where e.tx = t.id), 'none')
	from audit.tx t where not dropped and slot <= $1`

// sealedGames says which verdicts stand as of a slot: a later one may supersede one
// above that slot. A withdrawn one (4) says as little as none.
const sealedGames = `select game::text, verdict || ':' || results
	from (select distinct on (game) game, verdict, results from audit.verdict where slot <= $1 order by game, seq desc) v
	where verdict <> 4`

// looseGames says of which games the record held an event that nodes give differently:
// where it comes out that there was none, nothing of it is left. Or only a verdict above
// a slot: where a fork takes that end back, the verdict that follows is of a slot below.
const looseGames = `select e.game::text, '' from audit.event e join audit.tx t on t.id = e.tx where t.log_state = $1 and e.game is not null
	union select game::text, '' from audit.verdict group by game having min(slot) > $2`

// lookAt reads the seal of a record up to its frontier; false if it is bound to
// nothing yet.
func lookAt(ctx context.Context, conn *pgx.Conn) (s seal, bound bool, err error) {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}) // one moment for all
	if err != nil {
		return s, false, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	err = tx.QueryRow(ctx, bounds).Scan(&s.begins, &s.frontier, &s.complete, &s.unchecked)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, false, nil
	}
	if err == nil {
		err = s.read(ctx, tx, s.frontier)
	}
	if err == nil {
		s.loose, err = pairs(ctx, tx, looseGames, int16(decode.LogDisputed), s.frontier)
	}
	return s, err == nil, err
}

// read reads what is said up to a slot.
func (s *seal) read(ctx context.Context, tx pgx.Tx, upTo int64) (err error) {
	if s.txs, err = pairs(ctx, tx, sealedTxs, upTo); err == nil {
		s.games, err = pairs(ctx, tx, sealedGames, upTo)
	}
	return err
}

func pairs(ctx context.Context, tx pgx.Tx, query string, args ...any) (map[string]string, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	var key, value string
	_, err = pgx.ForEachRow(rows, []any{&key, &value}, func() error { all[key] = value; return nil })
	return all, err
}

// kept holds a seal against what the record says now: complete ranges neither shrink
// nor change, but for what nodes have been seen to disagree about. Where lists have
// holes they may gain what was missing.
func (s *seal) kept(ctx context.Context, conn *pgx.Conn, mayGain bool) error {
	tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var now seal
	var covers bool
	err = tx.QueryRow(ctx, `select b.*, b.complete::int8multirange @> $1::text::int8multirange from (`+bounds+`) b(begins, frontier, complete, unchecked)`, s.complete).
		Scan(&now.begins, &now.frontier, &now.complete, &now.unchecked, &covers)
	if err != nil {
		return err
	}
	if !covers || now.begins != s.begins || now.frontier < s.frontier {
		return fmt.Errorf("%w: complete was %s (%d to %d), is %s (%d to %d)", errShrunk, s.complete, s.begins, s.frontier, now.complete, now.begins, now.frontier)
	}
	if err := now.read(ctx, tx, s.frontier); err != nil {
		return err
	}
	excused, err := s.excused(ctx, tx, mayGain)
	if err != nil {
		return err
	}
	if err := unchanged("transaction", s.txs, now.txs, excused); err != nil {
		return err
	}
	return unchanged("game", s.games, now.games, excused)
}

// excused is what may be said otherwise than it was: transactions that nodes disagree
// about, those that are new where none was looked for with a second node or lists had
// holes, and games with an event in one of these, or that one of them names which cannot
// be read, or of which nothing was certain when it was sealed. What was not to be judged
// because a log was cut may be when that is to be had whole.
const excused = `with changed as (
		select t.id, t.signature from audit.tx t where exists (select from audit.disagreement where signature = t.signature)
			or t.slot <= $1 and not encode(t.signature, 'hex') = any($2) and ($3 or $4::text::int8multirange @> t.slot))
	select encode(signature, 'hex') from changed
	union select e.game::text from audit.event e join changed c on c.id = e.tx where e.game is not null
	union select g.id::text from audit.unverifiable u join changed c on c.id = u.tx join audit.game g on g.game = any(u.accounts)
	union select v.game::text from audit.verdict v where v.verdict = 3 and exists (select from audit.disagreement where kind = 'truncated')`

func (s *seal) excused(ctx context.Context, tx pgx.Tx, mayGain bool) (map[string]bool, error) {
	known := make([]string, 0, len(s.txs))
	for signature := range s.txs {
		known = append(known, signature)
	}
	rows, err := tx.Query(ctx, excused, s.frontier, known, mayGain, s.unchecked)
	if err != nil {
		return nil, err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	all := map[string]bool{}
	for _, name := range append(names, slices.Collect(maps.Keys(s.loose))...) {
		all[name] = true
	}
	return all, err
}

// unchanged compares what was said of things with what is.
func unchanged(what string, was, is map[string]string, excused map[string]bool) error {
	for name, said := range was {
		if now, there := is[name]; !excused[name] && now != said {
			return fmt.Errorf("%w: of %s %s was said %q, now %q (%v)", errChanged, what, name, said, now, there)
		}
	}
	for name, now := range is {
		if _, there := was[name]; !excused[name] && !there {
			return fmt.Errorf("%w: of %s %s nothing was said, now %q", errChanged, what, name, now)
		}
	}
	return nil
}

package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// Known is what the record holds of a signature.
type Known struct {
	ID      int64
	Slot    uint64
	Failed  bool
	Dropped bool
}

// Known looks signatures up; what is absent from the answer is not stored.
func (w *Writer) Known(ctx context.Context, signatures [][64]byte) (map[[64]byte]Known, error) {
	known := make(map[[64]byte]Known)
	if len(signatures) == 0 {
		return known, nil
	}
	keys := make(array[[]byte], len(signatures))
	for i := range signatures {
		keys[i] = signatures[i][:]
	}
	rows, err := w.conn.Query(ctx, `select signature, id, slot, failed, dropped from audit.tx where signature = any($1)`, keys)
	if err != nil {
		return nil, fmt.Errorf("look signatures up: %w", err)
	}
	return known, eachKnown(rows, known)
}

// Between lists what is stored and not dropped in slots above after, up to upTo.
func (w *Writer) Between(ctx context.Context, after, upTo int64) (map[[64]byte]Known, error) {
	rows, err := w.conn.Query(ctx, `select signature, id, slot, failed, dropped from audit.tx
		where slot > $1 and slot <= $2 and not dropped`, after, upTo)
	if err != nil {
		return nil, fmt.Errorf("list slots %d to %d: %w", after+1, upTo, err)
	}
	known := make(map[[64]byte]Known)
	return known, eachKnown(rows, known)
}

func eachKnown(rows pgx.Rows, into map[[64]byte]Known) error {
	var (
		signature []byte
		slot      int64
		k         Known
	)
	_, err := pgx.ForEachRow(rows, []any{&signature, &k.ID, &slot, &k.Failed, &k.Dropped}, func() error {
		k.Slot = uint64(slot)
		into[[64]byte(signature)] = k
		return nil
	})
	if err != nil {
		return fmt.Errorf("read transactions: %w", err)
	}
	return nil
}

// GamesOf lists the games that stored transactions have events of.
func (w *Writer) GamesOf(ctx context.Context, txIDs []int64) ([]GameID, error) {
	return w.gameIDs(ctx, `select distinct game from audit.event where tx = any($1) and game is not null`, txIDs)
}

// stepVerdicts is about how many verdicts one move of the frontier counts: a
// second's work, for which the stream has to wait.
const stepVerdicts = 50_000

// FrontierStep gives the slot to which the frontier should move next on its way
// to upTo.
func (w *Writer) FrontierStep(ctx context.Context, from, upTo int64) (step int64, err error) {
	err = w.conn.QueryRow(ctx, `select coalesce((
		select slot from audit.verdict where slot > $1 and slot <= $2 order by slot offset $3 limit 1), $2)`,
		from, upTo, stepVerdicts).Scan(&step)
	if err != nil {
		return 0, fmt.Errorf("measure slots %d to %d: %w", from, upTo, err)
	}
	return step, nil
}

// Undecided lists games on which it bears that the record is complete above
// after up to upTo, or has the block times of it: those that ended there without
// a start yet, or with a void whose time was not known, and open ones whose end
// may be hidden there, in an unreadable log that names them.
func (w *Writer) Undecided(ctx context.Context, after, upTo int64) ([]GameID, error) {
	return w.gameIDs(ctx, `select id from audit.game where end_slot > $1 and end_slot <= $2
			and ((verdict = 0 and ends > 0) or void_when = 3)
		union
		select g.id from audit.tx t join audit.unverifiable u on u.tx = t.id cross join unnest(u.accounts) as a(address)
			join audit.game g on g.game = a.address
			where t.slot > $1 and t.slot <= $2 and g.starts > 0 and g.ends = 0 and g.verdict = 0
		order by id`, after, upTo)
}

func (w *Writer) gameIDs(ctx context.Context, query string, args ...any) ([]GameID, error) {
	rows, err := w.conn.Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[GameID])
	if err != nil {
		return nil, fmt.Errorf("list games: %w", err)
	}
	return ids, nil
}

// Timeless counts the slots above after, up to upTo, of which something is on record
// and no time.
func (w *Writer) Timeless(ctx context.Context, after, upTo int64) (n int, err error) {
	err = w.conn.QueryRow(ctx, `select count(*) from audit.slot_time where slot > $1 and slot <= $2 and block_time is null`, after, upTo).Scan(&n)
	if err != nil {
		return 0, fmt.Errorf("count slots without a time: %w", err)
	}
	return n, nil
}

// BlockTimes gives the chain's times of slots, where the record has them.
func (w *Writer) BlockTimes(ctx context.Context, slots []uint64) (map[uint64]time.Time, error) {
	times := make(map[uint64]time.Time)
	if len(slots) == 0 {
		return times, nil
	}
	keys := make([]int64, len(slots))
	for i, s := range slots {
		keys[i] = int64(s)
	}
	rows, err := w.conn.Query(ctx, `select slot, block_time from audit.slot_time where slot = any($1) and block_time is not null`, keys)
	if err != nil {
		return nil, fmt.Errorf("read block times: %w", err)
	}
	var (
		slot int64
		at   time.Time
	)
	if _, err = pgx.ForEachRow(rows, []any{&slot, &at}, func() error { times[uint64(slot)] = at; return nil }); err != nil {
		return nil, fmt.Errorf("read block times: %w", err)
	}
	return times, nil
}

// Truncation is a transaction with an unreadable log.
type Truncation struct {
	Tx   int64
	Slot uint64
}

// Truncations lists the transactions with an unreadable log that name each of
// the addresses, in chain order.
func (w *Writer) Truncations(ctx context.Context, addresses [][32]byte) (map[[32]byte][]Truncation, error) {
	return truncations(ctx, w.conn, addresses)
}

func truncations(ctx context.Context, conn *pgx.Conn, addresses [][32]byte) (map[[32]byte][]Truncation, error) {
	found := make(map[[32]byte][]Truncation)
	if len(addresses) == 0 {
		return found, nil
	}
	keys := make(array[[]byte], len(addresses))
	for i := range addresses {
		keys[i] = addresses[i][:]
	}
	rows, err := conn.Query(ctx, `select distinct a.address, t.slot, t.signature, t.id
		from audit.unverifiable u join audit.tx t on t.id = u.tx cross join unnest(u.accounts) as a(address)
		where u.accounts && $1::bytea[] and a.address = any($1::bytea[]) order by t.slot, t.signature`, keys)
	if err != nil {
		return nil, fmt.Errorf("look for truncated transactions: %w", err)
	}
	var (
		address, signature []byte
		slot               int64
		c                  Truncation
	)
	_, err = pgx.ForEachRow(rows, []any{&address, &slot, &signature, &c.Tx}, func() error {
		c.Slot = uint64(slot)
		found[[32]byte(address)] = append(found[[32]byte(address)], c)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for truncated transactions: %w", err)
	}
	return found, nil
}

// Frontier is the slot up to which everything is stored, as this writer last
// read or moved it; audited_from - 1 before the first history is complete.
func (w *Writer) Frontier() int64 { return w.frontier }

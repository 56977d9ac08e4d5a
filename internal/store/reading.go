package store

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/decode"
)

// Part is one of several equal parts of all keys of games. Keys are hashes, and
// so each part has about as many games.
type Part struct{ N, Of int } // N from 0; Of from 1 to MostParts

// MostParts is in how many parts the keys can be taken.
const MostParts = 1 << 16

// bounds are the first key of the part and the last one.
func (p Part) bounds() (first, last GameID) {
	from, to := p.N*MostParts/p.Of, (p.N+1)*MostParts/p.Of-1
	binary.BigEndian.PutUint16(first[:], uint16(from))
	for i := range last {
		last[i] = 0xff
	}
	binary.BigEndian.PutUint16(last[:], uint16(to))
	return first, last
}

// Reading is a session that reads games and takes no lock: whoever writes goes on
// meanwhile. It is not safe for concurrent use.
type Reading struct{ conn *pgx.Conn }

// OpenReading connects a session that reads.
func (s *Store) OpenReading(ctx context.Context) (*Reading, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, fmt.Errorf("connect to read games: %w", err)
	}
	q := &pgx.Batch{}
	for _, set := range readingSettings {
		q.Queue(`select set_config($1, $2, false)`, set[0], set[1])
	}
	if err := conn.SendBatch(ctx, q).Close(); err != nil {
		_ = conn.Close(ctx)
		return nil, fmt.Errorf("prepare to read games: %w", err)
	}
	return &Reading{conn: conn}, nil
}

// readingSettings make the plan that fits a small part of a long record stand
// whatever the planner believes of it: by key, one row after another.
var readingSettings = [...][2]string{
	{"default_transaction_read_only", "on"},
	{"statement_timeout", "0"},
	{"plan_cache_mode", "force_generic_plan"},
	{"enable_seqscan", "off"},
	{"enable_hashjoin", "off"},
	{"enable_mergejoin", "off"},
	{"max_parallel_workers_per_gather", "0"},
	{"jit", "off"},
}

// Close ends the session.
func (r *Reading) Close(ctx context.Context) error { return r.conn.Close(ctx) }

// Games calls f for each game of a part, in the order of keys, and for events of
// games that have no row. All of a part is as it was at one moment, and in memory
// at once. With since above 0 it gives only games that have a row, and whose
// start or end lies in that slot or above. f may keep what it is given.
func (r *Reading) Games(ctx context.Context, part Part, since int64, f func(*RecordedGame) error) error {
	if err := r.each(ctx, part.which(since), true, f); err != nil {
		return fmt.Errorf("read games, part %d of %d: %w", part.N+1, part.Of, err)
	}
	return nil
}

// GamesOf does what Games does, for some games.
func (r *Reading) GamesOf(ctx context.Context, ids []GameID, f func(*RecordedGame) error) error {
	if err := r.each(ctx, which{is: `= any($1)`, args: []any{array[GameID](ids)}}, true, f); err != nil {
		return fmt.Errorf("read %d games: %w", len(ids), err)
	}
	return nil
}

// Verdicts does what Games does, and does not look at rows: games have neither a
// row, nor a key, nor cuts.
func (r *Reading) Verdicts(ctx context.Context, part Part, f func(*RecordedGame) error) error {
	if err := r.each(ctx, part.which(0), false, f); err != nil {
		return fmt.Errorf("read verdicts, part %d of %d: %w", part.N+1, part.Of, err)
	}
	return nil
}

func (r *Reading) each(ctx context.Context, w which, withRows bool, f func(*RecordedGame) error) error {
	var games []*RecordedGame
	err := pgx.BeginTxFunc(ctx, r.conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		if games, err = read(ctx, tx, &w, withRows); err != nil || !withRows {
			return err
		}
		return r.addCuts(ctx, games)
	})
	if err != nil {
		return err
	}
	for _, g := range games {
		if err := f(g); err != nil {
			return err
		}
	}
	return nil
}

// Events reads the events of a part as Games does and gives their number: what
// reading alone costs.
func (r *Reading) Events(ctx context.Context, part Part) (n int, err error) {
	w := part.which(0)
	rows, err := r.conn.Query(ctx, w.events(), w.args...)
	if err != nil {
		return 0, fmt.Errorf("read events: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		_ = eventOf(rows.RawValues())
		n++
	}
	return n, rows.Err()
}

// Statements about games, to be ended by which of them.
const (
	readGames    = `select game, id, ` + gameRest + ` from audit.game g where id `
	readVerdicts = `select game, seq, slot, end_slot, verdict, results, kind, mines_count, revealed, lost, stake_band, void_when, rules
		from audit.verdict where game `
	readEvents = `select e.game, e.source, e.ordinal, e.kind, e.data, e.paid::text, t.id, t.signature, t.slot, t.log_state,
			case e.kind when 3 then (select extract(epoch from s.block_time)::bigint from audit.slot_time s where s.slot = t.slot) end
		from audit.event e join audit.tx t on t.id = e.tx
		where not t.dropped and not t.failed and e.game `
)

// which are the games that statements are about.
type which struct {
	is    string // a condition on the key
	args  []any
	since string // and one on the row, as g
}

func (p Part) which(since int64) which {
	first, last := p.bounds()
	w := which{is: `between $1 and $2`, args: []any{first, last}}
	if since > 0 {
		w.since, w.args = ` and greatest(g.start_slot, g.end_slot) >= $3`, append(w.args, since)
	}
	return w
}

func (w *which) games() string { return readGames + w.is + w.since + ` order by id` }

// verdicts are in order: of a game with several the last one stands. Those of
// games that are not asked for do no harm.
func (w *which) verdicts() (string, []any) {
	args := w.args
	if w.since != "" {
		args = args[:len(args)-1]
	}
	return readVerdicts + w.is + ` order by game, seq`, args
}

func (w *which) events() string {
	query := readEvents + w.is
	if w.since != "" {
		query += ` and exists (select from audit.game g where g.id = e.game` + w.since + `)`
	}
	return query + ` order by e.game`
}

func read(ctx context.Context, tx pgx.Tx, w *which, withRows bool) ([]*RecordedGame, error) {
	var (
		frontier int64
		found    = merging{verdictsAlone: !withRows}
	)
	q := &pgx.Batch{}
	q.Queue(`select coalesce(max(frontier), -1) from audit.watch`).QueryRow(func(row pgx.Row) error { return row.Scan(&frontier) })
	if withRows {
		q.Queue(w.games(), w.args...).Query(found.rows)
	}
	verdicts, args := w.verdicts()
	q.Queue(verdicts, args...).Query(found.verdicts)
	q.Queue(w.events(), w.args...).Query(found.events)
	if err := tx.SendBatch(ctx, q).Close(); err != nil {
		return nil, err
	}
	for _, g := range found.games {
		g.Complete = frontier
		g.trim()
	}
	return found.games, nil
}

// addCuts looks for what is missing where it may be hidden.
func (r *Reading) addCuts(ctx context.Context, games []*RecordedGame) error {
	var addresses [][32]byte
	for _, g := range games {
		if g.Lacks() {
			addresses = append(addresses, g.Key.Game)
		}
	}
	cuts, err := truncations(ctx, r.conn, addresses)
	if err != nil {
		return err
	}
	for _, g := range games {
		if g.Lacks() {
			g.Cuts = cuts[g.Key.Game]
		}
	}
	return nil
}

// Lacks reports whether there is no start or no end among the events.
func (r *RecordedGame) Lacks() bool {
	started, ended := false, false
	for i := range r.Events {
		switch r.Events[i].Kind {
		case decode.KindStarted:
			started = true
		case decode.KindSettled, decode.KindVoided:
			ended = true
		}
	}
	return !started || !ended
}

package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
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

// How many columns the queries give.
const (
	columnsOfGame    = 32
	columnsOfVerdict = 13
)

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

// merging puts games, their verdicts and their events together, each in the order
// of keys.
type merging struct {
	games []*RecordedGame
	at    int // what came so far belongs to games before it, or to it

	verdictsAlone bool // there are no rows: verdicts tell which games there are
}

func (m *merging) rows(rows pgx.Rows) error {
	for rows.Next() {
		g, err := gameOf(rows.RawValues())
		if err != nil {
			return err
		}
		m.games = append(m.games, g)
	}
	return rows.Err()
}

// verdicts keeps the last of each game that there is.
func (m *merging) verdicts(rows pgx.Rows) error {
	m.at = 0
	for rows.Next() {
		values := rows.RawValues()
		if len(values) != columnsOfVerdict {
			return errForm
		}
		id := GameID(values[0])
		if !m.seek(id) {
			if !m.verdictsAlone {
				continue
			}
			m.games = append(m.games, &RecordedGame{ID: id})
		}
		g := m.games[m.at]
		g.Standing, g.Rules = verdictOf(id, values[1:])
	}
	return rows.Err()
}

// seek goes on to a game, or to where it would be.
func (m *merging) seek(id GameID) (found bool) {
	for m.at < len(m.games) && bytes.Compare(m.games[m.at].ID[:], id[:]) < 0 {
		m.at++
	}
	return m.at < len(m.games) && m.games[m.at].ID == id
}

func (m *merging) events(rows pgx.Rows) error {
	m.at = 0
	for rows.Next() {
		values := rows.RawValues()
		g := m.of(GameID(values[0]))
		event := eventOf(values)
		if paid := values[5]; paid != nil {
			n, err := strconv.ParseUint(string(paid), 10, 64)
			if err != nil {
				return fmt.Errorf("read what an event paid: %w", err)
			}
			event.Paid = &n
		}
		g.add(event)
		if at := values[10]; at != nil {
			if g.Times == nil {
				g.Times = map[uint64]time.Time{}
			}
			g.Times[event.Slot] = time.Unix(int64(binary.BigEndian.Uint64(at)), 0)
		}
	}
	return rows.Err()
}

// of finds the game of an event, or puts one without a row where it belongs.
func (m *merging) of(id GameID) *RecordedGame {
	if m.seek(id) {
		return m.games[m.at]
	}
	g := &RecordedGame{ID: id, StoredGame: StoredGame{Standing: Verdict{Game: id, Seq: -1}}}
	m.games = append(m.games[:m.at], append([]*RecordedGame{g}, m.games[m.at:]...)...)
	return g
}

// errForm is a column that has not the type of the schema.
var errForm = errors.New("a row is not of the form of the schema")

// gameOf reads a row of gamesOfPart.
func gameOf(values [][]byte) (*RecordedGame, error) {
	if len(values) != columnsOfGame || len(values[0]) != 32 || len(values[1]) != 16 {
		return nil, errForm
	}
	g := &RecordedGame{ID: GameID(values[1]), HasRow: true, row: make([]byte, 0, 512)}
	for _, v := range values {
		if v == nil {
			g.row = append(g.row, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		g.row = binary.BigEndian.AppendUint32(g.row, uint32(len(v)))
		g.row = append(g.row, v...)
	}
	g.Key.Game = [32]byte(values[0])
	if user := values[2]; len(user) == 32 {
		g.Key.User = [32]byte(user)
	}
	g.Key.Nonce = numericOf(values[3])
	g.Standing = Verdict{Game: g.ID, Seq: -1}
	return g, nil
}

// numericOf reads a whole numeric below 2^64, 0 for null; see copied.numeric.
func numericOf(v []byte) uint64 {
	if len(v) < 8 {
		return 0
	}
	digits, weight := int(binary.BigEndian.Uint16(v)), int(binary.BigEndian.Uint16(v[2:]))
	var n uint64
	for i := 0; i <= weight && weight < 5; i++ {
		n *= 10_000
		if i < digits && len(v) >= 10+2*i {
			n += uint64(binary.BigEndian.Uint16(v[8+2*i:]))
		}
	}
	return n
}

func verdictOf(game GameID, v [][]byte) (Verdict, int) {
	small := func(i int) int { return int(int16(binary.BigEndian.Uint16(v[i]))) }
	big := func(i int) uint64 { return binary.BigEndian.Uint64(v[i]) }
	out := Verdict{
		Game: game, Seq: int(binary.BigEndian.Uint32(v[0])), Slot: big(1), Verdict: verify.Verdict(small(3)), Results: binary.BigEndian.Uint32(v[4]),
		Kind: verify.EndKind(small(5)), MinesCount: small(6), Revealed: small(7), Lost: v[8][0] == 1, StakeBand: small(9), VoidWhen: verify.VoidWhen(small(10)),
	}
	if v[2] != nil {
		out.EndSlot = big(2)
	}
	return out, small(11)
}

// eventOf reads a row of eventsOfPart, apart from what it paid and its time.
func eventOf(v [][]byte) StoredEvent {
	small := func(i int) uint16 { return binary.BigEndian.Uint16(v[i]) }
	return StoredEvent{
		Event: Event{
			Source: Source(small(1)), Ordinal: binary.BigEndian.Uint32(v[2]), Kind: decode.Kind(small(3)),
			Game: GameID(v[0]), HasGame: true, Data: bytes.Clone(v[4]),
		},
		TxID: int64(binary.BigEndian.Uint64(v[6])), Signature: [64]byte(v[7]), Slot: binary.BigEndian.Uint64(v[8]), State: decode.LogState(small(9)),
	}
}

// addCuts looks for what is missing where it may be hidden.
func (r *Reading) addCuts(ctx context.Context, games []*RecordedGame) error {
	var addresses [][32]byte
	for _, g := range games {
		if g.Lacks() {
			addresses = append(addresses, g.Key.Game)
		}
	}
	cuts, err := (&Writer{conn: r.conn}).Truncations(ctx, addresses)
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

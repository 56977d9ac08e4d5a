package store

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"minesaudit/internal/decode"
	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(pgtest.M{M: m}) }

// patience bounds every wait, for a machine under heavy load.
const patience = 2 * time.Minute

// tb is what helpers need of a test or of a property.
type tb interface {
	Helper()
	Cleanup(func())
	Fatal(...any)
	Fatalf(string, ...any)
}

func bounded(t tb) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	return ctx
}

// record is a migrated database with its one writer.
type record struct {
	*Store
	dsn string
	w   *Writer
	sql *pgx.Conn // a stranger's session, to look and to meddle
}

// fresh makes a record that is audited from slot 1, nothing being complete yet.
func fresh(t testing.TB) *record {
	t.Helper()
	r := migrated(t)
	r.reopen(t)
	if _, err := r.w.Bind(bounded(t), Watch{ProfileHash: "test", AuditedFrom: 1}); err != nil {
		t.Fatal(err)
	}
	return r
}

// migrated makes a record that nothing has been written to.
func migrated(t testing.TB) *record {
	t.Helper()
	dsn := pgtest.URL(t)
	r := &record{Store: open(t, dsn), dsn: dsn, sql: session(t, dsn)}
	if _, err := r.Migrate(bounded(t)); err != nil {
		t.Fatal(err)
	}
	return r
}

func open(t testing.TB, dsn string) *Store {
	t.Helper()
	s, err := Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// session connects a stranger.
func session(t testing.TB, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(bounded(t), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hangUp(conn) })
	return conn
}

func hangUp(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = conn.Close(ctx)
	<-conn.PgConn().CleanupDone()
}

// reopen replaces the writer by a new one.
func (r *record) reopen(t testing.TB) {
	t.Helper()
	if r.w != nil {
		hangUp(r.w.conn)
	}
	w, err := r.OpenWriter(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { hangUp(w.conn) })
	r.w = w
}

func (r *record) commit(t testing.TB, b *Batch) Counted {
	t.Helper()
	counted, err := r.w.Commit(bounded(t), r.knowing(t, b))
	if err != nil {
		t.Fatal(err)
	}
	return counted
}

// knowing tells a batch which of its games have a row, as its maker would have
// read it.
func (r *record) knowing(t testing.TB, b *Batch) *Batch {
	t.Helper()
	for i := range b.Games {
		g := &b.Games[i]
		if err := r.sql.QueryRow(bounded(t), `select exists (select from audit.game where id = $1)`, g.ID).Scan(&g.Stored); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// exec runs a statement as the stranger.
func (r *record) exec(t testing.TB, query string, args ...any) {
	t.Helper()
	if _, err := r.sql.Exec(bounded(t), query, args...); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

// scan reads one row as the stranger.
func scan[T any](t tb, r *record, query string, args ...any) (v T) {
	t.Helper()
	if err := r.sql.QueryRow(bounded(t), query, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return v
}

// rows reads a query of text columns as the stranger.
func rows(t tb, r *record, query string, args ...any) [][]string {
	t.Helper()
	answer, err := r.sql.Query(bounded(t), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	all, err := pgx.CollectRows(answer, func(row pgx.CollectableRow) ([]string, error) {
		values := make([]*string, len(row.FieldDescriptions()))
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		err := row.Scan(into...)
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = "null"
			if v != nil {
				texts[i] = *v
			}
		}
		return texts, err
	})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return all
}

func (r *record) consistent(t testing.TB) {
	t.Helper()
	storetest.Consistent(t, r.dsn)
}

// key is the n-th of a row of different game keys.
func key(n int) decode.GameKey {
	k := decode.GameKey{Nonce: uint64(n)}
	k.Game[0], k.Game[1], k.Game[2], k.User[31] = byte(n), byte(n>>8), byte(n>>16), 1
	return k
}

// signature is the n-th of a row of different signatures.
func signature(n int) (s [64]byte) {
	s[0], s[1], s[2], s[3] = byte(n>>24), byte(n>>16), byte(n>>8), byte(n)
	return s
}

// tx is a transaction that succeeded, with one event of each game.
func (r *record) tx(t testing.TB, n int, slot uint64, games ...decode.GameKey) Tx {
	t.Helper()
	id, err := r.w.NextID(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	row := Tx{ID: id, Signature: signature(n), Slot: slot}
	for i, g := range games {
		row.Events = append(row.Events, Event{Ordinal: uint32(i), Kind: decode.KindSettled, Game: NewGameID(g), HasGame: true, Data: []byte{byte(i)}})
	}
	return row
}

// settled is a settled game that ended in a slot, with a verdict on it.
func settled(k decode.GameKey, slot uint64, v verify.Verdict) (Game, Verdict) {
	verdict := Verdict{
		Game: NewGameID(k), Slot: slot, EndSlot: slot, Verdict: v, Kind: verify.EndSettled, MinesCount: 3, Revealed: 2, StakeBand: 9,
	}
	switch v {
	case verify.VerdictFail:
		verdict.Results = packed(verify.CheckBoard, verify.ResultFail)
	case verify.VerdictInconclusive:
		verdict.Results = packed(verify.CheckBoard, verify.ResultInconclusive)
	default:
		verdict.Results = packed(verify.CheckBoard, verify.ResultPass)
	}
	verdict.Findings = findings(verdict.Results)
	game := Game{ID: verdict.Game, Key: k, Starts: 1, Ends: 1, Start: &verify.Start{Slot: slot, MinesCount: 3}, End: &verify.End{Slot: slot}, Standing: verdict}
	return game, verdict
}

// voided is a game that was voided in a slot.
func voided(k decode.GameKey, slot uint64, when verify.VoidWhen) (Game, Verdict) {
	game, verdict := settled(k, slot, verify.VerdictPass)
	verdict.Kind, verdict.Revealed, verdict.VoidWhen = verify.EndVoided, -1, when
	game.End.Kind, game.Standing = verify.EndVoided, verdict
	return game, verdict
}

// findings explains whatever did not pass.
func findings(results uint32) (all []verify.Finding) {
	for c, result := range verify.Unpack(results) {
		if result == verify.ResultFail || result == verify.ResultInconclusive {
			all = append(all, verify.Finding{Check: verify.Check(c), Result: result, Reason: verify.ReasonMismatch, Expected: "1", Observed: "2"})
		}
	}
	return all
}

func packed(c verify.Check, result verify.Result) uint32 {
	report := verify.Report{}
	report.Results[c] = result
	return report.Packed()
}

// at is a slot's time.
func at(slot uint64, when string) SlotTime {
	if when == "" {
		return SlotTime{Slot: slot}
	}
	moment, err := time.Parse(time.RFC3339, when)
	if err != nil {
		panic(err)
	}
	return SlotTime{Slot: slot, Time: moment, Has: true}
}

// eventually waits for a condition that nothing signals.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

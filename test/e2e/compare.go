//go:build e2e

package e2e

import (
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// row is one row of a view, every column as PostgreSQL writes it; null is empty.
type row map[string]string

// checkRow is what v1_checks says of one check.
type checkRow struct{ result, reason, expected, observed string }

// A Record is what a daemon's database says.
type Record struct {
	games  map[string]row                 // by key
	checks map[string]map[string]checkRow // by key and check
}

// gameColumns are those of audit_api.v1_games that the truth has a value for.
func gameColumns() []string {
	return []string{
		"status", "verdict", "finalized", "mines_count", "stake", "house_edge_bps", "max_payout", "refund_timeout",
		"commit_hash", "slothash", "server_seed", "mines_mask", "revealed_mask", "bust_tile", "multiplier", "payout",
		"refund", "authority", "void_when", "start_signature", "start_slot", "end_signature", "end_slot",
	}
}

const keyColumns = `concat_ws('/', game, "user", nonce)`

// ReadRecord reads the views of a database.
func ReadRecord(ctx context.Context, url string) (*Record, error) {
	db, err := connect(ctx, url)
	if err != nil {
		return nil, err
	}
	defer db.Close(ctx)
	r := &Record{games: map[string]row{}, checks: map[string]map[string]checkRow{}}
	columns := gameColumns()
	selected := []string{keyColumns}
	for _, c := range columns {
		selected = append(selected, "coalesce("+c+"::text, '')")
	}
	err = scan(ctx, db, "select "+strings.Join(selected, ", ")+" from audit_api.v1_games", func(values []string) error {
		if r.games[values[0]] != nil {
			return fmt.Errorf("game %s has two rows", values[0])
		}
		g := row{}
		for i, c := range columns {
			g[c] = values[i+1]
		}
		r.games[values[0]] = g
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read v1_games: %w", err)
	}
	err = scan(ctx, db, "select "+keyColumns+`, check_name, result, coalesce(reason, ''), coalesce(expected, ''), coalesce(observed, '')
		from audit_api.v1_checks`, func(v []string) error {
		if r.checks[v[0]] == nil {
			r.checks[v[0]] = map[string]checkRow{}
		}
		r.checks[v[0]][v[1]] = checkRow{v[2], v[3], v[4], v[5]}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read v1_checks: %w", err)
	}
	return r, nil
}

// connect opens a database as a dashboard does, with the rights of the read-only role.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	db, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect to the record: %w", err)
	}
	if _, err := db.Exec(ctx, "set role audit_read"); err != nil {
		db.Close(ctx)
		return nil, fmt.Errorf("become the dashboards' role: %w", err)
	}
	return db, nil
}

// scan hands each row of a query of text columns to take.
func scan(ctx context.Context, db *pgx.Conn, sql string, take func([]string) error) error {
	rows, err := db.Query(ctx, sql)
	if err != nil {
		return err
	}
	all, err := pgx.CollectRows(rows, func(r pgx.CollectableRow) ([]string, error) {
		values := make([]string, len(r.FieldDescriptions()))
		into := make([]any, len(values))
		for i := range values {
			into[i] = &values[i]
		}
		return values, r.Scan(into...)
	})
	if err != nil {
		return err
	}
	for _, values := range all {
		if err := take(values); err != nil {
			return err
		}
	}
	return nil
}

// Compare holds a record against the truth: every game is there as the chain told it and with the
// judgement that it deserves, and no other game is.
func Compare(t *testing.T, record *Record, truth []*Game) {
	t.Helper()
	known := map[string]bool{}
	for _, g := range truth {
		key := g.key()
		known[key] = true
		got := record.games[key]
		if got == nil {
			t.Errorf("%s: game %s is not in the record", g.Name, key)
			continue
		}
		want := g.row()
		for _, c := range gameColumns() {
			if got[c] != want[c] {
				t.Errorf("%s: game %s: %s is %q, want %q", g.Name, key, c, got[c], want[c])
			}
		}
		compareChecks(t, g, record.checks[key])
	}
	for key, r := range record.games {
		if !known[key] {
			t.Errorf("game %s never was: %v", key, r)
		}
	}
}

// compareChecks wants every check that must fail to fail, every one that cannot be made to be
// inconclusive for the right reason, and no other one to be either but those that may.
func compareChecks(t *testing.T, g *Game, got map[string]checkRow) {
	t.Helper()
	if !g.Over() {
		return
	}
	if len(got) == 0 {
		t.Errorf("%s: game %s has no checks", g.Name, g.key())
	}
	for _, check := range slices.Sorted(maps.Keys(got)) {
		c := got[check]
		complain := func(want string) {
			t.Errorf("%s: game %s: check %s is %+v, want %s", g.Name, g.key(), check, c, want)
		}
		must, may := slices.Contains(g.Fails, check), slices.Contains(g.May, check)
		why, unproved := g.Unproved[check]
		switch {
		case must && c.result != "fail":
			complain("fail")
		case unproved && (c.result != "inconclusive" || c.reason != why):
			complain("inconclusive: " + why)
		case c.result == "fail" && !must && !may:
			complain("no fail")
		case c.result == "inconclusive" && !unproved && !may:
			complain("not inconclusive")
		case c.result == "fail" && (c.reason == "" || c.expected == "" || c.observed == ""):
			complain("a reason, an expected and an observed value")
		case c.result == "inconclusive" && c.reason == "":
			complain("a reason")
		case g.Verdict == "pass" && c.result != g.honestResult(check):
			complain(g.honestResult(check))
		}
	}
}

// honestResult is the result of a check of an honest game with a profile that knows the operator.
func (g *Game) honestResult(check string) string {
	s, settled := g.End().Event.(Settled)
	applies := false
	switch check {
	case "lifecycle":
		applies = true
	case "refund", "void_right":
		applies = !settled
	case "bust_is_mine", "bust_not_revealed":
		applies = settled && s.BustTile != NoBust
	case "terms_kept": // the layout's settlement has no terms
	default:
		applies = settled
	}
	if applies {
		return "pass"
	}
	return "n/a"
}

func (g *Game) key() string { return fmt.Sprintf("%s/%s/%d", g.Game, g.User, g.Nonce) }

// row is the game as v1_games has to have it.
func (g *Game) row() row {
	r := row{"status": g.Status(), "verdict": g.Verdict, "finalized": strconv.FormatBool(g.Over()), "void_when": g.VoidWhen}
	set := func(column string, v any) { r[column] = fmt.Sprint(v) }
	if len(g.Starts) > 0 {
		s := g.Starts[0]
		set("mines_count", s.Event.Mines)
		set("stake", s.Event.Stake)
		set("house_edge_bps", g.Edge)
		set("max_payout", s.Event.MaxPayout)
		set("refund_timeout", s.Event.RefundTimeout)
		set("commit_hash", bytea(s.Event.Commit))
		set("slothash", bytea(s.Event.SlotHash))
		set("start_signature", s.Signature)
		set("start_slot", s.Slot)
	}
	end := g.End()
	if end == nil {
		return r
	}
	set("end_signature", end.Signature)
	set("end_slot", end.Slot)
	switch e := end.Event.(type) {
	case Settled:
		set("server_seed", bytea(e.Seed))
		set("mines_mask", e.Mask)
		set("revealed_mask", e.Revealed)
		if e.BustTile != NoBust {
			set("bust_tile", e.BustTile)
		}
		set("multiplier", e.Multiplier)
		set("payout", e.Payout)
	case Voided:
		set("refund", e.Refund)
		set("authority", e.Authority)
	}
	return r
}

func bytea(h [32]byte) string { return `\x` + hex.EncodeToString(h[:]) }

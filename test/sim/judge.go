//go:build sim

package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
	"github.com/jackc/pgx/v5"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/store/storetest"
	"minesaudit/internal/verify"
)

// What a run can get wrong.
var (
	errFalse       = errors.New("a verdict is not the truth")
	errMissed      = errors.New("a game that was settled has no verdict")
	errInvented    = errors.New("a game that was never played has one")
	errUnexplained = errors.New("a verdict was withheld, and no disagreement says why")
	errStanding    = errors.New("a settled game in complete coverage has not one standing verdict")
	errShrunk      = errors.New("complete coverage has shrunk")
	errChanged     = errors.New("a complete range says something else than it did")
	errContradicts = errors.New("the record contradicts itself")
	errDiffers     = errors.New("two daemons have recorded different content")
)

// court judges one record against what the chain knows.
type court struct {
	of            *watcher
	outcomes      map[string]outcome
	disputed      map[string]bool // games with a transaction that nodes disagree about
	touched       map[string]bool // these games and transactions, as a content writes them
	disagreements int
}

// outcome is what a record says of a game.
type outcome struct {
	verdict string
	fails   string // the checks that failed, sorted
	final   bool
}

func newCourt(ctx context.Context, w *watcher) (*court, error) {
	c := &court{of: w}
	var err error
	if c.outcomes, err = outcomesOf(ctx, w.record.dsn); err != nil {
		return nil, err
	}
	return c, w.record.conn(ctx, func(conn *pgx.Conn) error { return c.hear(ctx, conn) })
}

// judge gives how many verdicts there are, and what is wrong with the first that is.
func (c *court) judge(ctx context.Context, chain *simchain.Chain) (verdicts int, err error) {
	played := map[string]bool{}
	for _, truth := range chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		played[name] = true
		if err := c.holds(name, &truth); err != nil {
			return 0, err
		}
	}
	for name, o := range c.outcomes {
		if open := o.verdict == inconclusive || o.verdict == pending; !played[name] && !(c.lied() && open && c.disputed[name]) {
			return 0, fmt.Errorf("%w: %s, %s", errInvented, name, o.verdict)
		}
	}
	return len(c.outcomes), c.of.record.conn(ctx, func(conn *pgx.Conn) error { return consistent(ctx, conn) })
}

// What is said of a game of which it is not known whether it was played right.
const (
	inconclusive = "inconclusive"
	pending      = "pending" // all its ends are in dispute
)

// holds compares what is said of a game with the truth. What is not the truth must
// have a reason that the package comment names.
func (c *court) holds(name string, truth *simchain.Truth) error {
	got, found := c.outcomes[name]
	want := outcome{truth.Verdict, strings.Join(slices.Sorted(slices.Values(truth.Fails)), ","), true}
	open := !found || got.verdict == inconclusive || got.verdict == pending
	switch {
	case got == want:
	case c.of.side.partial() && (open || hiddenLife(truth, got)):
	case c.lied() && open && c.disputed[name]:
	case c.lied() && c.disputed[name] && c.less(truth, got):
	case c.unsampled(truth, got):
	case !found:
		return fmt.Errorf("%w: %s (%q)", errMissed, name, truth.Cheat)
	case c.lied() && open:
		return fmt.Errorf("%w: game %s (%q) is said to %+v, want %+v", errUnexplained, name, truth.Cheat, got, want)
	default:
		return fmt.Errorf("%w: game %s (%q) is said to %+v, want %+v", errFalse, name, truth.Cheat, got, want)
	}
	return nil
}

// lied tells whether a node lies that is not outvoted.
func (c *court) lied() bool { return c.of.side.liars() > 0 && !c.of.side.settles() }

// hiddenLife tells whether a game has a second end that a cut log may hide: then
// the first is all that there is to judge.
func hiddenLife(truth *simchain.Truth, got outcome) bool {
	return got.verdict == "pass" && slices.Equal(truth.Fails, []string{"lifecycle"})
}

// less tells whether what is said of a game in dispute is part of the truth: of the
// checks that fail those are left that need nothing of what is in dispute. And of an
// honest game that a cut log hides from every node, a liar that makes its end up as
// it was may let it pass: to have a transaction is believed before not to have it.
func (c *court) less(truth *simchain.Truth, got outcome) bool {
	if truth.Verdict == inconclusive {
		return got.verdict == "pass" && c.of.side.has(invent)
	}
	return truth.Verdict == "fail" && got.verdict == "fail" && !slices.ContainsFunc(strings.Split(got.fails, ","), func(check string) bool {
		return !slices.Contains(truth.Fails, check)
	})
}

// unsampled tells whether a game passes by an end that one node alone told, and of
// which the daemon asked no honest one. Only where it is not to ask of all it may.
func (c *court) unsampled(truth *simchain.Truth, got outcome) bool {
	if c.of.side.sample == 1 || got.verdict != "pass" || !c.of.side.has(alter) {
		return false
	}
	for j := range c.of.nodes {
		if n := &c.of.side.nodes[j]; !n.lies() && c.of.nodes[j].ears.heard(truth.EndSignature) {
			return false
		}
	}
	return true
}

// disagreed are the transactions that nodes disagree about, and the games with an
// event in one: by key, and both as a content writes them.
const disagreed = `select distinct encode(d.signature, 'hex'), g.id, encode(g.game, 'hex'), g.game, g."user", g.nonce::text
	from audit.disagreement d left join audit.tx t on t.signature = d.signature left join audit.event e on e.tx = t.id left join audit.game g on g.id = e.game`

func (c *court) hear(ctx context.Context, conn *pgx.Conn) error {
	c.disputed, c.touched = map[string]bool{}, map[string]bool{}
	rows, err := conn.Query(ctx, disagreed)
	if err != nil {
		return err
	}
	for rows.Next() {
		values, err := rows.Values()
		if err != nil {
			return err
		}
		c.touched[values[0].(string)] = true
		if values[1] == nil {
			continue
		}
		c.touched[fmt.Sprint(values[1])], c.touched[values[2].(string)] = true, true
		c.disputed[nameOf(values[3].([]byte), values[4].([]byte), values[5].(string))] = true
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return conn.QueryRow(ctx, `select count(*) from audit.disagreement`).Scan(&c.disagreements)
}

func nameOf(game, user []byte, nonce string) string {
	return solana.PublicKeyFromBytes(game).String() + " " + solana.PublicKeyFromBytes(user).String() + " " + nonce
}

func outcomesOf(ctx context.Context, dsn string) (map[string]outcome, error) {
	st, err := store.Open(dsn)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	all := map[string]outcome{}
	err = st.EachOutcome(ctx, func(o store.Outcome) {
		var failed []string
		for c, r := range o.Results {
			if r == verify.ResultFail {
				failed = append(failed, verify.Check(c).String())
			}
		}
		slices.Sort(failed)
		all[nameOf(o.Game[:], o.User[:], o.Nonce)] = outcome{o.Verdict.String(), strings.Join(failed, ","), o.Finalized}
	})
	return all, err
}

// standing lists settled games at or below the frontier without exactly one verdict
// that stands, with the verdicts that they have had.
const standing = `select format('%s (%s starts, %s ends, the first in slot %s): %s', g.id, g.starts, g.ends, g.end_slot,
		(select string_agg(format('%s of slot %s', v.verdict, v.slot), ', ' order by v.seq) from audit.verdict v where v.game = g.id))
	from audit.game g, audit.watch w where g.ends > 0 and g.end_slot <= w.frontier
	and (select count(*) from audit.verdict v where v.game = g.id and v.seq = g.seq and v.verdict in (1, 2, 3)) <> 1`

func consistent(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, standing)
	if err != nil {
		return err
	}
	games, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if len(games) > 0 {
		return fmt.Errorf("%w: %s", errStanding, strings.Join(games, "; "))
	}
	found, err := storetest.Contradictions(ctx, conn)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: %s", errContradicts, strings.Join(found, "; "))
	}
	return err
}

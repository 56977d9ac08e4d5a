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
	errStanding    = errors.New("a settled game in complete coverage has not one standing verdict")
	errShrunk      = errors.New("complete coverage has shrunk")
	errChanged     = errors.New("a complete range says something else than it did")
	errContradicts = errors.New("the record contradicts itself")
	errDiffers     = errors.New("two daemons have recorded different content")
)

// judge holds a record against what the chain knows. Where a node keeps less of
// logs than others, what they hide may be left open, but nothing may be said that
// is not true.
func judge(ctx context.Context, chain *simchain.Chain, dsn string, partial bool) (verdicts int, err error) {
	outcomes, err := outcomesOf(ctx, dsn)
	if err != nil {
		return 0, err
	}
	verdicts = len(outcomes)
	for _, truth := range chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		got, found := outcomes[name]
		delete(outcomes, name)
		want := outcome{truth.Verdict, strings.Join(slices.Sorted(slices.Values(truth.Fails)), ","), true}
		switch {
		case got == want:
		case partial && (!found || got.verdict == "inconclusive" || hiddenLife(&truth, got)):
		case !found:
			return 0, fmt.Errorf("%w: %s (%q)", errMissed, name, truth.Cheat)
		default:
			return 0, fmt.Errorf("%w: game %s (%q) is said to %+v, want %+v", errFalse, name, truth.Cheat, got, want)
		}
	}
	for name, o := range outcomes {
		return 0, fmt.Errorf("%w: %s, %s", errInvented, name, o.verdict)
	}
	return verdicts, consistent(ctx, dsn)
}

// hiddenLife tells whether a game has a second end that a cut log may hide: then
// the first is all that there is to judge.
func hiddenLife(truth *simchain.Truth, got outcome) bool {
	return got.verdict == "pass" && slices.Equal(truth.Fails, []string{"lifecycle"})
}

// outcome is what a record says of a game.
type outcome struct {
	verdict string
	fails   string // the checks that failed, sorted
	final   bool
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
		name := solana.PublicKey(o.Game).String() + " " + solana.PublicKey(o.User).String() + " " + o.Nonce
		all[name] = outcome{o.Verdict.String(), strings.Join(failed, ","), o.Finalized}
	})
	return all, err
}

// standing counts settled games at or below the frontier without exactly one
// verdict that stands.
const standing = `select count(*) from audit.game g, audit.watch w where g.ends > 0 and g.end_slot <= w.frontier
	and (select count(*) from audit.verdict v where v.game = g.id and v.seq = g.seq and v.verdict in (1, 2, 3)) <> 1`

func consistent(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var n int
	if err := conn.QueryRow(ctx, standing).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%w: %d games", errStanding, n)
	}
	found, err := storetest.Contradictions(ctx, conn)
	if err == nil && len(found) > 0 {
		err = fmt.Errorf("%w: %s", errContradicts, strings.Join(found, "; "))
	}
	return err
}

// same compares two contents.
func same(one, other string) error {
	if one == other {
		return nil
	}
	a, b := slices.Sorted(strings.Lines(one)), slices.Sorted(strings.Lines(other))
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(list []string) string {
		if i < len(list) {
			return list[i]
		}
		return "(nothing)\n"
	}
	return fmt.Errorf("%w: %d lines and %d; the first that differ:\n  %s  %s", errDiffers, len(a), len(b), line(a), line(b))
}

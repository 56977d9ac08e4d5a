package store

import (
	"slices"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// An open game is undecided where an unreadable log names it, and found by what
// that log's transaction named.
func TestOpenGamesThatACutLogNames(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	open := func(n int) Game {
		g, _ := settled(key(n), 5, verify.VerdictPass)
		g.Ends, g.End, g.Standing = 0, nil, Verdict{Seq: -1}
		return g
	}
	cut := func(n int, slot uint64, names ...int) Tx {
		row := r.tx(t, n, slot)
		row.State, row.Problem = decode.LogTruncated, "truncated"
		for _, name := range names {
			row.Accounts = append(row.Accounts, key(name).Game)
		}
		return row
	}
	ended, verdict := settled(key(3), 5, verify.VerdictPass)
	first, second := cut(1, 8, 1, 3), cut(2, 6, 1)
	r.commit(t, &Batch{New: []Tx{first, second, cut(4, 9, 9)}, Games: []Game{open(1), open(2), ended}, Verdicts: []Verdict{verdict}})

	for _, c := range []struct {
		after, upTo int64
		want        []GameID
	}{{0, 10, []GameID{NewGameID(key(1))}}, {6, 8, []GameID{NewGameID(key(1))}}, {8, 10, nil}} {
		got, err := r.w.Undecided(bounded(t), c.after, c.upTo)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("between %d and %d: %v, %v; want %v", c.after, c.upTo, got, err, c.want)
		}
	}
	found, err := r.w.Truncations(bounded(t), [][32]byte{key(1).Game, key(2).Game})
	if err != nil || len(found) != 1 || !slices.Equal(found[key(1).Game], []Truncation{{second.ID, 6}, {first.ID, 8}}) {
		t.Errorf("%v, %v; want both transactions that name the first game, the lower slot first", found, err)
	}
}

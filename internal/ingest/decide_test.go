package ingest

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// A game with countless ends is judged by its first events, the same ones
// whichever way they came.
func TestAGameWithCountlessEndsStaysBounded(t *testing.T) {
	t.Parallel()
	id := store.NewGameID(decode.GameKey{Nonce: 1})
	void := func(slot uint64) piece {
		return piece{Tx: int64(slot), Slot: slot, Event: decode.Event{Kind: decode.KindVoided, Key: decode.GameKey{Nonce: 1}, Voided: &decode.Voided{}}}
	}
	var all []piece
	for slot := uint64(1000); slot > 0; slot-- {
		all = append(all, void(slot))
	}
	want := slices.Clone(all)
	slices.SortFunc(want, assemble.ChainOrder)
	want = want[:store.MostEvents]
	for _, cut := range []int{0, 1, 500, 999, 1000} {
		// The record gives the first of what it holds.
		held := slices.Clone(all[cut:])
		slices.SortFunc(held, assemble.ChainOrder)
		got := gather(id, nil, &changes{fresh: map[store.GameID][]piece{id: append(slices.Clone(all[:cut]), held[:min(len(held), store.MostEvents)]...)}}, decode.BuiltinLayout())
		if len(got.pieces) != store.MostEvents || !slices.EqualFunc(got.pieces, want, func(a, b piece) bool { return a.Slot == b.Slot }) {
			t.Errorf("with %d fresh events the game is judged by %d pieces from slot %d on", cut, len(got.pieces), got.pieces[0].Slot)
		}
	}
}

// What the stream tells is taken for new until the record refuses it; then it is
// compared, and a transaction that landed again is not lost.
func TestWhatTheStreamRepeatsIsFoundOut(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(5, ""))
	n.play(t)
	w := watch(t, n, database(t))
	w.catchUp(t, n)
	w.stop(t)
	above := uint64(w.state.frontier() + 10)
	tell := func(slots ...uint64) {
		t.Helper()
		var job work
		for i, slot := range slots {
			job.arrivals = append(job.arrivals, arrival{tx: rpc.Tx{Signature: [64]byte{1, byte(i)}, Slot: slot, Err: []byte(`"refused"`)}})
		}
		if err := w.save(t.Context(), job); err != nil {
			t.Fatal(err)
		}
	}
	stored := func(slot uint64) int {
		return number(t, w.dsn, `select count(*) from audit.tx where slot = $1`, int64(slot))
	}
	tell(above)
	if got := stored(above); got != 1 || w.lookUps != 0 {
		t.Errorf("%d rows after the first telling, %d batches to compare", got, w.lookUps)
	}
	tell(above, above) // one again, one new
	if got := stored(above); got != 2 || w.lookUps != lookUpsAfterRepeat-1 {
		t.Errorf("%d rows after the second telling, %d batches to compare", got, w.lookUps)
	}
	w.lookUps = 0
	tell(above, above+1) // the second landed again in another slot
	if stored(above) != 1 || stored(above+1) != 1 {
		t.Errorf("after a fork %d rows are in the old slot and %d in the new", stored(above), stored(above+1))
	}
	if errs := testutil.ToFloat64(w.Metrics.databaseErrors); errs != 0 {
		t.Errorf("%v database errors were counted", errs)
	}
	w.leave(context.Background())
}

// A log that cannot be read and comes when the frontier has gone by has the games judged
// again that it names, in the commit that stores it.
func TestACutLogThatComesLateIsHeldAgainstTheGamesItNames(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(5, ""))
	n.play(t)
	w := watch(t, n, database(t))
	w.catchUp(t, n)
	w.stop(t)
	signature := func(text string) (s [64]byte) {
		s, err := rpc.ParseSignature(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	address := func(text string) (k [32]byte) {
		k, err := rpc.ParseKey(text)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	startless, other := n.chain.Truth()[0], n.chain.Truth()[1]
	for _, lost := range []string{startless.StartSignature, other.StartSignature} {
		if err := w.save(t.Context(), work{dropped: [][64]byte{signature(lost)}}); err != nil {
			t.Fatal(err)
		}
	}
	reasons := func() []string {
		return texts(t, w.dsn, `select distinct encode(g.game, 'hex') || ' ' || f.reason from audit.game g join audit.finding f on f.game = g.id and f.seq = g.seq
			where g.starts = 0 and f.reason in ('start_not_seen', 'log_truncated') order by 1`)
	}
	if got := reasons(); len(got) != 2 || strings.Contains(strings.Join(got, ""), "truncated") {
		t.Fatalf("two games without a start: %v", got)
	}
	cut := arrival{
		tx:  rpc.Tx{Signature: [64]byte{1}, Slot: startless.StartSlot, Accounts: [][32]byte{address(startless.Game)}},
		log: decode.Log{State: decode.LogTruncated}, record: true,
	}
	if err := w.save(t.Context(), work{arrivals: []arrival{cut}}); err != nil {
		t.Fatal(err)
	}
	game := address(startless.Game)
	if got := strings.Join(reasons(), ", "); strings.Count(got, "log_truncated") != 1 || !strings.Contains(got, hex.EncodeToString(game[:])+" log_truncated") {
		t.Errorf("game %x alone is named by a log that was cut: %v", game, got)
	}
	w.leave(context.Background())
}

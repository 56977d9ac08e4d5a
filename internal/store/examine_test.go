package store

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

func TestUncheckedRangesJoinAndShrink(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	ctx := bounded(t)
	for _, step := range []struct {
		node        string // empty: it is checked
		after, upTo int64
		want        string
	}{
		{"a", 9, 19, "a10-19"},
		{"a", 19, 19, "a10-19"}, // nothing
		{"a", 19, 29, "a10-29"},
		{"a", 39, 49, "a10-29 a40-49"},
		{"", 14, 16, "a10-14 a17-29 a40-49"},
		{"", 24, 44, "a10-14 a17-24 a45-49"},
		{"a", 11, 46, "a10-49"},
		{"b", 49, 59, "a10-49 b50-59"}, // another's list stays apart
		{"b", 19, 24, "a10-19 b20-24 a25-49 b50-59"},
		{"b", 24, 44, "a10-19 b20-44 a45-49 b50-59"},
		{"", 29, 34, "a10-19 b20-29 b35-44 a45-49 b50-59"},
		{"a", 9, 49, "a10-49 b50-59"},
		{"", 0, 100, ""},
		{"", 0, 100, ""},
	} {
		var err error
		if step.node == "" {
			err = r.w.Checked(ctx, step.after, step.upTo)
		} else {
			err = r.w.Uncheck(ctx, step.after, step.upTo, step.node, fmt.Sprintf("until %d\x00", step.upTo))
		}
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, row := range rows(t, r, `select node || from_slot || '-' || to_slot from audit_api.v1_unchecked order by from_slot`) {
			got = append(got, row[0])
		}
		if strings.Join(got, " ") != step.want {
			t.Fatalf("after %+v: %v", step, got)
		}
	}
}

func TestTheNewestUncheckedRangeComesFirst(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	ctx := bounded(t)
	if u, ok, err := r.w.Unchecked(ctx); err != nil || ok {
		t.Errorf("of none: %+v, %v", u, err)
	}
	above := r.tx(t, 3, 60, key(3))
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1)), r.tx(t, 2, 25, key(2)), above}, Advance: &Advance{Was: 0, Becomes: 99}})
	for _, upTo := range []int64{10, 50} {
		if err := r.w.Uncheck(ctx, upTo-10, upTo, "", "x"); err != nil {
			t.Fatal(err)
		}
	}
	if u, ok, err := r.w.Unchecked(ctx); err != nil || !ok || u != (Unchecked{After: 40, UpTo: 50}) {
		t.Errorf("%+v, %v", u, err)
	}
	for least, want := range map[int]bool{1: true, 2: false} {
		if signature, slot, ok, err := r.w.Anchor(ctx, 50, least); err != nil || ok != want || ok && (signature != above.Signature || slot != 60) {
			t.Errorf("with %d or more: %x of slot %d, %v, %v", least, signature, slot, ok, err)
		}
	}
	if _, slot, ok, err := r.w.Anchor(ctx, 4, 3); err != nil || !ok || slot != 5 {
		t.Errorf("the lowest of three: slot %d, %v, %v", slot, ok, err)
	}
	e, err := r.Examination(ctx)
	if err != nil || e.UncheckedSlots != 20 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestDisagreementsAreCountedOnceAndBounded(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	ctx := bounded(t)
	d := Disagreement{Kind: InLog, Signature: [64]byte{1}, Slot: 7, Node: "a", Answer: strings.Repeat("é\x00", mostAnswer), Other: "b", Said: "no", Settled: LeftOpen}
	again := d
	again.Settled, again.Said = ByMajority, "yes"
	other := d
	other.Kind = InSlot
	if err := r.w.Disagree(ctx, []Disagreement{d, other, again}); err != nil {
		t.Fatal(err)
	}
	got := rows(t, r, `select kind, times, coalesce(settled, 'open'), other_answer, (length(answer) <= 20000)::text from audit_api.v1_disagreements order by kind`)
	if fmt.Sprint(got) != "[[log 2 majority yes true] [slot 1 open no true]]" {
		t.Errorf("%v", got)
	}
	e, err := r.Examination(ctx)
	if err != nil || e.Disagreements[ByMajority] != 1 || e.Disagreements[LeftOpen] != 1 {
		t.Errorf("%+v, %v", e, err)
	}
	// Full: new ones are let go, known ones still counted.
	r.exec(t, `insert into audit.disagreement (kind, signature, slot, node, answer, other_node, other_answer, settled)
		select 'log', sha512(n::text::bytea), 1, 'a', '', 'b', '', '' from generate_series(1, $1::int) n`, mostDisagreements)
	fresh := d
	fresh.Signature[0] = 9
	if err := r.w.Disagree(ctx, []Disagreement{fresh, d}); err != nil {
		t.Fatal(err)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.disagreement`); n != mostDisagreements+2 {
		t.Errorf("%d rows", n)
	}
	if n := scan[int](t, r, `select times from audit.disagreement where signature = $1 and kind = 'log'`, d.Signature[:]); n != 3 {
		t.Errorf("counted %d times", n)
	}
}

func TestDoubtfulTransactions(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	ctx := bounded(t)
	var b Batch
	for i, v := range []verify.Verdict{verify.VerdictPass, verify.VerdictFail, verify.VerdictInconclusive} {
		g, made := settled(key(i+1), 5, v)
		b.Games, b.Verdicts, b.New = append(b.Games, g), append(b.Verdicts, made), append(b.New, r.tx(t, i+1, 5, key(i+1)))
	}
	cut := r.tx(t, 7, 6, key(7))
	cut.State, cut.Problem = decode.LogTruncated, "truncated"
	b.New = append(b.New, cut)
	r.commit(t, &b)
	got, err := r.w.Doubtful(ctx, 0, 9, 10)
	if err != nil || len(got) != 3 {
		t.Fatalf("%d are doubtful, %v; want those of two games and the one that was cut", len(got), err)
	}
	for _, s := range got {
		if s == b.New[0].Signature {
			t.Error("that of a game that passed is")
		}
	}
	if got, err := r.w.Doubtful(ctx, 6, 9, 10); err != nil || len(got) != 0 {
		t.Errorf("above them: %d, %v", len(got), err)
	}
	txs, err := r.w.Transactions(ctx, [][64]byte{b.New[0].Signature, b.New[1].Signature, cut.Signature, {99}})
	if err != nil || len(txs) != 3 {
		t.Fatalf("%d transactions, %v", len(txs), err)
	}
	if p, f, c := txs[b.New[0].Signature], txs[b.New[1].Signature], txs[cut.Signature]; p.Convicts || !f.Convicts || c.State != decode.LogTruncated || p.Slot != 5 {
		t.Errorf("%+v, %+v, %+v", p, f, c)
	}
	for i := range 2 {
		have, want := txs[b.New[i].Signature].Events, b.New[i].Events
		if len(have) != len(want) || !bytes.Equal(have[0].Data, want[0].Data) || have[0].Kind != want[0].Kind {
			t.Errorf("events %+v, want %+v", have, want)
		}
	}
}

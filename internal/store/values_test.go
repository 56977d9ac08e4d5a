package store

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

func TestExtremeNumbersAreKeptExactly(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	const last, most = math.MaxInt64 - 1, "18446744073709551615"
	k := key(1)
	k.Nonce = math.MaxUint64
	g, v := settled(k, last, verify.VerdictPass)
	g.Starts, g.Ends = 40_000, 70_000
	g.Start = &verify.Start{
		MinesCount: 255, Stake: math.MaxUint64, HouseEdge: 65535, MaxPayout: math.MaxUint64,
		RefundTimeout: math.MaxInt64, StartedAt: math.MinInt64, Slot: last,
	}
	g.End.Settled = verify.Settled{
		MinesMask: math.MaxUint32, RevealedMask: math.MaxUint32, BustTile: 255, HasBust: true, Multiplier: math.MaxUint64, Payout: math.MaxUint64,
	}
	v.MinesCount, v.Results = 255, 1<<30-1
	v.Findings = findings(v.Results)
	g.Standing = v
	lost, w := voided(key(2), last, verify.BeforeTimeout)
	lost.End.Voided.Refund = math.MaxUint64
	row := r.tx(t, 1, last, k)
	row.Events[0].Ordinal = math.MaxInt32
	r.commit(t, &Batch{
		New: []Tx{row}, Games: []Game{g, lost}, Verdicts: []Verdict{v, w}, Times: []SlotTime{at(last, "9999-12-31T23:59:59Z")},
		Advance: &Advance{Was: 0, Becomes: last, Head: math.MaxInt64},
	})
	got := rows(t, r, `select nonce::text, mines_count::text, stake::text, house_edge_bps::text, max_payout::text, refund_timeout::text, started_at::text,
			mines_mask::text, revealed_mask::text, bust_tile::text, multiplier::text, payout::text, end_slot::text, (ended_at at time zone 'UTC')::text
		from audit_api.v1_games where status = 'settled'`)[0]
	want := []string{
		most, "255", most, "65535", most, "9223372036854775807", "null", "4294967295", "4294967295", "255", most, most,
		"9223372036854775806", "9999-12-31 23:59:59",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("column %d of v1_games is %s, want %s", i+1, got[i], want[i])
		}
	}
	if refund := scan[string](t, r, `select refund::text from audit_api.v1_games where status = 'voided'`); refund != most {
		t.Errorf("the refund is %s", refund)
	}
	if n := scan[string](t, r, `select max(nonce)::text from audit_api.v1_checks`); n != most {
		t.Errorf("v1_checks has the nonce as %s", n)
	}

	stored, err := r.w.Games(bounded(t), []GameID{g.ID})
	if err != nil {
		t.Fatal(err)
	}
	s := stored[g.ID]
	if s.Key != k || s.Standing.Seq != 0 || s.Standing.Slot != last || s.Standing.EndSlot != last || s.Standing.Results != v.Results || !s.Standing.SameAs(&v) {
		t.Errorf("the game came back as %+v", s)
	}
	if len(s.Events) != 1 || s.Events[0].Slot != last || s.Events[0].Ordinal != math.MaxInt32 || s.Events[0].Signature != row.Signature {
		t.Errorf("its events came back as %+v", s.Events)
	}
	times, err := r.w.BlockTimes(bounded(t), []uint64{last, 1})
	if err != nil || len(times) != 1 || times[last].UTC().Format(time.RFC3339) != "9999-12-31T23:59:59Z" {
		t.Errorf("block times: %v, %v", times, err)
	}
	r.consistent(t)
}

func TestU64(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	for word, want := range map[int64]string{
		0: "0", 1: "1", -1: "18446744073709551615", math.MaxInt64: "9223372036854775807", math.MinInt64: "9223372036854775808",
	} {
		if got := scan[string](t, r, `select audit.u64($1)::text`, word); got != want {
			t.Errorf("u64(%d) is %s, want %s", word, got, want)
		}
	}
	if !scan[bool](t, r, `select audit.u64(null) is null`) {
		t.Error("u64(null) is not null")
	}
}

func TestHostileBytesAreStored(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	hostile := "a\x00b\xff\xfe'; drop schema audit; --\xed\xa0\x80\u2028" + strings.Repeat("é", 10_000)
	g, v := settled(key(1), 5, verify.VerdictFail)
	v.Findings = []verify.Finding{{Check: verify.CheckBoard, Result: verify.ResultFail, Reason: verify.ReasonMismatch, Expected: hostile, Observed: hostile}}
	cut, failed := r.tx(t, 1, 5), r.tx(t, 2, 5)
	cut.Problem, cut.State = hostile, decode.LogUnattributable
	failed.Failed, failed.Err = true, []byte(hostile)
	odd := r.tx(t, 3, 5, key(1))
	odd.Events[0].Data = []byte(hostile)
	odd.Events = append(odd.Events, Event{Ordinal: 1, Kind: decode.KindMalformed}, Event{Ordinal: 2, Kind: decode.KindUnknown, Data: []byte{}})
	r.commit(t, &Batch{New: []Tx{cut, failed, odd}, Games: []Game{g}, Verdicts: []Verdict{v}})
	if err := r.w.OpenGap(bounded(t), "closed", hostile, 4); err != nil {
		t.Errorf("a gap: %v", err)
	}
	for _, query := range []string{
		`select reason from audit.unverifiable`, `select detail from audit.gap`, `select expected from audit_api.v1_checks where result = 'fail'`,
		`select observed from audit.finding`,
	} {
		if got := scan[string](t, r, query); got != printable(hostile) {
			t.Errorf("%s gives %.60q", query, got)
		}
	}
	if got := scan[[]byte](t, r, `select err from audit.tx where failed`); !bytes.Equal(got, []byte(hostile)) {
		t.Errorf("the error came back as %.60q", got)
	}
	stored, err := r.w.Games(bounded(t), []GameID{g.ID})
	if err != nil || !bytes.Equal(stored[g.ID].Events[0].Data, []byte(hostile)) {
		t.Errorf("the event's data came back as %+v, %v", stored[g.ID], err)
	}
	if n := scan[int](t, r, `select count(*)::int from audit.event where game is null`); n != 2 {
		t.Errorf("%d events without a game, want 2", n)
	}
}

func TestPrintable(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "plain": "plain", "é\n": "é\n", "\x00": `\x00`, "a\xffb": `a\xffb`, "\xed\xa0\x80": `\xed\xa0\x80`, "\uFFFD": "\uFFFD",
		"\xc3": `\xc3`, "x\x00\xf0\x9f\x92": `x\x00\xf0\x9f\x92`,
	} {
		if got := printable(in); got != want || !utf8.ValidString(got) {
			t.Errorf("printable(%q) is %q, want %q", in, got, want)
		}
	}
}

// A node's time may be nonsense; whoever passes it on with Has set has checked
// it. These are the ends of what is let through.
func TestBlockTimesAtTheirEnds(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	r.commit(t, &Batch{Times: []SlotTime{at(1, "1970-01-01T00:00:00Z"), at(2, "9999-12-31T23:59:59Z"), at(3, ""), at(1, "2000-01-01T00:00:00Z")}})
	times, err := r.w.BlockTimes(bounded(t), []uint64{1, 2, 3, 4})
	if err != nil || len(times) != 2 || times[1].Unix() != 0 {
		t.Errorf("%v, %v", times, err)
	}
	// Above the frontier a time may follow where there was none; it replaces none.
	r.commit(t, &Batch{Times: []SlotTime{at(3, "2001-01-01T00:00:00Z"), at(1, "2002-01-01T00:00:00Z"), at(2, "")}})
	times, err = r.w.BlockTimes(bounded(t), []uint64{1, 2, 3})
	if err != nil || len(times) != 3 || times[1].Unix() != 0 || times[3].UTC().Year() != 2001 {
		t.Errorf("%v, %v", times, err)
	}
}

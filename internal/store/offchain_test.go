package store

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"minesaudit/internal/verify"
)

var offchainTerminal = [32]byte{0xab, 31: 0xcd}

func testChain() RoundChain {
	return RoundChain{Terminal: offchainTerminal, Form: verify.FinalSHA256, Game: "rocket", Name: "crash"}
}

// round is a round that passes, with an outcome.
func round(n uint32) Round {
	return Round{Number: n, Hash: [32]byte{byte(n), 1}, Outcome: 3.05, Verdict: verify.VerdictPass, Results: [3]verify.Result{verify.ResultPass, verify.ResultPass, verify.ResultPass}}
}

// failing fails the outcome, with a finding.
func failing(r Round) Round {
	r.Verdict, r.Results[1] = verify.VerdictFail, verify.ResultFail
	r.Findings = []OffchainFinding{{Check: 1, Result: verify.ResultFail, Reason: "mismatch", Expected: "3.05", Observed: "9.99"}}
	return r
}

// hashOnly claims no outcome.
func hashOnly(r Round) Round {
	r.Outcome, r.Results[1], r.Findings, r.Verdict = math.NaN(), verify.ResultNA, nil, verify.VerdictPass
	return r
}

// bet is a bet that passes.
func bet(n byte) Bet {
	return Bet{
		ID: [16]byte{n}, Game: "dice", ServerSeed: "seed", ServerSeedHash: strings.Repeat("ab", 32), ClientSeed: "client", Nonce: int64(n), GameSeed: strings.Repeat("cd", 32),
		Claimed: "face 3", Outcome: "face 3", Verdict: verify.VerdictPass, Results: [4]verify.Result{1, 0, 1, 1},
	}
}

func failingBet(b Bet) Bet {
	b.Claimed, b.Verdict, b.Results[2] = "face 4", verify.VerdictFail, verify.ResultFail
	b.Findings = []OffchainFinding{{Check: 2, Result: verify.ResultFail, Reason: "mismatch", Expected: "face 3", Observed: "face 4"}}
	return b
}

func saveRoundsOf(t testing.TB, s *Store, rounds ...Round) Saved {
	t.Helper()
	saved, err := s.SaveRounds(bounded(t), testChain(), slices.Values(rounds))
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func saveBetsOf(t testing.TB, s *Store, bets ...Bet) Saved {
	t.Helper()
	saved, err := s.SaveBets(bounded(t), slices.Values(bets))
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// saveOffchain puts a row into each view of the off-chain games.
func saveOffchain(t testing.TB, r *record) {
	t.Helper()
	saveRoundsOf(t, r.Store, round(1), failing(round(3)))
	saveBetsOf(t, r.Store, failingBet(bet(1)))
}

// offchainRows is everything that stands and that stood.
func offchainRows(t testing.TB, r *record) string {
	t.Helper()
	var b strings.Builder
	for _, query := range []string{
		`select chain, round::text, hash, outcome::text, verdict, chain_result, outcome_result, unique_result, superseded::text from audit_api.v1_rounds order by round`,
		`select chain, round::text, check_name, result, reason, expected, observed from audit_api.v1_round_findings order by round, check_name`,
		`select round::text, seq::text, outcome::text, verdict::text from audit.offchain_round_was order by round, seq`,
		`select bet::text, claimed, server_seed_hash is null, verdict, seed_hash_result, outcome_result, superseded::text from audit_api.v1_bets order by bet`,
		`select bet::text, check_name, result from audit_api.v1_bet_findings order by bet, check_name`,
		`select id::text, seq::text, claimed, verdict::text from audit.offchain_bet_was order by id, seq`,
	} {
		for _, row := range rows(t, r, strings.Replace(query, "server_seed_hash is null", "(server_seed_hash is null)::text", 1)) {
			fmt.Fprintln(&b, row)
		}
		fmt.Fprintln(&b, "--")
	}
	return b.String()
}

func TestSavedTwiceAddsNothing(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	all := []Round{round(1), failing(round(2)), hashOnly(round(3)), round(10_000_000)}
	if got := saveRoundsOf(t, r.Store, all...); got != (Saved{Added: 4}) {
		t.Errorf("the first time: %+v", got)
	}
	bets := []Bet{bet(1), failingBet(bet(2))}
	if got := saveBetsOf(t, r.Store, bets...); got != (Saved{Added: 2}) {
		t.Errorf("the first time: %+v", got)
	}
	before := offchainRows(t, r)
	slices.Reverse(all)
	if got := saveRoundsOf(t, r.Store, all...); got != (Saved{Unchanged: 4}) {
		t.Errorf("the second time: %+v", got)
	}
	if got := saveBetsOf(t, r.Store, bets...); got != (Saved{Unchanged: 2}) {
		t.Errorf("the second time: %+v", got)
	}
	if after := offchainRows(t, r); after != before {
		t.Errorf("the rows were\n%s\nand are\n%s", before, after)
	}
	if got := saveRoundsOf(t, r.Store); got != (Saved{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestWhatDiffersSupersedes(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	saveRoundsOf(t, r.Store, failing(round(1)), round(2))
	if got := saveRoundsOf(t, r.Store, round(1), failing(round(2)), round(3)); got != (Saved{Added: 1, Superseded: 2}) {
		t.Errorf("%+v", got)
	}
	other := round(3)
	other.Hash[5] = 7
	saveRoundsOf(t, r.Store, other)
	want := [][]string{{"1", "pass", "1"}, {"2", "fail", "1"}, {"3", "pass", "1"}}
	if got := rows(t, r, `select round::text, verdict, superseded::text from audit_api.v1_rounds order by round`); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("stand %v, want %v", got, want)
	}
	if got := rows(t, r, `select round::text, check_name, result, reason, expected, observed from audit_api.v1_round_findings`); fmt.Sprint(got) != fmt.Sprint([][]string{{"2", "outcome", "fail", "mismatch", "3.05", "9.99"}}) {
		t.Errorf("findings %v", got)
	}
	if got := rows(t, r, `select round::text, seq::text, verdict::text from audit.offchain_round_was order by 1`); fmt.Sprint(got) != fmt.Sprint([][]string{{"1", "0", "2"}, {"2", "0", "1"}, {"3", "0", "1"}}) {
		t.Errorf("stood %v", got)
	}
	saveBetsOf(t, r.Store, failingBet(bet(1)), bet(2))
	if got := saveBetsOf(t, r.Store, bet(1), failingBet(bet(2)), bet(3)); got != (Saved{Added: 1, Superseded: 2}) {
		t.Errorf("%+v", got)
	}
	if got := rows(t, r, `select substr(bet::text, 1, 2), verdict, superseded::text from audit_api.v1_bets order by 1`); fmt.Sprint(got) != fmt.Sprint([][]string{{"01", "pass", "1"}, {"02", "fail", "1"}, {"03", "pass", "0"}}) {
		t.Errorf("bets %v", got)
	}
	if got := rows(t, r, `select substr(bet::text, 1, 2), check_name from audit_api.v1_bet_findings`); fmt.Sprint(got) != fmt.Sprint([][]string{{"02", "outcome"}}) {
		t.Errorf("findings of bets %v", got)
	}
}

// A file that says less does not take a failed check away.
func TestWhatSaysLessTakesNothingAway(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	saveRoundsOf(t, r.Store, failing(round(1)), round(2))
	noHash := failingBet(bet(1))
	saveBetsOf(t, r.Store, noHash, bet(2))
	before := offchainRows(t, r)
	if got := saveRoundsOf(t, r.Store, hashOnly(round(1)), hashOnly(round(2))); got != (Saved{Unchanged: 2}) {
		t.Errorf("hashes alone: %+v", got)
	}
	less := bet(1)
	less.Claimed, less.ServerSeedHash, less.Verdict = "", "", verify.VerdictInconclusive
	less.Results = [4]verify.Result{3, 0, 3, 1}
	less.Findings = []OffchainFinding{{Check: 0, Result: 3, Reason: "server_seed_hash_not_given"}, {Check: 2, Result: 3, Reason: "outcome_not_given"}}
	if got := saveBetsOf(t, r.Store, less); got != (Saved{Unchanged: 1}) {
		t.Errorf("a bet that says less: %+v", got)
	}
	if after := offchainRows(t, r); after != before {
		t.Errorf("the rows were\n%s\nand are\n%s", before, after)
	}

	// What it does say still counts: the chain's check fails now, the outcome as before.
	off := hashOnly(round(1))
	off.Results[0], off.Verdict = verify.ResultFail, verify.VerdictFail
	off.Findings = []OffchainFinding{{Check: 0, Result: verify.ResultFail, Reason: "not_on_the_chain"}}
	if got := saveRoundsOf(t, r.Store, off); got != (Saved{Superseded: 1}) {
		t.Errorf("another result: %+v", got)
	}
	want := [][]string{{"chain"}, {"outcome"}}
	if got := rows(t, r, `select check_name from audit_api.v1_round_findings where round = 1 order by 1`); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("findings %v, want %v", got, want)
	}
	// Another hash is another claim, and takes its outcome along.
	other := hashOnly(round(1))
	other.Hash[9] = 9
	saveRoundsOf(t, r.Store, other)
	if got := rows(t, r, `select verdict, outcome_result, outcome::text from audit_api.v1_rounds where round = 1`); fmt.Sprint(got) != fmt.Sprint([][]string{{"pass", "n/a", "null"}}) {
		t.Errorf("another hash: %v", got)
	}
}

// The verdict that SQL gives to packed results is that of Go.
func TestOffchainVerdictIsGos(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	for packed := range int32(256) {
		want := verify.VerdictPass
		for i := range 4 {
			switch result := verify.Result(packed >> (2 * i) & 3); {
			case result == verify.ResultFail:
				want = verify.VerdictFail
			case result == verify.ResultInconclusive && want != verify.VerdictFail:
				want = verify.VerdictInconclusive
			}
		}
		if got := scan[int16](t, r, `select audit.offchain_verdict($1)`, packed); verify.Verdict(got) != want {
			t.Errorf("results %08b: %d, want %s", packed, got, want)
		}
	}
}

func TestChainsDoNotMix(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	saveRoundsOf(t, r.Store, round(1), round(4))
	other := RoundChain{Terminal: [32]byte{5}, Form: verify.FinalHash}
	if saved, err := r.SaveRounds(bounded(t), other, slices.Values([]Round{hashOnly(round(1)), hashOnly(round(2))})); err != nil || saved.Added != 2 {
		t.Fatalf("%+v, %v", saved, err)
	}
	want := [][]string{{hex.EncodeToString(other.Terminal[:]), "null", "final_hash", "2"}, {"crash", "rocket", "sha256_of_final_hash", "2"}}
	if got := rows(t, r, `select chain, game, terminal_form, count(*)::text from audit_api.v1_rounds group by 1, 2, 3 order by 1`); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := rows(t, r, `select chain, from_round::text, to_round::text from audit_api.v1_round_gaps`); fmt.Sprint(got) != fmt.Sprint([][]string{{"crash", "2", "3"}}) {
		t.Errorf("gaps %v", got)
	}
}

// More than a chunk, from several at once: every round is stored once.
func TestManySaveAtOnce(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	const most = offchainChunk + 500
	var all sync.WaitGroup
	results := make([]Saved, 4)
	bets := make([]Saved, 4)
	for i := range results {
		s := open(t, r.dsn)
		all.Go(func() {
			var err error
			results[i], err = s.SaveRounds(bounded(t), testChain(), func(yield func(Round) bool) {
				for n := range uint32(most) {
					if i%2 == 1 {
						n = most - 1 - n
					}
					if !yield(round(n + 1)) {
						return
					}
				}
			})
			if err != nil {
				t.Error(err)
			}
			list := []Bet{bet(1), bet(2), bet(3)}
			if i%2 == 1 {
				slices.Reverse(list)
			}
			if bets[i], err = s.SaveBets(bounded(t), slices.Values(list)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	var total, totalBets Saved
	for i := range results {
		total.Add(results[i])
		totalBets.Add(bets[i])
	}
	if total != (Saved{Added: most, Unchanged: 3 * most}) || totalBets != (Saved{Added: 3, Unchanged: 9}) {
		t.Errorf("together: %+v, %+v", total, totalBets)
	}
	if n := scan[int](t, r, `select count(*)::int from audit_api.v1_rounds`); n != most {
		t.Errorf("%d rounds, want %d", n, most)
	}
}

// Texts that PostgreSQL cannot hold are written in another way; one ID twice is
// the last one.
func TestStrangeBets(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	first, last := bet(1), failingBet(bet(1))
	last.ServerSeed = "a\x00b"
	last.Findings[0].Observed = "\x00"
	if got := saveBetsOf(t, r.Store, first, last); got != (Saved{Added: 1, Superseded: 1}) {
		t.Errorf("%+v", got)
	}
	if got := rows(t, r, `select verdict, nonce::text from audit_api.v1_bets`); fmt.Sprint(got) != fmt.Sprint([][]string{{"fail", "1"}}) {
		t.Errorf("%v", got)
	}
}

// What is off the chain changes nothing of the program's record.
func TestOffchainStaysApart(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, v := settled(key(1), 5, 1)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 0, Becomes: 9}})
	query := `select ended::text, passed::text, failed::text, inconclusive::text from audit_api.v1_mismatch_rate_hourly`
	before := fmt.Sprint(rows(t, r, query))
	saveOffchain(t, r)
	if after := fmt.Sprint(rows(t, r, query)); after != before {
		t.Errorf("the rates were %s and are %s", before, after)
	}
	totals, err := r.Totals(bounded(t))
	if err != nil || totals.Games[verify.VerdictFail] != 0 {
		t.Errorf("%+v, %v", totals, err)
	}
	r.consistent(t)
	// The writer still holds its lock and goes on.
	g, v = settled(key(2), 12, 1)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 2, 12, key(2))}, Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 9, Becomes: 12}})
}

func TestEveryColumnOfTheViewsIsExplained(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	if got := rows(t, r, `select c.relname, a.attname from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
		where n.nspname = 'audit_api' and c.relkind = 'v' and a.attnum > 0
			and (col_description(c.oid, a.attnum) is null or obj_description(c.oid, 'pg_class') is null)`); len(got) > 0 {
		t.Errorf("without a comment: %v", got)
	}
}

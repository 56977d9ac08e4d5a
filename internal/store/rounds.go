package store

import (
	"context"
	"fmt"
	"iter"
	"math"

	"minesaudit/internal/verify"
)

// A RoundChain is what rounds of an off-chain game were held against.
type RoundChain struct {
	Terminal [32]byte
	Form     verify.TerminalForm
	Game     string // empty where hashes were audited alone
	Name     string // of a chain whose terminal was published; else empty
}

// A Round is one of an off-chain game with its results: of the chain, of the
// outcome, and of being claimed once.
type Round struct {
	Number   uint32
	Hash     [32]byte
	Outcome  float64 // as claimed; NaN where none is
	Verdict  verify.Verdict
	Results  [3]verify.Result
	Findings []OffchainFinding
}

// SaveRounds stores rounds of a chain, each number once. What stands already is
// left as it is; what differs supersedes it. A round that claims no outcome says
// nothing against one that is stored with the same hash, and with its result.
// Several may save at the same time, also while a daemon writes.
func (s *Store) SaveRounds(ctx context.Context, chain RoundChain, rounds iter.Seq[Round]) (Saved, error) {
	var total Saved
	id, err := s.chainID(ctx, chain)
	if err != nil {
		return total, err
	}
	var c roundColumns
	flush := func() error {
		saved, err := s.save(ctx, `select from audit.offchain_chain where id = $1 for update`, []any{id}, saveRounds,
			id, c.round, c.hash, c.outcome, c.verdict, c.results, c.of, c.check, c.result, c.reason, c.expected, c.observed)
		if err != nil {
			return fmt.Errorf("save rounds: %w", err)
		}
		total.Add(saved)
		c = roundColumns{}
		return nil
	}
	for round := range rounds {
		if c.add(&round); len(c.round) == offchainChunk {
			if err := flush(); err != nil {
				return total, err
			}
		}
	}
	if len(c.round) == 0 {
		return total, nil
	}
	return total, flush()
}

func (s *Store) chainID(ctx context.Context, c RoundChain) (id int32, err error) {
	// Two that come at once both find the one row.
	_, err = s.pool.Exec(ctx, `insert into audit.offchain_chain (terminal, form, game, name) values ($1, $2, $3, nullif($4, '')) on conflict do nothing`,
		c.Terminal[:], int16(c.Form), c.Game, c.Name)
	if err == nil {
		err = s.pool.QueryRow(ctx, `select id from audit.offchain_chain where terminal = $1 and form = $2 and game = $3`, c.Terminal[:], int16(c.Form), c.Game).Scan(&id)
	}
	if err != nil {
		return 0, fmt.Errorf("save the chain: %w", err)
	}
	return id, nil
}

// roundColumns are rounds, and their findings, as columns of unnest.
type roundColumns struct {
	round   array[int32]
	hash    array[[]byte]
	outcome array[*float64]
	verdict array[int16]
	results array[int32]

	of array[int32] // the round of each finding
	findingColumns
}

func (c *roundColumns) add(r *Round) {
	c.round = append(c.round, int32(r.Number))
	c.hash = append(c.hash, r.Hash[:])
	var outcome *float64
	if claimed := r.Outcome; !math.IsNaN(claimed) {
		outcome = &claimed
	}
	c.outcome = append(c.outcome, outcome)
	c.verdict = append(c.verdict, int16(r.Verdict))
	c.results = append(c.results, packResults(r.Results[:]))
	for i := range r.Findings {
		c.of = append(c.of, int32(r.Number))
		c.findingColumns.add(&r.Findings[i])
	}
}

// saveRounds decides by what stands, in one statement. kept is a mask of the
// checks whose stored result stays: 1 << 1 is the outcome.
const saveRounds = `with given as (
		select * from unnest($2::integer[], $3::bytea[], $4::float8[], $5::smallint[], $6::integer[]) as u(round, hash, outcome, verdict, results)),
	stands as (
		select r.* from given g join audit.offchain_round r on r.chain = $1 and r.round = g.round),
	merged as (
		select g.round, g.hash, k.kept, s.seq,
			case when k.kept > 0 then s.outcome else g.outcome end as outcome,
			case when k.kept > 0 then (g.results & ~12) | (s.results & 12) else g.results end as results,
			case when k.kept > 0 then audit.offchain_verdict((g.results & ~12) | (s.results & 12)) else g.verdict end as verdict,
			s.hash as old_hash, s.outcome as old_outcome, s.results as old_results
		from given g left join stands s using (round)
		cross join lateral (select case when g.hash = s.hash and g.outcome is null and s.outcome is not null then 2 else 0 end as kept) k),
	changed as (
		select * from merged where seq is null or (hash, outcome, results) is distinct from (old_hash, old_outcome, old_results)),
	was as (
		insert into audit.offchain_round_was (chain, round, seq, hash, outcome, verdict, results, audited_at)
		select s.chain, s.round, s.seq, s.hash, s.outcome, s.verdict, s.results, s.audited_at from stands s join changed c using (round)),
	put as (
		insert into audit.offchain_round as r (chain, round, seq, hash, outcome, verdict, results)
		select $1, round, coalesce(seq + 1, 0), hash, outcome, verdict, results from changed order by round
		on conflict (chain, round) do update set seq = excluded.seq, hash = excluded.hash, outcome = excluded.outcome,
			verdict = excluded.verdict, results = excluded.results, audited_at = now()),
	findings as (
		select f.* from unnest($7::integer[], $8::smallint[], $9::smallint[], $10::text[], $11::text[], $12::text[])
			as f(round, check_no, result, reason, expected, observed)
		join changed c using (round) where (c.kept >> f.check_no) & 1 = 0),
	settled as (
		delete from audit.offchain_round_finding f using changed c where f.chain = $1 and f.round = c.round and (c.kept >> f.check_no) & 1 = 0
			and not exists (select from findings n where n.round = f.round and n.check_no = f.check_no)),
	found as (
		insert into audit.offchain_round_finding (chain, round, check_no, result, reason, expected, observed)
		select distinct on (round, check_no) $1, round, check_no, result, reason, expected, observed from findings order by round, check_no
		on conflict (chain, round, check_no) do update set result = excluded.result, reason = excluded.reason,
			expected = excluded.expected, observed = excluded.observed)
	select (select count(*) from changed where seq is null), (select count(*) from changed where seq is not null),
		(select count(*) from given) - (select count(*) from changed)`

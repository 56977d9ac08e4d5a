package store

import (
	"context"
	"fmt"
	"iter"

	"minesaudit/internal/verify"
)

// A Bet is one of a single-player off-chain game with its results: of the hash
// of the server seed, of the game seed, of the outcome, and of the nonce. Its
// texts may be a stranger's.
type Bet struct {
	ID             [16]byte
	Game           string
	ServerSeed     string
	ServerSeedHash string // empty where it was not given
	ClientSeed     string
	Nonce          int64
	GameSeed       string // 64 hex digits
	Claimed        string // empty where no outcome is claimed
	Outcome        string
	Verdict        verify.Verdict
	Results        [4]verify.Result
	Findings       []OffchainFinding
}

// SaveBets stores bets. What stands already is left as it is; what differs
// supersedes it. A bet that gives no hash of the server seed or claims no
// outcome says nothing against a stored one that does. Of bets with one ID the
// last counts. Several may save at the same time, also while a daemon writes.
func (s *Store) SaveBets(ctx context.Context, bets iter.Seq[Bet]) (Saved, error) {
	var total Saved
	var c betColumns
	flush := func() error {
		// Two who save the same bets in another order would wait for each other.
		saved, err := s.save(ctx, `lock table audit.offchain_bet in share row exclusive mode`, nil, saveBets,
			c.id, c.game, c.serverSeed, c.seedHash, c.clientSeed, c.nonce, c.gameSeed, c.claimed, c.outcome, c.verdict, c.results,
			c.of, c.check, c.result, c.reason, c.expected, c.observed)
		if err != nil {
			return fmt.Errorf("save bets: %w", err)
		}
		total.Add(saved)
		c = betColumns{}
		return nil
	}
	for bet := range bets {
		// One statement cannot write a row twice.
		if c.has[bet.ID] || len(c.id) == offchainChunk {
			if err := flush(); err != nil {
				return total, err
			}
		}
		c.add(&bet)
	}
	if len(c.id) == 0 {
		return total, nil
	}
	return total, flush()
}

// betColumns are bets, and their findings, as columns of unnest.
type betColumns struct {
	has        map[[16]byte]bool
	id         array[[16]byte]
	game       array[string]
	serverSeed array[string]
	seedHash   array[*string]
	clientSeed array[string]
	nonce      array[int64]
	gameSeed   array[string]
	claimed    array[string]
	outcome    array[string]
	verdict    array[int16]
	results    array[int32]

	of array[[16]byte] // the bet of each finding
	findingColumns
}

func (c *betColumns) add(b *Bet) {
	if c.has == nil {
		c.has = map[[16]byte]bool{}
	}
	c.has[b.ID] = true
	c.id = append(c.id, b.ID)
	c.game = append(c.game, b.Game)
	c.serverSeed = append(c.serverSeed, printable(b.ServerSeed))
	var hash *string
	if given := printable(b.ServerSeedHash); given != "" {
		hash = &given
	}
	c.seedHash = append(c.seedHash, hash)
	c.clientSeed = append(c.clientSeed, printable(b.ClientSeed))
	c.nonce = append(c.nonce, b.Nonce)
	c.gameSeed = append(c.gameSeed, b.GameSeed)
	c.claimed = append(c.claimed, printable(b.Claimed))
	c.outcome = append(c.outcome, printable(b.Outcome))
	c.verdict = append(c.verdict, int16(b.Verdict))
	c.results = append(c.results, packResults(b.Results[:]))
	for i := range b.Findings {
		c.of = append(c.of, b.ID)
		c.findingColumns.add(&b.Findings[i])
	}
}

// saveBets decides by what stands, in one statement. kept is a mask of the
// checks whose stored result stays: 1 << 0 is the seed's hash, 1 << 2 the
// outcome; bits is the same of two bits a check.
const saveBets = `with given as (
		select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::smallint[], $11::integer[])
			as u(id, game, server_seed, server_seed_hash, client_seed, nonce, game_seed, claimed, outcome, verdict, results)),
	stands as (
		select b.* from given g join audit.offchain_bet b using (id)),
	merged as (
		select g.id, g.game, g.server_seed, g.client_seed, g.nonce, g.game_seed, g.outcome, k.kept, s.seq,
			coalesce(g.server_seed_hash, s.server_seed_hash) as server_seed_hash,
			case when k.kept & 4 > 0 then s.claimed else g.claimed end as claimed,
			case when k.kept > 0 then m.results else g.results end as results,
			case when k.kept > 0 then audit.offchain_verdict(m.results) else g.verdict end as verdict,
			s.server_seed_hash as old_hash, s.claimed as old_claimed, s.outcome as old_outcome, s.results as old_results
		from given g left join stands s using (id)
		cross join lateral (select case when g.server_seed_hash is null and s.server_seed_hash is not null then 1 else 0 end
			+ case when g.claimed = '' and s.claimed <> '' then 4 else 0 end as kept) k
		cross join lateral (select (k.kept & 1) * 3 + (k.kept & 4) * 12 as bits) b
		cross join lateral (select (g.results & ~b.bits) | (s.results & b.bits) as results) m),
	changed as (
		select * from merged where seq is null
			or (server_seed_hash, claimed, outcome, results) is distinct from (old_hash, old_claimed, old_outcome, old_results)),
	was as (
		insert into audit.offchain_bet_was (id, seq, server_seed_hash, claimed, outcome, verdict, results, audited_at)
		select s.id, s.seq, s.server_seed_hash, s.claimed, s.outcome, s.verdict, s.results, s.audited_at from stands s join changed c using (id)),
	put as (
		insert into audit.offchain_bet as b (id, seq, game, server_seed, server_seed_hash, client_seed, nonce, game_seed, claimed, outcome, verdict, results)
		select id, coalesce(seq + 1, 0), game, server_seed, server_seed_hash, client_seed, nonce, decode(game_seed, 'hex'), claimed, outcome, verdict, results
		from changed order by id
		on conflict (id) do update set seq = excluded.seq, server_seed_hash = excluded.server_seed_hash, claimed = excluded.claimed,
			outcome = excluded.outcome, verdict = excluded.verdict, results = excluded.results, audited_at = now()),
	findings as (
		select f.* from unnest($12::uuid[], $13::smallint[], $14::smallint[], $15::text[], $16::text[], $17::text[])
			as f(id, check_no, result, reason, expected, observed)
		join changed c using (id) where (c.kept >> f.check_no) & 1 = 0),
	settled as (
		delete from audit.offchain_bet_finding f using changed c where f.bet = c.id and (c.kept >> f.check_no) & 1 = 0
			and not exists (select from findings n where n.id = f.bet and n.check_no = f.check_no)),
	found as (
		insert into audit.offchain_bet_finding (bet, check_no, result, reason, expected, observed)
		select distinct on (id, check_no) id, check_no, result, reason, expected, observed from findings order by id, check_no
		on conflict (bet, check_no) do update set result = excluded.result, reason = excluded.reason,
			expected = excluded.expected, observed = excluded.observed)
	select (select count(*) from changed where seq is null), (select count(*) from changed where seq is not null),
		(select count(*) from given) - (select count(*) from changed)`

-- Rounds and bets of the off-chain games, as files claimed them and as audits
-- found them. They share nothing with the record of the program: no rate counts
-- them, no frontier covers them, and the daemon does not know them.

-- +goose Up

-- A chain of hashes that rounds were held against. game is empty where hashes
-- were audited alone; form is verify.TerminalForm.
create table audit.offchain_chain (
    id       integer generated always as identity primary key,
    terminal bytea not null check (length(terminal) = 32),
    form     smallint not null,
    game     text not null,
    name     text,                          -- of a chain whose terminal was published
    unique (terminal, form, game)
);

-- What stands of a round. A later audit that found something else supersedes
-- it: the row as it was goes to offchain_round_was, and seq rises.
create table audit.offchain_round (
    chain      integer not null,            -- audit.offchain_chain
    round      integer not null check (round > 0),
    seq        integer not null,
    hash       bytea not null,
    outcome    double precision,            -- as claimed; null where none is
    verdict    smallint not null,           -- verify.Verdict
    results    integer not null,            -- 2 bits a check, verify.Result: chain, outcome, unique
    audited_at timestamptz not null default now(),
    primary key (chain, round)
);
create index offchain_round_failed on audit.offchain_round (chain, round) where verdict <> 1;

create table audit.offchain_round_was (
    chain         integer not null,
    round         integer not null,
    seq           integer not null,
    hash          bytea not null,
    outcome       double precision,
    verdict       smallint not null,
    results       integer not null,
    audited_at    timestamptz not null,
    superseded_at timestamptz not null default now(),
    primary key (chain, round, seq)
);

-- Expected and observed values of the standing row, for checks that failed or
-- could not be made.
create table audit.offchain_round_finding (
    chain    integer not null,
    round    integer not null,
    check_no smallint not null,
    result   smallint not null,             -- verify.Result
    reason   text not null,
    expected text not null,
    observed text not null,
    primary key (chain, round, check_no)
);

-- What stands of a bet. id is made of the game, the seeds, the nonce and what
-- was bet on, not of what is claimed.
create table audit.offchain_bet (
    id               uuid primary key,
    seq              integer not null,
    game             text not null,
    server_seed      text not null,
    server_seed_hash text,                  -- as shown; null where it was not given
    client_seed      text not null,
    nonce            bigint not null,
    game_seed        bytea not null,
    claimed          text not null,         -- empty where no outcome is claimed
    outcome          text not null,         -- as worked out
    verdict          smallint not null,
    results          integer not null,      -- seed_hash, game_seed, outcome, nonce_unique
    audited_at       timestamptz not null default now()
);
create index offchain_bet_failed on audit.offchain_bet (id) where verdict <> 1;

create table audit.offchain_bet_was (
    id               uuid not null,
    seq              integer not null,
    server_seed_hash text,
    claimed          text not null,
    outcome          text not null,
    verdict          smallint not null,
    results          integer not null,
    audited_at       timestamptz not null,
    superseded_at    timestamptz not null default now(),
    primary key (id, seq)
);

create table audit.offchain_bet_finding (
    bet      uuid not null,
    check_no smallint not null,
    result   smallint not null,
    reason   text not null,
    expected text not null,
    observed text not null,
    primary key (bet, check_no)
);

-- The verdict of up to eight packed results: a fail, else an inconclusive, else a pass.
-- +goose StatementBegin
create function audit.offchain_verdict(results integer) returns smallint language sql immutable parallel safe
return case when (results & 43690) & ~((results & 21845) << 1) <> 0 then 2::smallint
            when (results & 43690) <> 0 then 3::smallint
            else 1::smallint end;
-- +goose StatementEnd

create view audit_api.v1_rounds as
select coalesce(c.name, encode(c.terminal, 'hex')) as chain,
       nullif(c.game, '') as game,
       case c.form when 2 then 'final_hash' else 'sha256_of_final_hash' end as terminal_form,
       r.round,
       encode(r.hash, 'hex') as hash,
       r.outcome,
       audit_api.verdict_name(r.verdict) as verdict,
       audit_api.result_name(r.results & 3) as chain_result,
       audit_api.result_name((r.results >> 2) & 3) as outcome_result,
       audit_api.result_name((r.results >> 4) & 3) as unique_result,
       r.seq as superseded,
       r.audited_at
from audit.offchain_round r join audit.offchain_chain c on c.id = r.chain;

comment on view audit_api.v1_rounds is 'One row a round of an off-chain game with a hash chain: what files claimed of it and what stands of the audits. No rate of the program counts these.';
comment on column audit_api.v1_rounds.chain is 'platform, crash, battle, or the terminal of another chain in hex.';
comment on column audit_api.v1_rounds.game is 'rocket, platforms or battle; null where hashes were audited alone.';
comment on column audit_api.v1_rounds.terminal_form is 'What the terminal was taken for; the numbers of rounds depend on it.';
comment on column audit_api.v1_rounds.round is 'Number of the round; round 1 has the last hash of the chain.';
comment on column audit_api.v1_rounds.hash is 'Hash of the round as claimed, hex.';
comment on column audit_api.v1_rounds.outcome is 'Outcome as claimed: multiplier, platform, or index of the winner from 0 with -1 for none; null where none was claimed.';
comment on column audit_api.v1_rounds.verdict is 'pass, fail or inconclusive.';
comment on column audit_api.v1_rounds.chain_result is 'Does the hash lead to the terminal in as many steps as the round asks for?';
comment on column audit_api.v1_rounds.outcome_result is 'Is the outcome what the hash gives?';
comment on column audit_api.v1_rounds.unique_result is 'Was the round claimed once, or each time the same?';
comment on column audit_api.v1_rounds.superseded is 'How often another claim or result stood here before.';
comment on column audit_api.v1_rounds.audited_at is 'When what stands was first found, by the database''s clock.';

create view audit_api.v1_round_findings as
select coalesce(c.name, encode(c.terminal, 'hex')) as chain,
       nullif(c.game, '') as game,
       f.round,
       (array['chain','outcome','unique'])[f.check_no + 1] as check_name,
       audit_api.result_name(f.result) as result,
       f.reason,
       f.expected,
       f.observed
from audit.offchain_round_finding f join audit.offchain_chain c on c.id = f.chain;

comment on view audit_api.v1_round_findings is 'One row a check of a round that failed or could not be made. Of an audit with very many the first are kept; v1_rounds has every result.';
comment on column audit_api.v1_round_findings.chain is 'platform, crash, battle, or the terminal of another chain in hex.';
comment on column audit_api.v1_round_findings.game is 'rocket, platforms or battle; null where hashes were audited alone.';
comment on column audit_api.v1_round_findings.round is 'Number of the round.';
comment on column audit_api.v1_round_findings.check_name is 'chain, outcome or unique.';
comment on column audit_api.v1_round_findings.result is 'fail or inconclusive.';
comment on column audit_api.v1_round_findings.reason is 'Reason code.';
comment on column audit_api.v1_round_findings.expected is 'What the rules give.';
comment on column audit_api.v1_round_findings.observed is 'What was claimed.';

create view audit_api.v1_round_gaps as
select coalesce(c.name, encode(c.terminal, 'hex')) as chain,
       nullif(c.game, '') as game,
       g.before + 1 as from_round,
       g.round - 1 as to_round
from (select chain, round, lag(round) over (partition by chain order by round) as before from audit.offchain_round) g
join audit.offchain_chain c on c.id = g.chain
where g.before < g.round - 1;

comment on view audit_api.v1_round_gaps is 'Rounds that no file gave, between two that were given. It reads every round of every chain.';
comment on column audit_api.v1_round_gaps.chain is 'platform, crash, battle, or the terminal of another chain in hex.';
comment on column audit_api.v1_round_gaps.game is 'rocket, platforms or battle; null where hashes were audited alone.';
comment on column audit_api.v1_round_gaps.from_round is 'First round that is missing.';
comment on column audit_api.v1_round_gaps.to_round is 'Last round that is missing.';

create view audit_api.v1_bets as
select b.id as bet,
       b.game,
       b.server_seed,
       b.server_seed_hash,
       b.client_seed,
       b.nonce,
       encode(b.game_seed, 'hex') as game_seed,
       nullif(b.claimed, '') as claimed,
       nullif(b.outcome, '') as outcome,
       audit_api.verdict_name(b.verdict) as verdict,
       audit_api.result_name(b.results & 3) as seed_hash_result,
       audit_api.result_name((b.results >> 2) & 3) as game_seed_result,
       audit_api.result_name((b.results >> 4) & 3) as outcome_result,
       audit_api.result_name((b.results >> 6) & 3) as nonce_unique_result,
       b.seq as superseded,
       b.audited_at
from audit.offchain_bet b;

comment on view audit_api.v1_bets is 'One row a bet of a single-player off-chain game: what files claimed of it and what stands of the audits. No rate of the program counts these.';
comment on column audit_api.v1_bets.bet is 'Made of the game, the seeds, the nonce and what was bet on.';
comment on column audit_api.v1_bets.game is 'dice or hmac-mines.';
comment on column audit_api.v1_bets.server_seed is 'Server seed as revealed. A byte that no text may hold is written \xNN.';
comment on column audit_api.v1_bets.server_seed_hash is 'Hash of the server seed as shown before the bet; null where it was not given.';
comment on column audit_api.v1_bets.client_seed is 'Client seed.';
comment on column audit_api.v1_bets.nonce is 'Nonce: the time of the bet in milliseconds, or a counter.';
comment on column audit_api.v1_bets.game_seed is 'Game seed that seeds and nonce give, hex.';
comment on column audit_api.v1_bets.claimed is 'Outcome as claimed: face and win, or the tiles with mines; null where none was.';
comment on column audit_api.v1_bets.outcome is 'Outcome as worked out.';
comment on column audit_api.v1_bets.verdict is 'pass, fail or inconclusive.';
comment on column audit_api.v1_bets.seed_hash_result is 'Is the server seed the one whose hash was shown?';
comment on column audit_api.v1_bets.game_seed_result is 'Is the game seed, where it is claimed, that of the seeds and the nonce?';
comment on column audit_api.v1_bets.outcome_result is 'Is the outcome what the game seed gives?';
comment on column audit_api.v1_bets.nonce_unique_result is 'Was the nonce new under its seeds, among the files audited together?';
comment on column audit_api.v1_bets.superseded is 'How often another claim or result stood here before.';
comment on column audit_api.v1_bets.audited_at is 'When what stands was first found, by the database''s clock.';

create view audit_api.v1_bet_findings as
select f.bet,
       (array['seed_hash','game_seed','outcome','nonce_unique'])[f.check_no + 1] as check_name,
       audit_api.result_name(f.result) as result,
       f.reason,
       f.expected,
       f.observed
from audit.offchain_bet_finding f;

comment on view audit_api.v1_bet_findings is 'One row a check of a bet that failed or could not be made.';
comment on column audit_api.v1_bet_findings.bet is 'The bet, as in v1_bets.';
comment on column audit_api.v1_bet_findings.check_name is 'seed_hash, game_seed, outcome or nonce_unique.';
comment on column audit_api.v1_bet_findings.result is 'fail or inconclusive.';
comment on column audit_api.v1_bet_findings.reason is 'Reason code.';
comment on column audit_api.v1_bet_findings.expected is 'What the rules give.';
comment on column audit_api.v1_bet_findings.observed is 'What was claimed.';

-- +goose StatementBegin
do $$
begin
    if exists (select from pg_roles where rolname = 'audit_read') then
        grant select on all tables in schema audit_api to audit_read;
    end if;
end $$;
-- +goose StatementEnd

-- +goose Down
drop view audit_api.v1_rounds, audit_api.v1_round_findings, audit_api.v1_round_gaps, audit_api.v1_bets, audit_api.v1_bet_findings;
drop function audit.offchain_verdict(integer);
drop table audit.offchain_round_finding, audit.offchain_round_was, audit.offchain_round, audit.offchain_chain,
    audit.offchain_bet_finding, audit.offchain_bet_was, audit.offchain_bet;

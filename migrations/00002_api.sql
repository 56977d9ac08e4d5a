-- The stable interface for dashboards: audit_api.v1_* and the role audit_read.

-- +goose Up
create schema audit_api;

-- base58 writes bytes the way Solana shows keys and signatures. Ten digits at
-- a time: 58^10 fits a bigint, and wide numeric division is the slow part.
-- +goose StatementBegin
create function audit_api.base58(raw bytea) returns text language plpgsql immutable strict parallel safe
set search_path = pg_catalog, pg_temp as $$
declare
    alphabet constant text := '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
    wide     numeric := 0;
    rest     bigint;
    digits   text := '';
    zeros    integer := 0;
begin
    for i in 0 .. length(raw) - 1 loop
        exit when get_byte(raw, i) <> 0;
        zeros := zeros + 1;
    end loop;
    for i in 0 .. length(raw) - 1 loop
        wide := wide * 256 + get_byte(raw, i);
    end loop;
    while wide > 0 loop
        rest := mod(wide, 430804206899405824);
        wide := div(wide, 430804206899405824);
        for i in 1 .. 10 loop
            exit when wide = 0 and rest = 0;
            digits := substr(alphabet, (rest % 58)::integer + 1, 1) || digits;
            rest := rest / 58;
        end loop;
    end loop;
    return repeat('1', zeros) || digits;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create function audit_api.verdict_name(v smallint) returns text language sql immutable parallel safe
return (array['pending','pass','fail','inconclusive','withdrawn'])[v + 1];
-- +goose StatementEnd
-- +goose StatementBegin
create function audit_api.result_name(r integer) returns text language sql immutable parallel safe
return (array['n/a','pass','fail','inconclusive'])[r + 1];
-- +goose StatementEnd
-- +goose StatementBegin
create function audit_api.check_name(c integer) returns text language sql immutable parallel safe
return (array['commit','slothash_kept','board','mine_count','mask_range','reveals_safe','bust_is_mine','bust_not_revealed',
                 'outcome','multiplier','payout','terms_kept','lifecycle','refund','void_right'])[c + 1];
-- +goose StatementEnd
-- +goose StatementBegin
create function audit_api.void_when_name(w smallint) returns text language sql immutable parallel safe
return (array[null,'before_timeout','after_timeout','unknown'])[w + 1];
-- +goose StatementEnd

-- In the words of v1_games, which are what makes the planner see it.
create index game_failed on audit.game (end_slot desc) where (case when ends > 0 or verdict = 3 then audit_api.verdict_name(verdict) end) = 'fail';

create view audit_api.v1_games as
select audit_api.base58(g.game)   as game,
       audit_api.base58(g."user") as "user",
       g.nonce,
       case when g.ends = 0 and g.verdict = 3 then 'hidden' when g.ends = 0 then 'open' when g.end_kind = 0 then 'settled' else 'voided' end as status,
       case when g.ends > 0 or g.verdict = 3 then audit_api.verdict_name(g.verdict) end as verdict,
       case when g.ends > 0 then g.end_slot <= w.frontier else g.verdict = 3 end as finalized,
       g.mines_count,
       g.stake,
       g.house_edge_bps,
       g.max_payout,
       g.refund_timeout,
       case when g.started_at between 0 and 253402300799 then to_timestamp(g.started_at) end as started_at,
       g.commit_hash,
       g.slothash,
       g.server_seed,
       g.mines_mask,
       g.revealed_mask,
       g.bust_tile,
       g.multiplier,
       g.payout,
       g.refund,
       audit_api.base58(g.authority) as authority,
       audit_api.void_when_name(g.void_when) as void_when,
       audit_api.base58(s.signature) as start_signature,
       g.start_slot,
       audit_api.base58(e.signature) as end_signature,
       g.end_slot,
       t.block_time as ended_at
from audit.game g
cross join audit.watch w
left join audit.tx s on s.id = g.start_tx
left join audit.tx e on e.id = g.end_tx
left join audit.slot_time t on t.slot = g.end_slot
where g.starts + g.ends > 0;

comment on view audit_api.v1_games is 'One row a game: what the program published and the standing verdict. Rates belong to the v1_*_hourly views, which count finalized games only.';
comment on column audit_api.v1_games.game is 'Address of the game, base58.';
comment on column audit_api.v1_games."user" is 'The player''s on-chain user account, base58; it may be program-derived.';
comment on column audit_api.v1_games.nonce is 'The user''s game counter, u64.';
comment on column audit_api.v1_games.status is 'open (start seen, no end), settled or voided, by the first end in chain order; hidden where no end was seen and a log that was cut short may hold one.';
comment on column audit_api.v1_games.verdict is 'pass, fail, inconclusive, or pending (ended, its start not seen yet); null while open.';
comment on column audit_api.v1_games.finalized is 'True once the ending event lies at or below the frontier.';
comment on column audit_api.v1_games.mines_count is 'Mines on the board, from the start event; null where the start was not seen.';
comment on column audit_api.v1_games.stake is 'Stake in base units, u64.';
comment on column audit_api.v1_games.house_edge_bps is 'House edge in basis points, from the start event.';
comment on column audit_api.v1_games.max_payout is 'Payout cap in base units, u64.';
comment on column audit_api.v1_games.refund_timeout is 'Seconds after which anyone may void.';
comment on column audit_api.v1_games.started_at is 'Time of the start as the program published it; null where that is no date.';
comment on column audit_api.v1_games.commit_hash is 'SHA-256 of the server seed, published at the start.';
comment on column audit_api.v1_games.slothash is 'Slot hash stored at the start.';
comment on column audit_api.v1_games.server_seed is 'Server seed, published at settlement.';
comment on column audit_api.v1_games.mines_mask is 'Mine mask as settled: bit t is tile t.';
comment on column audit_api.v1_games.revealed_mask is 'Revealed safe tiles as settled.';
comment on column audit_api.v1_games.bust_tile is 'The mine that was hit, 0 to 24; null for a cash-out.';
comment on column audit_api.v1_games.multiplier is 'Multiplier as settled, in the profile''s scale.';
comment on column audit_api.v1_games.payout is 'Payout as settled, base units.';
comment on column audit_api.v1_games.refund is 'Refund of a voided game, base units.';
comment on column audit_api.v1_games.authority is 'Who voided, base58.';
comment on column audit_api.v1_games.void_when is 'before_timeout, after_timeout or unknown for a voided game; else null.';
comment on column audit_api.v1_games.start_signature is 'Transaction of the start, base58.';
comment on column audit_api.v1_games.start_slot is 'Slot of the start.';
comment on column audit_api.v1_games.end_signature is 'Transaction of the first end, base58.';
comment on column audit_api.v1_games.end_slot is 'Slot of the first end.';
comment on column audit_api.v1_games.ended_at is 'Block time of that slot; null until the record gives it.';

-- A part for each result, so that a question about one reads no more than that.
-- What failed or could not be made has a finding each, and these are few.
create view audit_api.v1_checks as
select audit_api.base58(g.game)   as game,
       audit_api.base58(g."user") as "user",
       g.nonce,
       audit_api.check_name(f.check_no) as check_name,
       audit_api.result_name(f.result) as result,
       f.reason,
       f.expected,
       f.observed
from audit.finding f
join audit.game g on g.id = f.game and g.seq = f.seq
where (g.ends > 0 or g.verdict = 3)
union all
select audit_api.base58(g.game), audit_api.base58(g."user"), g.nonce, audit_api.check_name(c.no), 'pass', null, null, null
from audit.game g
cross join generate_series(0, 14) as c(no)
where (g.ends > 0 or g.verdict = 3) and (g.results >> (2 * c.no)) & 3 = 1
union all
select audit_api.base58(g.game), audit_api.base58(g."user"), g.nonce, audit_api.check_name(c.no), 'n/a', null, null, null
from audit.game g
cross join generate_series(0, 14) as c(no)
where (g.ends > 0 or g.verdict = 3) and (g.results >> (2 * c.no)) & 3 = 0;

comment on view audit_api.v1_checks is 'One row a check of each game that has ended, or may have in a log that was cut short, from its standing verdict.';
comment on column audit_api.v1_checks.game is 'Address of the game, base58.';
comment on column audit_api.v1_checks."user" is 'The player''s user account, base58.';
comment on column audit_api.v1_checks.nonce is 'The user''s game counter.';
comment on column audit_api.v1_checks.check_name is 'Name of the check, as in the README.';
comment on column audit_api.v1_checks.result is 'pass, fail, n/a (nothing to check) or inconclusive (could not be made).';
comment on column audit_api.v1_checks.reason is 'Reason code of a fail or inconclusive result.';
comment on column audit_api.v1_checks.expected is 'What the rules give; only for fail and inconclusive.';
comment on column audit_api.v1_checks.observed is 'What the program published; only for fail and inconclusive.';

create view audit_api.v1_coverage as
select w.audited_from,
       w.frontier,
       w.frontier_time,
       w.frontier_set_at,
       w.head,
       greatest(w.head - w.frontier, 0) as lag_slots,
       w.frontier >= w.audited_from as started,
       (select count(*) from audit.gap where filled_at is null) as open_gaps,
       (select count(*) from audit.unverifiable) as unverifiable_transactions,
       audit_api.base58(w.genesis_hash) as genesis_hash,
       audit_api.base58(w.program) as program,
       w.profile_hash
from audit.watch w;

comment on view audit_api.v1_coverage is 'What the statistics rest on: every transaction of the program in slots audited_from to frontier is in the record.';
comment on column audit_api.v1_coverage.audited_from is 'First slot that is audited. Nothing is known of the time before.';
comment on column audit_api.v1_coverage.frontier is 'Last slot that is complete and finalized.';
comment on column audit_api.v1_coverage.frontier_time is 'Latest block time known at or below the frontier.';
comment on column audit_api.v1_coverage.frontier_set_at is 'When the frontier last moved, by the database''s clock.';
comment on column audit_api.v1_coverage.head is 'Latest slot heard of when the frontier last moved.';
comment on column audit_api.v1_coverage.lag_slots is 'Head less frontier.';
comment on column audit_api.v1_coverage.started is 'False until the first history has been read completely.';
comment on column audit_api.v1_coverage.open_gaps is 'Ends of the subscription that the record has not passed yet.';
comment on column audit_api.v1_coverage.unverifiable_transactions is 'Transactions of the program whose log could not be read to its end.';
comment on column audit_api.v1_coverage.genesis_hash is 'The chain, by its genesis hash, base58.';
comment on column audit_api.v1_coverage.program is 'The program, base58.';
comment on column audit_api.v1_coverage.profile_hash is 'Hash of the profile that gave the rules.';

create view audit_api.v1_void_rate_hourly as
select nullif(hour, '-infinity') as hour,
       sum(n)::bigint as ended,
       coalesce(sum(n) filter (where kind = 1), 0)::bigint as voided,
       coalesce(sum(n) filter (where void_when = 1), 0)::bigint as voided_before_timeout,
       coalesce(sum(n) filter (where void_when = 2), 0)::bigint as voided_after_timeout,
       coalesce(sum(n) filter (where void_when = 3), 0)::bigint as voided_when_unknown,
       coalesce(sum(n) filter (where kind = 1), 0) / sum(n) as void_ratio,
       (select void_ceiling from audit.watch) as ceiling,
       (select audited_from from audit.watch) as audited_from,
       (select frontier from audit.watch) as frontier
from audit.rollup where kind in (0, 1) group by hour having sum(n) > 0;

comment on view audit_api.v1_void_rate_hourly is 'Voided games among all ended ones, by hour of the ending event; finalized only. Sum the counts over hours, never average the ratios.';
comment on column audit_api.v1_void_rate_hourly.hour is 'Start of the hour, chain time; null where the chain gives no time.';
comment on column audit_api.v1_void_rate_hourly.ended is 'Games that ended: settled or voided.';
comment on column audit_api.v1_void_rate_hourly.voided is 'Games that were voided.';
comment on column audit_api.v1_void_rate_hourly.voided_before_timeout is 'Voided before their refund timeout.';
comment on column audit_api.v1_void_rate_hourly.voided_after_timeout is 'Voided at or after it.';
comment on column audit_api.v1_void_rate_hourly.voided_when_unknown is 'Voided, with start or block time unknown.';
comment on column audit_api.v1_void_rate_hourly.void_ratio is 'voided / ended, 0 to 1.';
comment on column audit_api.v1_void_rate_hourly.ceiling is 'The profile''s void-rate ceiling; null where it sets none.';
comment on column audit_api.v1_void_rate_hourly.audited_from is 'First slot that is audited.';
comment on column audit_api.v1_void_rate_hourly.frontier is 'Last slot counted.';

create view audit_api.v1_mismatch_rate_hourly as
select nullif(hour, '-infinity') as hour,
       sum(n)::bigint as ended,
       coalesce(sum(n) filter (where verdict = 1), 0)::bigint as passed,
       coalesce(sum(n) filter (where verdict = 2), 0)::bigint as failed,
       coalesce(sum(n) filter (where verdict = 3), 0)::bigint as inconclusive,
       coalesce(sum(n) filter (where verdict = 2), 0) / nullif(sum(n) filter (where verdict in (1, 2)), 0) as mismatch_ratio,
       (select audited_from from audit.watch) as audited_from,
       (select frontier from audit.watch) as frontier
from audit.rollup group by hour having sum(n) > 0;

comment on view audit_api.v1_mismatch_rate_hourly is 'Failed games among those that could be judged, by hour of the ending event; finalized only.';
comment on column audit_api.v1_mismatch_rate_hourly.hour is 'Start of the hour, chain time; null where the chain gives no time.';
comment on column audit_api.v1_mismatch_rate_hourly.ended is 'Games that ended: settled or voided, or perhaps hidden in a log that was cut short.';
comment on column audit_api.v1_mismatch_rate_hourly.passed is 'Games of which every check that applies passed.';
comment on column audit_api.v1_mismatch_rate_hourly.failed is 'Games with a failed check.';
comment on column audit_api.v1_mismatch_rate_hourly.inconclusive is 'Games of which a required check could not be made.';
comment on column audit_api.v1_mismatch_rate_hourly.mismatch_ratio is 'failed / (passed + failed), 0 to 1; inconclusive games are in neither.';
comment on column audit_api.v1_mismatch_rate_hourly.audited_from is 'First slot that is audited.';
comment on column audit_api.v1_mismatch_rate_hourly.frontier is 'Last slot counted.';

-- The role may be beyond this user's rights: the record works without it, and
-- indexer migrate says so.
-- +goose StatementBegin
do $$
begin
    if not exists (select from pg_roles where rolname = 'audit_read') then
        create role audit_read nologin;
    end if;
    alter role audit_read set statement_timeout = '15s';
    alter role audit_read set idle_in_transaction_session_timeout = '30s';
    alter role audit_read set default_transaction_read_only = on;
exception
    -- internal_error: the same role is being set up from another database of the server.
    when insufficient_privilege or duplicate_object or unique_violation or internal_error then
        raise warning 'role audit_read was not set up: %', sqlerrm;
end $$;
-- +goose StatementEnd
-- +goose StatementBegin
do $$
begin
    if exists (select from pg_roles where rolname = 'audit_read') then
        grant usage on schema audit_api to audit_read;
        grant select on all tables in schema audit_api to audit_read;
    end if;
end $$;
-- +goose StatementEnd

-- +goose Down
drop schema audit_api cascade;

-- The record: one program on one chain. Enumerations are small integers whose
-- values are those of the Go types named beside them.

-- +goose Up
create schema audit;

-- What this database watches, and how far. One row, made at the first start.
create table audit.watch (
    one             boolean primary key default true check (one),
    genesis_hash    bytea not null check (length(genesis_hash) = 32),
    program         bytea not null check (length(program) = 32),
    profile_hash    text not null,
    void_ceiling    double precision,
    audited_from    bigint not null,
    frontier        bigint not null,
    frontier_time   timestamptz,
    frontier_set_at timestamptz not null default now(),
    head            bigint not null,
    epoch           bigint not null default 1, -- of the last writer to begin; see hold_epoch
    created_at      timestamptz not null default now(),
    check (frontier >= audited_from - 1)
);

-- Every signature seen, failed and event-less ones too.
create sequence audit.tx_id increment by 10000;
create table audit.tx (
    id        bigint primary key,           -- handed out by the writer in blocks of the sequence
    signature bytea not null unique check (length(signature) = 64),
    slot      bigint not null check (slot >= 0),
    log_state smallint not null,            -- decode.LogState
    failed    boolean not null,
    dropped   boolean not null default false,
    err       bytea                         -- the node's JSON of a failure; bytes, since a node may send anything
);
create index tx_slot on audit.tx (slot);

-- Why a transaction's log could not be read to its end, and the accounts that
-- it named: a game that lacks its start or end is looked for here. Dropped
-- transactions have no row.
create table audit.unverifiable (
    tx       bigint primary key,
    reason   text not null,
    accounts bytea[] not null
);
create index unverifiable_accounts on audit.unverifiable using gin (accounts);

-- Events as bytes. Key: transaction, source, ordinal over all data lines of
-- the program in that transaction. game is null where no key could be read.
create table audit.event (
    tx      bigint not null,
    ordinal integer not null,
    source  smallint not null,              -- 0 log, 1 log-msg, 2 cpi
    kind    smallint not null,              -- decode.Kind
    game    uuid,
    data    bytea not null,
    primary key (tx, source, ordinal)
);
create index event_game on audit.event (game) where game is not null;

-- A game as its events tell it: the first start and the first end by chain
-- order. id is the first half of sha256(game || user || le64(nonce)).
-- verdict and results repeat the standing row of audit.verdict for readers.
create table audit.game (
    id             uuid primary key,
    game           bytea not null,
    "user"         bytea not null,
    nonce          numeric(20,0) not null,
    starts         integer not null,        -- a program may emit any number
    ends           integer not null,
    start_tx       bigint,
    start_slot     bigint,
    mines_count    smallint,
    stake          numeric(20,0),
    commit_hash    bytea,
    slothash       bytea,
    house_edge_bps integer,
    max_payout     numeric(20,0),
    refund_timeout bigint,
    started_at     bigint,                  -- unix seconds as published: any i64
    end_tx         bigint,
    end_slot       bigint,
    end_kind       smallint,                -- verify.EndKind
    server_seed    bytea,
    end_slothash   bytea,
    mines_mask     bigint,
    revealed_mask  bigint,
    bust_tile      smallint,
    multiplier     numeric(20,0),
    payout         numeric(20,0),
    refund         numeric(20,0),
    authority      bytea,
    seq            integer,                 -- of the standing verdict; null before the first
    verdict        smallint not null,       -- verify.Verdict
    results        integer not null,        -- 2 bits a check, verify.Check i at bits 2i
    void_when      smallint not null        -- verify.VoidWhen
);
-- Ended games that the record may still decide: no start yet, or a void whose time is not known.
create index game_undecided on audit.game (end_slot) where (verdict = 0 and ends > 0) or void_when = 3;

-- Open games, to be found by the accounts of a transaction that may hide their end.
create index game_open on audit.game (game) where starts > 0 and ends = 0 and verdict = 0;

-- Verdicts are added, never edited: the highest seq of a game stands. A row
-- carries its rollup cell, so that what was counted can always be taken back.
create table audit.verdict (
    game        uuid not null,
    seq         integer not null,
    slot        bigint not null,            -- the latest slot among the events it rests on
    end_slot    bigint check (end_slot <= slot), -- of the ending event; null: withdrawn
    verdict     smallint not null,          -- verify.Verdict
    results     integer not null,
    rules       smallint not null,          -- verify.RulesVersion
    kind        smallint not null,          -- verify.EndKind
    mines_count smallint not null,          -- -1 unknown
    revealed    smallint not null,          -- safe tiles revealed, -1 not applicable
    lost        boolean not null,
    stake_band  smallint not null,          -- floor(log10(stake)); -1 zero, -2 unknown
    void_when   smallint not null,
    made_at     timestamptz not null default now(),
    primary key (game, seq)
);
create index verdict_slot on audit.verdict (slot);
-- The few that superseded another, for retention.
create index verdict_again on audit.verdict (slot) where seq > 0;

-- Expected and observed values, for checks that failed or could not be made.
create table audit.finding (
    game     uuid not null,
    seq      integer not null,
    check_no smallint not null,             -- verify.Check
    result   smallint not null,             -- verify.Result
    reason   text not null,
    expected text not null,
    observed text not null,
    primary key (game, seq, check_no)
);

-- Chain time, a row a slot with activity. Null: the node has none. Once a game
-- has been counted in its hour, or in none, its slot's row stays as it is.
create table audit.slot_time (
    slot       bigint primary key,
    block_time timestamptz
);

-- Counts of what lies at or below the frontier. hour is the ending event's;
-- '-infinity' where the chain gives no time.
create table audit.rollup (
    hour        timestamptz not null,
    kind        smallint not null,
    verdict     smallint not null,
    mines_count smallint not null,
    revealed    smallint not null,
    lost        boolean not null,
    stake_band  smallint not null,
    void_when   smallint not null,
    n           bigint not null,
    primary key (hour, kind, verdict, mines_count, revealed, lost, stake_band, void_when)
);
-- Its sums over hours and games: what is shown every few seconds costs no more
-- after years.
create table audit.total (
    verdict   smallint not null,
    kind      smallint not null,
    void_when smallint not null,
    n         bigint not null,
    primary key (verdict, kind, void_when)
);
create table audit.rollup_check (
    hour     timestamptz not null,
    check_no smallint not null,
    result   smallint not null,             -- fail and inconclusive only
    n        bigint not null,
    primary key (hour, check_no, result)
);

-- Every end of a subscription. Open until the record has passed to_slot.
create table audit.gap (
    id        bigint generated always as identity primary key,
    reason    text not null,
    detail    text not null,
    from_slot bigint not null,
    to_slot   bigint,                       -- first slot of the next subscription; null: still down
    opened_at timestamptz not null default now(),
    filled_at timestamptz
);
create index gap_open on audit.gap (id) where filled_at is null;

-- Functions are bound to what they name when they are made (return …), or have
-- a search path of their own: what others put into theirs does not bear on them.

-- u64 gives back the unsigned value of a 64-bit word that travelled as bigint.
-- +goose StatementBegin
create function audit.u64(word bigint) returns numeric language sql immutable parallel safe
return case when word < 0 then word::numeric + 18446744073709551616 else word::numeric end;
-- +goose StatementEnd

-- hold_epoch fails, and with it the whole batch, unless the writer that began
-- the epoch is still the last one. Its lock on the row makes the next writer
-- wait for the batch's commit before it begins, and so before it reads.
-- +goose StatementBegin
create function audit.hold_epoch(mine bigint) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform from audit.watch where epoch = mine for share;
    if not found then
        raise exception 'another writer has begun' using errcode = 'MA001';
    end if;
end $$;
-- +goose StatementEnd

-- move_frontier moves the frontier from where the writer believes it to be.
-- It fails, and with it the whole batch, if it is elsewhere.
-- +goose StatementBegin
create function audit.move_frontier(was bigint, becomes bigint, new_head bigint) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update audit.watch
       set frontier = becomes, head = greatest(head, new_head), frontier_set_at = now(),
           frontier_time = coalesce((select max(block_time) from audit.slot_time where slot > was and slot <= becomes), frontier_time)
     where frontier = was and becomes >= was;
    if not found then
        raise exception 'frontier is not at %', was using errcode = 'MA002';
    end if;
    update audit.gap set filled_at = now() where filled_at is null and to_slot <= becomes;
end $$;
-- +goose StatementEnd

-- +goose Down
drop schema audit cascade;

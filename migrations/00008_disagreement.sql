-- What two nodes said differently of the same thing, and what was not held against
-- a second node.

-- +goose Up
create table audit.disagreement (
    id           bigint generated always as identity primary key,
    kind         text not null,             -- store.DisagreementKind
    signature    bytea not null check (length(signature) = 64),
    slot         bigint not null,           -- as the first answer has it, else the second
    node         text not null,             -- the node that the record is read from, or where it had its answer from
    answer       text not null,
    other_node   text not null,
    other_answer text not null,
    settled      text not null,             -- store.Settled; empty: it stands open
    times        integer not null default 1,
    first_seen   timestamptz not null default now(),
    last_seen    timestamptz not null default now(),
    unique (signature, kind, node, other_node)
);

-- Slots, whole in the record or not, whose list no second node was asked for. They
-- are looked at again. One row a range; ranges do not overlap.
create table audit.unchecked (
    slots  int8range not null check (not isempty(slots)),
    reason text not null,
    since  timestamptz not null default now(),
    exclude using gist (slots with &&)
);

-- uncheck notes a range, joined with what it touches, which keeps its beginning and
-- takes over the reason.
-- +goose StatementBegin
create function audit.uncheck(added int8range, why text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    whole int8range := added;
    first timestamptz := now();
    held record;
begin
    for held in delete from audit.unchecked u where u.slots && added or u.slots -|- added returning u.* loop
        whole := range_merge(whole, held.slots);
        first := least(first, held.since);
    end loop;
    insert into audit.unchecked (slots, reason, since) values (whole, why, first);
end $$;
-- +goose StatementEnd

-- checked takes a range out again.
-- +goose StatementBegin
create function audit.checked(done int8range) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    rest int8range;
    held record;
begin
    for held in delete from audit.unchecked u where u.slots && done returning u.* loop
        for rest in select unnest(int8multirange(held.slots) - int8multirange(done)) loop
            insert into audit.unchecked (slots, reason, since) values (rest, held.reason, held.since);
        end loop;
    end loop;
end $$;
-- +goose StatementEnd

create view audit_api.v1_disagreements as
select d.id, d.kind, audit_api.base58(d.signature) as signature, d.slot, d.node, d.answer, d.other_node, d.other_answer,
       nullif(d.settled, '') as settled, d.times, d.first_seen, d.last_seen
from audit.disagreement d;

comment on view audit_api.v1_disagreements is 'One row a transaction of which two nodes said different things, at most 100000 rows. Which of them is wrong it does not say.';
comment on column audit_api.v1_disagreements.id is 'Number of the row, in the order in which they were found.';
comment on column audit_api.v1_disagreements.kind is 'unlisted: one lists it, the other does not. unknown: the other does not give it by name either. withheld: a node lists it and none gives it. slot, outcome, log: they give it otherwise. truncated: one log is the other cut short. stream: both agree, and the log subscription had told otherwise.';
comment on column audit_api.v1_disagreements.signature is 'The transaction, base58.';
comment on column audit_api.v1_disagreements.slot is 'Its slot, as the first node has it, or else the other.';
comment on column audit_api.v1_disagreements.node is 'Name of the node that the record is read from, or "subscription".';
comment on column audit_api.v1_disagreements.answer is 'What it said: slot, outcome and as much of the log as fits.';
comment on column audit_api.v1_disagreements.other_node is 'Name of the node that it was held against.';
comment on column audit_api.v1_disagreements.other_answer is 'What that one said.';
comment on column audit_api.v1_disagreements.settled is 'What the record holds since: stored (one hid it, the other gave it), longer (the longer log), majority (what a third node says too), agreed (what both say by now). Null: it stands open; of a transaction whose outcome or log is open the record believes neither node.';
comment on column audit_api.v1_disagreements.times is 'How often it was found.';
comment on column audit_api.v1_disagreements.first_seen is 'When it was first found, by the database''s clock.';
comment on column audit_api.v1_disagreements.last_seen is 'When it was last found.';

create view audit_api.v1_unchecked as
select lower(u.slots) as from_slot, upper(u.slots) - 1 as to_slot, u.reason, u.since from audit.unchecked u;

comment on view audit_api.v1_unchecked is 'Ranges of slots that are in the record on the word of one node alone, although several are configured: no other could be asked. Empty is good.';
comment on column audit_api.v1_unchecked.from_slot is 'First slot of the range.';
comment on column audit_api.v1_unchecked.to_slot is 'Last slot of the range.';
comment on column audit_api.v1_unchecked.reason is 'Why no second node was asked, the last time.';
comment on column audit_api.v1_unchecked.since is 'When the oldest part of the range was passed, by the database''s clock.';

-- +goose StatementBegin
do $$
begin
    if exists (select from pg_roles where rolname = 'audit_read') then
        grant select on audit_api.v1_disagreements, audit_api.v1_unchecked to audit_read;
    end if;
end $$;
-- +goose StatementEnd

-- +goose Down
drop view audit_api.v1_disagreements, audit_api.v1_unchecked;
drop function audit.uncheck(int8range, text);
drop function audit.checked(int8range);
drop table audit.disagreement, audit.unchecked;

-- Whose list the unchecked slots were covered by: another one's has to be asked.

-- +goose Up

alter table audit.unchecked add column node text;

-- uncheck notes a range by the list of a node, joined with what it touches of the same
-- node's, which keeps its beginning and takes over the reason. What was another's in the
-- range is by this one's list now.
drop function audit.uncheck(int8range, text);
-- +goose StatementBegin
create function audit.uncheck(added int8range, by text, why text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    whole int8range := added;
    first timestamptz := now();
    held record;
begin
    for held in delete from audit.unchecked u
        where u.slots -|- added and u.node is not distinct from by or u.slots && added returning u.* loop
        first := least(first, held.since);
        if held.node is not distinct from by then
            whole := range_merge(whole, held.slots);
        else
            insert into audit.unchecked (slots, node, reason, since)
            select r, held.node, held.reason, held.since from unnest(int8multirange(held.slots) - int8multirange(added)) r;
        end if;
    end loop;
    insert into audit.unchecked (slots, node, reason, since) values (whole, by, why, first);
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function audit.checked(done int8range) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    held record;
begin
    for held in delete from audit.unchecked u where u.slots && done returning u.* loop
        insert into audit.unchecked (slots, node, reason, since)
        select r, held.node, held.reason, held.since from unnest(int8multirange(held.slots) - int8multirange(done)) r;
    end loop;
end $$;
-- +goose StatementEnd

create or replace view audit_api.v1_unchecked as
select lower(u.slots) as from_slot, upper(u.slots) - 1 as to_slot, u.reason, u.since, u.node from audit.unchecked u;

comment on column audit_api.v1_unchecked.node is 'Name of the node whose list the range is covered by; null where it is not known.';

-- +goose Down
drop view audit_api.v1_unchecked;
drop function audit.uncheck(int8range, text, text);
alter table audit.unchecked drop column node;
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
-- +goose StatementBegin
create or replace function audit.checked(done int8range) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
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
        grant select on audit_api.v1_unchecked to audit_read;
    end if;
end $$;
-- +goose StatementEnd

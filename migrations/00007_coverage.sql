-- Which slots are in the record whole, and from where that is known: ranges that
-- do not overlap, and grow together as gaps between them close. A range that
-- could not be had says why.

-- +goose Up
create table audit.coverage (
    slots    int8range not null check (not isempty(slots) and lower(slots) >= 0 and not upper_inf(slots)),
    complete boolean not null,
    reason   text not null,                 -- why it is not complete; empty
    source   text not null,                 -- follow, backfill: what closed it last
    made_at  timestamptz not null default now(),
    exclude using gist (slots with &&)
);

-- cover adds a complete range, joins it with those that it touches, and takes
-- away what was said of it before. Callers hold the turn. Where it touches the
-- beginning of the audit that moves down: it is where completeness begins.
-- +goose StatementBegin
create function audit.cover(added int8range, by text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    whole int8range;
    rest int8range;
    held record;
begin
    if isempty(added) then
        return;
    end if;
    select range_merge(added, coalesce(range_merge(range_agg(c.slots)), added)) into whole
      from audit.coverage c where c.complete and (c.slots && added or c.slots -|- added);
    -- What could not be had lies in between at most, and is had now where it overlaps.
    for held in delete from audit.coverage c where c.slots && whole or (c.complete and c.slots -|- whole) returning c.* loop
        continue when held.complete;
        for rest in select unnest(multirange(held.slots) - multirange(whole)) loop
            insert into audit.coverage (slots, complete, reason, source, made_at) values (rest, false, held.reason, held.source, held.made_at);
        end loop;
    end loop;
    insert into audit.coverage (slots, complete, reason, source) values (whole, true, '', by);
    update audit.watch set audited_from = lower(whole)
     where lower(whole) < audited_from and whole @> audited_from - 1 and (whole @> audited_from or frontier = audited_from - 1);
end $$;
-- +goose StatementEnd

-- lack notes that a range could not be had, as far as it is not complete.
-- +goose StatementBegin
create function audit.lack(missing int8range, why text, by text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    rest int8range;
    held record;
begin
    for held in delete from audit.coverage c where not c.complete and c.slots && missing returning c.* loop
        for rest in select unnest(multirange(held.slots) - multirange(missing)) loop
            insert into audit.coverage (slots, complete, reason, source, made_at) values (rest, false, held.reason, held.source, held.made_at);
        end loop;
    end loop;
    for rest in select unnest(multirange(missing) - coalesce((select range_agg(c.slots) from audit.coverage c where c.complete), '{}'::int8multirange)) loop
        insert into audit.coverage (slots, complete, reason, source) values (rest, false, why, by);
    end loop;
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function audit.move_frontier(was bigint, becomes bigint, new_head bigint) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update audit.watch
       set frontier = becomes, head = greatest(head, new_head), frontier_set_at = now(),
           frontier_time = coalesce((select max(block_time) from audit.slot_time where slot > was and slot <= becomes), frontier_time)
     where frontier = was and becomes >= was;
    if not found then
        raise exception 'frontier is not at %', was using errcode = 'MA002';
    end if;
    update audit.gap set filled_at = now() where filled_at is null and to_slot <= becomes;
    perform audit.cover(int8range(was + 1, becomes + 1), 'follow');
end $$;
-- +goose StatementEnd

insert into audit.coverage (slots, complete, reason, source)
select int8range(audited_from, frontier + 1), true, '', 'follow' from audit.watch where frontier >= audited_from;

create view audit_api.v1_coverage_ranges as
select lower(slots) as from_slot, upper(slots) - 1 as to_slot, complete, nullif(reason, '') as reason, source, made_at
  from audit.coverage order by slots;
comment on view audit_api.v1_coverage_ranges is 'Which slots the record holds whole. Nothing is known of slots in no range.';
comment on column audit_api.v1_coverage_ranges.from_slot is 'First slot of the range.';
comment on column audit_api.v1_coverage_ranges.to_slot is 'Last slot of the range.';
comment on column audit_api.v1_coverage_ranges.complete is 'Every transaction of the program in the range is in the record. False: it was asked for and could not be had.';
comment on column audit_api.v1_coverage_ranges.reason is 'Why the range is not complete; null where it is.';
comment on column audit_api.v1_coverage_ranges.source is 'What closed the range last: follow (the daemon) or backfill.';
comment on column audit_api.v1_coverage_ranges.made_at is 'When the range got its present bounds.';

-- +goose StatementBegin
do $$
begin
    if exists (select from pg_roles where rolname = 'audit_read') then
        grant select on audit_api.v1_coverage_ranges to audit_read;
    end if;
end $$;
-- +goose StatementEnd

-- +goose Down
drop view audit_api.v1_coverage_ranges;
-- +goose StatementBegin
create or replace function audit.move_frontier(was bigint, becomes bigint, new_head bigint) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
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
drop function audit.lack(int8range, text, text);
drop function audit.cover(int8range, text);
drop table audit.coverage;

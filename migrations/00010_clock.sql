-- The queue of calls outlives a clock that is set back: what was to begin an hour
-- after it would else begin when the hour has come again.

-- +goose Up

-- When free was set, by the same clock. A clock that shows less has been set back.
alter table audit.call_queue add column told double precision not null default 0;

-- As before, but for the clock. It is read in the assignment, when the row is locked:
-- read before, it could be less than what another process has told meanwhile.
-- +goose StatementBegin
create or replace function audit.reserve_calls(which text, lasting double precision) returns double precision language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    ends double precision;
begin
    insert into audit.call_queue as q (node, free, told)
    values (which, extract(epoch from clock_timestamp()) + lasting, extract(epoch from clock_timestamp()))
    on conflict (node) do update set
        free = greatest(q.free - greatest(0, q.told - extract(epoch from clock_timestamp())), extract(epoch from clock_timestamp())) + lasting,
        told = extract(epoch from clock_timestamp())
    returning free into ends;
    return greatest(0, ends - lasting - extract(epoch from clock_timestamp()));
end $$;
-- +goose StatementEnd

-- +goose StatementBegin
create or replace function audit.hold_calls(which text, seconds double precision) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into audit.call_queue as q (node, free, told)
    values (which, extract(epoch from clock_timestamp()) + seconds, extract(epoch from clock_timestamp()))
    on conflict (node) do update set
        free = greatest(q.free - greatest(0, q.told - extract(epoch from clock_timestamp())), extract(epoch from clock_timestamp()) + seconds),
        told = extract(epoch from clock_timestamp());
end $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
create or replace function audit.reserve_calls(which text, lasting double precision) returns double precision language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    ends double precision;
begin
    insert into audit.call_queue as q (node, free) values (which, extract(epoch from clock_timestamp()) + lasting)
    on conflict (node) do update set free = greatest(q.free, extract(epoch from clock_timestamp())) + lasting
    returning free into ends;
    return greatest(0, ends - lasting - extract(epoch from clock_timestamp()));
end $$;
-- +goose StatementEnd
-- +goose StatementBegin
create or replace function audit.hold_calls(which text, seconds double precision) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into audit.call_queue as q (node, free) values (which, extract(epoch from clock_timestamp()) + seconds)
    on conflict (node) do update set free = greatest(q.free, extract(epoch from clock_timestamp()) + seconds);
end $$;
-- +goose StatementEnd
alter table audit.call_queue drop column told;

-- History that any number of processes read: their jobs, and what they may ask of a
-- node together.

-- +goose Up

-- Tables in here are the job queue's own: it makes and changes them itself.
create schema audit_jobs;

-- When the next call to each node may be made. One row a node; losing them costs
-- one burst.
create table audit.call_queue (
    node text primary key,                  -- its name, or a hash of its host
    free double precision not null          -- unix seconds, by the database's clock
);

-- reserve_calls takes a place that lasts so many seconds at the end of a node's queue,
-- and gives the seconds until it begins. It does not wait for it.
-- +goose StatementBegin
create function audit.reserve_calls(which text, lasting double precision) returns double precision language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    ends double precision;
begin
    insert into audit.call_queue as q (node, free) values (which, extract(epoch from clock_timestamp()) + lasting)
    on conflict (node) do update set free = greatest(q.free, extract(epoch from clock_timestamp())) + lasting
    returning free into ends;
    return greatest(0, ends - lasting - extract(epoch from clock_timestamp()));
end $$;
-- +goose StatementEnd

-- hold_calls keeps a node's queue empty for some seconds from now.
-- +goose StatementBegin
create function audit.hold_calls(which text, seconds double precision) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into audit.call_queue as q (node, free) values (which, extract(epoch from clock_timestamp()) + seconds)
    on conflict (node) do update set free = greatest(q.free, extract(epoch from clock_timestamp()) + seconds);
end $$;
-- +goose StatementEnd

-- +goose Down
drop function audit.hold_calls(text, double precision);
drop function audit.reserve_calls(text, double precision);
drop table audit.call_queue;
drop schema audit_jobs cascade;

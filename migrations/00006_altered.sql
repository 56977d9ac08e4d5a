-- What a re-audit found of games whose stored events no longer give what was
-- stored with them: somebody, or a fault of the disk, has altered the record
-- after it was written. No verdict is made of such a game and no count changes.

-- +goose Up
create table audit.altered (
    game      uuid not null,
    what      text not null,             -- key, kind, row, no_row, standing
    tx        bigint,                    -- of the event; null where it is not one event
    detail    text not null,
    found_at  timestamptz not null default now(),
    primary key (game, what)
);

create view audit_api.v1_altered as
select g.game is null as row_missing,
       audit_api.base58(g.game) as game,
       audit_api.base58(g."user") as "user",
       g.nonce,
       a.what,
       audit_api.base58(t.signature) as signature,
       a.detail,
       a.found_at
from audit.altered a left join audit.game g on g.id = a.game left join audit.tx t on t.id = a.tx;

comment on view audit_api.v1_altered is 'One row a contradiction between the stored events of a game and what was stored with them, as re-audits found it; it is gone once a re-audit finds the game in order again. The game''s verdict is the one from before.';
comment on column audit_api.v1_altered.row_missing is 'True where events are stored of a game that has no row.';
comment on column audit_api.v1_altered.game is 'Address of the game, base58.';
comment on column audit_api.v1_altered."user" is 'The player''s user account, base58; null where it is not published.';
comment on column audit_api.v1_altered.nonce is 'The user''s game counter; null where it is not published.';
comment on column audit_api.v1_altered.what is 'key: an event''s bytes are of another game. kind: they are no event of the stored kind. row: the events give another row. no_row: there is none. standing: the row does not show the verdict that stands.';
comment on column audit_api.v1_altered.signature is 'Transaction of the event, base58; a node has its true bytes. Null where it is not one event.';
comment on column audit_api.v1_altered.detail is 'What was found.';
comment on column audit_api.v1_altered.found_at is 'When a re-audit first found it, by the database''s clock.';

-- +goose StatementBegin
do $$
begin
    if exists (select from pg_roles where rolname = 'audit_read') then
        grant select on audit_api.v1_altered to audit_read;
    end if;
end $$;
-- +goose StatementEnd

-- +goose Down
drop view audit_api.v1_altered;
drop table audit.altered;

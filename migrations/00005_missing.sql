-- Programs that do not publish every field: their games have nulls.

-- +goose Up
alter table audit.game alter "user" drop not null, alter nonce drop not null;

comment on view audit_api.v1_games is 'One row a game: what the program published and the standing verdict. A column of a field that the program does not publish is null. Rates belong to the v1_*_hourly views, which count finalized games only.';
comment on column audit_api.v1_games."user" is 'The player''s on-chain user account, base58; it may be program-derived. Null where it is not published.';
comment on column audit_api.v1_games.nonce is 'The user''s game counter, u64; null where it is not published.';
comment on column audit_api.v1_games.mines_count is 'Mines on the board, from the start event; null where the start was not seen or does not tell.';
comment on column audit_api.v1_games.house_edge_bps is 'House edge from the start event, in parts of the profile''s edge scale: basis points unless that says otherwise.';
comment on column audit_api.v1_games.bust_tile is 'The mine that was hit, 0 to 24; null for a cash-out, or where it is not published.';
comment on column audit_api.v1_checks."user" is 'The player''s user account, base58; null where it is not published.';
comment on column audit_api.v1_checks.nonce is 'The user''s game counter; null where it is not published.';
comment on column audit_api.v1_void_rate_hourly.voided_when_unknown is 'Voided, with the start, a time of it or the block time unknown.';

-- +goose Down
update audit.game set "user" = coalesce("user", decode(repeat('00', 32), 'hex')), nonce = coalesce(nonce, 0) where "user" is null or nonce is null;
alter table audit.game alter "user" set not null, alter nonce set not null;

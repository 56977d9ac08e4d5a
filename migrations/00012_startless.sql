-- Games without a start, to be found by the accounts of a transaction that may hide it
-- and that comes to the record late.

-- +goose Up
create index game_startless on audit.game (game) where starts = 0;

-- +goose Down
drop index audit.game_startless;

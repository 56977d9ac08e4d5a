-- What the player's account gained in the transaction of a settlement that does
-- not publish its payout, where the profile takes that for it.

-- +goose Up
alter table audit.event add column paid numeric(20,0);

-- +goose Down
alter table audit.event drop column paid;

package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Altered is a contradiction between the stored events of a game and what was
// stored with them.
type Altered struct {
	Game   GameID
	What   string // key, kind, row, no_row or standing; at most one of each a game is kept
	Tx     int64  // of the event; 0 where it is not one event
	Detail string
}

// Altered lists the games of which contradictions are on record.
func (s *Store) Altered(ctx context.Context) (map[GameID]bool, error) {
	rows, err := s.pool.Query(ctx, `select distinct game from audit.altered`)
	if err != nil {
		return nil, fmt.Errorf("list altered games: %w", err)
	}
	games := map[GameID]bool{}
	var id GameID
	if _, err := pgx.ForEachRow(rows, []any{&id}, func() error { games[id] = true; return nil }); err != nil {
		return nil, fmt.Errorf("list altered games: %w", err)
	}
	return games, nil
}

// NoteAltered puts contradictions on record, and takes those away of games that
// are in order again. One that is on record keeps the time at which it was found.
// It is done in one transaction, and counts rest on none of it.
func (s *Store) NoteAltered(ctx context.Context, found []Altered, inOrder []GameID) error {
	if len(found)+len(inOrder) == 0 {
		return nil
	}
	n := len(found)
	game, what, detail := make(array[GameID], n), make(array[string], n), make(array[string], n)
	tx := make(array[*int64], n)
	for i := range found {
		a := &found[i]
		game[i], what[i], detail[i] = a.Game, a.What, printable(a.Detail)
		if a.Tx != 0 {
			tx[i] = &a.Tx
		}
	}
	q := &pgx.Batch{}
	q.Queue(`delete from audit.altered where game = any($1)`, array[GameID](inOrder))
	q.Queue(`insert into audit.altered (game, what, tx, detail)
		select distinct on (game, what) * from unnest($1::uuid[], $2::text[], $3::bigint[], $4::text[]) as u(game, what, tx, detail) order by game, what
		on conflict (game, what) do update set tx = excluded.tx, detail = excluded.detail`, game, what, tx, detail)
	if err := s.pool.SendBatch(ctx, q).Close(); err != nil {
		return fmt.Errorf("note altered games: %w", err)
	}
	return nil
}

// CountGames counts the games that have a row; with since above 0 those of which
// [Reading.Games] gives.
func (s *Store) CountGames(ctx context.Context, since int64) (n int64, err error) {
	query, args := `select count(*) from audit.game g`, []any{}
	if since > 0 {
		query, args = query+` where greatest(g.start_slot, g.end_slot) >= $1`, append(args, since)
	}
	if err := s.pool.QueryRow(ctx, query, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("count games: %w", err)
	}
	return n, nil
}

// SlotAt gives the first slot whose block time is at or after some unix time, as
// far as the record has times; false where it has none so late.
func (s *Store) SlotAt(ctx context.Context, unix int64) (slot int64, ok bool, err error) {
	var found *int64
	err = s.pool.QueryRow(ctx, `select min(slot) from audit.slot_time where block_time >= to_timestamp($1::bigint)`, unix).Scan(&found)
	if err != nil {
		return 0, false, fmt.Errorf("look for a slot by its time: %w", err)
	}
	if found == nil {
		return 0, false, nil
	}
	return *found, true, nil
}

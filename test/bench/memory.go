//go:build bench

package bench

import (
	"context"
	"fmt"
)

// Memory measures the daemon's peak resident set over many games, and what they
// take on disk.
func (b *Bench) Memory(ctx context.Context) error {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return err
	}
	empty, err := db.count(ctx, `select pg_database_size(current_database())`)
	if err != nil {
		return err
	}
	f, err := b.follow(ctx, db, b.MemoryGames, true)
	if err != nil {
		return fmt.Errorf("follow %d games: %w", b.MemoryGames, err)
	}
	r := &b.Report
	r.Figure(fmt.Sprintf("memory: peak resident set over %s games", short(f.games)), "MiB", f.peakMiB)
	r.Figure("memory: speed meanwhile", "games/s", f.games/f.seconds)
	r.Figure("memory: transactions a game", "", f.transactions/f.games)
	full, err := db.count(ctx, `select pg_database_size(current_database())`)
	if err != nil {
		return err
	}
	r.Figure("disk: a million games", "MB", megabytes(full-empty, f.games))
	rows, err := db.Query(ctx, `select c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid)
		from pg_class c where c.relnamespace = 'audit'::regnamespace and c.relkind = 'r'
		order by pg_total_relation_size(c.oid) desc limit 5`)
	if err != nil {
		return fmt.Errorf("measure the tables: %w", err)
	}
	for rows.Next() {
		var name string
		var table, indexes int64
		if err := rows.Scan(&name, &table, &indexes); err != nil {
			return fmt.Errorf("measure the tables: %w", err)
		}
		r.Figure("disk: of these "+name+", rows", "MB", megabytes(table, f.games))
		r.Figure("disk: of these "+name+", indexes", "MB", megabytes(indexes, f.games))
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("measure the tables: %w", err)
	}
	r.AtMost("memory: peak resident set, MiB", f.peakMiB, 150)
	return b.drop(ctx, db)
}

// megabytes scales bytes to a million games.
func megabytes(bytes int64, games float64) float64 { return float64(bytes) / games }

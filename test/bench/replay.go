//go:build bench

package bench

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// replay is what a record's transactions wrote, ready for COPY: the rows of each
// transaction as they stand, in the order in which it wrote them. A row that was
// written twice (a game's, at its start and its end) is there once, with the
// transaction that wrote it last.
type replay struct {
	tables  []string // in the order in which they were made
	batches []replayBatch
	rows    map[string]int64 // by table
}

type replayBatch struct {
	xid   int64
	parts map[string][]byte // by table, in COPY's binary format
}

// capture reads a record into memory. Nobody may be writing to it.
func capture(ctx context.Context, db *database) (*replay, error) {
	r := &replay{rows: map[string]int64{}}
	if err := r.list(ctx, db); err != nil {
		return nil, err
	}
	var ids []string
	for _, table := range r.tables {
		ids = append(ids, "select xmin::text::bigint as id from "+table)
	}
	rows, err := db.Query(ctx, `select distinct id from (`+strings.Join(ids, " union all ")+`) as t order by id`)
	if err != nil {
		return nil, fmt.Errorf("list the record's transactions: %w", err)
	}
	for rows.Next() {
		b := replayBatch{parts: map[string][]byte{}}
		if err := rows.Scan(&b.xid); err != nil {
			return nil, fmt.Errorf("list the record's transactions: %w", err)
		}
		r.batches = append(r.batches, b)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list the record's transactions: %w", err)
	}
	for _, b := range r.batches {
		for _, table := range r.tables {
			var part bytes.Buffer
			query := fmt.Sprintf(`copy (select t.* from %s t where xmin = '%d'::xid order by ctid) to stdout (format binary)`, table, b.xid)
			tag, err := db.PgConn().CopyTo(ctx, &part, query)
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", table, err)
			}
			if tag.RowsAffected() > 0 {
				b.parts[table] = part.Bytes()
				r.rows[table] += tag.RowsAffected()
			}
		}
	}
	return r, nil
}

// list names the tables that grow with games: all but the one-row watch, and gap,
// which has nothing to do with them.
func (r *replay) list(ctx context.Context, db *database) error {
	rows, err := db.Query(ctx, `select 'audit.' || relname from pg_class
		where relnamespace = 'audit'::regnamespace and relkind = 'r' and relname not in ('watch', 'gap') order by oid`)
	if err != nil {
		return fmt.Errorf("list the tables: %w", err)
	}
	if r.tables, err = pgx.CollectRows(rows, pgx.RowTo[string]); err != nil {
		return fmt.Errorf("list the tables: %w", err)
	}
	return nil
}

// commits is how many transactions wrote rows.
func (r *replay) commits() int { return len(r.batches) }

// empty makes room: empty tables, indexes and all, on a server at rest.
func (r *replay) empty(ctx context.Context, db *database) error {
	if _, err := db.Exec(ctx, `truncate `+strings.Join(r.tables, ", ")); err != nil {
		return fmt.Errorf("empty the tables: %w", err)
	}
	return db.checkpoint(ctx)
}

// run fills the tables again and gives the seconds that it took.
func (r *replay) run(ctx context.Context, db *database) (float64, error) {
	began := time.Now()
	for _, b := range r.batches {
		if err := b.write(ctx, db, r.tables); err != nil {
			return 0, err
		}
	}
	return time.Since(began).Seconds(), nil
}

// verify fails if a table does not hold as many rows as were read.
func (r *replay) verify(ctx context.Context, db *database) error {
	for _, table := range r.tables {
		n, err := db.count(ctx, `select count(*) from `+table)
		if err != nil {
			return err
		}
		if n != r.rows[table] {
			return fmt.Errorf("%s has %d rows after COPY of %d", table, n, r.rows[table])
		}
	}
	return nil
}

func (b *replayBatch) write(ctx context.Context, db *database, tables []string) error {
	tx, err := db.Begin(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(ctx) }() // does nothing once committed
	for _, table := range tables {
		part := b.parts[table]
		if len(part) == 0 {
			continue
		}
		if _, err := db.PgConn().CopyFrom(ctx, bytes.NewReader(part), `copy `+table+` from stdin (format binary)`); err != nil {
			return fmt.Errorf("copy into %s: %w", table, err)
		}
	}
	if err := tx.Commit(ctx); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

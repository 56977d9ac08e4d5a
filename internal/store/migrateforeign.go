package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5/pgconn"
)

// ErrForeignSchema means that the database has a schema of one of our names that no
// migration of ours has made. No waiting mends it: see Refused.
var ErrForeignSchema = errors.New("this database has a schema that is not ours")

// Each question is one statement, so that what another indexer migrates meanwhile is seen
// whole or not at all: a migration makes its schema and its version's row in one
// transaction, and the table of versions is there before.
const (
	// foreignBeside asks where versions are on record: audit is the first migration's,
	// audit_api the second's.
	foreignBeside = `select coalesce(string_agg(nspname, ', ' order by nspname), '') from pg_namespace
		where (select coalesce(max(version_id), 0) from minesaudit_schema where is_applied) < case nspname when 'audit' then 1 when 'audit_api' then 2 end`
	// foreignAlone asks where none are.
	foreignAlone = `select coalesce(string_agg(nspname, ', ' order by nspname), '') from pg_namespace
		where nspname in ('audit', 'audit_api')
			and not exists (select from pg_class where relname = 'minesaudit_schema' and pg_table_is_visible(oid))`
)

// ours fails with ErrForeignSchema where a migration would meet a schema of its name.
// Nothing is changed.
func (s *Store) ours(ctx context.Context) error {
	var foreign string
	err := s.pool.QueryRow(ctx, foreignBeside).Scan(&foreign)
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && pg.Code == undefinedTable {
		err = s.pool.QueryRow(ctx, foreignAlone).Scan(&foreign)
	}
	switch {
	case err != nil:
		return fmt.Errorf("look for schemas: %w", err)
	case foreign != "":
		return fmt.Errorf("%w: %s: use a database of its own", ErrForeignSchema, foreign)
	}
	return nil
}

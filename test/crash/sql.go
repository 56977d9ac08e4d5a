//go:build crash

package crash

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// endSessions ends every session of a database but its own.
func endSessions(ctx context.Context, dsn string) error {
	return execute(ctx, dsn, `select pg_terminate_backend(pid, 60000) from pg_stat_activity
		where datname = current_database() and pid <> pg_backend_pid()`)
}

// execute runs statements on a session of its own, one after the other.
func execute(ctx context.Context, dsn string, statements ...string) error {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return err
	}
	cfg.RuntimeParams["default_transaction_read_only"] = "off"
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, s := range statements {
		if _, err := conn.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// count asks a database for a number.
func count(ctx context.Context, dsn, query string, args ...any) (n int64, err error) {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return n, conn.QueryRow(ctx, query, args...).Scan(&n)
}

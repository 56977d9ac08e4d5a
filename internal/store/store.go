package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"minesaudit/migrations"
)

// Outcomes that a caller acts on.
var (
	// ErrSchemaNewer means that a newer indexer has migrated the database.
	ErrSchemaNewer = errors.New("the database's schema is newer than this indexer")
	// ErrSchemaOlder means that migrations are to be applied.
	ErrSchemaOlder = errors.New("the database's schema is older than this indexer")
	// ErrReadOnly means that the server takes no writes: a standby, or default_transaction_read_only.
	ErrReadOnly = errors.New("the database is read-only")
	// ErrLocked means that another daemon writes to the database.
	ErrLocked = errors.New("another indexer writes to this database")
	// ErrFrontierMoved means that the frontier is not where a batch took it from.
	ErrFrontierMoved = errors.New("the frontier has been moved")
	// ErrStored means that a transaction thought to be new has a row.
	ErrStored = errors.New("a transaction is stored already")
	// ErrOtherWatch means that the database belongs to another chain, program or profile.
	ErrOtherWatch = errors.New("the database watches something else")
	// ErrNoWatch means that no daemon has bound the database to a program yet.
	ErrNoWatch = errors.New("the database watches nothing yet")
)

// Store reads the record through a pool of connections. It is safe for
// concurrent use. Writing is Writer's.
type Store struct {
	pool *pgxpool.Pool

	mu     sync.Mutex
	last   backend // that of the writer opened last
	leader sighting
}

// Open prepares a pool for a PostgreSQL URL or key=value string; it does not
// connect yet, so that a server that is down is no error here.
func Open(dsn string) (*Store, error) {
	cfg, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("database url: %w", err)
	}
	cfg.MaxConns = 4
	pool, err := pgxpool.NewWithConfig(context.Background(), cfg)
	if err != nil {
		return nil, fmt.Errorf("database pool: %w", err)
	}
	return &Store{pool: pool}, nil
}

// Close ends the pool's connections.
func (s *Store) Close() { s.pool.Close() }

// Migrate brings the schema up to date and returns its version. Several
// processes may call it at once: a session lock lets one work. It fails with
// ErrSchemaNewer, ErrReadOnly or ErrForeignSchema, with nothing changed.
func (s *Store) Migrate(ctx context.Context) (int64, error) {
	if err := s.writable(ctx); err != nil {
		return 0, err
	}
	if err := s.ours(ctx); err != nil {
		return 0, err
	}
	db := stdlib.OpenDBFromPool(s.pool)
	defer func() { _ = db.Close() }()
	provider, err := newProvider(db)
	if err != nil {
		return 0, err
	}
	have, want, err := versions(ctx, provider)
	if err != nil {
		return 0, err
	}
	if have > want {
		return have, fmt.Errorf("%w: version %d, known here up to %d; use a newer indexer", ErrSchemaNewer, have, want)
	}
	if _, err := provider.Up(ctx); err != nil {
		return have, fmt.Errorf("migrate from version %d: %w", have, err)
	}
	CrashAt(CrashMigrated)
	return want, nil
}

// Ready reports whether the database answers and its schema is this binary's:
// nil, ErrSchemaNewer, ErrSchemaOlder or what kept it from answering.
func (s *Store) Ready(ctx context.Context) error {
	want, err := newest()
	if err != nil {
		return err
	}
	var have int64
	err = s.pool.QueryRow(ctx, `select coalesce(max(version_id), 0) from minesaudit_schema where is_applied`).Scan(&have)
	if pg := (*pgconn.PgError)(nil); errors.As(err, &pg) && pg.Code == undefinedTable {
		have, err = 0, nil
	}
	switch {
	case err != nil:
		return fmt.Errorf("read the schema's version: %w", err)
	case have > want:
		return fmt.Errorf("%w: version %d, known here up to %d", ErrSchemaNewer, have, want)
	case have < want:
		return fmt.Errorf("%w: version %d of %d; run indexer migrate", ErrSchemaOlder, have, want)
	}
	return nil
}

// undefinedTable is the SQLSTATE of a table that is not there.
const undefinedTable = "42P01"

// newest is the version of the last migration in this binary.
func newest() (int64, error) {
	files, err := migrations.FS.ReadDir(".")
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	var last int64
	for _, f := range files {
		version, err := goose.NumericComponent(f.Name())
		if err != nil {
			return 0, fmt.Errorf("read migrations: %s: %w", f.Name(), err)
		}
		last = max(last, version)
	}
	return last, nil
}

func (s *Store) writable(ctx context.Context) error {
	var readOnly string
	if err := s.pool.QueryRow(ctx, `show transaction_read_only`).Scan(&readOnly); err != nil {
		return fmt.Errorf("connect to the database: %w", err)
	}
	if readOnly == "on" {
		return fmt.Errorf("%w: connect to the primary, or set default_transaction_read_only off for this user", ErrReadOnly)
	}
	return nil
}

func newProvider(db *sql.DB) (*goose.Provider, error) {
	// Asked for every second, five minutes long.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, fmt.Errorf("migration lock: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectPostgres, db, migrations.FS, goose.WithSessionLocker(locker),
		goose.WithTableName("minesaudit_schema")) // a name of our own: the database may be shared
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

func versions(ctx context.Context, p *goose.Provider) (have, want int64, err error) {
	have, want, err = p.GetVersions(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return have, want, nil
}

// noRows turns pgx's sentinel into one of ours.
func noRows(err, as error) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return as
	}
	return err
}

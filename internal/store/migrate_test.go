package store

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
)

func TestMigrateTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	before := schemaOf(t, r)
	version, err := r.Migrate(bounded(t))
	if err != nil || version != latest(t) {
		t.Fatalf("the second time: version %d, %v", version, err)
	}
	if after := schemaOf(t, r); after != before {
		t.Errorf("the schema was\n%s\nand is\n%s", before, after)
	}
	if err := r.Ready(bounded(t)); err != nil {
		t.Errorf("ready after migrating: %v", err)
	}
}

// schemaOf lists all relations, columns and functions outside PostgreSQL's own.
func schemaOf(t *testing.T, r *record) string {
	t.Helper()
	var b strings.Builder
	for _, row := range rows(t, r, `select n.nspname || '.' || c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
		from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
		where n.nspname in ('public', 'audit', 'audit_api') and a.attnum > 0
		union all select n.nspname || '.' || p.proname, pg_get_function_identity_arguments(p.oid), p.prosrc
		from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('public', 'audit', 'audit_api')
		order by 1, 2`) {
		fmt.Fprintln(&b, row)
	}
	return b.String()
}

func TestManyMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for range 3 {
		dsn := pgtest.URL(t)
		var all sync.WaitGroup
		for range 4 {
			s := open(t, dsn)
			all.Go(func() {
				if version, err := s.Migrate(bounded(t)); err != nil || version != latest(t) {
					t.Errorf("one of four: version %d, %v", version, err)
				}
			})
		}
		all.Wait()
	}
}

// Databases of one server share their roles, and no lock of one database
// keeps those who migrate another away.
func TestManyDatabasesMigrateAtOnce(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t)
	for round := range 2 {
		var all sync.WaitGroup
		for i := range 4 {
			name := fmt.Sprintf("db_%d_%d", round, i)
			if err := server.CreateDatabase(bounded(t), name); err != nil {
				t.Fatal(err)
			}
			s := open(t, server.URL(name))
			all.Go(func() {
				if _, err := s.Migrate(bounded(t)); err != nil {
					t.Errorf("one of four databases: %v", err)
				}
			})
		}
		all.Wait()
	}

	// The narrowest moment: another session has changed the role and not yet committed.
	if err := server.CreateDatabase(bounded(t), "other"); err != nil {
		t.Fatal(err)
	}
	rival, observer := session(t, server.URL("postgres")), session(t, server.URL("postgres"))
	if _, err := rival.Exec(bounded(t), `begin; alter role audit_read set statement_timeout = '14s'`); err != nil {
		t.Fatal(err)
	}
	s := open(t, server.URL("other"))
	migrated := make(chan error, 1)
	go func() {
		_, err := s.Migrate(bounded(t))
		migrated <- err
	}()
	eventually(t, "the migration waits for the role", func() bool {
		var waits bool
		err := observer.QueryRow(bounded(t), `select exists (select from pg_stat_activity where datname = 'other' and wait_event_type = 'Lock')`).Scan(&waits)
		return err == nil && waits
	})
	if _, err := rival.Exec(bounded(t), `commit`); err != nil {
		t.Fatal(err)
	}
	if err := <-migrated; err != nil {
		t.Errorf("while another session set the role up: %v", err)
	}
}

func TestNewerSchemaIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	r.exec(t, `insert into minesaudit_schema (version_id, is_applied) values (99, true)`)
	before := schemaOf(t, r)
	if _, err := r.Migrate(bounded(t)); !errors.Is(err, ErrSchemaNewer) {
		t.Errorf("migrate: %v, want ErrSchemaNewer", err)
	}
	if err := r.Ready(bounded(t)); !errors.Is(err, ErrSchemaNewer) {
		t.Errorf("ready: %v, want ErrSchemaNewer", err)
	}
	if after := schemaOf(t, r); after != before {
		t.Errorf("the schema was\n%s\nand is\n%s", before, after)
	}
}

func TestOlderSchemaIsNotReady(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	r.exec(t, `delete from minesaudit_schema where version_id = $1`, latest(t))
	if err := r.Ready(bounded(t)); !errors.Is(err, ErrSchemaOlder) {
		t.Errorf("one version behind: %v, want ErrSchemaOlder", err)
	}
	empty := open(t, pgtest.URL(t))
	if err := empty.Ready(bounded(t)); !errors.Is(err, ErrSchemaOlder) {
		t.Errorf("an empty database: %v, want ErrSchemaOlder", err)
	}
}

func TestReadOnlyDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	name := scan[string](t, r, `select current_database()`)
	r.exec(t, `alter database `+name+` set default_transaction_read_only = on`)
	s := open(t, r.dsn)
	if _, err := s.Migrate(bounded(t)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("migrate: %v, want ErrReadOnly", err)
	}
	if _, err := s.OpenWriter(bounded(t)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("open a writer: %v, want ErrReadOnly", err)
	}
	if err := s.Ready(bounded(t)); err != nil {
		t.Errorf("a database that can be read is not ready: %v", err)
	}
	empty := pgtest.URL(t)
	conn := session(t, empty)
	if _, err := conn.Exec(bounded(t), `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, empty).Migrate(bounded(t)); !errors.Is(err, ErrReadOnly) {
		t.Errorf("migrate an empty one: %v, want ErrReadOnly", err)
	}
}

func TestDownAndUpAgain(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, v := settled(key(1), 5, 1)
	r.commit(t, &Batch{Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 0, Becomes: 9}})
	before := schemaOf(t, r)
	provider, err := newProvider(stdDB(t, r.Store))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.DownTo(bounded(t), 0); err != nil {
		t.Fatalf("down: %v", err)
	}
	if n := scan[int](t, r, `select count(*)::int from pg_namespace where nspname like 'audit%'`); n != 0 {
		t.Errorf("%d schemas are left", n)
	}
	if err := r.Ready(bounded(t)); !errors.Is(err, ErrSchemaOlder) {
		t.Errorf("ready after down: %v, want ErrSchemaOlder", err)
	}
	if _, err := r.Migrate(bounded(t)); err != nil {
		t.Fatalf("up again: %v", err)
	}
	if after := schemaOf(t, r); after != before {
		t.Errorf("the schema was\n%s\nand is\n%s", before, after)
	}
}

// latest is the version of the last migration.
func latest(t testing.TB) int64 {
	t.Helper()
	version, err := newest()
	if err != nil || version < 6 {
		t.Fatalf("the last migration is %d, %v", version, err)
	}
	return version
}

// Schemas of our names that somebody else has made are found before anything is written.
func TestASchemaOfSomebodyElseIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct{ theirs, name string }{
		"audit":                  {`create schema audit; create table audit.theirs (x int)`, "audit"},
		"audit_api":              {`create schema audit_api; create view audit_api.theirs as select 1`, "audit_api"},
		"both":                   {`create schema audit_api; create schema audit`, "audit, audit_api"},
		"a version table of its": {`create schema audit; create table public.schema_version (version_id int)`, "audit"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dsn := pgtest.URL(t)
			r := &record{Store: open(t, dsn), dsn: dsn, sql: session(t, dsn)}
			r.exec(t, c.theirs)
			before := schemaOf(t, r)
			_, err := r.Migrate(bounded(t))
			if !errors.Is(err, ErrForeignSchema) || !Refused(err) || !strings.Contains(err.Error(), "ours: "+c.name+":") {
				t.Errorf("%v, want ErrForeignSchema of %s", err, c.name)
			}
			if after := schemaOf(t, r); after != before {
				t.Errorf("the schema was\n%s\nand is\n%s", before, after)
			}
		})
	}
}

// What earlier migrations left ours up to is brought up to date; a schema that a later
// one of them makes is not ours.
func TestMigrationsGoOnFromAnyVersion(t *testing.T) {
	t.Parallel()
	for version := range latest(t) {
		r := migrated(t)
		provider, err := newProvider(stdDB(t, r.Store))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := provider.DownTo(bounded(t), version); err != nil {
			t.Fatal(err)
		}
		if version == 1 {
			r.exec(t, `create schema audit_api`)
			if _, err := r.Migrate(bounded(t)); !errors.Is(err, ErrForeignSchema) {
				t.Errorf("from version 1 with somebody's audit_api: %v", err)
			}
			r.exec(t, `drop schema audit_api`)
		}
		if got, err := r.Migrate(bounded(t)); err != nil || got != latest(t) {
			t.Errorf("from version %d: version %d, %v", version, got, err)
		}
	}
}

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"minesaudit/migrations"

	"minesaudit/internal/pglocal/pgtest"
)

func stdDB(t *testing.T, s *Store) *sql.DB {
	t.Helper()
	db := stdlib.OpenDBFromPool(s.pool)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// as is dsn with another user.
func as(t *testing.T, dsn, user string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(user)
	return u.String()
}

// A user that owns the database and no more migrates and writes; the role for
// dashboards, which such a user cannot make, is left out.
func TestOwnerWithoutOtherRights(t *testing.T) {
	t.Parallel()
	server := pgtest.Server(t) // of its own: roles are a server's
	if err := server.CreateDatabase(bounded(t), "plain"); err != nil {
		t.Fatal(err)
	}
	admin := session(t, server.URL("plain"))
	for _, statement := range []string{`create role keeper login nosuperuser nocreaterole nocreatedb`, `alter database plain owner to keeper`} {
		if _, err := admin.Exec(bounded(t), statement); err != nil {
			t.Fatal(err)
		}
	}
	dsn := as(t, server.URL("plain"), "keeper")
	r := &record{Store: open(t, dsn), dsn: dsn, sql: session(t, dsn)}
	if version, err := r.Migrate(bounded(t)); err != nil || version != latest(t) {
		t.Fatalf("migrate as the owner: version %d, %v", version, err)
	}
	if scan[bool](t, r, `select exists (select from pg_roles where rolname = 'audit_read')`) {
		t.Error("a user without CREATEROLE made a role")
	}
	r.reopen(t)
	if _, err := r.w.Bind(bounded(t), Watch{AuditedFrom: 1}); err != nil {
		t.Fatal(err)
	}
	g, v := settled(key(1), 5, 1)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 0, Becomes: 9}})
	if n := scan[int](t, r, `select count(*)::int from audit_api.v1_games`); n != 1 {
		t.Errorf("the owner sees %d games, want 1", n)
	}

	// Where an administrator made the role beforehand, it gets its rights.
	if _, err := admin.Exec(bounded(t), `create role audit_read; create database later owner keeper`); err != nil {
		// Two statements of one message are one transaction, which CREATE DATABASE refuses.
		for _, statement := range []string{`create role audit_read`, `create database later owner keeper`} {
			if _, err := admin.Exec(bounded(t), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	later := as(t, server.URL("later"), "keeper")
	if _, err := open(t, later).Migrate(bounded(t)); err != nil {
		t.Fatalf("migrate where the role is there: %v", err)
	}
	reader := session(t, server.URL("later"))
	if _, err := reader.Exec(bounded(t), `set role audit_read`); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Exec(bounded(t), `select * from audit_api.v1_games`); err != nil {
		t.Errorf("the role that was there cannot read: %v", err)
	}
}

// readers makes a session as audit_read, the way a dashboard connects.
func reader(t *testing.T, r *record) *pgx.Conn {
	t.Helper()
	ctx := bounded(t)
	// Several tests on the one server may do this at once.
	if _, err := r.sql.Exec(ctx, `alter role audit_read login`); err != nil && !concurrently(err) {
		t.Fatal(err)
	}
	var conn *pgx.Conn
	eventually(t, "audit_read may log in", func() bool {
		var err error
		if conn, err = pgx.Connect(ctx, as(t, r.dsn, "audit_read")); err != nil {
			return false
		}
		t.Cleanup(func() { hangUp(conn) })
		return true
	})
	return conn
}

func concurrently(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && pg.Code == "XX000"
}

func TestReadersReadTheViewsAndNothingElse(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, v := settled(key(1), 5, 2)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 0, Becomes: 9}})
	saveOffchain(t, r)
	if err := r.NoteAltered(bounded(t), []Altered{{Game: g.ID, What: "row"}}, nil); err != nil {
		t.Fatal(err)
	}
	if err := r.w.Disagree(bounded(t), []Disagreement{{Kind: InLog, Node: "a", Other: "b"}}); err != nil {
		t.Fatal(err)
	}
	if err := r.w.Uncheck(bounded(t), 1, 2, "a", "nobody was there"); err != nil {
		t.Fatal(err)
	}
	conn := reader(t, r)
	ctx := bounded(t)

	for setting, want := range map[string]string{
		"statement_timeout": "15s", "idle_in_transaction_session_timeout": "30s", "default_transaction_read_only": "on",
	} {
		var got string
		if err := conn.QueryRow(ctx, `select current_setting($1)`, setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
		}
	}
	views := rows(t, r, `select table_name from information_schema.views where table_schema = 'audit_api' order by 1`)
	if want := viewsMade(t); len(views) != want {
		t.Errorf("%d views, want the %d that migrations make", len(views), want)
	}
	for _, view := range views {
		var n int
		if err := conn.QueryRow(ctx, `select count(*) from audit_api.`+view[0]).Scan(&n); err != nil || n == 0 {
			t.Errorf("%s: %d rows, %v", view[0], n, err)
		}
	}
	// With its own read-only default off, rights alone keep the role out.
	if _, err := conn.Exec(ctx, `set default_transaction_read_only = off`); err != nil {
		t.Fatal(err)
	}
	for _, table := range rows(t, r, `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
		where n.nspname = 'audit' and c.relkind in ('r', 'S', 'v')`) {
		refused(t, conn, `select * from audit.`+table[0])
		refused(t, conn, `delete from audit.`+table[0])
	}
	for _, statement := range []string{
		`select audit.move_frontier(9, 10, 10)`, `delete from audit_api.v1_games`, `update audit_api.v1_coverage set frontier = 1`,
		`create table audit_api.mine (n int)`, `create schema mine`, `create function audit_api.base58(text) returns text language sql return 'x'`,
	} {
		refused(t, conn, statement)
	}
}

// refused expects a statement to fail for want of rights, or because the thing
// cannot be written to at all.
func refused(t *testing.T, conn *pgx.Conn, statement string) {
	t.Helper()
	_, err := conn.Exec(bounded(t), statement)
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || !slices.Contains([]string{"42501", "55000"}, pg.Code) {
		t.Errorf("%s: %v, want it refused", statement, err)
	}
}

// What other users put into schemas that come first in somebody's search path
// does not get into the views.
func TestViewsDoNotFollowTheSearchPath(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	g, v := settled(key(1), 5, 2)
	r.commit(t, &Batch{New: []Tx{r.tx(t, 1, 5, key(1))}, Games: []Game{g}, Verdicts: []Verdict{v}, Advance: &Advance{Was: 0, Becomes: 9}})
	names := `select game, verdict from audit_api.v1_games`
	want := fmt.Sprint(rows(t, r, names))
	for _, statement := range []string{
		`create schema evil`,
		`create function evil.mod(numeric, bigint) returns numeric language sql return 0`,
		`create function evil.length(bytea) returns integer language sql return 1`,
		`create function evil.plus(smallint, integer) returns integer language sql return 2`,
		`create operator evil.+ (leftarg = smallint, rightarg = integer, function = evil.plus)`,
		`create function evil.greatest_of(bigint, bigint) returns boolean language sql return false`,
		`create operator evil.>= (leftarg = bigint, rightarg = bigint, function = evil.greatest_of)`,
		`set search_path = evil, pg_catalog, public`,
	} {
		r.exec(t, statement)
	}
	if got := fmt.Sprint(rows(t, r, names)); got != want {
		t.Errorf("with another search path the view says %s, want %s", got, want)
	}
	r.exec(t, `select audit.move_frontier(9, 10, 10)`)
	if n := scan[int64](t, r, `select audit.u64(-1) - 18446744073709551615`); n != 0 {
		t.Errorf("u64(-1) is off by %d", n)
	}
}

// viewsMade counts the views that the migrations make, each once.
func viewsMade(t testing.TB) int {
	t.Helper()
	made := map[string]bool{}
	files, err := migrations.FS.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := migrations.FS.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`create (?:or replace )?view audit_api\.(\w+)`).FindAllSubmatch(text, -1) {
			made[string(m[1])] = true
		}
	}
	return len(made)
}

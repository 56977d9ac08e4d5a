package main

import (
	"strings"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
)

// A database that has schemas of our names from somebody else ends every command that
// would migrate it, at once and with nothing written.
func TestADatabaseOfSomebodyElse(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dsn := pgtest.URL(t)
	rowsOf(t, dsn, `create schema audit_api`)
	const schemas = `select string_agg(nspname || '.' || coalesce(relname, ''), ' ' order by nspname, relname)
		from pg_namespace left join pg_class c on relnamespace = pg_namespace.oid where nspname in ('public', 'audit', 'audit_api', 'audit_jobs')`
	before := rowsOf(t, dsn, schemas)
	for _, args := range [][]string{
		{"run", "--rpc-url", n.url, "--program", n.chain.Program(), "--from", "genesis", "--listen", "127.0.0.1:0"},
		{"migrate"},
		{"replay", "--program", n.chain.Program(), "--genesis", strings.Repeat("1", 32), "--from-slot", "0", temporary(t, "")},
	} {
		c := spawn(t, "indexer", nil, append(args, "--database-url", dsn)...)
		if code := c.wait(t); code != exitUsage || !strings.Contains(c.text(), "schema that is not ours: audit_api: use a database of its own") {
			t.Errorf("%s: exit %d\n%s", args[0], code, c.text())
		}
		if after := rowsOf(t, dsn, schemas); after != before {
			t.Errorf("%s: the database has %s, not %s", args[0], after, before)
		}
	}
}

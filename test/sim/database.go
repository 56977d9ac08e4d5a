//go:build sim

package sim

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"minesaudit/internal/store"
)

// databases lends empty records. The first ones are copies of one that was
// migrated; one that comes back is emptied and lent again, as migrating takes ten
// times as long as copying, and copying ten times as long as emptying.
type databases struct {
	admin    *pgxpool.Pool // of another database: one with sessions is not copied
	template string
	server   *url.URL
	empty    string // the statement that empties a record

	mu   sync.Mutex
	made int
	idle []*database
}

// newDatabases takes an empty database of a server as the template.
func newDatabases(ctx context.Context, dsn string) (*databases, error) {
	server, err := url.Parse(dsn)
	if err != nil {
		return nil, err
	}
	d := &databases{template: server.Path[1:], server: server}
	if d.empty, err = prepare(ctx, dsn); err != nil {
		return nil, err
	}
	d.admin, err = pgxpool.New(ctx, d.url("postgres"))
	return d, err
}

// prepare migrates the template and gives the statement that brings a copy back to
// what the template is. What migrations put into tables nothing changes but the
// epoch, which counts on.
func prepare(ctx context.Context, dsn string) (empty string, err error) {
	st, err := store.Open(dsn)
	if err != nil {
		return "", err
	}
	_, err = st.Migrate(ctx)
	st.Close()
	if err != nil {
		return "", err
	}
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	rows, err := conn.Query(ctx, `select format('%I.%I', schemaname, tablename) from pg_tables
		where schemaname = 'audit' and query_to_xml(format('select 1 from %I.%I limit 1', schemaname, tablename), false, false, '')::text not like '%<row>%'`)
	if err != nil {
		return "", err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return "truncate " + strings.Join(tables, ", ") + " restart identity cascade", err
}

// close ends the sessions that are left.
func (d *databases) close() {
	for _, b := range d.idle {
		if b.session != nil {
			_ = b.session.Close(context.Background())
		}
	}
	d.admin.Close()
}

func (d *databases) url(name string) string {
	u := *d.server
	u.Path = "/" + name
	return u.String()
}

// database is one daemon's record.
type database struct {
	of      *databases
	name    string
	dsn     string
	session *pgx.Conn // of who judges it; nil: none is open
}

// lend gives an empty record.
func (d *databases) lend(ctx context.Context) (*database, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		b := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		return b, nil
	}
	d.made++
	name := fmt.Sprintf("%s_copy_%d", d.template, d.made) // the server outlives these databases, and may have others' copies
	d.mu.Unlock()
	if _, err := d.admin.Exec(ctx, fmt.Sprintf(`create database %s template %s`, pgx.Identifier{name}.Sanitize(), pgx.Identifier{d.template}.Sanitize())); err != nil {
		return nil, fmt.Errorf("copy the template: %w", err)
	}
	return &database{of: d, name: name, dsn: d.url(name)}, nil
}

// giveBack takes a record back, with no session of anybody's left in it.
func (b *database) giveBack(ctx context.Context) error {
	if err := b.endSessions(ctx); err != nil {
		return err
	}
	err := b.conn(ctx, func(conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, b.of.empty)
		return err
	})
	if err != nil {
		return fmt.Errorf("empty a record: %w", err)
	}
	b.of.mu.Lock()
	defer b.of.mu.Unlock()
	b.of.idle = append(b.of.idle, b)
	return nil
}

// endSessions ends every session of the database but the judge's, in the middle of
// whatever it does.
func (b *database) endSessions(ctx context.Context) error {
	_, err := b.of.admin.Exec(ctx, `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1 and application_name <> $2`, b.name, judging)
	return err
}

// conn lends the judge's session. It outlives loans, as opening one costs as much as
// several looks; after an error another one is opened.
func (b *database) conn(ctx context.Context, use func(*pgx.Conn) error) (err error) {
	if b.session == nil {
		cfg, err := pgx.ParseConfig(b.dsn)
		if err != nil {
			return err
		}
		cfg.RuntimeParams["application_name"] = judging
		if b.session, err = pgx.ConnectConfig(ctx, cfg); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			_ = b.session.Close(context.WithoutCancel(ctx))
			b.session = nil
		}
	}()
	return use(b.session)
}

// judging names the sessions that are not a daemon's.
const judging = "sim"

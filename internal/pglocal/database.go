package pglocal

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os/exec"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes, from PostgreSQL's documentation, appendix A.
const (
	codeUniqueViolation   = "23505"
	codeDuplicateDatabase = "42P04"
	codeCannotConnectNow  = "57P03"
)

// maintenanceDB exists in every cluster from initdb on.
const maintenanceDB = "postgres"

// URL returns the address of a database of this server, for pgx and libpq
// alike. It holds no secret and does not make the database.
func (s *Server) URL(database string) string { return socketURL(s.sockets, database) }

func socketURL(sockets, database string) string {
	u := url.URL{
		Scheme: "postgres",
		User:   url.User(superuser),
		Path:   "/" + database,
		// By hand, as url.Values would make the slashes unreadable; the path
		// has no character that needs an escape.
		RawQuery: "host=" + sockets + "&port=" + socketPort,
	}
	return u.String()
}

// PsqlCommand returns a line that opens database from a shell of root or of
// the server's user. It takes further options at its end: the database is one
// too, because not every platform's psql reads options after a plain word. It
// is no URL, so that nothing that hides user info in logs makes it useless.
func (s *Server) PsqlCommand(database string) string {
	psql := "psql"
	if _, err := exec.LookPath(psql); err != nil {
		if path, err := exec.LookPath(s.programs.path(psql)); err == nil {
			psql = path
		}
	}
	return fmt.Sprintf("%s -h %s -p %s -U %s -d %s", psql, s.sockets, socketPort, superuser, shellWord(database))
}

// shellWord quotes what a shell would take apart.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CreateDatabase makes a database if there is none of that name.
func (s *Server) CreateDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, s.URL(maintenanceDB))
	if err != nil {
		return fmt.Errorf("creating database %q: %w", name, err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var exists bool
	err = conn.QueryRow(ctx, `select exists (select from pg_database where datname = $1)`, name).Scan(&exists)
	if err != nil {
		return fmt.Errorf("creating database %q: %w", name, err)
	}
	if exists {
		return nil
	}
	_, err = conn.Exec(ctx, `create database `+pgx.Identifier{name}.Sanitize())
	// Somebody may have made it since the question: found before, or at the
	// insertion into the catalogue.
	if code := errorCode(err); code == codeDuplicateDatabase || code == codeUniqueViolation {
		return nil
	}
	if err != nil {
		return fmt.Errorf("creating database %q: %w", name, err)
	}
	return nil
}

// errorCode is the SQLSTATE of a server's error, "" for any other.
func errorCode(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return ""
}

//go:build bench

package bench

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal"
)

// Bench is what every measurement shares: the binary, the server and the report.
type Bench struct {
	Settings
	Report Report

	dir    string
	bin    string
	server *pglocal.Server
	serial int // names databases and logs
}

// New builds the binary and starts the server, with PostgreSQL's own settings.
func New(ctx context.Context, s Settings) (*Bench, error) {
	dir, err := os.MkdirTemp("", "minesaudit-bench-")
	if err != nil {
		return nil, err
	}
	b := &Bench{Settings: s, Report: Report{Started: time.Now().UTC(), Cores: runtime.NumCPU()}, dir: dir, bin: filepath.Join(dir, "indexer")}
	// Under root the server runs as another user, who has to get into it.
	if err := os.Chmod(dir, 0o711); err != nil {
		return b, err
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", b.bin, "minesaudit/cmd/indexer")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return b, fmt.Errorf("build the indexer: %w\n%s", err, out)
	}
	b.server, err = pglocal.Start(ctx, pglocal.Options{Dir: filepath.Join(dir, "pg")})
	return b, err
}

// Close ends the server and removes what was written.
func (b *Bench) Close(ctx context.Context) error {
	defer os.RemoveAll(b.dir)
	if b.server == nil {
		return nil
	}
	return b.server.Stop(ctx)
}

// database is one of a measurement's own, empty, and a connection to it.
type database struct {
	*pgx.Conn
	name, url string
}

func (b *Bench) newDatabase(ctx context.Context) (*database, error) {
	b.serial++
	name := fmt.Sprintf("bench_%d", b.serial)
	if err := b.server.CreateDatabase(ctx, name); err != nil {
		return nil, err
	}
	d := &database{name: name, url: b.server.URL(name)}
	var err error
	if d.Conn, err = pgx.Connect(ctx, d.url); err != nil {
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	return d, d.checkpoint(ctx)
}

// checkpoint writes out what came before, so that it is not charged to what
// comes next, which then begins with the same distance to the next checkpoint.
func (d *database) checkpoint(ctx context.Context) error {
	if _, err := d.Exec(ctx, `checkpoint`); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}

// count runs a query for one number.
func (d *database) count(ctx context.Context, query string, args ...any) (int64, error) {
	var n int64
	if err := d.QueryRow(ctx, query, args...).Scan(&n); err != nil {
		return 0, fmt.Errorf("%s: %w", query, err)
	}
	return n, nil
}

// drop gives the disk back.
func (b *Bench) drop(ctx context.Context, d *database) error {
	_ = d.Close(ctx)
	conn, err := pgx.Connect(ctx, b.server.URL("postgres"))
	if err != nil {
		return fmt.Errorf("drop %s: %w", d.name, err)
	}
	defer conn.Close(ctx)
	if _, err := conn.Exec(ctx, `drop database `+pgx.Identifier{d.name}.Sanitize()+` with (force)`); err != nil {
		return fmt.Errorf("drop %s: %w", d.name, err)
	}
	return nil
}

// logFile is a new name for a program's output.
func (b *Bench) logFile(of string) string {
	b.serial++
	return filepath.Join(b.dir, fmt.Sprintf("%s-%d.log", of, b.serial))
}

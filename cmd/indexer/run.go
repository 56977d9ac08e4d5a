package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/term"

	"minesaudit/internal/config"
	"minesaudit/internal/pglocal"
	"minesaudit/internal/store"
)

type runCmd struct {
	config.Config `embed:""`
}

// Help is shown under the flags.
func (runCmd) Help() string {
	return `Follows the program over the node's websocket, re-reads the finalized list to miss nothing, and writes events, games, verdicts and rates to PostgreSQL. It runs until SIGINT or SIGTERM; killed at any moment, the next start goes on with nothing lost or doubled.

Examples:
  indexer run --rpc-url http://127.0.0.1:8899 --program PROGRAM
      a local node, a private database under --data-dir, history from now on
  MINESAUDIT_RPC_URL_FILE=/run/secrets/rpc indexer run --program PROGRAM --from genesis --database-url postgres://audit@db/audit
      a provider's URL from a file, the whole history, a database of yours
  indexer run --rpc-url https://NODE --rpc-rate 4 --program PROGRAM --backfill-workers 2
      games of today at once, and beside them all of history, newest first; --from genesis has history first
  indexer run --config /etc/minesaudit.yaml --profile mines.yaml
      settings from a file; flags and MINESAUDIT_* variables win over it

Then:
  curl 127.0.0.1:9477/status
  psql DATABASE -c 'select * from audit_api.v1_void_rate_hourly'`
}

func (c *runCmd) Run(s *streams, resolver *config.Resolver) error {
	c.Nodes = resolver.Nodes()
	settings, err := c.Check()
	if err != nil {
		return err
	}
	redactor := settings.Redactor()
	log := newLog(s.Err, settings, redactor)
	defer func() { _ = log.Sync() }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return redactor.Error(follow(ctx, settings, redactor, log))
}

// follow runs a watcher on the configured database, or on a private one.
func follow(ctx context.Context, settings *config.Settings, redactor *config.Redactor, log *zap.Logger) error {
	dsn := settings.DatabaseURL.Reveal()
	if dsn == "" {
		dir := settings.DataDir
		if dir == "" {
			dir = pglocal.DefaultDir()
		}
		// The server outlives ctx until the daemon has saved its last batch.
		serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
		db, err := startEmbedded(serving, pglocal.Options{Dir: dir, Log: log})
		if err != nil {
			stopServing()
			if ctx.Err() == nil { // nothing that time mends
				err = usage(fmt.Errorf("private database in --data-dir %s: %w", dir, err))
			}
			return err
		}
		defer db.wait()
		defer stopServing()
		log.Info("private database", zap.String("dir", dir), zap.String("psql", db.psql))
		dsn = db.url
	}
	for {
		err := watch(ctx, settings, dsn, redactor, log)
		switch end := ending(ctx, err); {
		case errors.Is(end, errStandBy):
			log.Warn("another daemon has taken over; this one stands by from now on")
			continue
		case end != nil:
			return end
		case err != nil:
			log.Info("stopped; another daemon leads, and finds what was not saved")
		default:
			log.Info("stopped; everything that was begun is saved")
		}
		return nil
	}
}

var errStandBy = errors.New("another daemon has taken over")

// ending is what the end of a watcher means for the daemon: errStandBy where another one
// leads. A daemon that is asked to end when it is about to learn that ends as asked.
func ending(ctx context.Context, err error) error {
	switch {
	case !errors.Is(err, store.ErrLocked):
		return err
	case ctx.Err() != nil:
		return nil
	}
	return errStandBy
}

// watch runs a watcher until ctx ends or it leads no more.
func watch(ctx context.Context, settings *config.Settings, dsn string, redactor *config.Redactor, log *zap.Logger) error {
	w, err := newWatcher(settings, dsn, redactor, log, nil)
	if err != nil {
		return err
	}
	defer w.close()
	log.Info("listening", zap.String("url", w.server.URL()), zap.String("program", settings.Program), zap.String("profile", settings.Config.Profile))
	return w.run(ctx)
}

func newLog(to io.Writer, s *config.Settings, r *config.Redactor) *zap.Logger {
	console := s.LogFormat == "console"
	if s.LogFormat == "auto" {
		console = isTerminal(to)
	}
	return config.NewLogger(zapcore.AddSync(to), s.Level, console, r)
}

// isTerminal reports whether a person reads what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

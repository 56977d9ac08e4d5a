package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"minesaudit/internal/config"
	"minesaudit/internal/pglocal"
	"minesaudit/internal/store"
)

// storeFlags say whether results are kept, and where.
type storeFlags struct {
	Store       bool          `name:"store" group:"Record:" help:"Keep the results in the database too, in views of their own: audit_api.v1_rounds, v1_round_findings, v1_round_gaps, v1_bets and v1_bet_findings. Stored twice they are there once; what has changed supersedes."`
	Config      string        `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" group:"Record:" help:"YAML file of the daemon, for the two settings below." yaml:"-"`
	DatabaseURL config.Secret `name:"database-url" env:"MINESAUDIT_DATABASE_URL" placeholder:"URL" group:"Record:" help:"PostgreSQL for --store, postgres:// or key=value, or $MINESAUDIT_DATABASE_URL_FILE; a daemon may use it at the same time. Empty: a private server under --data-dir." yaml:"database_url"`
	DataDir     string        `name:"data-dir" env:"MINESAUDIT_DATA_DIR" placeholder:"DIR" group:"Record:" help:"Folder of the private server. Empty: /var/lib/minesaudit for root, else a folder of the user's." yaml:"data_dir"`
}

// A resultStore takes results; nil takes none.
type resultStore struct {
	store    *store.Store
	redactor *config.Redactor
	stop     func() // ends the private server; nil where there is none
	say      io.Writer
}

// open connects to the database and brings its schema up to date, before any
// work is done that could not be kept.
func (f *storeFlags) open(ctx context.Context, s *streams) (*resultStore, error) {
	if !f.Store {
		return nil, nil
	}
	db := &resultStore{redactor: config.NewRedactor(f.DatabaseURL.Reveal()), say: s.Err}
	dsn := f.DatabaseURL.Reveal()
	if dsn == "" {
		var err error
		if dsn, err = db.startPrivate(ctx, f.DataDir); err != nil {
			return nil, err
		}
	}
	var err error
	if db.store, err = store.Open(dsn); err != nil {
		db.close()
		return nil, usage(db.redactor.Error(fmt.Errorf("--database-url: %w", err)))
	}
	if _, err := db.store.Migrate(ctx); err != nil {
		db.close()
		return nil, db.redactor.Error(fmt.Errorf("--store: %w", err))
	}
	return db, nil
}

// startPrivate runs the private server for as long as results are saved.
func (db *resultStore) startPrivate(ctx context.Context, dir string) (dsn string, err error) {
	if dir == "" {
		dir = pglocal.DefaultDir()
	}
	server, err := pglocal.Start(ctx, pglocal.Options{Dir: dir})
	if errors.Is(err, pglocal.ErrInUse) {
		return "", usage(fmt.Errorf("%w; of a running daemon, give the address in its log line \"private database\" to --database-url", err))
	}
	if err != nil {
		return "", usage(fmt.Errorf("private database in --data-dir %s: %w", dir, err))
	}
	end := func() {
		if err := server.Stop(context.WithoutCancel(ctx)); err != nil {
			_, _ = fmt.Fprintf(db.say, "the private PostgreSQL did not stop cleanly: %v\n", err)
		}
	}
	// Nothing waits for the end of a long audit: a signal ends the server and
	// then the process, and what was saved until then is kept.
	interrupted, forget := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	handled := context.AfterFunc(interrupted, func() {
		end()
		os.Exit(exitInterrupted)
	})
	db.stop = func() {
		handled()
		forget()
		end()
	}
	if err := server.CreateDatabase(ctx, databaseName); err != nil {
		db.stop()
		return "", err
	}
	return server.URL(databaseName), nil
}

// exitInterrupted is what a shell gives for a process that SIGINT ended.
const exitInterrupted = 130

func (db *resultStore) close() {
	if db == nil {
		return
	}
	if db.store != nil {
		db.store.Close()
	}
	if db.stop != nil {
		db.stop()
	}
}

// saved tells what became of the results.
func (db *resultStore) saved(what string, n store.Saved, err error) error {
	if err != nil {
		return db.redactor.Error(fmt.Errorf("--store: %w", err))
	}
	_, _ = fmt.Fprintf(db.say, "stored %s: %d new, %d superseded others, %d stood there already\n", what, n.Added, n.Superseded, n.Unchanged)
	return nil
}

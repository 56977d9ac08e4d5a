package main

import (
	"context"
	"fmt"
	"time"

	"minesaudit/internal/backfill"
	"minesaudit/internal/config"
	"minesaudit/internal/store"
)

type migrateCmd struct {
	DatabaseURL config.Secret `name:"database-url" env:"MINESAUDIT_DATABASE_URL" placeholder:"URL" required:"" help:"PostgreSQL to bring up to date." yaml:"database_url"`
}

// Help is shown under the flags.
func (migrateCmd) Help() string {
	return `indexer run does this by itself at its start; use migrate where the daemon's user may not change the schema. Several may be started at once. The tables of history's jobs, in the schema audit_jobs, are made here too, or by the first indexer backfill or worker.

Example:
  indexer migrate --database-url postgres://owner@db/audit`
}

func (c *migrateCmd) Run(s *streams) error {
	redactor := config.NewRedactor(c.DatabaseURL.Reveal())
	st, err := store.Open(c.DatabaseURL.Reveal())
	if err != nil {
		return usage(redactor.Error(err))
	}
	defer st.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	version, err := st.Migrate(ctx)
	if err != nil {
		return redactor.Error(err)
	}
	queue, err := backfill.OpenQueue(st)
	if err != nil {
		return redactor.Error(err)
	}
	defer queue.Close()
	if err := queue.Migrate(ctx); err != nil {
		return redactor.Error(err)
	}
	_, err = fmt.Fprintf(s.Out, "schema version %d\n", version)
	return err
}

package main

import (
	"context"
	"errors"
	"fmt"

	"minesaudit/internal/config"
	"minesaudit/internal/store"
)

// recordFlags say which record is worked on, and by what profile.
type recordFlags struct {
	Config      string        `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" group:"Record:" help:"YAML file of the daemon, for the settings below." yaml:"-"`
	Profile     string        `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" group:"Record:" default:"builtin:mines" help:"The program's events, payout convention and operator keys: builtin:mines or a YAML file. Default ${default}." yaml:"profile"`
	DatabaseURL config.Secret `name:"database-url" env:"MINESAUDIT_DATABASE_URL" placeholder:"URL" group:"Record:" help:"PostgreSQL of the record, postgres:// or key=value, or $MINESAUDIT_DATABASE_URL_FILE; a daemon may use it at the same time. Empty: the private server under --data-dir." yaml:"database_url"`
	DataDir     string        `name:"data-dir" env:"MINESAUDIT_DATA_DIR" placeholder:"DIR" group:"Record:" help:"Folder of the private server. Empty: /var/lib/minesaudit for root, else a folder of the user's." yaml:"data_dir"`
}

// open connects to the record, and loads the profile.
func (f *recordFlags) open(ctx context.Context, s *streams) (*resultStore, *config.Profile, error) {
	profile, err := config.LoadProfile(f.Profile)
	if err != nil {
		return nil, nil, usage(fmt.Errorf("--profile: %w", err))
	}
	dsn := f.DatabaseURL.Reveal()
	db := &resultStore{redactor: config.NewRedactor(dsn), say: s.Err}
	if dsn == "" {
		if dsn, err = db.startPrivate(ctx, f.DataDir); err != nil {
			return nil, nil, err
		}
	}
	if db.store, err = store.Open(dsn); err != nil {
		db.close()
		return nil, nil, usage(db.redactor.Error(fmt.Errorf("--database-url: %w", err)))
	}
	return db, &profile, nil
}

// watched reads what the record is bound to; a schema or a record that cannot be
// used is the user's to mend.
func (db *resultStore) watched(ctx context.Context) (store.Watch, error) {
	err := db.store.Ready(ctx)
	if errors.Is(err, store.ErrSchemaOlder) {
		return store.Watch{}, usage(db.redactor.Error(err))
	}
	if err != nil {
		return store.Watch{}, db.redactor.Error(err)
	}
	watch, err := db.store.Watch(ctx)
	if errors.Is(err, store.ErrNoWatch) {
		return watch, usage(fmt.Errorf("%w: there is nothing in it", err))
	}
	return watch, db.redactor.Error(err)
}

// fits refuses a profile that is another program's.
func fits(profile *config.Profile, watch store.Watch) error {
	if profile.Program == "" {
		return nil
	}
	key, err := config.ParseKey(profile.Program)
	if err != nil {
		return usage(fmt.Errorf("--profile: program: %w", err))
	}
	if key != watch.Program {
		return usage(fmt.Errorf("--profile: it is of program %s, the record of another", profile.Program))
	}
	return nil
}

// madeBy refuses a profile that is not the one by which a record was made.
func madeBy(profile *config.Profile, watch store.Watch) error {
	if have := profile.Hash(); have != watch.ProfileHash {
		return fmt.Errorf("--profile: the record was made by another profile (hash %.12s, this one's is %.12s)", watch.ProfileHash, have)
	}
	return nil
}

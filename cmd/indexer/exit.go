package main

import (
	"errors"

	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/pglocal"
	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// exitError carries the exit code of an outcome; err is nil where all has been
// said already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return "failed"
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usage(err error) error { return &exitError{exitUsage, err} }

// isUsage tells what a person has to mend before another try makes sense.
func isUsage(err error) bool {
	for _, known := range []error{
		config.ErrUsage, simchain.ErrConfig, ingest.ErrNoProgram,
		store.ErrSchemaNewer, store.ErrOtherWatch, store.ErrLocked, store.ErrReadOnly,
		pglocal.ErrNoPrograms, pglocal.ErrInUse, pglocal.ErrOtherMajor,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	return rpc.ClassOf(err) == rpc.Auth || store.Refused(err)
}

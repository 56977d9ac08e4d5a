package main

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"minesaudit/internal/pglocal"
)

// databaseName is that of the record in the private server.
const databaseName = "minesaudit"

// embedded is a private PostgreSQL that is started again when it ends by
// itself. Its address stays the same.
type embedded struct {
	options pglocal.Options
	log     *zap.Logger
	url     string
	psql    string
	done    chan struct{}
}

// startEmbedded runs the private server in a folder until ctx ends; wait
// returns when it has stopped.
func startEmbedded(ctx context.Context, o pglocal.Options) (*embedded, error) {
	e := &embedded{options: o, log: o.Log, done: make(chan struct{})}
	server, err := e.start(ctx)
	if err != nil {
		return nil, err
	}
	e.url, e.psql = server.URL(databaseName), server.PsqlCommand(databaseName)
	go e.keep(ctx, server)
	return e, nil
}

func (e *embedded) start(ctx context.Context) (*pglocal.Server, error) {
	server, err := pglocal.Start(ctx, e.options)
	if err != nil {
		return nil, err
	}
	if err := server.CreateDatabase(ctx, databaseName); err != nil {
		_ = server.Stop(context.WithoutCancel(ctx))
		return nil, err
	}
	return server, nil
}

func (e *embedded) keep(ctx context.Context, server *pglocal.Server) {
	defer close(e.done)
	wait := backoff.NewExponentialBackOff()
	wait.MaxInterval = 10 * time.Second
	for {
		select {
		case <-ctx.Done():
			stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
			defer cancel()
			if err := server.Stop(stop); err != nil {
				e.log.Warn("the private PostgreSQL did not stop cleanly", zap.Error(err))
			}
			return
		case <-server.Done():
		}
		e.log.Error("the private PostgreSQL ended; starting it again", zap.Error(server.Err()))
		_ = server.Stop(ctx) // frees its folder
		for {
			next, err := e.start(ctx)
			if err == nil {
				server = next
				wait.Reset()
				break
			}
			if ctx.Err() != nil {
				return
			}
			e.log.Error("the private PostgreSQL does not start", zap.Error(err))
			select {
			case <-time.After(wait.NextBackOff()):
			case <-ctx.Done():
				return
			}
		}
	}
}

// wait returns when the server has stopped.
func (e *embedded) wait() { <-e.done }

package backfill

import (
	"context"
	"log/slog"

	"go.uber.org/zap"
)

// silent is for the queue's clients that work nothing: their errors are returned.
func silent() *slog.Logger { return slog.New(slog.DiscardHandler) }

// handler passes the job queue's warnings on to our log. It keeps their text alone:
// what else they carry may be a database's address.
type handler struct{ log *zap.Logger }

func (h handler) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (h handler) Handle(_ context.Context, r slog.Record) error {
	h.log.Warn("job queue: " + r.Message)
	return nil
}

func (h handler) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h handler) WithGroup(string) slog.Handler      { return h }

package config

import (
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// NewLogger writes to out, through the redactor, lines of JSON or for a
// console. Nothing is sampled: an operator counts on each line.
func NewLogger(out zapcore.WriteSyncer, level zapcore.Level, console bool, r *Redactor) *zap.Logger {
	enc := zap.NewProductionEncoderConfig()
	enc.TimeKey = "ts"
	enc.EncodeTime = func(t time.Time, to zapcore.PrimitiveArrayEncoder) {
		to.AppendString(t.UTC().Format("2006-01-02T15:04:05.000Z07:00"))
	}
	enc.EncodeDuration = zapcore.StringDurationEncoder
	encoder := zapcore.NewJSONEncoder(enc)
	if console {
		enc.EncodeLevel = zapcore.CapitalLevelEncoder
		encoder = zapcore.NewConsoleEncoder(enc)
	}
	core := zapcore.NewCore(r.Encoder(encoder), zapcore.Lock(out), level)
	return zap.New(core, zap.ErrorOutput(zapcore.Lock(out)))
}

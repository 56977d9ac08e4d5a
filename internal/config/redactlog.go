package config

import (
	"bytes"
	"encoding/json"

	"go.uber.org/zap/buffer"
	"go.uber.org/zap/zapcore"
)

// Encoder wraps a log encoder so that what it writes has no secret in it:
// message, fields of any type and depth, those of With, stacks. It works on the
// encoded line, because errors and nested objects take their text only there.
func (r *Redactor) Encoder(enc zapcore.Encoder) zapcore.Encoder {
	return &redactingEncoder{Encoder: enc, redactor: r, pool: buffer.NewPool()}
}

type redactingEncoder struct {
	zapcore.Encoder
	redactor *Redactor
	pool     buffer.Pool
}

// Clone is called by With; the promoted method would lose the wrapper.
func (e *redactingEncoder) Clone() zapcore.Encoder {
	return &redactingEncoder{Encoder: e.Encoder.Clone(), redactor: e.redactor, pool: e.pool}
}

func (e *redactingEncoder) EncodeEntry(entry zapcore.Entry, fields []zapcore.Field) (*buffer.Buffer, error) {
	line, err := e.Encoder.EncodeEntry(entry, fields)
	if err != nil {
		return nil, e.redactor.Error(err)
	}
	defer line.Free()
	out := e.pool.Get()
	if text := line.Bytes(); len(text) > 0 && text[0] == '{' {
		out.Write(redactJSON(text, e.redactor.String)) // a buffer never fails
	} else {
		out.AppendString(e.redactor.String(line.String()))
	}
	return out, nil
}

// redactJSON applies redact to each string of a JSON text, keys too, and keeps
// everything else, so that the line stays JSON whatever a secret looks like.
func redactJSON(line []byte, redact func(string) string) []byte {
	out := make([]byte, 0, len(line))
	for len(line) > 0 {
		start := bytes.IndexByte(line, '"')
		if start < 0 {
			break
		}
		end := stringEnd(line, start)
		out = append(out, line[:start]...)
		out = append(out, redactLiteral(line[start:end], redact)...)
		line = line[end:]
	}
	return append(out, line...)
}

// stringEnd is the index after the string literal that begins at start.
func stringEnd(line []byte, start int) int {
	for i := start + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(line)
}

// redactLiteral keeps a literal as it is written if nothing in it is secret.
func redactLiteral(literal []byte, redact func(string) string) []byte {
	var plain string
	if err := json.Unmarshal(literal, &plain); err != nil {
		return []byte(`"` + redacted + `"`) // not a whole literal: show nothing of it
	}
	clean := redact(plain)
	if clean == plain {
		return literal
	}
	written, _ := json.Marshal(clean) // a string always marshals
	return written
}

// JSON encodes as v does, without secrets in any of its strings.
func (r *Redactor) JSON(v any) json.Marshaler { return redactedValue{v, r} }

type redactedValue struct {
	value    any
	redactor *Redactor
}

func (v redactedValue) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(v.value)
	if err != nil {
		return nil, v.redactor.Error(err)
	}
	return redactJSON(text, v.redactor.String), nil
}

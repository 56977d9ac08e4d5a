package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

type account struct{ Key, Note string }

func (a account) String() string { return a.Key }

func (a account) MarshalLogObject(e zapcore.ObjectEncoder) error {
	e.AddString("key", a.Key)
	return e.AddReflected("deep", map[string]any{"list": []string{a.Key}, "number": 12345678})
}

// verbose prints more with %+v, which zap logs as errorVerbose.
type verbose struct{ text string }

func (v verbose) Error() string { return "short" }
func (v verbose) Format(f fmt.State, verb rune) {
	fmt.Fprint(f, "short")
	if f.Flag('+') {
		fmt.Fprint(f, " and ", v.text)
	}
}

func TestLogHoldsNoSecret(t *testing.T) {
	const key = "MARKER\"k\\3<y>&é\n"
	for _, console := range []bool{false, true} {
		t.Run(fmt.Sprintf("console=%v", console), func(t *testing.T) {
			var out bytes.Buffer
			log := NewLogger(zapcore.AddSync(&out), zap.DebugLevel, console, NewRedactor(key, "12345678"))
			log.With(zap.String("with", key), zap.Namespace("inner"), zap.Int("slot", 412345678)).Named(key).Info("asked "+key,
				zap.String("string", key), zap.Error(errors.New(key)), zap.NamedError("verbose", verbose{key}),
				zap.Errors("errors", []error{errors.New(key)}), zap.Stringer("stringer", account{Key: key}),
				zap.Object("object", account{Key: key}), zap.Any("any", account{Key: key}), zap.ByteString("bytes", []byte(key)),
				zap.Strings("strings", []string{key}), zap.Any("map", map[string]string{key: key}),
				zap.Inline(account{Key: key}), zap.Duration("took", time.Second), zap.String("end", "kept"))
			text := out.String()
			if strings.Contains(text, "MARKER") {
				t.Errorf("secret in %s", text)
			}
			for _, want := range []string{"asked " + redacted, `"kept"`, "1s", "inner"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %s in %s", want, text)
				}
			}
			if !console {
				var line map[string]any
				if err := json.Unmarshal(out.Bytes(), &line); err != nil {
					t.Fatalf("not JSON: %v: %s", err, text)
				}
				if line["inner"].(map[string]any)["slot"] != 412345678.0 {
					t.Errorf("a number was touched: %s", text)
				}
			}
		})
	}
}

func TestLoggerKeepsEveryLine(t *testing.T) {
	var out bytes.Buffer
	log := NewLogger(zapcore.AddSync(&out), zap.WarnLevel, false, NewRedactor())
	for range 1000 {
		log.Warn("same")
		log.Info("below the level")
	}
	if n := strings.Count(out.String(), "\n"); n != 1000 {
		t.Errorf("%d lines of 1000", n)
	}
	if strings.Contains(out.String(), "below") {
		t.Error("logged below the level")
	}
}

func FuzzRedactJSON(f *testing.F) {
	f.Add(`{"a":"b\"c","d":[1,"MARKER"]}`)
	f.Add(`{"MARKER":"\u004dARKER"}`)
	f.Add(`{"a`)
	f.Add(`"\`)
	redact := NewRedactor("MARKER").String
	f.Fuzz(func(t *testing.T, line string) {
		out := redactJSON([]byte(line), redact)
		if !json.Valid([]byte(line)) {
			return // only that it does not panic
		}
		var got any
		if err := json.Unmarshal(out, &got); err != nil {
			t.Fatalf("%s became %s: %v", line, out, err)
		}
		if strings.Contains(fmt.Sprint(got), "MARKER") {
			t.Errorf("%s became %s", line, out)
		}
	})
}

//go:build bench

package bench

import (
	"context"
	"os"
	"testing"
	"time"
)

// TestBounds measures everything, or with -run TestBounds/NAME a part, and
// prints the report when it is complete.
func TestBounds(t *testing.T) {
	settings, err := ReadSettings()
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(t.Context(), settings)
	if b != nil {
		t.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := b.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name    string
		measure func(context.Context) error
	}{{"ingest", b.Ingest}, {"verdict", b.Verdict}, {"memory", b.Memory}, {"decode", b.Decode}, {"reaudit", b.Reaudit}, {"backfill", b.Backfill}, {"budget", b.Budget}} {
		t.Run(part.name, func(t *testing.T) {
			if err := part.measure(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
	}
	b.Report.Print(os.Stdout)
	if settings.JSON != "" {
		if err := b.Report.WriteJSON(settings.JSON); err != nil {
			t.Error(err)
		}
	}
	if missed := b.Report.Missed(); settings.Strict && len(missed) > 0 {
		t.Errorf("%d bounds were missed", len(missed))
	}
}

//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/store/storetest"
)

var errDiffers = errors.New("the record is not what it would have been")

// compare holds a record against an undisturbed one: the same content, and no
// rows that contradict others.
func compare(t testing.TB, want, dsn string) error {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	contradictions, err := storetest.Contradictions(ctx, conn)
	if err != nil {
		return err
	}
	if len(contradictions) > 0 {
		return fmt.Errorf("%w: it contradicts itself: %s", errDiffers, strings.Join(contradictions, "; "))
	}
	if got := storetest.Content(t, dsn); got != want {
		missing, extra := minus(want, got), minus(got, want)
		return fmt.Errorf("%w: %d lines are missing and %d too many, the first:\n- %s\n+ %s",
			errDiffers, len(missing), len(extra), first(missing), first(extra))
	}
	return nil
}

func minus(a, b string) []string {
	in := make(map[string]int)
	for line := range strings.Lines(b) {
		in[line]++
	}
	var only []string
	for line := range strings.Lines(a) {
		if in[line]--; in[line] < 0 {
			only = append(only, line)
		}
	}
	return only
}

func first(lines []string) string {
	if len(lines) == 0 {
		return "(none)"
	}
	return strings.TrimSpace(lines[0])
}

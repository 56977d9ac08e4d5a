package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"minesaudit/internal/store"
)

// A daemon that is asked to end ends well, whoever leads by then; only one that is not
// stands by.
func TestTheEndOfADaemonThatLeadsNoMore(t *testing.T) {
	asked, ask := context.WithCancel(context.Background())
	ask()
	locked, other := fmt.Errorf("save: %w", store.ErrLocked), errors.New("other")
	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want error
	}{
		{"overtaken", context.Background(), locked, errStandBy},
		{"overtaken, and asked to end", asked, locked, nil},
		{"asked to end", asked, nil, nil},
		{"asked to end, and failed", asked, other, other},
		{"failed", context.Background(), other, other},
	} {
		if got := ending(c.ctx, c.err); !errors.Is(got, c.want) || (got == nil) != (c.want == nil) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"minesaudit/internal/simchain"
)

// trouble is everything that goes wrong in a soak, and how often it did.
type trouble struct {
	node     *node
	postgres *postgres
	daemon   *daemon
	env      []string
	random   *rand.Rand
	every    time.Duration // about so often
	killing  time.Duration // the daemon is killed until then only, so that one process lives long

	mu       sync.Mutex // held while the daemon is down
	happened map[string]int
}

// make makes trouble until ctx ends.
func (t *trouble) make(ctx context.Context) error {
	begun := time.Now()
	for {
		wait := t.every/2 + time.Duration(t.random.Int64N(int64(t.every)))
		select {
		case <-ctx.Done():
			t.node.chain.Faults.Withhold(0)
			t.node.chain.Faults.NullFirst(0)
			return nil
		case <-t.daemon.exited:
			return fmt.Errorf("%w: %v\n%s", errEnded, t.daemon.end, tail(t.daemon.log))
		case <-time.After(wait):
		}
		if err := t.one(ctx, time.Since(begun) < t.killing); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

func (t *trouble) one(ctx context.Context, killing bool) error {
	kinds := []string{"sockets cut", "notifications withheld", "notifications told", "HTTP errors", "lagging answers", "sessions ended", "postgres killed"}
	if killing {
		kinds = append(kinds, "daemon killed", "both killed")
	}
	kind := kinds[t.random.IntN(len(kinds))]
	t.happened[kind]++
	faults := t.node.chain.Faults
	switch kind {
	case "sockets cut":
		t.node.chain.DropSockets()
	case "notifications withheld":
		faults.Withhold(0.3)
		faults.Duplicate(0.2)
	case "notifications told":
		faults.Withhold(0)
		faults.Duplicate(0)
	case "HTTP errors":
		faults.HTTP(simchain.TooManyRequests, simchain.RPCTooMany, simchain.ServerError, simchain.HTMLPage, simchain.CutJSON)
	case "lagging answers":
		faults.NullFirst(1 + t.random.IntN(2))
	case "sessions ended":
		return notDown(endSessions(ctx, t.postgres.url))
	case "postgres killed":
		killPostmaster(t.postgres.dir)
	case "both killed":
		killPostmaster(t.postgres.dir)
		return t.kill()
	case "daemon killed":
		return t.kill()
	}
	return nil
}

func (t *trouble) kill() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.daemon.kill(); err != nil {
		return err
	}
	time.Sleep(time.Duration(t.random.IntN(2000)) * time.Millisecond) // away for a while
	return t.daemon.start(t.env...)
}

// notDown lets a server be down when its sessions are to be ended.
func notDown(err error) error {
	if err != nil && errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

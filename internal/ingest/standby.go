package ingest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

const (
	// standbyLook is how long a daemon that stands by waits between two looks at who
	// leads; each look itself waits a moment for the lock.
	standbyLook = 500 * time.Millisecond
	// standbyAsk is how often its node is asked for its chain, where it answers. One
	// that does not is asked at each look.
	standbyAsk = 10 * time.Second
	// standbyPatience bounds such a call: the next look waits for it.
	standbyPatience = 5 * time.Second
)

// prepare opens the record, waiting for a database that is not there yet, and for
// as long as another daemon leads. It fails with store.ErrOtherWatch where the record
// is of another program or profile, or of another chain than the node of a daemon that
// stands by: who leads compares chains when it binds.
func (d *Daemon) prepare(ctx context.Context) error {
	var chain chain
	for {
		have, err := d.open(ctx)
		if err != nil {
			return err
		}
		if d.writer != nil {
			d.state.standsBy(false)
			return nil
		}
		// Before it is said that it stands by, so that what is shown of the node then
		// was asked.
		if err := d.askChain(ctx, &chain); err != nil {
			return err
		}
		if have != nil && chain.known {
			if err := have.Differs(d.wanted(chain.genesis)); err != nil {
				return err
			}
		}
		if d.state.standsBy(true) {
			d.Log.Info("another daemon leads; standing by")
		}
		if err := pause(ctx, standbyLook); err != nil {
			return err
		}
	}
}

// open migrates the database, refuses another program's or profile's, which takes no
// node to see, and tries to lead it: d.writer stays nil where another daemon does. It
// gives what the database is bound to; nil before the first start.
func (d *Daemon) open(ctx context.Context) (have *store.Watch, err error) {
	err = d.patiently(ctx, "open the database", d.state.database, func() error {
		if _, err := d.Store.Migrate(ctx); err != nil {
			return err
		}
		watch, err := d.Store.Watch(ctx)
		switch {
		case errors.Is(err, store.ErrNoWatch):
			have = nil
		case err != nil:
			return err
		default:
			have = &watch
			if err := watch.Differs(d.wanted(watch.Genesis)); err != nil {
				return err
			}
		}
		w, err := d.Store.OpenWriter(ctx)
		if errors.Is(err, store.ErrLocked) {
			return nil
		}
		d.writer = w
		return err
	})
	return have, err
}

// wanted is what this daemon follows, on the chain with the genesis hash given.
func (d *Daemon) wanted(genesis [32]byte) store.Watch {
	return store.Watch{Genesis: genesis, Program: d.Program, ProfileHash: d.ProfileHash, VoidCeiling: d.VoidCeiling}
}

// chain is what a daemon that stands by knows of its node's chain.
type chain struct {
	genesis [32]byte
	known   bool
	asked   time.Time // when it last was told
}

// askChain asks the node for its genesis hash where it is time to, once: a node that
// cannot be reached is shown, and asked again at the next look. What no waiting mends
// is an error, as at a start.
func (d *Daemon) askChain(ctx context.Context, c *chain) error {
	if c.known && time.Since(c.asked) < standbyAsk {
		return nil
	}
	node := d.Nodes.Record()
	asking, cancel := context.WithTimeout(ctx, standbyPatience)
	defer cancel()
	genesis, err := node.GenesisHash(asking)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		*c = chain{genesis: genesis, known: true, asked: time.Now()}
	case forGood(err):
		return fmt.Errorf("reach the node: %w", err)
	default:
		c.known = false // what is there now nobody knows
	}
	d.tell(d.state.asked(node, err), "cannot reach the node; trying again", "can reach the node again", err)
	return nil
}

// asked notes what came of asking a node while standing by.
func (s *state) asked(node *rpc.Node, err error) notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.askedNode = node.Name()
	return s.nodeFault.set(err, time.Now())
}

// standby reports whether another daemon leads.
func (s *state) standby() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.waits
}

// lastAsked is which node was asked last while standing by, and what came of it.
func (s *state) lastAsked() (node string, f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.askedNode, s.nodeFault
}

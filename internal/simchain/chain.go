package simchain

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Chain is a simulated chain with its nodes. Make it go with Run, or slot by slot
// with Step; serve it with Handler or Serve, or node by node (see Node).
type Chain struct {
	// Faults is what goes wrong with Node(0).
	Faults *Faults

	config     Config
	cast       *cast
	forks      *forkPlan
	done       chan struct{} // closed when every game has ended and is final
	subscribed chan struct{} // closed at the first logsSubscribe to any node
	once       sync.Once

	nodesMu sync.Mutex
	nodes   []*Node

	producing sync.Mutex // one producer at a time

	mu      sync.RWMutex // guards what follows
	world   *world
	ledger  *ledger
	settled bool // done is closed
}

// New makes a chain with one empty, final block. Errors are ErrConfig.
func New(config Config) (*Chain, error) {
	config = config.withDefaults()
	if err := config.check(); err != nil {
		return nil, err
	}
	who := newCast(config.Seed, config.CPI)
	forks := &forkPlan{finality: config.FinalitySlots}
	c := &Chain{
		config: config, cast: who, forks: forks, done: make(chan struct{}), subscribed: make(chan struct{}),
		world: newWorld(config, who, forks), ledger: newLedger(who.program, config.FinalitySlots),
	}
	c.Faults = c.Node(0).Faults
	c.ledger.add(c.world.first())
	return c, nil
}

// Program is the address of the audited program, in base58.
func (c *Chain) Program() string { return c.cast.program.String() }

// Operator is the address of the operator's key, in base58.
func (c *Chain) Operator() string { return c.cast.operator.String() }

// Genesis is the hash of the genesis block, in base58.
func (c *Chain) Genesis() string { return c.cast.genesis.String() }

// Done is closed when every game has ended and is finalized; never if
// Config.Games is 0.
func (c *Chain) Done() <-chan struct{} { return c.done }

// Slot is the newest confirmed slot.
func (c *Chain) Slot() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ledger.tipSlot(confirmed)
}

// FinalizedSlot is the newest finalized slot.
func (c *Chain) FinalizedSlot() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.ledger.tipSlot(finalized)
}

// Progress tells how many games have started and how many of them have ended, for
// good or not.
func (c *Chain) Progress() (started, ended int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.world.opened, c.world.opened - c.world.running
}

// Truth gives what is known of every game that has ended, in order of their
// starts.
func (c *Chain) Truth() []Truth {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var list []Truth
	for _, r := range c.world.records {
		if r.lastEnd != nil {
			list = append(list, r.truth(c.config.Seed, c.config.CPI))
		}
	}
	return list
}

// Step makes the next block, tells subscribers of it and, at rate zero, waits
// until each has room for it.
func (c *Chain) Step(ctx context.Context) error {
	c.producing.Lock()
	defer c.producing.Unlock()
	b, final, err := c.append()
	if err != nil {
		return err
	}
	for _, n := range c.allNodes() {
		if err := n.hub.publish(ctx, b, final); err != nil {
			return err
		}
	}
	return nil
}

// append makes the next block and stores it: from here on it is confirmed. It
// gives the blocks that are final by it.
func (c *Chain) append() (*block, []*block, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := c.world.next()
	for _, n := range c.allNodes() {
		for _, t := range b.txs {
			n.Faults.dig(t)
		}
		n.invent(b)
	}
	final := c.ledger.add(b)
	waiting, err := c.world.truths.settle(c.ledger.tipSlot(finalized))
	if err != nil {
		return nil, nil, err
	}
	if c.world.over() && waiting == 0 && !c.settled {
		c.settled = true
		close(c.done)
	}
	return b, final, nil
}

// Run makes blocks until ctx ends: the games first, then empty ones. It returns
// nil when ctx ended it, else what made it stop (the truth could not be written).
func (c *Chain) Run(ctx context.Context) error {
	if c.config.WaitForSubscriber {
		select {
		case <-c.subscribed:
		case <-ctx.Done():
			return nil
		}
	}
	clock := pacer{begun: time.Now(), from: c.Slot(), slotTime: c.config.SlotTime}
	for ctx.Err() == nil {
		switch {
		case !c.paced():
			clock.begun, clock.from = time.Now(), c.Slot()
		case !clock.wait(ctx, c.upcoming()):
			return nil
		}
		if err := c.Step(ctx); err != nil && ctx.Err() == nil {
			return fmt.Errorf("make the block after slot %d: %w", c.Slot(), err)
		}
	}
	return nil
}

func (c *Chain) upcoming() uint64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.world.upcoming()
}

// paced tells whether the next block is due by the clock: always above rate zero,
// and at rate zero when the games are over.
func (c *Chain) paced() bool {
	select {
	case <-c.done:
		return true
	default:
		return c.config.Rate > 0
	}
}

// pacer knows when a slot is due by our clock. It catches up after a delay.
type pacer struct {
	begun    time.Time
	from     uint64 // the slot at begun
	slotTime time.Duration
}

// wait waits for a slot; it is false if ctx ended meanwhile.
func (p pacer) wait(ctx context.Context, slot uint64) bool {
	timer := time.NewTimer(time.Until(p.begun.Add(time.Duration(slot-p.from) * p.slotTime)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

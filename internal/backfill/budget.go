package backfill

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"sync"
	"time"

	"minesaudit/internal/store"
)

// Budget is how many calls a second a node bears from all processes together. The
// places in its queues are handed out by the database, so that the sum is kept
// whatever the number of machines, and all wait when one was refused.
type Budget struct {
	Store     *store.Store
	Node      string             // the queue's name: processes that name it alike share it
	PerSecond float64            // of all methods; 0: no limit
	Limits    map[string]float64 // calls a second of single methods, under that of all

	// Yield, if set, returns when history may be read at all: what goes before it, such
	// as following the program at the same node, may want the node to itself.
	Yield func(context.Context) error

	once    sync.Once
	all     *places            // nil: no limit
	methods map[string]*places // of Limits
}

// NodeName names a node's queue where the operator gave it no name: by a hash of its
// host, as its address may hold keys.
func NodeName(rawURL string) string {
	u, err := url.Parse(rawURL)
	if err != nil {
		return "node"
	}
	sum := sha256.Sum256([]byte(u.Host))
	return "host-" + hex.EncodeToString(sum[:6])
}

// Wait returns when n calls of a method may be made at once. A place of the method's
// is waited for before one of the node's: so the node's rate is kept to the call, and a
// method's place is used late rather than one of the node's lost.
func (b *Budget) Wait(ctx context.Context, method string, n int) error {
	b.open()
	if b.Yield != nil {
		if err := b.Yield(ctx); err != nil {
			return err
		}
	}
	for _, p := range []*places{b.methods[method], b.all} {
		if p == nil {
			continue
		}
		if err := p.wait(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// Pace is how many calls of a method a second the budget bears; 0: no limit.
func (b *Budget) Pace(method string) float64 {
	own := b.Limits[method]
	if own > 0 && (b.PerSecond <= 0 || own < b.PerSecond) {
		return own
	}
	return b.PerSecond
}

// hold makes everybody leave the node alone for a time.
func (b *Budget) hold(ctx context.Context, pause time.Duration) error {
	if pause <= 0 {
		return nil
	}
	b.open()
	if b.all != nil {
		return b.all.hold(ctx, pause) // what waits for a method's place waits for one of these too
	}
	for _, p := range b.methods {
		if err := p.hold(ctx, pause); err != nil {
			return err
		}
	}
	return nil
}

// open makes the queues. No node's name has a slash in it.
func (b *Budget) open() {
	b.once.Do(func() {
		if b.PerSecond > 0 {
			b.all = &places{store: b.Store, name: b.Node, perSecond: b.PerSecond}
		}
		b.methods = make(map[string]*places, len(b.Limits))
		for method, most := range b.Limits {
			b.methods[method] = &places{store: b.Store, name: b.Node + "/" + method, perSecond: most}
		}
	})
}

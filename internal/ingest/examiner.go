package ingest

import (
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"sync"

	"minesaudit/internal/rpc"
)

const (
	// examineMost bounds what waits to be examined. Beyond it transactions are let go
	// and counted: a node that contradicts itself all the time is not to fill memory.
	examineMost = 100_000
	// examineChunk is how many are examined between two looks at what else there is.
	examineChunk = 32
	// examineAtOnce is how many calls are under way at one node.
	examineAtOnce = 4
)

// examiner is what waits to be held against a second node: added to by the passes and
// the stream, taken from beside them by examineOn.
type examiner struct {
	seed maphash.Seed  // of the sample; made at the start and known to nobody
	wake chan struct{} // something was added

	mu       sync.Mutex
	waiting  [][64]byte
	queued   map[[64]byte]bool
	suspects map[[64]byte]uint64 // contradicted notifications, with their slots
	again    map[[64]byte]bool   // examined, to be when a further node can be asked
	done     generations[bool]   // examined lately
	tellers  generations[string] // which node the record had a transaction from
	dropped  int
}

func newExaminer() *examiner {
	return &examiner{seed: maphash.MakeSeed(), wake: make(chan struct{}, 1), queued: map[[64]byte]bool{}, again: map[[64]byte]bool{}, suspects: map[[64]byte]uint64{}}
}

// samples reports whether a transaction is one of the share that a second node is
// asked for.
func (d *Daemon) samples(signature [64]byte) bool {
	h := maphash.Bytes(d.examiner.seed, signature[:])
	return float64(h>>11)/(1<<53) < d.Sample
}

// add has transactions examined, unless they were lately.
func (e *examiner) add(names ...[64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range names {
		switch {
		case e.queued[s] || e.done.get(s):
		case len(e.waiting) >= examineMost:
			e.dropped++
		default:
			e.waiting, e.queued[s] = append(e.waiting, s), true
		}
	}
	if len(e.waiting) > 0 {
		select {
		case e.wake <- struct{}{}:
		default:
		}
	}
}

// fresh leaves out what was examined lately, and repetitions.
func (e *examiner) fresh(names [][64]byte) (fresh [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	seen := map[[64]byte]bool{}
	for _, s := range names {
		if !seen[s] && !e.done.get(s) {
			fresh = append(fresh, s)
		}
		seen[s] = true
	}
	return fresh
}

// suspect notes a notification that contradicted an earlier one.
func (e *examiner) suspect(tx *rpc.Tx) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.suspects) < lateMost {
		e.suspects[tx.Signature] = tx.Slot
	}
}

// suspectsUpTo takes the suspects of slots that a pass has read.
func (e *examiner) suspectsUpTo(slot int64) (names [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for s, at := range e.suspects {
		if at <= uint64(max(slot, 0)) {
			names = append(names, s)
			delete(e.suspects, s)
		}
	}
	return names
}

// take gives up to n that wait; who cannot examine them gives them back.
func (e *examiner) take(n int) [][64]byte {
	e.mu.Lock()
	defer e.mu.Unlock()
	n = min(n, len(e.waiting))
	names := slices.Clone(e.waiting[:n])
	e.waiting = slices.Delete(e.waiting, 0, n)
	return names
}

// giveBack puts names at the end of those that wait.
func (e *examiner) giveBack(names [][64]byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting = append(e.waiting, names...)
}

// finish notes what was examined. What is open may be asked for again.
func (e *examiner) finish(names [][64]byte, found []*finding) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i, s := range names {
		delete(e.queued, s)
		delete(e.again, s)
		switch f := found[i]; {
		case f.again && len(e.again) < lateMost:
			e.again[s] = true
			e.done.set(s, false) // a pass may have come to more meanwhile; add would leave it out for good
		case !f.open:
			e.done.set(s, true)
		}
	}
}

// reconsider has examined again what further nodes may settle.
func (e *examiner) reconsider() {
	e.mu.Lock()
	names := slices.Collect(maps.Keys(e.again))
	e.mu.Unlock()
	e.add(names...)
}

// toldBy notes from which nodes the record has what has been stored: held against that
// one's answer it would only be what it is. Of the others it is no longer known.
func (e *examiner) toldBy(arrivals []*arrival, stored map[[64]byte]bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, a := range arrivals {
		switch s := a.tx.Signature; {
		case stored[s]:
			e.tellers.set(s, a.from)
		case e.tellers.get(s) != "":
			e.tellers.set(s, "")
		}
	}
}

// teller is the node that told of a transaction; empty where that is not known.
func (e *examiner) teller(signature [64]byte) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.tellers.get(signature)
}

// length is how many are not examined yet, by all nodes that there are, and how many
// were let go.
func (e *examiner) length() (waiting, dropped int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return max(len(e.waiting), len(e.queued), len(e.again)), e.dropped
}

// backlog is how many transactions wait to be examined.
func (e *examiner) backlog() float64 {
	waiting, _ := e.length()
	return math.Round(float64(waiting))
}

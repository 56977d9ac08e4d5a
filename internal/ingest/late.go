package ingest

import (
	"sync"

	"minesaudit/internal/rpc"
)

// late keeps what the stream said of slots at or below the cut, for the
// reconciler to ask for by name. Live adds, the reconciler takes.
type late struct {
	mu  sync.Mutex
	cut int64
	txs map[[64]byte]*rpc.Tx
}

// below sets the cut.
func (l *late) below(slot int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = slot
}

// rise sets the cut, unless it is higher already.
func (l *late) rise(slot int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = max(l.cut, slot)
}

// keep takes a transaction if it is at or below the cut. Beyond lateMost it is
// let go: the list has it, or the node is making things up.
func (l *late) keep(tx *rpc.Tx) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if int64(tx.Slot) > l.cut {
		return false
	}
	if len(l.txs) < lateMost {
		if l.txs == nil {
			l.txs = make(map[[64]byte]*rpc.Tx)
		}
		l.txs[tx.Signature] = tx
	}
	return true
}

// get gives the transaction as the stream told it; nil if it is not kept.
func (l *late) get(signature [64]byte) *rpc.Tx {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.txs[signature]
}

// names lists what is kept.
func (l *late) names() [][64]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := make([][64]byte, 0, len(l.txs))
	for s := range l.txs {
		names = append(names, s)
	}
	return names
}

// forget lets go of what has been resolved.
func (l *late) forget(names [][64]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range names {
		delete(l.txs, s)
	}
}

package backfill

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

const (
	// kind is that of the jobs, and the name of their queue.
	kind = "backfill_page"
	// mostAttempts is how often a page is tried whose node contradicts itself or the
	// list that the page was cut from. After the last one its slots are on record as
	// lacking. A node or database that is down costs no attempt.
	mostAttempts = 10
)

// Page is a job: the transactions of a span of slots, as one node listed them when
// the job was planned. Spans of jobs do not overlap, and together leave no slot out.
type Page struct {
	From   int64  `json:"from_slot" river:"unique"`
	To     int64  `json:"to_slot" river:"unique"`
	Before string `json:"before"`         // the list is asked for below this transaction; empty: from the newest
	Last   string `json:"last,omitempty"` // the lowest transaction; empty: there is none
	Count  int    `json:"count"`          // of transactions
	Set    string `json:"set,omitempty"`  // digest of their signatures, in no order
}

// Kind names the jobs.
func (Page) Kind() string { return kind }

// InsertOpts keeps a page from being queued twice at a time.
func (Page) InsertOpts() river.InsertOpts {
	return river.InsertOpts{
		Queue: kind, MaxAttempts: mostAttempts,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}},
	}
}

// span is the page's slots.
func (p *Page) span() store.Span { return store.Span{From: p.From, To: p.To} }

// newPage makes the job of a part of a list, newest first.
func newPage(span store.Span, before [64]byte, listed []rpc.SignatureInfo) Page {
	p := Page{From: span.From, To: span.To, Count: len(listed)}
	if before != ([64]byte{}) {
		p.Before = rpc.SignatureString(before)
	}
	if len(listed) > 0 {
		p.Last, p.Set = rpc.SignatureString(listed[len(listed)-1].Signature), digest(listed)
	}
	return p
}

// digest is the same for the same signatures in any order: nodes differ about the
// order inside a slot.
func digest(listed []rpc.SignatureInfo) string {
	names := make([][64]byte, len(listed))
	for i := range listed {
		names[i] = listed[i].Signature
	}
	slices.SortFunc(names, func(a, b [64]byte) int { return bytes.Compare(a[:], b[:]) })
	h := sha256.New()
	for i := range names {
		_, _ = h.Write(names[i][:]) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

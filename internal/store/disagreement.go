package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// DisagreementKind says in what two nodes differ.
type DisagreementKind string

// The kinds.
const (
	Unlisted  DisagreementKind = "unlisted"  // one lists a transaction, the other gives it by name only
	Unknown   DisagreementKind = "unknown"   // one has a transaction, the other does not know it
	Withheld  DisagreementKind = "withheld"  // a node lists a transaction, and none gives it
	InSlot    DisagreementKind = "slot"      // they give it different slots
	InOutcome DisagreementKind = "outcome"   // success or failure, or another failure
	InLog     DisagreementKind = "log"       // other lines
	CutShort  DisagreementKind = "truncated" // one log is the other cut short
	InStream  DisagreementKind = "stream"    // both agree, what the subscription told differs
)

// DisagreementKinds lists them all.
func DisagreementKinds() []DisagreementKind {
	return []DisagreementKind{Unlisted, Unknown, Withheld, InSlot, InOutcome, InLog, CutShort, InStream}
}

// Settled says what the record holds since two nodes disagreed.
type Settled string

// The ways in which a disagreement is settled.
const (
	LeftOpen    Settled = ""         // it is not
	ByStoring   Settled = "stored"   // one has it, which is believed before one that has not
	ByLength    Settled = "longer"   // the longer log
	ByMajority  Settled = "majority" // what a third node says too
	ByAgreement Settled = "agreed"   // what both say
)

// Disagreement is a thing of which two nodes gave different answers. Their texts are
// cut to a few kilobytes.
type Disagreement struct {
	Kind      DisagreementKind
	Signature [64]byte
	Slot      uint64
	Node      string // names of nodes; never URLs
	Answer    string
	Other     string
	Said      string // by Other
	Settled   Settled
}

const (
	// mostDisagreements bounds the table: who has seen so many needs no more, and a
	// node that makes things up is not to fill the disk. The metric counts on.
	mostDisagreements = 100_000
	// mostAnswer bounds an answer's text, in bytes.
	mostAnswer = 4096
)

// Disagree records disagreements. One that is known already is counted.
func (w *Writer) Disagree(ctx context.Context, all []Disagreement) error {
	if len(all) == 0 {
		return nil
	}
	q := &pgx.Batch{}
	for i := range all {
		d := &all[i]
		q.Queue(`insert into audit.disagreement as d (kind, signature, slot, node, answer, other_node, other_answer, settled)
			select $1, $2, $3, $4, $5, $6, $7, $8
			where (select count(*) from (select from audit.disagreement limit $9) x) < $9
				or exists (select from audit.disagreement where signature = $2 and kind = $1 and node = $4 and other_node = $6)
			on conflict (signature, kind, node, other_node) do update set slot = excluded.slot, answer = excluded.answer,
				other_answer = excluded.other_answer, settled = excluded.settled, times = d.times + 1, last_seen = now()`,
			string(d.Kind), d.Signature[:], int64(d.Slot), d.Node, cut(d.Answer), d.Other, cut(d.Said), string(d.Settled), mostDisagreements)
	}
	if err := w.transact(ctx, q); err != nil {
		return fmt.Errorf("record %d disagreements: %w", len(all), err)
	}
	return nil
}

// cut makes an answer fit for its column.
func cut(s string) string {
	if len(s) <= mostAnswer {
		return printable(s)
	}
	return printable(s[:mostAnswer]) + "…" // a rune that was cut in two is written in hex
}

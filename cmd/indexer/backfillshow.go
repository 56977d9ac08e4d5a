package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"minesaudit/internal/backfill"
	"minesaudit/internal/store"
)

// backfilled is what a backfill did, or would take.
type backfilled struct {
	From       int64         `json:"from_slot"`
	To         int64         `json:"to_slot"`
	Pages      int64         `json:"pages"`      // that this one has made, or would make
	Signatures int64         `json:"signatures"` // in them
	Calls      int64         `json:"calls,omitempty"`
	Seconds    float64       `json:"seconds,omitempty"` // 0: no limit is known
	Lacking    []lackedRange `json:"lacking,omitempty"`
	perSecond  float64
}

// lackedRange is a range of slots that is not complete, and why.
type lackedRange struct {
	From   int64  `json:"from_slot"`
	To     int64  `json:"to_slot"`
	Reason string `json:"reason"`
}

func (b *backfilled) add(p backfill.Page) {
	b.Pages++
	b.Signatures += int64(p.Count)
}

// reckon tells what reading takes: each page is listed once more, and each
// transaction fetched, except for failed ones, which the pages do not count.
func (b *backfilled) reckon(perSecond float64) {
	b.Calls, b.perSecond = b.Pages+b.Signatures, perSecond
	if perSecond > 0 {
		b.Seconds = float64(b.Calls) / perSecond
	}
}

// lack notes which of the range is not complete.
func (b *backfilled) lack(left []store.Span, ranges []store.Covered) {
	for _, span := range left {
		reason := "it was not asked for"
		for i := range ranges {
			if r := &ranges[i]; !r.Complete() && r.From <= span.To && r.To >= span.From {
				reason = r.Reason
			}
		}
		b.Lacking = append(b.Lacking, lackedRange{span.From, span.To, reason})
	}
}

func (b *backfilled) show(s *streams, asJSON, dry, enqueued bool) (err error) {
	if asJSON {
		err = json.NewEncoder(s.Out).Encode(b)
	} else {
		_, err = fmt.Fprint(s.Out, b.text(dry, enqueued))
	}
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	if len(b.Lacking) > 0 {
		return &exitError{code: exitInconclusive}
	}
	return nil
}

func (b *backfilled) text(dry, enqueued bool) string {
	var t strings.Builder
	fmt.Fprintf(&t, "slots %d to %d: ", b.From, b.To)
	switch {
	case b.Pages == 0 && len(b.Lacking) == 0:
		t.WriteString("nothing is missing that is not waiting to be read\n")
	case dry:
		fmt.Fprintf(&t, "%d signatures in %d pages are missing\n%d calls at most: %d lists, and %d transactions of which failed ones need none\n",
			b.Signatures, b.Pages, b.Calls, b.Pages, b.Signatures)
		if b.perSecond > 0 {
			fmt.Fprintf(&t, "%s at %g calls a second\n", time.Duration(b.Seconds*float64(time.Second)).Round(time.Second), b.perSecond)
		} else {
			t.WriteString("no limit of calls a second: give --rpc-rate to be told how long it takes\n")
		}
	case enqueued:
		fmt.Fprintf(&t, "%d pages of %d signatures wait for workers\n", b.Pages, b.Signatures)
	case len(b.Lacking) == 0:
		fmt.Fprintf(&t, "complete; %d signatures were missing\n", b.Signatures)
	default:
		fmt.Fprintf(&t, "%d signatures were missing\n", b.Signatures)
	}
	for _, l := range b.Lacking {
		fmt.Fprintf(&t, "not had: slots %d to %d: %s\n", l.From, l.To, l.Reason)
	}
	return t.String()
}

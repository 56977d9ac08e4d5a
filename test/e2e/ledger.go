//go:build e2e

package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gagliardetto/solana-go"
)

// A Ledger is what happened on one program, and what a perfect auditor says of each of its games.
// Several goroutines may write to it.
type Ledger struct {
	mu     sync.Mutex
	games  map[GameKey]*Game
	order  []GameKey
	landed map[solana.Signature]*Landed // all that mention the program

	logless bool // the program emits nothing into logs: one that is cut short hides nothing
	garbled int  // transactions with an event of the program that cannot be read
}

// Garble notes a transaction with an event of the program by name whose bytes do not fit.
func (l *Ledger) Garble() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.garbled++
}

// A Game is the truth about one game: its events, and their judgement.
type Game struct {
	Name string // what kind of game it is, for messages
	GameKey
	Starts []Seen[Started]
	Ends   []Seen[any] // Settled or Voided; in chain order but for several transactions in one slot
	Edge   uint32      // of the first start, as its layout writes it
	Judgement
}

// Seen is an event and where it was seen.
type Seen[E any] struct {
	Event     E
	Signature solana.Signature
	Slot      uint64
}

// A Judgement is what a perfect auditor says.
type Judgement struct {
	Verdict  string            // pass, fail, inconclusive; empty while the game runs
	Fails    []string          // checks that must fail
	May      []string          // checks that may fail or be inconclusive besides: it depends on how the layout is read
	Unproved map[string]string // checks that must be inconclusive, and why
	VoidWhen string            // before_timeout, after_timeout; empty if not voided
}

// judgement is a pass, or a fail of the checks named; the lists are blank-separated.
func judgement(fails, may, when string) Judgement {
	j := Judgement{Verdict: "pass", Fails: strings.Fields(fails), May: strings.Fields(may), VoidWhen: when}
	if len(j.Fails) > 0 {
		j.Verdict = "fail"
	}
	return j
}

// unproved are checks that cannot be made, all for one reason.
func unproved(why string, checks ...string) map[string]string {
	all := map[string]string{}
	for _, c := range checks {
		all[c] = why
	}
	return all
}

// NewLedger makes an empty one.
func NewLedger() *Ledger {
	return &Ledger{games: map[GameKey]*Game{}, landed: map[solana.Signature]*Landed{}}
}

// Touch notes that a transaction mentions the program.
func (l *Ledger) Touch(t *Landed) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.landed[t.Signature] = t
}

// Note records events of a landed transaction, in their order in it.
func (l *Ledger) Note(t *Landed, events ...any) {
	l.Touch(t)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range events {
		switch e := e.(type) {
		case Started:
			l.start(t, e, uint32(e.EdgeBPS))
		case dealt:
			l.start(t, e.Started, e.EdgePPB)
		case Settled:
			g := l.game(e.GameKey)
			g.Ends = append(g.Ends, Seen[any]{e, t.Signature, t.Slot})
		case Voided:
			g := l.game(e.GameKey)
			g.Ends = append(g.Ends, Seen[any]{e, t.Signature, t.Slot})
		default:
			panic(fmt.Sprintf("ledger: no event: %T", e))
		}
	}
}

func (l *Ledger) start(t *Landed, e Started, edge uint32) {
	g := l.game(e.GameKey)
	if len(g.Starts) == 0 {
		g.Edge = edge
	}
	g.Starts = append(g.Starts, Seen[Started]{e, t.Signature, t.Slot})
}

// Judge says what the game is and what an auditor has to say of it. A game that is never judged is
// expected to run still.
func (l *Ledger) Judge(key GameKey, name string, j Judgement) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g := l.game(key)
	g.Name, g.Judgement = name, j
}

// Games gives all games, in the order of their first events.
func (l *Ledger) Games() []*Game {
	l.mu.Lock()
	defer l.mu.Unlock()
	var out []*Game
	for _, k := range l.order {
		out = append(out, l.games[k])
	}
	return out
}

// LastSlot is the newest slot in which the program was mentioned.
func (l *Ledger) LastSlot() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	var last uint64
	for _, t := range l.landed {
		last = max(last, t.Slot)
	}
	return last
}

// Transactions is how many mention the program.
func (l *Ledger) Transactions() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.landed)
}

// Landed are all transactions that mention the program, in no order.
func (l *Ledger) Landed() []*Landed {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Collect(maps.Values(l.landed))
}

// Missing are the transactions that a node's list does not hold exactly once.
func (l *Ledger) Missing(listed []solana.Signature) []solana.Signature {
	l.mu.Lock()
	defer l.mu.Unlock()
	times := map[solana.Signature]int{}
	for _, s := range listed {
		times[s]++
	}
	var missing []solana.Signature
	for s := range l.landed {
		if times[s] != 1 {
			missing = append(missing, s)
		}
	}
	return missing
}

// Unreadable is how many transactions succeeded and have a log that was cut and may hide an event, or
// an event that cannot be read.
func (l *Ledger) Unreadable() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.garbled
	if l.logless {
		return n
	}
	for _, t := range l.landed {
		if t.Code == 0 && slices.Contains(t.Logs, truncationMarker) {
			n++
		}
	}
	return n
}

func (l *Ledger) game(key GameKey) *Game {
	g := l.games[key]
	if g == nil {
		g = &Game{GameKey: key, Name: "running"}
		l.games[key] = g
		l.order = append(l.order, key)
	}
	return g
}

// End is the end that counts, nil if there is none: that of the lowest slot. Of several in one slot
// nobody knows the first; the record then shows that of the lowest signature.
func (g *Game) End() *Seen[any] {
	if len(g.Ends) == 0 {
		return nil
	}
	first := slices.MinFunc(g.Ends, func(a, b Seen[any]) int {
		return cmp.Or(cmp.Compare(a.Slot, b.Slot), bytes.Compare(a.Signature[:], b.Signature[:]))
	})
	return &first
}

// Over tells whether the game has been judged: it has ended, or its end may be hidden.
func (g *Game) Over() bool { return g.End() != nil || g.Verdict != "" }

// Status is the word that the game has in the views.
func (g *Game) Status() string {
	end := g.End()
	switch {
	case end == nil && g.Over():
		return "hidden"
	case end == nil:
		return "open"
	}
	if _, ok := end.Event.(Voided); ok {
		return "voided"
	}
	return "settled"
}

package reaudit

import (
	"fmt"
	"strings"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/ingest"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// part is what the games of one part came to.
type part struct {
	tally
	changed   []Change
	altered   []Alteration
	supersede []store.GameID
	notes     []store.Altered
	mended    []store.GameID
}

func newPart() *part { return &part{tally: newTally()} }

// judge judges one game again and adds what it came to.
func (r *run) judge(g *store.RecordedGame, p *part) {
	p.games++
	p.events += int64(len(g.Events))
	now := r.Standard.Again(g)
	if r.Other {
		if regrouped(g, &now) {
			p.regrouped++
			return
		}
	} else if notes := contradictions(g, &now); len(notes) > 0 {
		p.alter(g, &now, notes)
		return
	}
	if r.noted[g.ID] {
		p.mended = append(p.mended, g.ID)
	}
	switch {
	case now.Next == nil:
		p.same++
	case g.Rules > verify.RulesVersion && !r.Other:
		p.newer++
	default:
		p.change(g, &now)
	}
}

// stands reports whether a game, of which only its events and its verdict have
// been read, is plainly the same, and counts it then.
func (r *run) stands(g *store.RecordedGame, p *part) bool {
	if g.Lacks() || r.noted[g.ID] {
		return false
	}
	if now := r.Standard.Again(g); now.Next != nil || len(strays(g, &now)) > 0 {
		return false
	}
	p.games++
	p.events += int64(len(g.Events))
	p.same++
	return true
}

// regrouped reports whether another profile sees other games in the events.
func regrouped(g *store.RecordedGame, now *ingest.Judged) bool {
	for i := range now.Pieces {
		if e := &now.Pieces[i]; isOfGame(e) && store.NewGameID(e.Event.Key) != g.ID {
			return true
		}
	}
	return false
}

func isOfGame(p *assemble.Piece) bool { return p.IsStart() || p.IsEnd() }

// contradictions lists what of a game's rows does not go together.
func contradictions(g *store.RecordedGame, now *ingest.Judged) []store.Altered {
	notes := strays(g, now)
	note := func(what, format string, args ...any) {
		notes = append(notes, store.Altered{Game: g.ID, What: what, Detail: fmt.Sprintf(format, args...)})
	}
	if !g.HasRow {
		note("no_row", "%d events are stored of a game that has no row", len(g.Events))
		return notes
	}
	// Rows that older rules made, or rows of a game that nothing is left of, may
	// differ for that alone.
	current := g.Standing.Seq < 0 || g.Rules == verify.RulesVersion
	row := now.Row
	row.Standing.Seq = g.Standing.Seq // now has that of the next verdict, if there is one
	if columns := g.Differs(&row); len(columns) > 0 && current && len(now.Pieces) > 0 {
		note("row", "the events give another %s", strings.Join(columns, ", "))
	}
	if !g.Shows() {
		note("standing", "the row does not show verdict %d of the game, %s", g.Standing.Seq, g.Standing.Verdict)
	}
	return notes
}

// strays lists events that are no longer what they were stored as.
func strays(g *store.RecordedGame, now *ingest.Judged) []store.Altered {
	var notes []store.Altered
	known := false // that the key of the first piece is the game's
	for i := range now.Pieces {
		p := &now.Pieces[i]
		if kind := storedKind(g, p); kind != p.Event.Kind {
			notes = append(notes, store.Altered{Game: g.ID, What: "kind", Tx: p.Tx, Detail: fmt.Sprintf(
				"event %d was stored as %s and is %s (%q)", p.Ordinal, kind, p.Event.Kind, p.Event.Problem)})
			continue
		}
		if known && p.Event.Key == now.Pieces[0].Event.Key {
			continue
		}
		if store.NewGameID(p.Event.Key) != g.ID {
			notes = append(notes, store.Altered{Game: g.ID, What: "key", Tx: p.Tx, Detail: fmt.Sprintf(
				"event %d, %s, is of another game, user or nonce", p.Ordinal, p.Event.Kind)})
			continue
		}
		known = known || i == 0
	}
	return notes
}

// storedKind is the kind that a piece was stored as.
func storedKind(g *store.RecordedGame, p *assemble.Piece) (kind decode.Kind) {
	for i := range g.Events {
		if e := &g.Events[i]; e.TxID == p.Tx && e.Ordinal == p.Ordinal && e.Source.Decoded() == p.Source {
			return e.Kind
		}
	}
	return kind
}

func (p *part) alter(g *store.RecordedGame, now *ingest.Judged, notes []store.Altered) {
	p.tally.altered++
	p.notes = append(p.notes, notes...)
	key := keyOf(g, now)
	for _, n := range notes {
		p.altered = append(p.altered, Alteration{
			GameKey: key, What: n.What, Signature: signatureOf(g, n.Tx), Detail: n.Detail, Standing: standing(&g.Standing), slot: g.Standing.EndSlot,
		})
	}
}

func (p *part) change(g *store.RecordedGame, now *ingest.Judged) {
	p.supersede = append(p.supersede, g.ID)
	p.count(&g.Standing, now.Next, g.Rules)
	p.changed = append(p.changed, changeOf(keyOf(g, now), g, now.Next))
}

package reaudit

import (
	"bytes"
	"cmp"
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/ingest"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// Report is what a re-audit has found.
type Report struct {
	tally
	Changed []Change     // the first by the slot of their end, as many as were asked for
	Altered []Alteration // likewise

	Other      bool  // judged by another profile than the record's
	Wrote      bool  // it was allowed to
	Superseded int64 // verdicts added
	Mended     int64 // games that are in order again

	most int
}

// Change is a game of which another verdict would stand, or stands now.
type Change struct {
	GameKey
	EndSlot  uint64 // 0: it has not ended
	Was, Now verify.Verdict
	Rules    int // that made the verdict it was; 0: there was none
	Checks   []CheckChange
}

// GameKey names a game for people.
type GameKey struct {
	decode.GameKey
	id store.GameID
}

// CheckChange is a check with another result; Finding tells of the new one, and
// is zero where it passes or is not applicable.
type CheckChange struct {
	Check    verify.Check
	Was, Now verify.Result
	Finding  verify.Finding
}

// Alteration is one contradiction in what is stored of a game.
type Alteration struct {
	GameKey
	What      string    // see store.Altered
	Signature *[64]byte // of the event's transaction; nil where it is not one event
	Detail    string
	Standing  verify.Verdict

	slot uint64
}

// Different reports whether anything was found that is not as it was.
func (r *Report) Different() bool { return r.Changes()+r.tally.altered+r.regrouped > 0 }

// Changes is how many games have another verdict.
func (r *Report) Changes() (n int64) {
	for _, k := range r.turns {
		n += k
	}
	return n
}

func newReport(o *Options) *Report {
	return &Report{tally: newTally(), Other: o.Other, Wrote: o.Write, most: max(o.Most, 0)}
}

// add adds a part. Lists are cut now and then, so that memory stays flat.
func (r *Report) add(p *part) {
	r.tally.add(&p.tally)
	r.Changed = append(r.Changed, p.changed...)
	r.Altered = append(r.Altered, p.altered...)
	if len(r.Changed)+len(r.Altered) > 4*r.most+1000 {
		r.finish(r.most)
	}
}

// finish sorts the lists and cuts them: the same games are listed whichever
// part was first.
func (r *Report) finish(most int) {
	most = max(most, 0)
	slices.SortFunc(r.Changed, func(a, b Change) int {
		return cmp.Or(cmp.Compare(a.EndSlot, b.EndSlot), bytes.Compare(a.id[:], b.id[:]))
	})
	slices.SortFunc(r.Altered, func(a, b Alteration) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), bytes.Compare(a.id[:], b.id[:]), cmp.Compare(a.What, b.What), cmp.Compare(a.Detail, b.Detail))
	})
	r.Changed = r.Changed[:min(len(r.Changed), most)]
	r.Altered = r.Altered[:min(len(r.Altered), most)]
}

// keyOf is the key that the row shows, else the one that the events have.
func keyOf(g *store.RecordedGame, now *ingest.Judged) GameKey {
	if g.HasRow {
		return GameKey{g.Key, g.ID}
	}
	return GameKey{now.Row.Key, g.ID}
}

func signatureOf(g *store.RecordedGame, tx int64) *[64]byte {
	for i := range g.Events {
		if e := &g.Events[i]; tx != 0 && e.TxID == tx {
			return &e.Signature
		}
	}
	return nil
}

func changeOf(key GameKey, g *store.RecordedGame, now *store.Verdict) Change {
	c := Change{GameKey: key, EndSlot: now.EndSlot, Was: standing(&g.Standing), Now: now.Verdict, Rules: g.Rules}
	before, after := verify.Unpack(g.Standing.Results), verify.Unpack(now.Results)
	for i := range before {
		if before[i] == after[i] {
			continue
		}
		change := CheckChange{Check: verify.Check(i), Was: before[i], Now: after[i]}
		for _, f := range now.Findings {
			if f.Check == change.Check {
				change.Finding = f
			}
		}
		c.Checks = append(c.Checks, change)
	}
	return c
}

package ingest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// work is what one save is asked to do.
type work struct {
	arrivals []arrival
	dropped  [][64]byte       // signatures that a finalized node does not know
	times    []store.SlotTime // of slots on the way
	rejudge  []store.GameID   // games on which completeness or a block time bears
	complete int64            // everything at or below is in the record, or about to be
	advance  *store.Advance
	ahead    *newTxs // nil: the rows are written with what is decided
	unseen   bool    // none of the signatures is in the record: Commit fails if one is
	reword   bool    // also games of which nothing came are to say what they would if judged now
}

// completeTo is the slot up to which everything is in the record, or about to be.
func (j *work) completeTo(w *store.Writer) int64 { return max(j.complete, w.Frontier()) }

// decide reads what the record holds of the work's signatures and games, and
// makes the batch that brings it up to date. It writes nothing, so after a
// failed commit, whose outcome may be unknown, it is simply asked again.
func decide(ctx context.Context, w *store.Writer, job *work, by *standard) (*store.Batch, error) {
	b := &store.Batch{Times: job.times}
	if err := decideAdvance(w, job.advance, b); err != nil {
		return nil, err
	}
	c := &changes{
		fresh: map[store.GameID][]piece{}, gone: map[int64]bool{}, disputed: map[store.GameID]decode.GameKey{}, cuts: map[[32]byte][]store.Truncation{},
	}
	if err := decideTxs(ctx, w, job, b, c); err != nil {
		return nil, err
	}
	if err := c.namedLate(ctx, w, b, job.completeTo(w)); err != nil {
		return nil, err
	}
	if err := decideGames(ctx, w, job, b, c, by); err != nil {
		return nil, err
	}
	if !job.reword && len(c.fresh)+len(c.gone)+len(c.disputed)+len(c.named) == 0 {
		return b, nil
	}
	// A game may go on to fail the same checks by other events: whichever way these came,
	// the record is to end in the same words.
	return b, w.Reword(ctx, b)
}

// decideAdvance moves the frontier, unless a try whose outcome was not known
// has. Where it is somewhere else, another daemon has been here meanwhile.
func decideAdvance(w *store.Writer, a *store.Advance, b *store.Batch) error {
	switch {
	case a == nil || a.Becomes == w.Frontier():
	case a.Was == w.Frontier():
		b.Advance = a
	default:
		return fmt.Errorf("%w: it is at %d, not %d", store.ErrFrontierMoved, w.Frontier(), a.Was)
	}
	return nil
}

// standard is what games are read and judged by.
type standard struct {
	layout *decode.Layout
	rules  *verify.Rules
}

// changes is what the transactions of a batch mean for games.
type changes struct {
	fresh map[store.GameID][]piece // events that come in
	gone  map[int64]bool           // ids of rows whose stored events no longer count

	disputed map[store.GameID]decode.GameKey // games with an event that nodes give differently

	// What comes late, to where the record is complete, and cannot be read may hide what
	// games lack that it names. Elsewhere they are judged when the frontier passes.
	cuts  map[[32]byte][]store.Truncation
	named []store.GameID
}

func (c *changes) add(a *arrival, row *store.Tx) {
	for i := range row.Events {
		e := &row.Events[i]
		switch {
		case !e.HasGame:
		case row.State == decode.LogDisputed:
			c.disputed[e.Game] = a.log.Events[i].Key
		default:
			c.fresh[e.Game] = append(c.fresh[e.Game], piece{
				Tx: row.ID, Signature: row.Signature, Slot: row.Slot, Source: a.log.Events[i].Source, Ordinal: e.Ordinal,
				Truncated: row.State != decode.LogComplete, Event: a.log.Events[i],
			})
		}
	}
}

// decideGames gathers the pieces of every game that the batch touches, judges
// them and adds what differs from the record.
func decideGames(ctx context.Context, w *store.Writer, job *work, b *store.Batch, c *changes, by *standard) error {
	ids := append(slices.Clone(job.rejudge), c.named...)
	if a := b.Advance; a != nil {
		// What became undecided since the pass listed what was: the examiner may have put
		// an event in dispute meanwhile.
		undecided, err := w.Undecided(ctx, a.Was, a.Becomes)
		if err != nil {
			return err
		}
		ids = append(ids, undecided...)
	}
	for id := range c.fresh {
		ids = append(ids, id)
	}
	for id := range c.disputed {
		ids = append(ids, id)
	}
	if len(c.gone) > 0 {
		affected, err := w.GamesOf(ctx, slices.Collect(maps.Keys(c.gone)))
		if err != nil {
			return err
		}
		ids = append(ids, affected...)
	}
	slices.SortFunc(ids, func(a, b store.GameID) int { return bytes.Compare(a[:], b[:]) })
	ids = slices.Compact(ids)
	stored, err := w.Games(ctx, ids)
	if err != nil {
		return err
	}
	todo := make([]pending, 0, len(ids))
	for _, id := range ids {
		todo = append(todo, gather(id, stored[id], c, by.layout))
	}
	j := judging{rules: by.rules, complete: job.completeTo(w)}
	if j.times, err = endTimes(ctx, w, job.times, todo); err != nil {
		return err
	}
	cuts, err := c.truncationsNaming(ctx, w, todo, j.complete)
	if err != nil {
		return err
	}
	for i := range todo {
		j.cuts = cuts[todo[i].account()]
		addGame(b, &todo[i], j)
	}
	return nil
}

// pending is a game with all its pieces, about to be judged.
type pending struct {
	id       store.GameID
	key      decode.GameKey
	pieces   []piece
	stored   bool // the record has a row of it
	disputed bool // nodes give an event of it differently: none of them counts, and what is left is not all
	standing store.Verdict
}

func gather(id store.GameID, stored *store.StoredGame, c *changes, layout *decode.Layout) pending {
	fresh := c.fresh[id]
	p := pending{id: id, pieces: fresh, standing: store.Verdict{Game: id, Seq: -1}}
	p.key, p.disputed = c.disputed[id]
	if stored == nil {
		p.settle()
		return p
	}
	p.key, p.stored, p.standing = stored.Key, true, stored.Standing
	for i := range stored.Events {
		e := &stored.Events[i]
		if c.gone[e.TxID] {
			continue
		}
		if e.State == decode.LogDisputed {
			p.disputed = true
			continue
		}
		event := layout.Parse(e.Slot, e.Data)
		event.TakePaid(e.Paid)
		p.pieces = append(p.pieces, piece{
			Tx: e.TxID, Signature: e.Signature, Slot: e.Slot, Source: e.Source.Decoded(), Ordinal: e.Ordinal,
			Truncated: e.State != decode.LogComplete, Event: event,
		})
	}
	p.settle()
	return p
}

// account is what transactions of the game name: its address, or the player's
// where games are known without one.
func (p *pending) account() [32]byte {
	if p.key.Game != ([32]byte{}) {
		return p.key.Game
	}
	return p.key.User
}

// settle takes the key from the pieces: a stored row may have the user and nonce
// of a start that is gone. It keeps the first pieces in chain order: those that
// the next reading of the record will give, whichever way the others came.
func (p *pending) settle() {
	if len(p.pieces) > 0 {
		p.key = p.pieces[0].Event.Key
	}
	if len(p.pieces) > store.MostEvents {
		slices.SortFunc(p.pieces, assemble.ChainOrder)
		p.pieces = p.pieces[:store.MostEvents]
	}
}

// addGame judges a game and adds its row, and a verdict if it says something
// new. A verdict that no longer stands on anything is withdrawn.
func addGame(b *store.Batch, p *pending, j judging) {
	j.disputed = p.disputed
	row, report := judge(p.id, p.key, p.pieces, j)
	made := row.Standing
	row.Stored = p.stored
	row.Standing.Seq = p.standing.Seq
	switch {
	case report.Verdict == verify.VerdictPending && p.standing.Seq < 0:
		// Nothing to say yet.
	case report.Verdict == verify.VerdictPending:
		if p.standing.Verdict == verify.VerdictWithdrawn {
			break
		}
		made = store.Verdict{Game: row.ID, Seq: p.standing.Seq + 1, Slot: made.Slot, Verdict: verify.VerdictWithdrawn, MinesCount: -1, Revealed: -1, StakeBand: -2}
		row.Standing.Seq = made.Seq
		b.Verdicts = append(b.Verdicts, made)
	case p.standing.Seq < 0 || !made.SameAs(&p.standing):
		made.Seq = p.standing.Seq + 1
		row.Standing.Seq = made.Seq
		b.Verdicts = append(b.Verdicts, made)
	}
	b.Games = append(b.Games, row)
}

// endTimes gives the block times on which a void's verdict bears: those of the
// work itself, else the record's.
func endTimes(ctx context.Context, w *store.Writer, fresh []store.SlotTime, todo []pending) (map[uint64]time.Time, error) {
	var slots []uint64
	for i := range todo {
		for j := range todo[i].pieces {
			if p := &todo[i].pieces[j]; p.Event.Kind == decode.KindVoided {
				slots = append(slots, p.Slot)
			}
		}
	}
	times, err := w.BlockTimes(ctx, slots)
	if err != nil {
		return nil, err
	}
	for _, t := range fresh {
		if _, ok := times[t.Slot]; !ok && t.Has {
			times[t.Slot] = t.Time
		}
	}
	return times, nil
}

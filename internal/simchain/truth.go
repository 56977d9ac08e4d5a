package simchain

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Truth is what the chain knows of one ended game: its key, what was done to it
// and what a perfect auditor says.
type Truth struct {
	Game  string `json:"game"` // base58
	User  string `json:"user"` // base58
	Nonce string `json:"nonce"`

	Cheat   Cheat    `json:"cheat"`   // "" for an honest game
	Verdict string   `json:"verdict"` // pass, fail or inconclusive
	Fails   []string `json:"fails"`   // the checks that must fail, and no others may

	// Truncated says what a cut log hides: "" for nothing, else start_kept,
	// start_lost, end_kept or end_lost (the event stands before the cut, or fell
	// to it). A game whose end is lost can be known by its accounts only.
	Truncated string `json:"truncated"`

	Voided   bool   `json:"voided"`
	VoidWhen string `json:"void_when"` // "", before_timeout or after_timeout
	Lost     bool   `json:"lost"`      // settled with a bust tile

	StartSignature string `json:"start_signature"`
	StartSlot      uint64 `json:"start_slot"`
	EndSignature   string `json:"end_signature"` // the first end, where there are two
	EndSlot        uint64 `json:"end_slot"`
}

// record is what is kept of a game for its Truth.
type record struct {
	index      int
	user       Key
	nonce      uint64
	cheat      Cheat
	cut        truncation
	fails      []check
	start, end *tx
	lastEnd    *tx // differs from end where there are two
	void, late bool
	lost       bool
}

func (r *record) deal(g *game) {
	r.user, r.nonce, r.cheat, r.cut = g.user, g.nonce, g.cheat, g.cut
}

func (r *record) truth(seed int64, cpi bool) Truth {
	t := Truth{
		Game: derive(seed, "game account", uint64(r.index)).String(), User: r.user.String(),
		Nonce: strconv.FormatUint(r.nonce, 10),
		Cheat: r.cheat, Verdict: "pass", Fails: []string{}, Truncated: r.cut.String(),
		Voided: r.void, Lost: r.lost,
		StartSignature: r.start.name(), StartSlot: r.start.slot,
		EndSignature: r.end.name(), EndSlot: r.end.slot,
	}
	switch {
	case len(r.fails) > 0:
		t.Verdict = "fail"
	case r.cut != uncut && !cpi:
		t.Verdict = "inconclusive"
	}
	for _, c := range r.fails {
		t.Fails = append(t.Fails, string(c))
	}
	switch {
	case r.void && r.late:
		t.VoidWhen = "after_timeout"
	case r.void:
		t.VoidWhen = "before_timeout"
	}
	return t
}

// truthLog writes games to Config.Truth, in the order of their last ends, once
// these are final.
type truthLog struct {
	out   io.Writer // nil: nobody asked
	seed  int64
	cpi   bool
	ended []*record // not yet final
}

func (l *truthLog) add(r *record) { l.ended = append(l.ended, r) }

// settle writes every game whose last end is at or below the finalized slot and
// tells how many games are still to come.
func (l *truthLog) settle(finalized uint64) (waiting int, err error) {
	for len(l.ended) > 0 && l.ended[0].lastEnd.slot <= finalized {
		if err := l.write(l.ended[0]); err != nil {
			return len(l.ended), err
		}
		l.ended = l.ended[1:]
	}
	return len(l.ended), nil
}

func (l *truthLog) write(r *record) error {
	if l.out == nil {
		return nil
	}
	line, err := json.Marshal(r.truth(l.seed, l.cpi))
	if err != nil {
		return fmt.Errorf("truth of game %d: %w", r.index, err)
	}
	if _, err := l.out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write truth of game %d: %w", r.index, err)
	}
	return nil
}

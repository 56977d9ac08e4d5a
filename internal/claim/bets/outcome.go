package bets

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

func (b *Bet) dice(r *records.Record) error {
	if err := without(r, dice, fieldMines, fieldTiles); err != nil {
		return err
	}
	var selected []int64
	if r.Has(fieldSelected) {
		var err error
		if selected, err = r.Ints(fieldSelected); err != nil {
			return err
		}
	}
	b.identify(joined(selected))
	numbers := selected
	if !r.Has(fieldSelected) {
		numbers = []int64{1} // the face does not depend on them
	}
	face, win, refused := verify.Dice(b.GameSeed.String(), numbers)
	if refused == nil {
		b.Outcome = "face " + strconv.FormatInt(face, 10)
		if r.Has(fieldSelected) {
			b.Outcome += ", " + winText(win)
		}
	}
	right := true
	if r.Has(fieldFace) {
		claimed, err := r.Int(fieldFace)
		if err != nil {
			return err
		}
		right = claimed == face
		b.Claimed = "face " + strconv.FormatInt(claimed, 10)
	}
	if r.Has(fieldWin) {
		claimed, err := r.Bool(fieldWin)
		if err != nil {
			return err
		}
		right = right && (claimed == win || !r.Has(fieldSelected))
		b.Claimed = strings.TrimPrefix(b.Claimed+", "+winText(claimed), ", ")
	}
	switch {
	case refused != nil:
		b.find(CheckOutcome, verify.ResultInconclusive, reasonUnfit, refused.Error(), b.Claimed)
	case b.Claimed == "":
		b.find(CheckOutcome, verify.ResultInconclusive, reasonNoOutcome, b.Outcome, "")
	case !right:
		b.find(CheckOutcome, verify.ResultFail, reasonMismatch, b.Outcome, b.Claimed)
	case r.Has(fieldWin) && !r.Has(fieldSelected):
		b.find(CheckOutcome, verify.ResultInconclusive, reasonNoSelected, b.Outcome, b.Claimed)
	default:
		b.Results[CheckOutcome] = verify.ResultPass
	}
	return nil
}

func winText(win bool) string {
	if win {
		return "won"
	}
	return "lost"
}

func (b *Bet) hmacMines(r *records.Record) error {
	if err := without(r, hmacMines, fieldSelected, fieldFace, fieldWin); err != nil {
		return err
	}
	var claimed []int64
	if r.Has(fieldTiles) {
		var err error
		if claimed, err = r.Ints(fieldTiles); err != nil {
			return err
		}
		slices.Sort(claimed)
		b.Claimed = joined(claimed)
	}
	if !r.Has(fieldMines) {
		b.identify("")
		b.find(CheckOutcome, verify.ResultInconclusive, reasonNoMines, "", b.Claimed)
		return nil
	}
	mines, err := r.Int(fieldMines)
	if err != nil {
		return err
	}
	b.identify(strconv.FormatInt(mines, 10))
	tiles, refused := verify.HMACMines(b.GameSeed.String(), int(min(max(mines, 0), math.MaxInt32))) // below 0 is as good as 0
	slices.Sort(tiles)
	b.Outcome = joined(tiles)
	switch {
	case refused != nil:
		b.find(CheckOutcome, verify.ResultInconclusive, reasonUnfit, refused.Error(), b.Claimed)
	case !r.Has(fieldTiles):
		b.find(CheckOutcome, verify.ResultInconclusive, reasonNoOutcome, b.Outcome, "")
	case b.Claimed != b.Outcome:
		b.find(CheckOutcome, verify.ResultFail, reasonMismatch, b.Outcome, b.Claimed)
	default:
		b.Results[CheckOutcome] = verify.ResultPass
	}
	return nil
}

// identify gives the bet its ID; on is what it was placed on.
func (b *Bet) identify(on string) {
	b.ID = digest(b.Game, b.ServerSeed, b.ClientSeed, strconv.FormatInt(b.Nonce, 10), on)
}

// without refuses fields of another game.
func without(r *records.Record, game string, fields ...string) error {
	for _, field := range fields {
		if r.Has(field) {
			return fmt.Errorf("%s: not a field of %s", field, game)
		}
	}
	return nil
}

// joined writes a list of whole numbers, spaces between.
func joined[T int | int64](list []T) string {
	return strings.Trim(fmt.Sprint(list), "[]")
}

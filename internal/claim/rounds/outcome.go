package rounds

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// An outcome is what a round claims and what came of checking it. The claim is a
// number in all games: a multiplier, a platform, or the index of a winner.
type outcome struct {
	claim    float64 // NaN where there is none
	result   verify.Result
	reason   string
	expected string
}

// ErrNoGame means that a round claims an outcome and the game is not known.
var ErrNoGame = errors.New("an outcome is claimed, and the chain's game is not known")

// ownName is what a game calls its outcome.
func (g Game) ownName() string {
	switch g {
	case Rocket:
		return "multiplier"
	case Platforms:
		return "platform"
	case Battle:
		return "winner"
	default:
		return ""
	}
}

const (
	fieldRound   = "round"
	fieldHash    = "hash"
	fieldOutcome = "outcome"
	fieldChances = "chances"
)

// Fields lists the fields of a round in a file, of any game.
func Fields() []string {
	return []string{fieldRound, fieldHash, fieldOutcome, Rocket.ownName(), Platforms.ownName(), Battle.ownName(), fieldChances}
}

// claimField is the field in which a round claims its outcome, or empty.
func (g Game) claimField(r *records.Record) (string, error) {
	found := ""
	for _, field := range []string{fieldOutcome, Rocket.ownName(), Platforms.ownName(), Battle.ownName()} {
		switch {
		case !r.Has(field):
		case g == None:
			return "", ErrNoGame
		case field != fieldOutcome && field != g.ownName():
			return "", fmt.Errorf("%s: not a field of %s: want outcome or %s", field, g, g.ownName())
		case found != "":
			return "", fmt.Errorf("%s and %s: want one of them", found, field)
		default:
			found = field
		}
	}
	if r.Has(fieldChances) && g != Battle && g != None {
		return "", fmt.Errorf("chances: not a field of %s", g)
	}
	return found, nil
}

// outcome checks what a round claims. An error is one of the record.
func (g Game) outcome(r *records.Record, hash verify.ChainHash) (o outcome, err error) {
	o.claim = math.NaN()
	field, err := g.claimField(r)
	if err != nil || field == "" {
		return o, err
	}
	switch g {
	case Rocket:
		if o.claim, err = r.Decimal(field); err != nil {
			return o, err
		}
		rocket, err := verify.NewRocket(hash.String())
		if err != nil {
			return o, err
		}
		o.hold(rocket.Multiplier, strconv.FormatFloat(rocket.Multiplier, 'f', 2, 64))
	case Platforms:
		platform, err := verify.LastPlatform(hash.String())
		if err != nil {
			return o, err
		}
		return o, o.holdIndex(r, field, platform)
	case Battle:
		return o, o.battle(r, field, hash)
	}
	return o, nil
}

func (o *outcome) battle(r *records.Record, field string, hash verify.ChainHash) error {
	if !r.Has(fieldChances) {
		err := o.holdIndex(r, field, -1)
		o.result, o.reason, o.expected = verify.ResultInconclusive, reasonNoChances, ""
		return err
	}
	chances, err := r.Floats(fieldChances)
	if err != nil {
		return err
	}
	winner, refused := verify.BattleWinner(hash.String(), chances)
	if err := o.holdIndex(r, field, winner); err != nil {
		return err
	}
	if refused != nil && !errors.Is(refused, verify.ErrNoWinner) {
		o.result, o.reason, o.expected = verify.ResultInconclusive, reasonBadChances, refused.Error()
	}
	return nil
}

// holdIndex reads a whole number that is claimed and holds it against the right one.
func (o *outcome) holdIndex(r *records.Record, field string, want int) error {
	claim, err := r.Int(field)
	if err != nil {
		return err
	}
	// Beyond 2^53 a claim may be rounded, and is wrong in any case.
	o.claim = float64(claim)
	o.hold(float64(want), strconv.Itoa(want))
	return nil
}

func (o *outcome) hold(want float64, text string) {
	o.result = verify.ResultPass
	if o.claim != want {
		o.result, o.reason, o.expected = verify.ResultFail, reasonMismatch, text
	}
}

// claimText is a claim as it is shown.
func claimText(claim float64) string {
	if math.IsNaN(claim) {
		return ""
	}
	return strconv.FormatFloat(claim, 'f', -1, 64)
}

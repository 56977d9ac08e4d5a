package claim

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"

	"minesaudit/internal/verify"
)

func hashOf(r *Request) (string, error) {
	if r.Hash == nil {
		return "", notGiven("hash")
	}
	return *r.Hash, nil
}

type platformsOutcome int

func checkPlatforms(r *Request) (outcome, error) {
	hash, err := hashOf(r)
	if err != nil {
		return nil, err
	}
	platform, err := verify.LastPlatform(hash)
	if err != nil {
		return nil, err
	}
	return platformsOutcome(platform), nil
}

func (o platformsOutcome) appendFields(b []byte) []byte {
	return appendInt(appendKey(b, "platform"), int(o))
}

func (o platformsOutcome) lines() [][2]string {
	return [][2]string{{"last platform", strconv.Itoa(int(o))}}
}

type rocketOutcome verify.Rocket

func checkRocket(r *Request) (outcome, error) {
	hash, err := hashOf(r)
	if err != nil {
		return nil, err
	}
	rocket, err := verify.NewRocket(hash)
	if err != nil {
		return nil, err
	}
	return (*rocketOutcome)(&rocket), nil
}

// hundredths is the multiplier with two decimals.
func (o *rocketOutcome) hundredths() string { return strconv.FormatFloat(o.Multiplier, 'f', 2, 64) }

func (o *rocketOutcome) appendFields(b []byte) []byte {
	b = appendString(appendKey(b, "multiplier"), o.hundredths())
	return appendString(appendKey(b, "bits"), bitsOf(o.Multiplier))
}

func (o *rocketOutcome) lines() [][2]string {
	return [][2]string{{"multiplier", o.hundredths()}, {"as float64", bitsOf(o.Multiplier)}}
}

// bitsOf is a float64 to the last bit, in hex.
func bitsOf(f float64) string {
	var bits [8]byte
	binary.BigEndian.PutUint64(bits[:], math.Float64bits(f))
	return hex.EncodeToString(bits[:])
}

type battleOutcome struct {
	winner int
	random *float64 // nil where the hash gives none
}

// checkBattle gives an outcome with every error, of which the winner is -1.
func checkBattle(r *Request) (outcome, error) {
	o := &battleOutcome{winner: -1}
	hash, err := hashOf(r)
	if err != nil {
		return o, err
	}
	random, err := verify.BattleRandom(hash)
	if err != nil {
		return o, err
	}
	o.random = &random
	o.winner, err = verify.BattleWinner(hash, r.Chances)
	return o, err
}

func (o *battleOutcome) appendFields(b []byte) []byte {
	b = appendInt(appendKey(b, "winner"), o.winner)
	if o.random == nil {
		return append(appendKey(b, "random"), "null"...)
	}
	b = strconv.AppendFloat(appendKey(b, "random"), *o.random, 'g', -1, 64)
	return appendString(appendKey(b, "random_bits"), bitsOf(*o.random))
}

func (o *battleOutcome) lines() [][2]string {
	winner := "none"
	if o.winner >= 0 {
		winner = fmt.Sprintf("participant %d, counted from 0", o.winner)
	}
	list := [][2]string{{"winner", winner}}
	if o.random != nil {
		list = append(list, [2]string{"random number", strconv.FormatFloat(*o.random, 'g', -1, 64)})
	}
	return list
}

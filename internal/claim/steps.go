package claim

import (
	"fmt"
	"strconv"

	"minesaudit/internal/verify"
)

// steps tells how an outcome comes about, a name and a value each.
func steps(r *Request, o outcome) [][2]string {
	switch o := o.(type) {
	case *diceOutcome:
		return append(seedSteps(r, o.seed), [2]string{"face", "the seed as a number mod 6, plus 1, is " + strconv.FormatInt(o.face, 10)})
	case *hmacMinesOutcome:
		return append(seedSteps(r, o.seed), o.steps()...)
	case platformsOutcome:
		return o.steps(*r.Hash)
	case *rocketOutcome:
		return o.steps(*r.Hash)
	case *battleOutcome:
		return o.steps(r)
	case *chainOutcome:
		return o.steps()
	default:
		return nil
	}
}

// seedSteps shows where the seed is from, unless it was given.
func seedSteps(r *Request, seed string) [][2]string {
	list := [][2]string{{"game seed", seed}}
	if r.ServerSeed == nil {
		return list
	}
	nonce, err := r.Nonce.i64("nonce")
	if err != nil {
		return list
	}
	key := verify.GameSeedKey(*r.ServerSeed, *r.ClientSeed, nonce)
	return [][2]string{
		{"key", key},
		{"", fmt.Sprintf("server seed, client seed and nonce: %d bytes", len(key))},
		{"game seed", "HMAC-SHA256(key, \"\") = " + seed},
	}
}

func (o *hmacMinesOutcome) steps() [][2]string {
	picks, err := verify.ExplainHMACMines(o.seed, len(o.tiles))
	if err != nil {
		return nil
	}
	var list [][2]string
	for _, p := range picks {
		fate := "mine"
		if p.Taken {
			fate = "a mine already: passed over"
		}
		list = append(list,
			[2]string{p.Message, fmt.Sprintf("HMAC-SHA256(game seed, %q) = %x", p.Message, p.MAC)},
			[2]string{"", fmt.Sprintf("%08x = %d, mod 25 = %d, plus 1: tile %d, %s", p.Word, p.Word, p.Word%verify.Tiles, p.Tile, fate)})
	}
	return list
}

// number shows the first eight bytes of a hash that is known to have them.
func number(hash string) (uint64, [2]string) {
	n, err := strconv.ParseUint(hash[:16], 16, 64)
	if err != nil {
		return 0, [2]string{"number", err.Error()}
	}
	return n, [2]string{"number", fmt.Sprintf("the first 8 bytes, %s, are %d", hash[:16], n)}
}

func (o platformsOutcome) steps(hash string) [][2]string {
	n, shown := number(hash)
	return [][2]string{
		{"hash", hash},
		shown,
		{"seed", fmt.Sprintf("as a signed number: %d", int64(n))},
		{"draw", fmt.Sprintf("Go's math/rand, version 1, with this seed: the first Intn(25) is %d, plus 1: %d", int(o)-1, int(o))},
	}
}

func (o *rocketOutcome) steps(hash string) [][2]string {
	list := [][2]string{{"hash", hash}}
	if o.Instant {
		return append(list, [2]string{"mod 40", "0, so the round ends at once, at 1.00"})
	}
	return append(list,
		[2]string{"mod 40", "not 0"},
		[2]string{"h", fmt.Sprintf("the first 13 digits, %s, are %d", hash[:13], o.H)},
		[2]string{"quotient", fmt.Sprintf("(100*2^52 - h) / (2^52 - h) = %s, rounded to 64 bits, then to 53", strconv.FormatFloat(o.Ratio, 'g', -1, 64))},
		[2]string{"floor", fmt.Sprintf("%s; of the exact quotient %d", strconv.FormatFloat(o.Hundredth, 'f', 0, 64), o.Exact)},
		[2]string{"multiplier", fmt.Sprintf("floor / 100 = %s", strconv.FormatFloat(o.Multiplier, 'g', -1, 64))})
}

func (o *battleOutcome) steps(r *Request) [][2]string {
	if o.random == nil {
		return nil
	}
	_, shown := number(*r.Hash)
	list := [][2]string{{"hash", *r.Hash}, shown, {"random number", fmt.Sprintf("number / (2^64 - 1) = %v", *o.random)}}
	for i, sum := range verify.BattleSums(r.Chances) {
		comparison := "is not below it"
		if *o.random < sum {
			comparison = "is below it"
		}
		list = append(list, [2]string{fmt.Sprintf("participant %d", i), fmt.Sprintf("chance %v %%: the sum is %v, and the random number %s", r.Chances[i], sum, comparison)})
		if i == o.winner {
			break
		}
	}
	return list
}

// shownSteps is how many hashes are shown at either end of a long way.
const shownSteps = 5

func (o *chainOutcome) steps() [][2]string {
	list := [][2]string{{"hash", o.from.String()}}
	if !o.place.OnChain {
		return list
	}
	n := o.place.Steps
	h := o.from
	for i := uint64(1); i <= n; i++ {
		h = h.Next()
		switch {
		case i <= shownSteps || i+shownSteps > n:
			list = append(list, [2]string{fmt.Sprintf("step %d", i), h.String()})
		case i == shownSteps+1:
			list = append(list, [2]string{"...", fmt.Sprintf("%d more", n-2*shownSteps)})
		}
	}
	return append(list, [2]string{"terminal", o.to.String()})
}

package verify

import "fmt"

// ChainLength is the number of hashes, and so of rounds, in each of the
// published chains.
const ChainLength = 10_000_000

// A Terminal is the published end of a chain.
type Terminal struct {
	Chain string    // platform, crash or battle
	Game  string    // the game that its rounds are of
	Hash  ChainHash // H of the last hash
}

// Terminals lists the chains whose ends were published.
func Terminals() []Terminal {
	return []Terminal{
		{"platform", "platforms", ChainHash([]byte("eeb4d340bfaed702601b9a08faba2f8088c4810c3e3a883293accaf25053b883"))},
		{"crash", "rocket", ChainHash([]byte("c46f0705f6ba4df891ce44accda8f89f5a6fa8b987eb7c7b445280cf6cabfbc6"))},
		{"battle", "battle", ChainHash([]byte("63cb1eb64ec4eb4de02f6bad85e42365d08f37497a1b7e907bd0b9183f27e1b3"))},
	}
}

// FindTerminal gives the chain of a name, or of a game's name: Crash and Rocket
// are one game.
func FindTerminal(name string) (Terminal, bool) {
	for _, t := range Terminals() {
		if name == t.Chain || name == t.Game {
			return t, true
		}
	}
	return Terminal{}, false
}

// TerminalForm says what was published as the end of a chain. The texts name
// both in different sentences.
type TerminalForm uint8

// The forms.
const (
	EitherForm  TerminalForm = iota // not known which
	FinalSHA256                     // H of the last hash: n steps from round n
	FinalHash                       // the last hash itself, that of round 1: n − 1 steps from round n
)

func (f TerminalForm) String() string {
	switch f {
	case EitherForm:
		return "either"
	case FinalSHA256:
		return "sha256_of_final_hash"
	case FinalHash:
		return "final_hash"
	default:
		return fmt.Sprintf("form(%d)", uint8(f))
	}
}

// Distance is the number of times that H is applied to a hash until it is the
// terminal; ok is false if it is not reached within limit times.
func Distance(from, terminal ChainHash, limit uint64) (steps uint64, ok bool) {
	for walk := newChainWalk(from); walk.at() != terminal; walk.step() {
		if steps == limit {
			return 0, false
		}
		steps++
	}
	return steps, true
}

// A Place is where a round's hash stands in a chain.
type Place struct {
	OnChain bool         // the terminal was reached
	Steps   uint64       // taken until then
	Form    TerminalForm // of the terminal, as far as the round tells
}

// CheckRound asks whether a hash is that of a round, 1 to ChainLength, of the
// chain with a terminal. If it is not, Place says whether it is that of an
// earlier one; a later one is not looked for.
//
// With EitherForm a hash can pass for its own round and for the next one. Where
// the form is known it should be given.
func CheckRound(hash ChainHash, round uint64, terminal ChainHash, form TerminalForm) (Result, Place, error) {
	if round < 1 || round > ChainLength {
		return ResultNA, Place{}, fmt.Errorf("round %d: want 1..%d", round, ChainLength)
	}
	steps, ok := Distance(hash, terminal, round)
	place := Place{OnChain: ok, Steps: steps, Form: form}
	switch {
	case ok && steps == round && form != FinalHash:
		place.Form = FinalSHA256
		return ResultPass, place, nil
	case ok && steps == round-1 && form != FinalSHA256:
		place.Form = FinalHash
		return ResultPass, place, nil
	default:
		return ResultFail, place, nil
	}
}

package inspect

import (
	"minesaudit/internal/verify"
)

// A Result is what an inspection comes to.
type Result struct {
	Audit
	ProgramFrom string       // how the program was found, where nobody named it
	Asked       *Transaction // of an inspection by signature; else nil
	Cases       []Case
	Nothing     string   // why there is no case; empty if there is one
	Notes       []string // what concerns no single game; printable
}

// Transaction is what was asked for.
type Transaction struct {
	Signature  string // base58
	Slot       uint64 // where Commitment is not empty
	Commitment string // finalized or confirmed; empty if the node does not know it
}

// Verdict is that of the worst game: fail before inconclusive before pass.
// Without a game, and while one is still running, it is inconclusive.
func (r *Result) Verdict() verify.Verdict {
	if len(r.Cases) == 0 {
		return verify.VerdictInconclusive
	}
	worst := verify.VerdictPass
	for i := range r.Cases {
		switch r.Cases[i].Report.Verdict {
		case verify.VerdictFail:
			return verify.VerdictFail
		case verify.VerdictPass:
		default:
			worst = verify.VerdictInconclusive
		}
	}
	return worst
}

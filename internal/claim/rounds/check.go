package rounds

import (
	"fmt"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// A Check is one of those that each round has.
type Check uint8

// The checks.
const (
	CheckChain Check = iota
	CheckOutcome
	CheckUnique
	NumChecks
)

func (c Check) String() string {
	switch c {
	case CheckChain:
		return "chain"
	case CheckOutcome:
		return "outcome"
	case CheckUnique:
		return "unique"
	default:
		return fmt.Sprintf("check(%d)", uint8(c))
	}
}

// Why a check failed or could not be made.
const (
	reasonOffChain    = "not_on_the_chain"
	reasonOtherRound  = "hash_of_another_round"
	reasonBackwards   = "numbered_backwards"   // H of the lower round's hash is this one
	reasonFollows     = "follows_a_false_hash" // it leads to a given hash that is not proved
	reasonNotChecked  = "not_checked"          // too many false hashes lie below
	reasonMismatch    = "mismatch"
	reasonNotGiven    = "outcome_not_given"
	reasonNoChances   = "chances_not_given"
	reasonBadChances  = "chances_refused"
	reasonClaimsApart = "claims_differ"
)

// MaxFindings is how many findings are kept.
const MaxFindings = 100_000

// A Finding is a check that failed or could not be made.
type Finding struct {
	Round    uint32
	At       records.Place
	Check    Check
	Result   verify.Result // fail or inconclusive
	Reason   string
	Expected string // what the rules give; empty where nothing can be said
	Observed string // what was claimed
}

package bets

import (
	"fmt"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// A Check is one of those that each bet has.
type Check uint8

// The checks.
const (
	CheckSeedHash Check = iota
	CheckGameSeed
	CheckOutcome
	CheckNonceUnique
	NumChecks
)

func (c Check) String() string {
	switch c {
	case CheckSeedHash:
		return "seed_hash"
	case CheckGameSeed:
		return "game_seed"
	case CheckOutcome:
		return "outcome"
	case CheckNonceUnique:
		return "nonce_unique"
	default:
		return fmt.Sprintf("check(%d)", uint8(c))
	}
}

// Why a check failed or could not be made, besides FIELD_not_given.
const (
	reasonMismatch   = "mismatch"
	reasonReused     = "nonce_reused"
	reasonUnfit      = "refused_by_the_game" // what the bet names is beyond its rules
	reasonUpperCase  = "hash_of_bytes_written_in_upper_case"
	reasonNoOutcome  = "outcome_not_given"
	reasonNoSeedHash = "server_seed_hash_not_given"
	reasonNoSelected = "selected_not_given"
	reasonNoMines    = "mines_not_given"
)

// A Finding is a check that failed or could not be made.
type Finding struct {
	At       records.Place
	Check    Check
	Result   verify.Result // fail or inconclusive
	Reason   string
	Expected string // what the rules give; empty where nothing can be said
	Observed string // what was claimed
}

// A Bet is one with its results. Its texts are a stranger's.
type Bet struct {
	ID             [16]byte // of the game, the seeds, the nonce and what was bet on; of what is claimed only where the nonce was used before
	At             records.Place
	Game           string // dice or hmac-mines
	ServerSeed     string
	ServerSeedHash string // empty where not given
	ClientSeed     string
	Nonce          int64
	GameSeed       verify.ChainHash
	Claimed        string // the outcome, for people; empty where none is claimed
	Outcome        string // as worked out; empty where it could not be
	Results        [NumChecks]verify.Result
	Verdict        verify.Verdict
	Findings       []Finding

	ofBytes     bool     // the hash of the server seed is that of bytes
	claimedSeed string   // the game seed as claimed
	content     [16]byte // of all that was given
}

func (b *Bet) find(c Check, r verify.Result, reason, expected, observed string) {
	b.Results[c] = r
	b.Findings = append(b.Findings, Finding{Check: c, Result: r, Reason: reason, Expected: expected, Observed: observed})
}

func (b *Bet) judge() {
	b.Verdict = verify.VerdictPass
	for _, r := range b.Results {
		switch {
		case r == verify.ResultFail:
			b.Verdict = verify.VerdictFail
		case r == verify.ResultInconclusive && b.Verdict != verify.VerdictFail:
			b.Verdict = verify.VerdictInconclusive
		}
	}
}

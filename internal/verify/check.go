package verify

import "fmt"

// A Check is one rule that a game is held against. Its number is stored (see
// [Report.Packed]): append, never reorder.
type Check uint8

// The checks; the package comment says what each of them asks.
const (
	CheckCommit Check = iota
	CheckSlothashKept
	CheckBoard
	CheckMineCount
	CheckMaskRange
	CheckRevealsSafe
	CheckBustIsMine
	CheckBustNotRevealed
	CheckOutcome
	CheckMultiplier
	CheckPayout
	CheckTermsKept
	CheckLifecycle
	CheckRefund
	CheckVoidRight
)

// NumChecks is the number of checks; they are numbered from 0.
const NumChecks = 15

// String is the name under which a check is stored, counted and printed.
func (c Check) String() string {
	switch c {
	case CheckCommit:
		return "commit"
	case CheckSlothashKept:
		return "slothash_kept"
	case CheckBoard:
		return "board"
	case CheckMineCount:
		return "mine_count"
	case CheckMaskRange:
		return "mask_range"
	case CheckRevealsSafe:
		return "reveals_safe"
	case CheckBustIsMine:
		return "bust_is_mine"
	case CheckBustNotRevealed:
		return "bust_not_revealed"
	case CheckOutcome:
		return "outcome"
	case CheckMultiplier:
		return "multiplier"
	case CheckPayout:
		return "payout"
	case CheckTermsKept:
		return "terms_kept"
	case CheckLifecycle:
		return "lifecycle"
	case CheckRefund:
		return "refund"
	case CheckVoidRight:
		return "void_right"
	default:
		return fmt.Sprintf("check(%d)", uint8(c))
	}
}

// A Result is the answer to one check. It fits two bits (see [Report.Packed]).
type Result uint8

// The results.
const (
	ResultNA           Result = iota // nothing to check
	ResultPass                       // checked and right
	ResultFail                       // checked and wrong
	ResultInconclusive               // could not be checked; the finding says why
)

func (r Result) String() string {
	switch r {
	case ResultNA:
		return "n/a"
	case ResultPass:
		return "pass"
	case ResultFail:
		return "fail"
	case ResultInconclusive:
		return "inconclusive"
	default:
		return fmt.Sprintf("result(%d)", uint8(r))
	}
}

// A Verdict is what the checks of a game come to. Its number is stored.
type Verdict uint8

// The verdicts. Judge never gives VerdictWithdrawn: it is for a game whose
// events turned out not to be on the chain.
const (
	VerdictPending Verdict = iota
	VerdictPass
	VerdictFail
	VerdictInconclusive
	VerdictWithdrawn
)

func (v Verdict) String() string {
	switch v {
	case VerdictPending:
		return "pending"
	case VerdictPass:
		return "pass"
	case VerdictFail:
		return "fail"
	case VerdictInconclusive:
		return "inconclusive"
	case VerdictWithdrawn:
		return "withdrawn"
	default:
		return fmt.Sprintf("verdict(%d)", uint8(v))
	}
}

// A Reason is a short code that says why a check failed or could not be made.
type Reason string

// Why a check could not be made.
const (
	ReasonStartNotSeen       Reason = "start_not_seen"           // the terms of the game are not known
	ReasonLogTruncated       Reason = "log_truncated"            // more events may have happened than were seen
	ReasonNoBlockTime        Reason = "no_block_time"            // the node gave no time for the void
	ReasonEdgeRange          Reason = "house_edge_out_of_range"  // over the whole: the formula is negative
	ReasonTooManyRevealed    Reason = "more_revealed_than_safe"  // the formula has no value; reveals_safe or mine_count fails
	ReasonMultiplierOverflow Reason = "multiplier_over_64_bits"  // no event can hold the value that the rules give
	ReasonPayoutOverflow     Reason = "payout_over_64_bits"      // likewise, and no cap bounds it
	ReasonNoScale            Reason = "rules_without_scale"      // Rules.Scale or Rules.EdgeScale is 0
	ReasonUnknownEnd         Reason = "end_of_unknown_kind"      // neither settled nor voided
	ReasonMinesCountRange    Reason = "mines_count_out_of_range" // also why mine_count fails
	ReasonNotPublished       Reason = "not_published"            // the program does not publish a field that it needs
	ReasonOrderUnknown       Reason = "order_unknown"            // which of several starts or ends in one slot was first bears on it
)

// Why a check failed.
const (
	ReasonMismatch     Reason = "mismatch"               // observed differs from expected
	ReasonTileRange    Reason = "tile_out_of_range"      // a tile above 24
	ReasonMineRevealed Reason = "mine_revealed"          // a revealed tile is a mine
	ReasonNotAMine     Reason = "not_a_mine"             // the bust tile is safe
	ReasonAlsoRevealed Reason = "also_revealed"          // the bust tile is among the revealed ones
	ReasonSeveral      Reason = "several_starts_or_ends" // a game starts once and ends once
	ReasonEndFirst     Reason = "end_before_start"       // by slot
	ReasonEarlyVoid    Reason = "void_before_timeout"    // by a key that is no operator's
)

package verify

// A Report is the outcome of [Judge]: the verdict, the result of each check, and
// what statistics need to know of the game.
type Report struct {
	Verdict  Verdict
	Results  [NumChecks]Result // by Check
	Findings []Finding         // every fail and every inconclusive, by Check

	Kind       EndKind  // of the first end; EndNone while there is none
	MinesCount int      // by the first start, in range or not; -1 unknown
	Revealed   int      // k, tiles above 24 not counted; -1 unless settled, or not published
	Lost       bool     // settled with a bust tile, or as a loss where that is not published
	VoidWhen   VoidWhen // by the clock of the block that holds the void
	StakeBand  int      // floor(log10(stake)); -1 stake of 0, -2 unknown

	spared [NumChecks]bool // checks that are open and that the verdict does without
}

// A Finding says what a check that did not pass expected and what it observed.
// Hashes are in hex, numbers decimal, masks as 0x0000421 {0 5 10}. Either may be
// empty where there is nothing to say.
type Finding struct {
	Check              Check
	Result             Result // ResultFail or ResultInconclusive
	Reason             Reason
	Expected, Observed string
}

// VoidWhen places a void against the end of the refund timeout.
type VoidWhen uint8

// The values of VoidWhen. The second of the timeout's end counts as after it.
const (
	NotVoid VoidWhen = iota
	BeforeTimeout
	AfterTimeout
	VoidWhenUnknown // the start, a time of it or the block time is missing
)

func (w VoidWhen) String() string {
	switch w {
	case NotVoid:
		return "not_void"
	case BeforeTimeout:
		return "before_timeout"
	case AfterTimeout:
		return "after_timeout"
	default:
		return "unknown"
	}
}

// Packed holds the results in two bits a check, check i at bits 2i and 2i + 1.
func (r *Report) Packed() uint32 {
	var packed uint32
	for i, result := range r.Results {
		packed |= uint32(result&3) << (2 * i)
	}
	return packed
}

// Unpack is the inverse of [Report.Packed].
func Unpack(packed uint32) [NumChecks]Result {
	var results [NumChecks]Result
	for i := range results {
		results[i] = Result(packed >> (2 * i) & 3)
	}
	return results
}

// verdict folds results into a verdict, as the package comment has it.
func (r *Report) verdict(g *Game) Verdict {
	open := false
	for c, result := range r.Results {
		switch result {
		case ResultFail:
			return VerdictFail
		case ResultInconclusive:
			open = open || !r.spared[c]
		}
	}
	switch {
	case len(g.Ends) == 0 && g.HiddenIn == 0, len(g.Starts) == 0 && !g.Complete:
		return VerdictPending
	case open:
		return VerdictInconclusive
	default:
		return VerdictPass
	}
}

// stakeBand is the number of a stake's power of ten.
func stakeBand(stake uint64) int {
	band := -1
	for ; stake > 0; stake /= 10 {
		band++
	}
	return band
}

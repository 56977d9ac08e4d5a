package rounds

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// A Result is what an audit came to.
type Result struct {
	Chain      Chain    // its form is that which the rounds told, if Assumed
	Assumed    bool     // the terminal's form was not known
	Names      []string // of the files, by the index that places have
	FromPoints bool     // checkpoints were used

	Records       int // that could be read
	Rounds        int // distinct ones
	Lowest        uint32
	Highest       uint32
	Claims        int // rounds that claim an outcome
	Repeated      int // records that say again what another one said
	Contradicting int // records that say something else of a round than an earlier one
	Bad           records.BadLines
	Gaps          int
	Missing       int // rounds within the gaps

	// Counts are rounds by check and result, Verdicts rounds by verdict.
	Counts   [NumChecks]records.Counts
	Verdicts records.Verdicts

	// Findings are the first MaxFindings of AllFindings, by round; GapList is the
	// first of its kind.
	Findings    []Finding
	AllFindings int
	GapList     []Gap

	table *table
}

// maxListed is how many gaps are kept.
const maxListed = 1000

// A Gap is rounds that were not given between two that were. Those below the
// lowest and above the highest are none.
type Gap struct{ From, To uint32 }

func (r *Result) gap(lower, round uint32) {
	if lower == 0 || round == lower+1 {
		return
	}
	r.Gaps++
	r.Missing += int(round - lower - 1)
	if len(r.GapList) < maxListed {
		r.GapList = append(r.GapList, Gap{lower + 1, round - 1})
	}
}

func (r *Result) find(f Finding) {
	r.AllFindings++
	if len(r.Findings) < MaxFindings {
		r.Findings = append(r.Findings, f)
	}
}

// measure counts the rounds once all are there.
func (r *Result) measure() {
	for round, e := range r.table.all() {
		if r.Rounds == 0 {
			r.Lowest = round
		}
		r.Rounds++
		r.Highest = round
		if !math.IsNaN(e.claim) {
			r.Claims++
		}
	}
}

func (r *Result) count(e *entry) {
	for c := range NumChecks {
		r.Counts[c][e.result(c)]++
	}
	r.Verdicts[verdictOf(e)]++
}

func (r *Result) sortFindings() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Check, b.Check))
	})
}

func verdictOf(e *entry) verify.Verdict {
	verdict := verify.VerdictPass
	for c := range NumChecks {
		switch e.result(c) {
		case verify.ResultFail:
			return verify.VerdictFail
		case verify.ResultInconclusive:
			verdict = verify.VerdictInconclusive
		}
	}
	return verdict
}

// Verdict is that of all rounds together: see [records.Verdicts].
func (r *Result) Verdict() verify.Verdict { return r.Verdicts.Verdict(r.Bad.Count) }

// A Round is one with its results.
type Round struct {
	Number  uint32
	Hash    [32]byte
	Claim   float64 // the outcome; NaN where none was claimed
	Results [NumChecks]verify.Result
	Verdict verify.Verdict
}

// All gives the rounds, from the lowest on.
func (r *Result) All() iter.Seq[Round] {
	return func(yield func(Round) bool) {
		for number, e := range r.table.all() {
			round := Round{Number: number, Hash: e.hash, Claim: e.claim, Verdict: verdictOf(e)}
			for c := range NumChecks {
				round.Results[c] = e.result(c)
			}
			if !yield(round) {
				return
			}
		}
	}
}

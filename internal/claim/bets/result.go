package bets

import (
	"cmp"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// maxFindings is how many findings are kept.
const maxFindings = 10_000

// A Result is what an audit came to.
type Result struct {
	Names []string // of the files, by the index that places have

	Records  int // that could be read
	Bets     int // distinct ones
	Repeated int // records that say again what another one said
	OfBytes  int // bets whose server seed was hashed as bytes, not as text
	Pairs    int // of seeds
	Bad      records.BadLines
	Gaps     int
	Missing  uint64 // nonces in the gaps

	// Counts are bets by check and result, Verdicts bets by verdict.
	Counts   [NumChecks]records.Counts
	Verdicts records.Verdicts

	// Findings are the first of AllFindings, GapList of the gaps.
	Findings    []Finding
	AllFindings int
	GapList     []Gap
}

func (r *Result) count(b *Bet) {
	r.Bets++
	if b.ofBytes {
		r.OfBytes++
	}
	for c, result := range b.Results {
		r.Counts[c][result]++
	}
	r.Verdicts[b.Verdict]++
	r.AllFindings += len(b.Findings)
	r.Findings = append(r.Findings, b.Findings[:min(len(b.Findings), maxFindings-len(r.Findings))]...)
}

// Verdict is that of all bets together: see [records.Verdicts].
func (r *Result) Verdict() verify.Verdict { return r.Verdicts.Verdict(r.Bad.Count) }

func compareGaps(a, b Gap) int {
	return cmp.Or(cmp.Compare(a.ServerSeed, b.ServerSeed), cmp.Compare(a.ClientSeed, b.ClientSeed), cmp.Compare(a.From, b.From))
}

// Unproved says what the result does not prove.
func (r *Result) Unproved() []string {
	return []string{
		"That the seeds were chosen blindly: the server makes its seed after the player's, and picks the millisecond that is the nonce.",
		"That the hash of the server seed was shown before the bets: a file cannot tell when.",
		"That all bets are in the files, or that these are the bets as the player placed them.",
	}
}

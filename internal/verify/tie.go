package verify

// maxTies is how many starts or ends of one slot are tried as the first. Beyond
// that every check on which an order could bear is left open.
const maxTies = 8

// weighTies leaves open what depends on which of several starts or ends in one
// slot was first: a check keeps its result only if it has the same one whichever
// is taken. Such a game fails lifecycle in any case.
func (r *Report) weighTies(g *Game, rules *Rules) {
	starts, ends := tied(g.TiedStarts, len(g.Starts)), tied(g.TiedEnds, len(g.Ends))
	var open [NumChecks]bool
	if starts > maxTies || ends > maxTies {
		for c := range open {
			open[c] = Check(c) != CheckLifecycle
		}
		starts, ends = 0, 0
	}
	for s := range starts {
		for e := range ends {
			other := judge(g, rules, s, e)
			for c := range open {
				open[c] = open[c] || other.Results[c] != r.Results[c]
			}
		}
	}
	r.leaveOpen(open, g)
}

// tied is the number of candidates: at least one try, at most what there is.
func tied(n, have int) int { return max(1, min(n, have)) }

func (r *Report) leaveOpen(open [NumChecks]bool, g *Game) {
	var findings []Finding
	old := r.Findings
	for c := range Check(NumChecks) {
		for len(old) > 0 && old[0].Check < c {
			old = old[1:]
		}
		switch {
		case open[c]:
			r.Results[c], r.spared[c] = ResultInconclusive, false
			findings = append(findings, Finding{c, ResultInconclusive, ReasonOrderUnknown, "", ""})
		case len(old) > 0 && old[0].Check == c:
			findings = append(findings, old[0])
		}
	}
	r.Findings = findings
	r.Verdict = r.verdict(g)
}

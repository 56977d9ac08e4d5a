package bets

import (
	"io"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

type jsonResult struct {
	Verdict      string                    `json:"verdict"`
	Records      int                       `json:"records"`
	Bets         int                       `json:"bets"`
	Pass         int                       `json:"pass"`
	Fail         int                       `json:"fail"`
	Inconclusive int                       `json:"inconclusive"`
	Checks       map[string]map[string]int `json:"checks"`
	OfBytes      int                       `json:"server_seeds_hashed_as_bytes"`
	Pairs        int                       `json:"seed_pairs"`
	Repeated     int                       `json:"repeated"`
	Gaps         int                       `json:"gaps"`
	Missing      uint64                    `json:"missing_nonces"`
	GapList      []jsonGap                 `json:"gap_list"`
	FindingCount int                       `json:"findings"`
	FindingList  []jsonFinding             `json:"finding_list"`
	BadLineCount int                       `json:"bad_lines"`
	BadLineList  []records.JSONBadLine     `json:"bad_line_list"`
	Unproved     []string                  `json:"not_proved"`
}

type jsonGap struct {
	ServerSeed string `json:"server_seed"`
	ClientSeed string `json:"client_seed"`
	From       int64  `json:"from"`
	To         int64  `json:"to"`
}

type jsonFinding struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Check    string `json:"check"`
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
}

// WriteJSON writes the result as one object on a line, with at most so many
// findings, gaps and bad lines each.
func (r *Result) WriteJSON(w io.Writer, most int) error {
	out := jsonResult{
		Verdict: r.Verdict().String(), Records: r.Records, Bets: r.Bets,
		Pass: r.Verdicts[verify.VerdictPass], Fail: r.Verdicts[verify.VerdictFail], Inconclusive: r.Verdicts[verify.VerdictInconclusive],
		Checks: map[string]map[string]int{}, OfBytes: r.OfBytes, Pairs: r.Pairs, Repeated: r.Repeated,
		Gaps: r.Gaps, Missing: r.Missing, GapList: []jsonGap{}, FindingCount: r.AllFindings, FindingList: []jsonFinding{},
		BadLineCount: r.Bad.Count, BadLineList: r.Bad.JSON(r.Names, most), Unproved: r.Unproved(),
	}
	for c := range NumChecks {
		out.Checks[c.String()] = r.Counts[c].JSON()
	}
	for _, g := range r.GapList[:min(most, len(r.GapList))] {
		out.GapList = append(out.GapList, jsonGap(g))
	}
	for _, f := range r.Findings[:min(most, len(r.Findings))] {
		out.FindingList = append(out.FindingList, jsonFinding{r.Names[f.At.Source], f.At.Line, f.Check.String(), f.Result.String(), f.Reason, f.Expected, f.Observed})
	}
	return records.WriteJSON(w, &out)
}

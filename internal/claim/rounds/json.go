package rounds

import (
	"io"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

type jsonResult struct {
	Verdict       string                    `json:"verdict"`
	Chain         string                    `json:"chain"`
	Terminal      string                    `json:"terminal"`
	TerminalForm  string                    `json:"terminal_form"`
	FormAssumed   bool                      `json:"terminal_form_assumed"`
	Game          *string                   `json:"game"`
	Records       int                       `json:"records"`
	Rounds        int                       `json:"rounds"`
	Lowest        uint32                    `json:"lowest"`
	Highest       uint32                    `json:"highest"`
	Pass          int                       `json:"pass"`
	Fail          int                       `json:"fail"`
	Inconclusive  int                       `json:"inconclusive"`
	Checks        map[string]map[string]int `json:"checks"`
	Outcomes      int                       `json:"outcomes_claimed"`
	Repeated      int                       `json:"repeated"`
	Contradicting int                       `json:"contradicting"`
	Gaps          int                       `json:"gaps"`
	Missing       int                       `json:"missing_rounds"`
	GapList       [][2]uint32               `json:"gap_list"`
	FindingCount  int                       `json:"findings"`
	FindingList   []jsonFinding             `json:"finding_list"`
	BadLineCount  int                       `json:"bad_lines"`
	BadLineList   []records.JSONBadLine     `json:"bad_line_list"`
	Unproved      []string                  `json:"not_proved"`
}

type jsonFinding struct {
	Round    uint32 `json:"round"`
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
		Verdict: r.Verdict().String(), Chain: r.Chain.String(), Terminal: r.Chain.Terminal.String(),
		TerminalForm: r.Chain.Form.String(), FormAssumed: r.Assumed,
		Records: r.Records, Rounds: r.Rounds, Lowest: r.Lowest, Highest: r.Highest,
		Pass: r.Verdicts[verify.VerdictPass], Fail: r.Verdicts[verify.VerdictFail], Inconclusive: r.Verdicts[verify.VerdictInconclusive],
		Checks: map[string]map[string]int{}, Outcomes: r.Claims, Repeated: r.Repeated, Contradicting: r.Contradicting,
		Gaps: r.Gaps, Missing: r.Missing, GapList: [][2]uint32{}, FindingCount: r.AllFindings, FindingList: []jsonFinding{},
		BadLineCount: r.Bad.Count, BadLineList: r.Bad.JSON(r.Names, most), Unproved: r.Unproved(),
	}
	if r.Chain.Game != None {
		game := string(r.Chain.Game)
		out.Game = &game
	}
	for c := range NumChecks {
		out.Checks[c.String()] = r.Counts[c].JSON()
	}
	for _, g := range r.GapList[:min(most, len(r.GapList))] {
		out.GapList = append(out.GapList, [2]uint32{g.From, g.To})
	}
	for _, f := range r.Findings[:min(most, len(r.Findings))] {
		out.FindingList = append(out.FindingList, jsonFinding{f.Round, r.Names[f.At.Source], f.At.Line, f.Check.String(), f.Result.String(), f.Reason, f.Expected, f.Observed})
	}
	return records.WriteJSON(w, &out)
}

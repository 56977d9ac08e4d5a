package reaudit

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"

	"minesaudit/internal/verify"
)

type jsonReport struct {
	Games      int64            `json:"games"`
	Events     int64            `json:"events"`
	Same       int64            `json:"same"`
	Changed    int64            `json:"changed"`
	Altered    int64            `json:"altered"`
	Newer      int64            `json:"made_by_newer_rules"`
	Regrouped  int64            `json:"regrouped"`
	OlderRules int64            `json:"changed_made_by_older_rules"`
	Rules      int              `json:"rules_version"`
	Wrote      bool             `json:"wrote"`
	Superseded int64            `json:"superseded"`
	Mended     int64            `json:"mended"`
	Turns      []jsonTurn       `json:"verdicts"`
	Checks     []jsonCheckTurn  `json:"checks"`
	ChangeList []jsonChange     `json:"changed_list"`
	AlterList  []jsonAlteration `json:"altered_list"`
}

type jsonTurn struct {
	Was string `json:"was"`
	Now string `json:"now"`
	N   int64  `json:"games"`
}

type jsonCheckTurn struct {
	Check string `json:"check"`
	Was   string `json:"was"`
	Now   string `json:"now"`
	N     int64  `json:"games"`
}

type jsonGame struct {
	Game  string `json:"game"`
	User  string `json:"user"`
	Nonce string `json:"nonce"` // u64, and so a string
}

type jsonChange struct {
	jsonGame
	EndSlot uint64            `json:"end_slot"`
	Was     string            `json:"was"`
	Now     string            `json:"now"`
	Rules   int               `json:"was_by_rules"`
	Checks  []jsonCheckChange `json:"checks"`
}

type jsonCheckChange struct {
	Check    string `json:"check"`
	Was      string `json:"was"`
	Now      string `json:"now"`
	Reason   string `json:"reason"`
	Expected string `json:"expected"`
	Observed string `json:"observed"`
}

type jsonAlteration struct {
	jsonGame
	What      string  `json:"what"`
	Signature *string `json:"signature"`
	Detail    string  `json:"detail"`
	Standing  string  `json:"standing"`
}

// WriteJSON writes the report as one object on a line.
func (r *Report) WriteJSON(w io.Writer) error {
	out := jsonReport{
		Games: r.games, Events: r.events, Same: r.same, Changed: r.Changes(), Altered: r.tally.altered, Newer: r.newer, Regrouped: r.regrouped,
		OlderRules: r.olderRules, Rules: verify.RulesVersion, Wrote: r.Wrote, Superseded: r.Superseded, Mended: r.Mended,
		Turns: []jsonTurn{}, Checks: []jsonCheckTurn{}, ChangeList: []jsonChange{}, AlterList: []jsonAlteration{},
	}
	for _, t := range r.sortedTurns() {
		out.Turns = append(out.Turns, jsonTurn{t.was.String(), t.now.String(), r.turns[t]})
	}
	for _, t := range r.sortedChecks() {
		out.Checks = append(out.Checks, jsonCheckTurn{t.check.String(), t.was.String(), t.now.String(), r.checks[t]})
	}
	for i := range r.Changed {
		out.ChangeList = append(out.ChangeList, r.Changed[i].json())
	}
	for i := range r.Altered {
		out.AlterList = append(out.AlterList, r.Altered[i].json())
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(out); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

func (r *Report) sortedTurns() []turn {
	keys := make([]turn, 0, len(r.turns))
	for k := range r.turns {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b turn) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return keys
}

func (r *Report) sortedChecks() []checkTurn {
	keys := make([]checkTurn, 0, len(r.checks))
	for k := range r.checks {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b checkTurn) int {
		if a.check != b.check {
			return int(a.check) - int(b.check)
		}
		return 4*(int(a.was)-int(b.was)) + int(a.now) - int(b.now)
	})
	return keys
}

func (k *GameKey) json() jsonGame {
	return jsonGame{base58(k.Game), base58(k.User), fmt.Sprint(k.Nonce)}
}

func (c *Change) json() jsonChange {
	out := jsonChange{jsonGame: c.GameKey.json(), EndSlot: c.EndSlot, Was: c.Was.String(), Now: c.Now.String(), Rules: c.Rules, Checks: []jsonCheckChange{}}
	for _, x := range c.Checks {
		out.Checks = append(out.Checks, jsonCheckChange{
			x.Check.String(), x.Was.String(), x.Now.String(), string(x.Finding.Reason), x.Finding.Expected, x.Finding.Observed,
		})
	}
	return out
}

func (a *Alteration) json() jsonAlteration {
	out := jsonAlteration{jsonGame: a.GameKey.json(), What: a.What, Detail: a.Detail, Standing: a.Standing.String()}
	if a.Signature != nil {
		text := solana.Signature(*a.Signature).String()
		out.Signature = &text
	}
	return out
}

func base58(key [32]byte) string { return solana.PublicKey(key).String() }

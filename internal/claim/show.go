package claim

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"minesaudit/internal/inspect"
	"minesaudit/internal/verify"
)

// WriteJSON writes the answer as a line of a batch has it, with the steps in
// "explain" if they are asked for.
func (a *Answer) WriteJSON(w io.Writer, r *Request, rules *verify.Rules, explain bool) error {
	b := a.AppendJSON(nil)
	if explain && a.outcome != nil {
		steps, err := json.Marshal(a.steps(r, rules))
		if err != nil {
			return fmt.Errorf("encode the steps: %w", err)
		}
		b = append(append(appendKey(b[:len(b)-1], "explain"), steps...), '}')
	}
	_, err := w.Write(append(b, '\n'))
	return err
}

func (a *Answer) steps(r *Request, rules *verify.Rules) any {
	if o, ok := a.outcome.(*minesOutcome); ok {
		return o.byHand(rules).Steps()
	}
	type step struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	list := []step{}
	for _, s := range steps(r, a.outcome) {
		list = append(list, step{s[0], s[1]})
	}
	return list
}

// WriteText writes the answer for people, in ASCII. An error, of a game with an
// outcome all the same, is the caller's to say.
func (a *Answer) WriteText(w io.Writer, r *Request, rules *verify.Rules, o inspect.TextOptions) error {
	if mines, ok := a.outcome.(*minesOutcome); ok {
		return mines.byHand(rules).WriteText(w, o)
	}
	var b strings.Builder
	if o.Explain {
		writePairs(&b, steps(r, a.outcome))
		b.WriteByte('\n')
	}
	writePairs(&b, lines(a.outcome))
	if mines, ok := a.outcome.(*hmacMinesOutcome); ok {
		b.WriteByte('\n')
		mines.draw(&b)
	}
	b.WriteString("\nWhat this does not prove\n")
	for _, text := range unproved(r.Game) {
		b.WriteString("  - " + text + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func writePairs(b *strings.Builder, pairs [][2]string) {
	for _, pair := range pairs {
		fmt.Fprintf(b, "%-14s  %s\n", pair[0], inspect.Printable(pair[1]))
	}
}

func (o *minesOutcome) byHand(rules *verify.Rules) *inspect.ByHand {
	c := o.claim
	return &inspect.ByHand{
		Game: c.game, Verdict: o.verdict, Checks: o.checks, Rules: rules, HasMines: !c.missing[fieldMines],
		HasPay: c.first(fieldRevealed, fieldBust, fieldEdge, fieldStake, fieldMaxPayout, fieldMultiplier, fieldPayout) == "",
	}
}

// lines gives an outcome for people, a name and a text each.
func lines(o outcome) [][2]string {
	switch o := o.(type) {
	case *diceOutcome:
		return o.lines()
	case *hmacMinesOutcome:
		return o.lines()
	case platformsOutcome:
		return o.lines()
	case *rocketOutcome:
		return o.lines()
	case *battleOutcome:
		return o.lines()
	case *chainOutcome:
		return o.lines()
	default:
		return nil
	}
}

// unproved lists what an outcome does not prove.
func unproved(game string) []string {
	switch game {
	case gameDice, gameHMACMines:
		return []string{
			"That the seeds were chosen blindly: the server makes its seed after the player's, and picks the\n    millisecond that is the nonce.",
			"That the server seed is the one whose hash was shown before the bet: compare them.",
		}
	case gamePlatforms:
		return []string{
			"That the hash is of its round: check it with indexer verify chain.",
			"In which order the other platforms fell: no rule for it was published.",
		}
	case gameChain:
		return []string{
			"That the hash was secret until the round was over: whoever has it knows the outcome.",
			"That the secret was chosen blindly: the server knew the whole chain in advance.",
		}
	default:
		return []string{
			"That the hash is of its round: check it with indexer verify chain.",
			"That the hash was secret until the bets were placed: whoever has it knows the outcome.",
		}
	}
}

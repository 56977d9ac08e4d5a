package claim

import (
	"fmt"
	"strings"

	"minesaudit/internal/verify"
)

// An Answer is what a request comes to: an outcome, an error, or, where a game
// has no winner, both.
type Answer struct {
	Game    string
	Line    int            // of a batch, where there is an error; else 0
	Verdict verify.Verdict // of mines and chain; VerdictPending where there was nothing to judge
	Err     error
	outcome outcome // nil where it could not be worked out
}

// An outcome is what a game comes to. Both write nothing of the error.
type outcome interface {
	// appendFields appends the fields of a JSON object, a comma before each.
	appendFields(b []byte) []byte
}

// Check works a request out. The rules are the payout convention of mines.
func Check(r *Request, rules *verify.Rules) Answer {
	a := Answer{Game: r.Game}
	switch r.Game {
	case gameMines:
		a.mines(r, rules)
	case gameDice:
		a.outcome, a.Err = checkDice(r)
	case gameHMACMines:
		a.outcome, a.Err = checkHMACMines(r)
	case gamePlatforms:
		a.outcome, a.Err = checkPlatforms(r)
	case gameRocket:
		a.outcome, a.Err = checkRocket(r)
	case gameBattle:
		a.outcome, a.Err = checkBattle(r)
	case gameChain:
		a.chain(r)
	case "":
		a.Err = fmt.Errorf("game: not given: want one of %s", strings.Join(Games(), ", "))
	default:
		a.Err = fmt.Errorf("game: %s: want one of %s", clipped(r.Game), strings.Join(Games(), ", "))
	}
	return a
}

// AppendJSON appends the answer as an object, without a newline.
func (a *Answer) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	if a.Line > 0 {
		b = append(b, `"line":`...)
		b = appendInt(b, a.Line)
		b = append(b, ',')
	}
	b = append(b, `"game":`...)
	b = appendString(b, a.Game)
	if a.outcome != nil {
		b = a.outcome.appendFields(b)
	}
	b = append(b, `,"error":`...)
	if a.Err == nil {
		b = append(b, "null"...)
	} else {
		b = appendString(b, a.Err.Error())
	}
	return append(b, '}')
}

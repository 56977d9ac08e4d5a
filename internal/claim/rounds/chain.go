package rounds

import (
	"fmt"
	"strings"

	"minesaudit/internal/verify"
)

// A Game is what rounds are of, by the name that verify has for it; None where
// hashes are audited alone.
type Game string

// The games.
const (
	None      Game = ""
	Rocket    Game = "rocket"
	Platforms Game = "platforms"
	Battle    Game = "battle"
)

// A Chain is what rounds are held against.
type Chain struct {
	Name     string // of a chain whose terminal was published; else empty
	Terminal verify.ChainHash
	Form     verify.TerminalForm
	Game     Game
}

// NewChain takes the name of a chain or a terminal of 64 hex digits; the form of
// the latter, sha256 or final, empty where it is not known; and the game, empty
// where it follows from the name or no outcomes are to be checked.
func NewChain(chain, form, game string) (Chain, error) {
	c, err := namedChain(chain)
	if err != nil {
		return Chain{}, err
	}
	switch {
	case form == "":
	case c.Name != "" && form != "sha256":
		return Chain{}, fmt.Errorf("terminal-form %s: what was published for the chain %s is a SHA-256", form, c.Name)
	case form == "sha256":
		c.Form = verify.FinalSHA256
	case form == "final":
		c.Form = verify.FinalHash
	default:
		return Chain{}, fmt.Errorf("terminal-form %q: want sha256 or final", form)
	}
	switch given := Game(game); {
	case given == None:
	case given != Rocket && given != Platforms && given != Battle:
		return Chain{}, fmt.Errorf("game %q: want rocket, platforms or battle", game)
	case c.Name != "" && given != c.Game:
		return Chain{}, fmt.Errorf("game %s: the chain %s is that of %s", game, c.Name, c.Game)
	default:
		c.Game = given
	}
	return c, nil
}

func namedChain(chain string) (Chain, error) {
	if t, ok := verify.FindTerminal(chain); ok {
		return Chain{Name: t.Chain, Terminal: t.Hash, Form: verify.FinalSHA256, Game: Game(t.Game)}, nil
	}
	hash, err := verify.ParseChainHash(chain)
	if err != nil {
		var names []string
		for _, t := range verify.Terminals() {
			names = append(names, t.Chain)
		}
		return Chain{}, fmt.Errorf("chain %.80q: want %s or 64 hex digits in lower case", chain, strings.Join(names, ", "))
	}
	for _, t := range verify.Terminals() { // known after all
		if t.Hash == hash {
			return namedChain(t.Chain)
		}
	}
	return Chain{Terminal: hash}, nil
}

// String is the chain's name, or its terminal.
func (c *Chain) String() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Terminal.String()
}

package verify

import "errors"

// ErrNoBoard is that of a game whose board cannot be derived, whatever the
// reason: the checks of it say.
var ErrNoBoard = errors.New("the board cannot be derived")

// inputs are what a board is derived from.
type inputs struct {
	seed, slothash, user [32]byte
	nonce                uint64
	mines                int
}

// inputs takes what a board is derived from out of a start and a settlement.
// Where the start does not publish the slot hash, the settlement's is taken.
// The number of mines is not counted in the published mask: it is the start that
// must fix it.
func (g *Game) inputs(start *Start, s *Settled) (inputs, gap) {
	lacks := g.Missing&(FieldUser|FieldNonce) | s.Missing&FieldServerSeed | start.lacks(FieldMinesCount)
	fromEnd := start.lacks(FieldSlothash) != 0
	if fromEnd {
		lacks |= s.Missing & FieldSlothash
	}
	switch {
	case lacks != 0:
		return inputs{}, unpublished(lacks)
	case start == nil:
		return inputs{}, because(ReasonStartNotSeen)
	}
	in := inputs{seed: s.ServerSeed, slothash: start.Slothash, user: g.User, nonce: g.Nonce, mines: int(start.MinesCount)}
	if fromEnd {
		in.slothash = s.Slothash
	}
	return in, gap{}
}

// Trace explains the board that a settled game is judged by. [ErrNoBoard]: there
// is none.
func (g *Game) Trace() (Trace, error) {
	if len(g.Starts) == 0 || len(g.Ends) == 0 || g.Ends[0].Kind != EndSettled {
		return Trace{}, ErrNoBoard
	}
	in, why := g.inputs(&g.Starts[0], &g.Ends[0].Settled)
	if why.reason != "" {
		return Trace{}, ErrNoBoard
	}
	trace, err := Explain(in.seed, in.slothash, in.user, in.nonce, in.mines)
	if err != nil {
		return Trace{}, errors.Join(ErrNoBoard, err)
	}
	return trace, nil
}

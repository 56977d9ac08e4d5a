//go:build e2e

package e2e

import "github.com/gagliardetto/solana-go"

// tableRounds have the accounts of calls come from lookup tables: the older node takes such
// transactions.
func tableRounds() []Round {
	return []Round{
		{"emitted with the authority from a lookup table", func(r *round) error {
			return r.fromTable(solana.PublicKeySlice{r.authority}, r.play(r.Game), r.emit(r.both()...))
		}},
		{"emitted by a callee from a lookup table", func(r *round) error { // its message names neither program nor game
			return r.fromTable(solana.PublicKeySlice{r.Game, r.authority, r.self.Program},
				r.other.Run(opText("a hand is played"), r.Game), r.called(r.both()...))
		}},
	}
}

func (r *round) fromTable(addresses solana.PublicKeySlice, instructions ...solana.Instruction) error {
	table, err := r.chain.NewTable(r.ctx, addresses...)
	if err != nil {
		return err
	}
	_, err = r.togetherFrom(table, instructions...)
	return err
}

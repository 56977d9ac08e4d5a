//go:build e2e

package e2e

import (
	"context"
	"fmt"

	"github.com/gagliardetto/solana-go"
)

// Each lane of games belongs to one user; several run at once, so that slots hold several
// transactions.
const gamesPerLane = 18

// history is played before anyone watches. It gives the games of M that are still to be ended.
func (s *Stage) history(ctx context.Context) ([]Running, error) {
	var first, second []Running
	err := together(
		func() (err error) { first, err = s.M.PlayGames(ctx, gamesPerLane, 6); return err },
		func() (err error) { second, err = s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error { return s.M.forbidden(ctx) },
		func() error { return s.U.cheats(ctx) },
		func() error { return s.Emitters.scenes(ctx, Scenes()) },
		func() error { return s.fromTables(ctx) },
	)
	return append(first, second...), err
}

// play is what happens on all programs while daemons follow.
func (s *Stage) play(ctx context.Context, left []Running) error {
	return together(
		func() error { return endGames(ctx, s.M, left) },
		func() error { _, err := s.M.PlayGames(ctx, gamesPerLane, 9); return err },
		func() error { return s.M.forbidden(ctx) },
		func() error { return s.U.cheats(ctx) },
		func() error { return s.Emitters.scenes(ctx, Scenes()) },
		func() error { return s.fromTables(ctx) },
	)
}

// forbidden tries what is forbidden, and sees to it that nothing is left out.
func (m *Mines) forbidden(ctx context.Context) error {
	n, err := m.Forbidden(ctx)
	if err == nil && n < 49 {
		err = fmt.Errorf("%d attempts, want 49", n)
	}
	return err
}

func (m *Mines) cheats(ctx context.Context) error {
	user, err := m.NewUser(ctx)
	if err != nil {
		return err
	}
	return playCheats(ctx, m, user, Cheats())
}

func playCheats(ctx context.Context, house House, user solana.PublicKey, cheats []Cheat) error {
	for _, c := range cheats {
		if err := playCheat(ctx, house, user, c); err != nil {
			return err
		}
	}
	return nil
}

func (e *Emitters) scenes(ctx context.Context, scenes []Scene) error {
	for _, s := range scenes {
		if err := e.PlayScene(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// fromTables plays with accounts from lookup tables, where the node lets it.
func (s *Stage) fromTables(ctx context.Context) error {
	if !s.tables {
		return nil
	}
	if err := s.M.PlayFromTable(ctx); err != nil {
		return err
	}
	return s.Emitters.scenes(ctx, tableScenes())
}

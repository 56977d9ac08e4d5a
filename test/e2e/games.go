//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/gagliardetto/solana-go"
)

// A way is one of the ways in which an honest game goes.
type way struct {
	name    string
	timeout int64 // seconds, of the refund
	end     func(context.Context, House, *Hand) error
	when    string // of a void, see Judgement
}

const hour = 3600

// waysToPlay are honest games from start to end. Each is judged a pass.
func waysToPlay() []way {
	operator := func(d *desk) solana.PrivateKey { return d.operator }
	stranger := func(d *desk) solana.PrivateKey { return d.stranger }
	return []way{
		{name: "cash-out", timeout: hour, end: cashOut(func(safe int) int { return 1 + rand.IntN(safe) })},
		{name: "bust", timeout: hour, end: bust(func(safe int) int { return rand.IntN(safe) })},
		{name: "first tile busts", timeout: hour, end: bust(func(int) int { return 0 })},
		{name: "cleared", timeout: hour, end: cashOut(func(safe int) int { return safe })},
		{name: "untouched", timeout: hour, end: cashOut(func(int) int { return 0 })},
		{name: "voided by the operator", timeout: hour, end: cancel(operator), when: "before_timeout"},
		{name: "voided by a stranger after the timeout", timeout: 1, end: afterTimeout(cancel(stranger)), when: "after_timeout"},
		{name: "voided by the operator after the timeout", timeout: 1, end: afterTimeout(cancel(operator)), when: "after_timeout"},
		{name: "cash-out after the timeout", timeout: 1, end: afterTimeout(cashOut(func(int) int { return 1 }))},
	}
}

// PlayGames plays n games of a new user, see playGames.
func (m *Mines) PlayGames(ctx context.Context, n, leave int) ([]Running, error) {
	user, err := m.NewUser(ctx)
	if err != nil {
		return nil, err
	}
	return playGames(ctx, m, user, n, leave)
}

// playGames plays n games, one after the other, of all ways in turn. Every leave-th is only started
// (0: none); they are returned, to be ended by endGames or left running.
func playGames(ctx context.Context, house House, user solana.PublicKey, n, leave int) ([]Running, error) {
	ways := waysToPlay()
	var running []Running
	for i := range n {
		w := ways[i%len(ways)]
		terms := randomTerms()
		terms.RefundTimeout = w.timeout
		h, err := house.Start(ctx, user, terms)
		if err != nil {
			return nil, fmt.Errorf("game %d, %s: %w", i, w.name, err)
		}
		running = append(running, Running{h, w})
		if leave > 0 && i%leave == leave-1 {
			continue
		}
		if err := endGames(ctx, house, running[len(running)-1:]); err != nil {
			return nil, fmt.Errorf("game %d: %w", i, err)
		}
		running = running[:len(running)-1]
	}
	return running, nil
}

// Running is a game that has been started, and how it is to end.
type Running struct {
	*Hand
	way
}

// endGames ends each game as it is to end.
func endGames(ctx context.Context, house House, games []Running) error {
	for _, g := range games {
		if err := g.end(ctx, house, g.Hand); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
		house.at().ledger.Judge(g.GameKey, g.name, Judgement{Verdict: "pass", VoidWhen: g.when})
	}
	return nil
}

func randomTerms() Terms {
	return Terms{
		Seed:      randomHash(),
		Mines:     uint8(1 + rand.IntN(24)),
		Stake:     pick[uint64](0, 1, 1000, 123_456_789, 1e9, 1<<48, math.MaxUint64),
		EdgeBPS:   pick[uint16](0, 1, 100, 250, 300, 1000, 10_000),
		MaxPayout: pick[uint64](1e9, 1e12, math.MaxUint64),
	}
}

func pick[T any](from ...T) T { return from[rand.IntN(len(from))] }

// cashOut settles a win after k safe tiles, k of their number.
func cashOut(k func(safe int) int) func(context.Context, House, *Hand) error {
	return func(ctx context.Context, house House, h *Hand) error {
		s, err := h.Won(ctx, h.Safe(k(25-int(h.Mines))))
		if err != nil {
			return err
		}
		_, err = house.Settle(ctx, s)
		return err
	}
}

// bust settles a loss after k safe tiles, k of their number.
func bust(k func(safe int) int) func(context.Context, House, *Hand) error {
	return func(ctx context.Context, house House, h *Hand) error {
		revealed := h.Safe(k(25 - int(h.Mines)))
		_, err := house.Settle(ctx, h.Lost(revealed, h.MineTile(rand.IntN(int(h.Mines)))))
		return err
	}
}

func cancel(by func(*desk) solana.PrivateKey) func(context.Context, House, *Hand) error {
	return func(ctx context.Context, house House, h *Hand) error {
		key := by(house.at())
		_, err := house.Void(ctx, h.Voided(key.PublicKey()), key)
		return err
	}
}

func afterTimeout(end func(context.Context, House, *Hand) error) func(context.Context, House, *Hand) error {
	return func(ctx context.Context, house House, h *Hand) error {
		err := poll(ctx, 30*time.Second, func(ctx context.Context) (bool, error) {
			now, err := house.at().chain.Now(ctx)
			return now >= h.StartedAt+h.RefundTimeout, err
		})
		if err != nil {
			return fmt.Errorf("wait for the timeout: %w", err)
		}
		return end(ctx, house, h)
	}
}

// together runs functions at the same time and joins their errors.
func together(fs ...func() error) error {
	errs := make(chan error)
	for _, f := range fs {
		go func() { errs <- f() }()
	}
	var all error
	for range fs {
		all = errors.Join(all, <-errs)
	}
	return all
}

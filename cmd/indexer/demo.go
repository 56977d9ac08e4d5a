package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"minesaudit/internal/config"
	"minesaudit/internal/pglocal"
	"minesaudit/internal/simchain"
)

type demoCmd struct {
	Games        int    `default:"300" help:"Games to play. Default ${default}."`
	Seed         int64  `default:"1" help:"Seed of the simulated chain. Default ${default}."`
	Cheat        string `default:"wrong-seed,mine-as-safe,fake-bust,wrong-payout,short-refund" placeholder:"LIST|all" help:"How the operator cheats; see indexer simulate --help. Empty: not at all. Default ${default}."`
	ExitWhenDone bool   `name:"exit-when-done" help:"End with the last game, also on a terminal."`
	JSON         bool   `name:"json" help:"End with one JSON object on stdout, and print no verdicts."`
}

// Help is shown under the flags.
func (demoCmd) Help() string {
	return `Starts a private PostgreSQL in a temporary folder and a simulated chain on loopback, follows it with the daemon of indexer run, and compares the verdicts with what the chain knows was done to each game. On a terminal it stays up to be looked at until Ctrl-C.

Exit codes: 0 every cheat was found and no alarm was false, else 1.

Examples:
  indexer demo
  indexer demo --games 2000 --seed 7 --cheat all --exit-when-done --json`
}

const (
	demoSlot     = 100 * time.Millisecond
	demoFinality = 12
	demoSeconds  = 20 // how long the games take, however many
	demoLeast    = 15 // games a second at the least
)

func (c *demoCmd) Run(s *streams) error {
	cheats, err := simchain.ParseCheats(c.Cheat)
	if err != nil {
		return err
	}
	if c.Games < 1 {
		return usage(errors.New("--games: at least 1 game is played"))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "minesaudit-demo-")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	// Under root the server runs as another user, who has to get into it.
	if err := os.Chmod(dir, 0o711); err != nil {
		return fmt.Errorf("open the temporary folder: %w", err)
	}

	view := newDemoView(s, c)
	log := config.NewLogger(zapcore.AddSync(s.Err), zapcore.ErrorLevel, true, config.NewRedactor())
	view.say("Starting a private PostgreSQL and a simulated chain …")
	// Both outlive ctx, so that the daemon can save its last batch.
	serving, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServing()
	db, err := startEmbedded(serving, pglocal.Options{Dir: dir, NoFsync: true, Log: log})
	if err != nil {
		return err
	}
	defer db.wait()
	defer stopServing()
	chain, err := simchain.New(simchain.Config{
		Seed: c.Seed, Games: c.Games, Rate: max(demoLeast, float64(c.Games)/demoSeconds), SlotTime: demoSlot,
		FinalitySlots: demoFinality, Cheats: cheats, WaitForSubscriber: true,
	})
	if err != nil {
		return err
	}
	node, err := chain.Serve(serving, "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer node.Close()
	return c.watch(ctx, serving, chain, node, db, view, log)
}

// watch plays the games and follows them, then says what was found.
func (c *demoCmd) watch(ctx, serving context.Context, chain *simchain.Chain, node *simchain.Server, db *embedded, view *demoView, log *zap.Logger) error {
	settings, err := demoSettings(chain, node)
	if err != nil {
		return err
	}
	w, err := newWatcher(settings, db.url, settings.Redactor(), log, view.verdict)
	if err != nil {
		return err
	}
	defer w.close()
	began := time.Now()
	played := make(chan error, 1)
	go func() { played <- chain.Run(serving) }()
	following, stopFollowing := context.WithCancel(ctx)
	defer stopFollowing()
	followed := make(chan error, 1)
	go func() { followed <- w.run(following) }()
	view.where(w.server.URL(), node, db.psql)

	if err := awaitDone(ctx, chain, w, view, played, followed); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return &exitError{exitInconclusive, errors.New("interrupted before the games were over")}
	}
	result, err := score(ctx, chain.Truth(), w.store)
	if err != nil {
		return err
	}
	result.Seconds = float64(time.Since(began).Round(100*time.Millisecond)) / float64(time.Second)
	if err := view.finish(result, w.server.URL(), db.psql); err != nil {
		return err
	}
	if !c.ExitWhenDone && !c.JSON && view.live {
		view.say("Still up to be looked at. Ctrl-C ends it.")
		<-ctx.Done()
	}
	stopFollowing()
	if err := <-followed; err != nil {
		return err
	}
	if result.Missed > 0 || result.FalseAlarms > 0 {
		return &exitError{code: exitMismatch}
	}
	return nil
}

func demoSettings(chain *simchain.Chain, node *simchain.Server) (*config.Settings, error) {
	cfg := config.Default()
	cfg.RPCURL, cfg.WSURL = config.Secret(node.RPCURL), config.Secret(node.WSURL)
	cfg.Program, cfg.From, cfg.Listen = chain.Program(), "genesis", "127.0.0.1:0"
	cfg.ReconcileInterval = 500 * time.Millisecond
	return cfg.Check()
}

// awaitDone returns when all games are finalized and the frontier has passed
// them, or ctx ends.
func awaitDone(ctx context.Context, chain *simchain.Chain, w *watcher, view *demoView, played, followed <-chan error) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	over := chain.Done()
	var last uint64
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-played:
			return fmt.Errorf("the simulated chain stopped: %w", err)
		case err := <-followed:
			return fmt.Errorf("the daemon stopped: %w", err)
		case <-over:
			last, over = chain.FinalizedSlot(), nil
		case <-tick.C:
		}
		status := w.daemon.Status()
		view.progress(chain, status)
		if last > 0 && status.FrontierSlot != nil && *status.FrontierSlot >= int64(last) {
			return nil
		}
	}
}

// demoResult is what the demo prints as JSON.
type demoResult struct {
	Games    int               `json:"games"`
	Verdicts map[string]int    `json:"verdicts"`
	Voids    int               `json:"voids"`
	Cheats   map[string]*tally `json:"cheats"`

	Missed      int     `json:"missed"`
	FalseAlarms int     `json:"false_alarms"`
	Seconds     float64 `json:"seconds"`
}

type tally struct {
	Injected int `json:"injected"`
	Detected int `json:"detected"`
}

func (r *demoResult) json() ([]byte, error) { return json.Marshal(r) }

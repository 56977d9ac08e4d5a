package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/reaudit"
	"minesaudit/internal/store"
)

type reauditCmd struct {
	Since  string `name:"since" placeholder:"SLOT|TIME" help:"Only games that started or ended in this slot or later, or at this time or later: 2026-01-31, or 2026-01-31T12:00:00Z. Empty: all."`
	DryRun bool   `name:"dry-run" help:"Write nothing. Another profile than the record's is taken with this only."`
	Quick  bool   `name:"quick" help:"Compare verdicts and the events that they rest on, and rows only of games that these differ of: half the work. Not with --since."`
	Most   int    `name:"most" placeholder:"N" default:"20" help:"How many changed and altered games are listed, each. All are counted. Default ${default}."`
	JSON   bool   `name:"json" help:"One JSON object in place of text."`
	recordFlags
}

// Help is shown under the flags.
func (reauditCmd) Help() string {
	return `Judges the games of the record again, from the bytes of their events and by the rules of this binary, on every core. Where another verdict comes out it is added and supersedes the one that stands; counts follow. The old one is kept.

A game whose stored events no longer give what was stored with them has been altered after it was written. It gets no verdict by such events: it is listed, kept in audit_api.v1_altered, and its transaction named, whose true bytes a node has.

A daemon may run meanwhile. Ended in the middle, the next re-audit finds the rest.

Exit codes: 0 everything is as it stands, 1 a verdict changed or something was altered, 2 usage, 4 the database cannot be reached.

Examples:
  indexer reaudit --database-url postgres://owner@db/audit
  indexer reaudit --dry-run --since 2026-01-31 --json
  indexer reaudit --dry-run --profile other.yaml
      what another profile would say`
}

func (c *reauditCmd) Run(s *streams) error {
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	since, err := parseSince(c.Since)
	if err != nil {
		return usage(fmt.Errorf("--since: %w", err))
	}
	if c.Quick && c.Since != "" {
		return usage(fmt.Errorf("--quick: not with --since, which looks rows up"))
	}
	db, profile, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer db.close()
	watch, err := db.watched(ctx)
	if err != nil {
		return err
	}
	o, err := c.options(profile, watch)
	if err != nil {
		return err
	}
	if o.Since, err = since.slot(ctx, db.store); err != nil {
		return db.redactor.Error(err)
	}
	report, err := c.judge(ctx, s, db, o)
	if err != nil {
		return db.redactor.Error(err)
	}
	write := report.WriteText
	if c.JSON {
		write = report.WriteJSON
	}
	if err := write(s.Out); err != nil {
		return err
	}
	if report.Different() {
		return &exitError{code: exitMismatch}
	}
	return nil
}

func (c *reauditCmd) options(profile *config.Profile, watch store.Watch) (reaudit.Options, error) {
	other := madeBy(profile, watch)
	o := reaudit.Options{
		Standard: ingest.Standard{Layout: profile.Layout, Rules: profile.Rules()},
		Other:    other != nil, Write: !c.DryRun, Most: c.Most, Quick: c.Quick,
	}
	if err := fits(profile, watch); err != nil {
		return o, err
	}
	if o.Other && o.Write {
		return o, usage(fmt.Errorf("%w: name that one, or see with --dry-run what this one would say", other))
	}
	return o, nil
}

func (c *reauditCmd) judge(ctx context.Context, s *streams, db *resultStore, o reaudit.Options) (*reaudit.Report, error) {
	games, err := db.store.CountGames(ctx, o.Since)
	if err != nil {
		return nil, err
	}
	bar := newBar(s.Err, "judging again", games)
	defer bar.finish()
	o.Progress = func(n int) { bar.add(uint64(n)) }
	report, err := reaudit.Run(ctx, db.store, o)
	if err != nil && report.Superseded > 0 {
		bar.finish()
		_, _ = fmt.Fprintf(s.Err, "%d verdicts had been superseded before it ended\n", report.Superseded)
	}
	return report, err
}

// since is where a re-audit begins: at a slot, or at a time.
type since struct {
	at   int64
	time time.Time // in place of a slot; zero: none
}

func parseSince(text string) (since, error) {
	if text == "" {
		return since{}, nil
	}
	if slot, err := strconv.ParseInt(text, 10, 64); err == nil && slot >= 0 {
		return since{at: slot}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return since{time: at}, nil
		}
	}
	return since{}, fmt.Errorf("%q is no slot, date or time: 123456, 2026-01-31 or 2026-01-31T12:00:00Z", text)
}

// slot looks a time up. After the last that is known there is nothing.
func (x since) slot(ctx context.Context, st *store.Store) (int64, error) {
	if x.time.IsZero() {
		return x.at, nil
	}
	slot, ok, err := st.SlotAt(ctx, x.time.Unix())
	if err == nil && !ok {
		slot = math.MaxInt64
	}
	return slot, err
}

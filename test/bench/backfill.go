//go:build bench

package bench

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"time"
)

// firstSlot is where a simulated chain begins.
const firstSlot = 250_000_000

// Backfill measures games a second that `indexer backfill` reads from a node on
// loopback without a limit, in JSON-RPC batches and without, in turns with COPY of the
// rows that it stored, in the same transactions, and with the script, which stores
// verdicts alone.
func (b *Bench) Backfill(ctx context.Context) error {
	c, err := b.playedChain(ctx, b.Games)
	if err != nil {
		return fmt.Errorf("backfill: %w", err)
	}
	defer c.stop()
	var batched, single, copied side
	var peer Sample
	for range b.Rounds {
		for _, part := range []struct {
			of    *side
			batch int
		}{{&batched, 50}, {&single, 1}} {
			db, err := b.backfilled(ctx, c, part.batch, part.of)
			if err != nil {
				return fmt.Errorf("backfill: %w", err)
			}
			if part.of == &batched {
				rows, err := capture(ctx, db)
				if err != nil {
					return err
				}
				seconds, _, err := b.replay(ctx, db, rows)
				if err != nil {
					return fmt.Errorf("COPY: %w", err)
				}
				copied.games = append(copied.games, float64(b.Games)/seconds)
			}
			if err := b.drop(ctx, db); err != nil {
				return err
			}
		}
		rate, err := b.backfilledByPeer(ctx, c)
		if err != nil {
			return fmt.Errorf("backfill: %w", err)
		}
		peer = append(peer, rate)
	}
	r := &b.Report
	r.Figure("backfill: in batches", "games/s", batched.games...)
	r.Figure("backfill: without batches", "games/s", single.games...)
	r.Figure("backfill: COPY alone of the same rows, same commits", "games/s", copied.games...)
	r.Figure("backfill: the script, in batches", "games/s", peer...)
	r.Figure("backfill: in batches", "tx/s", batched.transactions...)
	r.Figure("backfill: processor time, in batches", "µs/game", batched.cpu...)
	r.Figure("backfill: peak resident set", "MiB", batched.peak...)
	r.AtLeast("backfill: in batches / COPY alone", batched.games.Median()/copied.games.Median(), 0.35)
	r.AtLeast("backfill: in batches / the script", batched.games.Median()/peer.Median(), 1.5)
	r.AtMost("backfill: peak resident set, MiB", batched.peak.Median(), 200)
	r.Note("the backfill and the script share the cores with the node that answers them, COPY does not.")
	return nil
}

// backfilledByPeer gives the games a second that the script reads.
func (b *Bench) backfilledByPeer(ctx context.Context, c *chain) (float64, error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return 0, err
	}
	t, err := b.peer(ctx, c, db, b.Games, "--rpc", c.rpc)
	if err != nil {
		return 0, err
	}
	return float64(b.Games) / t.Seconds, b.drop(ctx, db)
}

// playedChain is a chain whose games are over: a daemon has heard them, for a chain
// at rate 0 waits for who does.
func (b *Bench) playedChain(ctx context.Context, games int) (*chain, error) {
	c, err := b.startChain(ctx, games, 0, 400)
	if err != nil {
		return nil, err
	}
	db, err := b.newDatabase(ctx)
	if err != nil {
		c.stop()
		return nil, err
	}
	err = b.followed(ctx, c, db, "genesis", func() (bool, error) {
		n, err := db.count(ctx, `select case when to_regclass('audit.rollup') is null then 0 else 1 end`)
		if n == 0 || err != nil {
			return false, err
		}
		n, err = db.count(ctx, `select coalesce(sum(n), 0)::bigint from audit.rollup`)
		return n >= int64(games), err
	})
	if err = errors.Join(err, b.drop(ctx, db)); err != nil {
		c.stop()
		return nil, err
	}
	return c, nil
}

// followed runs a daemon until the record is as it should be.
func (b *Bench) followed(ctx context.Context, c *chain, db *database, from string, ready func() (bool, error)) error {
	d, err := b.startDaemon(c, db.url, "--from", from)
	if err != nil {
		return err
	}
	defer d.stop()
	return await(ctx, "the daemon has come so far", pollEvery, followPatience, []*process{c.process, d.process}, ready)
}

// bound makes a database that a daemon has bound to the chain, and that holds nothing of it.
func (b *Bench) bound(ctx context.Context, c *chain) (*database, error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return nil, err
	}
	err = b.followed(ctx, c, db, "now", func() (bool, error) {
		n, err := db.count(ctx, `select case when to_regclass('audit.watch') is null then 0 else 1 end`)
		if n == 0 || err != nil {
			return false, err
		}
		n, err = db.count(ctx, `select count(*) from audit.watch`)
		return n == 1, err
	})
	if err != nil {
		return nil, err
	}
	migrated := exec.CommandContext(ctx, b.bin, "migrate", "--database-url", db.url)
	if out, err := migrated.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("migrate: %w\n%s", err, out)
	}
	return db, db.checkpoint(ctx)
}

// backfilled reads the chain's history into a new database.
func (b *Bench) backfilled(ctx context.Context, c *chain, batch int, of *side) (*database, error) {
	db, err := b.bound(ctx, c)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	cmd := exec.CommandContext(ctx, b.bin, "backfill", "--database-url", db.url, "--rpc-url", c.rpc,
		"--from-slot", strconv.Itoa(firstSlot), "--batch", strconv.Itoa(batch))
	p, err := start(cmd, b.logFile("backfill"))
	if err != nil {
		return nil, err
	}
	peak := p.peakUntilExit()
	if p.err != nil {
		return nil, fmt.Errorf("%w\n%s", p.err, p.output())
	}
	seconds := time.Since(began).Seconds()
	if err := b.complete(ctx, db, b.Games); err != nil {
		return nil, err
	}
	n, err := db.count(ctx, `select count(*) from audit.tx`)
	if err != nil {
		return nil, err
	}
	games := float64(b.Games)
	of.games, of.transactions = append(of.games, games/seconds), append(of.transactions, float64(n)/seconds)
	of.cpu = append(of.cpu, 1e6*(cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Seconds()/games)
	of.peak = append(of.peak, peak)
	return db, nil
}

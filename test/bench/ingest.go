//go:build bench

package bench

import (
	"context"
	"fmt"
)

// side is what one of the things compared has shown, a value a round.
type side struct {
	games, transactions Sample // a second
	peak                Sample // MiB
	cpu, server         Sample // µs a game: its own process, the server's
}

// Ingest measures games and transactions a second: the daemon, COPY of what it
// stored, the peer, and again.
func (b *Bench) Ingest(ctx context.Context) error {
	var own, copied, peer side
	var commits, lost Sample
	for range b.Rounds {
		f, err := b.ingestAndCopy(ctx, &own, &copied, &commits)
		if err != nil {
			return err
		}
		if err := b.ingestByPeer(ctx, f, &peer, &lost); err != nil {
			return err
		}
	}
	r := &b.Report
	r.Figure("ingest: daemon, verdicts and record included", "games/s", own.games...)
	r.Figure("ingest: COPY alone of the same rows, same commits", "games/s", copied.games...)
	r.Figure("ingest: commits that wrote rows", "commits", commits...)
	r.Figure("ingest: daemon", "tx/s", own.transactions...)
	r.Figure("ingest: peer script, raw websocket", "tx/s", peer.transactions...)
	r.Figure("ingest: games that the peer script's parser loses", "%", lost...)
	r.Figure("ingest: daemon, peak resident set", "MiB", own.peak...)
	r.Figure("ingest: peer script, peak resident set", "MiB", peer.peak...)
	r.Figure("ingest: processor time, daemon", "µs/game", own.cpu...)
	r.Figure("ingest: processor time, server under it", "µs/game", own.server...)
	r.Figure("ingest: processor time, server under COPY", "µs/game", copied.server...)
	r.Figure("ingest: processor time, peer script", "µs/game", peer.cpu...)
	r.Figure("ingest: processor time, server under it", "µs/game", peer.server...)
	r.AtLeast("ingest: daemon / COPY alone", own.games.Median()/copied.games.Median(), 0.4)
	r.AtLeast("ingest: daemon / peer script", own.transactions.Median()/peer.transactions.Median(), 1)
	r.Note("the peer does less: no transactions or raw events stored, no gaps, no finalized record, frontier, coverage or rollups, " +
		"and rows wait in its memory without bound while the socket is read on.")
	r.Note("the daemon and the peer share the cores with the chain that feeds them, COPY does not.")
	return nil
}

func (b *Bench) ingestAndCopy(ctx context.Context, own, copied *side, commits *Sample) (f followed, err error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return f, err
	}
	server, err := b.chargeServer(func() error {
		f, err = b.follow(ctx, db, b.Games, false)
		return err
	})
	if err != nil {
		return f, fmt.Errorf("ingest: %w", err)
	}
	own.games, own.transactions = append(own.games, f.games/f.seconds), append(own.transactions, f.transactions/f.seconds)
	own.peak, own.cpu, own.server = append(own.peak, f.peakMiB), append(own.cpu, 1e6*f.cpuSeconds/f.games), append(own.server, 1e6*server/f.games)

	rows, err := capture(ctx, db)
	if err != nil {
		return f, err
	}
	seconds, server, err := b.replay(ctx, db, rows)
	if err != nil {
		return f, fmt.Errorf("COPY: %w", err)
	}
	copied.games, copied.server = append(copied.games, f.games/seconds), append(copied.server, 1e6*server/f.games)
	*commits = append(*commits, float64(rows.commits()))
	return f, b.drop(ctx, db)
}

// replay runs a replay and gives its time on the clock and the server's
// processor time.
func (b *Bench) replay(ctx context.Context, db *database, rows *replay) (seconds, server float64, err error) {
	if err := rows.empty(ctx, db); err != nil {
		return 0, 0, err
	}
	server, err = b.chargeServer(func() error {
		seconds, err = rows.run(ctx, db)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return seconds, server, rows.verify(ctx, db)
}

func (b *Bench) ingestByPeer(ctx context.Context, f followed, peer *side, lost *Sample) error {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return err
	}
	var t peerTotals
	server, err := b.chargeServer(func() error {
		t, err = b.followByPeer(ctx, db, b.Games, int(f.transactions))
		return err
	})
	if err != nil {
		return fmt.Errorf("ingest by the peer: %w", err)
	}
	peer.transactions, peer.peak = append(peer.transactions, float64(t.Transactions)/t.Seconds), append(peer.peak, t.PeakMiB)
	peer.cpu, peer.server = append(peer.cpu, 1e6*t.CPUSeconds/f.games), append(peer.server, 1e6*server/f.games)
	*lost = append(*lost, 100*(1-float64(t.Pass)/f.games))
	return b.drop(ctx, db)
}

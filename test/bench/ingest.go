//go:build bench

package bench

import (
	"context"
	"fmt"
)

// Ingest measures games and transactions a second: the daemon, COPY of what it
// stored, the peer, and again.
func (b *Bench) Ingest(ctx context.Context) error {
	var games, rate, copied, peer, commits, ownPeak, peerPeak, lost Sample
	for range b.Rounds {
		own, replayed, err := b.ingestAndCopy(ctx)
		if err != nil {
			return err
		}
		games, rate = append(games, own.games/own.seconds), append(rate, own.transactions/own.seconds)
		ownPeak = append(ownPeak, own.peakMiB)
		copied, commits = append(copied, own.games/replayed.seconds), append(commits, float64(replayed.commits()))

		other, err := b.ingestByPeer(ctx, int(own.transactions))
		if err != nil {
			return err
		}
		lost = append(lost, 100*(1-float64(other.Pass)/own.games))
		peer, peerPeak = append(peer, float64(other.Transactions)/other.Seconds), append(peerPeak, other.PeakMiB)
	}
	r := &b.Report
	r.Figure("ingest: daemon, verdicts and record included", "games/s", games...)
	r.Figure("ingest: COPY alone of the same rows, same commits", "games/s", copied...)
	r.Figure("ingest: commits that wrote rows", "commits", commits...)
	r.Figure("ingest: daemon", "tx/s", rate...)
	r.Figure("ingest: peer script, raw websocket", "tx/s", peer...)
	r.Figure("ingest: daemon, peak resident set", "MiB", ownPeak...)
	r.Figure("ingest: peer script, peak resident set", "MiB", peerPeak...)
	r.Figure("ingest: games that the peer script's parser loses", "%", lost...)
	r.AtLeast("ingest: daemon / COPY alone", games.Median()/copied.Median(), 0.4)
	r.AtLeast("ingest: daemon / peer script", rate.Median()/peer.Median(), 1)
	r.Note("the peer does less: no transactions or raw events stored, no gaps, no finalized record, frontier, coverage or rollups, " +
		"and rows wait in its memory without bound while the socket is read on.")
	return nil
}

// copiedRun is a replay and how long it took.
type copiedRun struct {
	*replay
	seconds float64
}

func (b *Bench) ingestAndCopy(ctx context.Context) (own followed, c copiedRun, err error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return own, c, err
	}
	if own, err = b.follow(ctx, db, b.Games, false); err != nil {
		return own, c, fmt.Errorf("ingest: %w", err)
	}
	if c.replay, err = capture(ctx, db); err != nil {
		return own, c, err
	}
	if c.seconds, err = c.run(ctx, db); err != nil {
		return own, c, fmt.Errorf("COPY: %w", err)
	}
	return own, c, b.drop(ctx, db)
}

func (b *Bench) ingestByPeer(ctx context.Context, transactions int) (peerTotals, error) {
	db, err := b.newDatabase(ctx)
	if err != nil {
		return peerTotals{}, err
	}
	t, err := b.followByPeer(ctx, db, b.Games, transactions)
	if err != nil {
		return t, fmt.Errorf("ingest by the peer: %w", err)
	}
	return t, b.drop(ctx, db)
}

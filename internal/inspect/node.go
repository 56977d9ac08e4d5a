package inspect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
)

// A Node is where transactions are asked for.
type Node struct {
	Client     *rpc.Client
	MaxHistory int                              // most entries of one address's history that are read
	Say        func(format string, args ...any) // hears of what takes long; may be nil
}

const (
	fetches     = 8  // transactions asked for at a time
	sayAbove    = 50 // fetches that a person waits for
	tries       = 4
	longestWait = 30 * time.Second // that a node may ask for
)

// Inspect judges the games that have an event in a transaction. What a node
// answers decides: an error means that it did not, or not understandably. A
// transaction that the node does not know is no error; the result says so.
func (n *Node) Inspect(ctx context.Context, sig [64]byte, audit Audit) (*Result, error) {
	program, err := rpc.ParseKey(audit.Program)
	if err != nil {
		return nil, fmt.Errorf("program: %w", err)
	}
	r := &Result{Audit: audit, Asked: &Transaction{Signature: rpc.SignatureString(sig)}}
	raw, level, err := n.find(ctx, sig)
	if errors.Is(err, rpc.NotFound) {
		r.Nothing = "the node knows no such transaction, neither finalized nor confirmed: another cluster, or a node without that part of history?"
		return r, nil
	}
	if err != nil {
		return nil, err
	}
	r.Asked.Slot, r.Asked.Commitment = raw.Slot, string(level)
	reader, err := audit.Events.Reader(audit.Program)
	if err != nil {
		return nil, err
	}
	e := newEvidence(reader)
	asked := e.add(raw)
	keys := asked.keys()
	if len(keys) == 0 {
		r.Nothing = asked.nothing(program)
		return r, nil
	}
	if asked.log.State != decode.LogComplete {
		r.Notes = append(r.Notes, fmt.Sprintf("the log of this transaction is %s: it may hold more than these games", asked.log.State))
	}
	reaches, err := n.readHistories(ctx, e, raw, keys)
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, e.unreadable()...)
	for _, key := range keys {
		r.Cases = append(r.Cases, e.judge(key, &audit.Rules, reaches[key.Game]))
	}
	return r, nil
}

// find asks for a transaction as finalized, then as confirmed.
func (n *Node) find(ctx context.Context, sig [64]byte) (*rpc.Tx, rpc.Commitment, error) {
	tx, err := n.transaction(ctx, sig, rpc.Finalized, false)
	if err == nil {
		return tx, rpc.Finalized, nil
	}
	if !errors.Is(err, rpc.NotFound) {
		return nil, "", err
	}
	tx, err = n.transaction(ctx, sig, rpc.Confirmed, true) // it may have landed this second
	return tx, rpc.Confirmed, err
}

func (n *Node) transaction(ctx context.Context, sig [64]byte, at rpc.Commitment, insist bool) (*rpc.Tx, error) {
	policy := rpc.RetryPolicy{Tries: tries, MaxRetryAfter: longestWait, NotFound: insist}
	tx, err := rpc.Retry(ctx, policy, func(ctx context.Context) (*rpc.Tx, error) { return n.Client.Transaction(ctx, sig, at) })
	if errors.Is(err, rpc.UnsupportedVersion) {
		return nil, fmt.Errorf("transaction %s is of a version that this program cannot read, so nothing can be said of it; a newer indexer may: %w", rpc.SignatureString(sig), err)
	}
	if err != nil {
		return nil, fmt.Errorf("transaction %s: %w", rpc.SignatureString(sig), err)
	}
	return tx, nil
}

// readHistories adds the histories of the games' addresses to the evidence and
// says of each how far it was read.
func (n *Node) readHistories(ctx context.Context, e *evidence, asked *rpc.Tx, keys []decode.GameKey) (map[[32]byte]reach, error) {
	policy := rpc.RetryPolicy{Tries: tries, MaxRetryAfter: longestWait}
	final, err := rpc.Retry(ctx, policy, func(ctx context.Context) (uint64, error) { return n.Client.Slot(ctx, rpc.Finalized) })
	if err != nil {
		return nil, fmt.Errorf("finalized slot: %w", err)
	}
	reaches := map[[32]byte]reach{}
	for _, key := range keys {
		if _, done := reaches[key.Game]; done {
			continue
		}
		h, err := n.history(ctx, key.Game, asked)
		if err != nil {
			return nil, fmt.Errorf("history of game %s: %w", rpc.KeyString(key.Game), err)
		}
		if err := n.fetch(ctx, e, h.entries); err != nil {
			return nil, err
		}
		reaches[key.Game] = reach{complete: h.unread == "", unread: h.unread, final: final, fromNode: true}
	}
	return reaches, nil
}

// fetch adds the transactions of a history that succeeded and are not yet known.
func (n *Node) fetch(ctx context.Context, e *evidence, entries []rpc.SignatureInfo) error {
	var todo []rpc.SignatureInfo
	for _, entry := range entries {
		if entry.Err == nil && e.seen[entry.Signature] == nil {
			todo = append(todo, entry)
		}
	}
	if len(todo) > sayAbove && n.Say != nil {
		n.Say("reading %d transactions of the game's address", len(todo))
	}
	found := make([]*rpc.Tx, len(todo))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(fetches)
	for i, entry := range todo {
		group.Go(func() error {
			// It was listed a moment ago: null means that another node answers.
			tx, err := n.transaction(ctx, entry.Signature, rpc.Confirmed, true)
			found[i] = tx
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, tx := range found {
		e.add(tx)
	}
	return nil
}

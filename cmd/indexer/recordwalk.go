package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"golang.org/x/sync/errgroup"

	"minesaudit/internal/rpc"
)

// recordFetches is how many transactions are asked for at once.
const recordFetches = 16

// recordTries is how often one call is tried before the recording is given up.
const recordTries = 6

// recorder reads a program's finalized transactions, newest first, page by page.
type recorder struct {
	client *rpc.Client
	file   *recordFile
	told   func(transactions int)
}

// run reads down to the first slot that is asked for, or to the end of what the
// node has.
func (r *recorder) run(ctx context.Context) error {
	list, err := r.list()
	if err != nil {
		return err
	}
	for {
		part, err := list.Next(ctx)
		if err != nil {
			return err
		}
		wanted := r.wanted(part.Txs)
		lines, err := r.fetch(ctx, wanted)
		if err != nil {
			return err
		}
		if len(part.Txs) > 0 {
			if err := r.file.add(lines, r.after(part.Txs, wanted)); err != nil {
				return err
			}
		}
		r.told(len(wanted))
		if part.Ended || part.Above < r.file.state.From {
			return nil
		}
	}
}

// list is the node's list from where the file goes on.
func (r *recorder) list() (*rpc.SignatureList, error) {
	state := &r.file.state
	var at rpc.Place
	if state.Before != "" {
		before, err := rpc.ParseSignature(state.Before)
		if err != nil {
			return nil, usage(fmt.Errorf("%s: %w: remove it and begin anew", r.file.stateName(), err))
		}
		at = rpc.Place{Before: before, Slot: state.Oldest}
	}
	opts, retry := rpc.SignaturesOpts{Commitment: rpc.Finalized}, rpc.RetryPolicy{Tries: recordTries}
	return r.client.ListSignatures(state.Program, opts, rpc.ListOpts{At: at}, retry), nil
}

// wanted are those in the slots that are asked for.
func (r *recorder) wanted(txs []rpc.SignatureInfo) (wanted []rpc.SignatureInfo) {
	of := &r.file.state
	for i := range txs {
		if slot := txs[i].Slot; slot >= of.From && slot <= of.To {
			wanted = append(wanted, txs[i])
		}
	}
	return wanted
}

// after is the state once a part of the list is written.
func (r *recorder) after(txs, wanted []rpc.SignatureInfo) recordState {
	next := r.file.state
	last := txs[len(txs)-1]
	next.Before, next.Oldest = rpc.SignatureString(last.Signature), last.Slot
	for i := range wanted {
		next.Transactions++
		next.Newest = max(next.Newest, wanted[i].Slot)
		if wanted[i].Err != nil {
			next.Failed++
		}
	}
	return next
}

// fetch gets what is listed, a line each, or nothing of it. Failed transactions
// are complete as the list tells them.
func (r *recorder) fetch(ctx context.Context, listed []rpc.SignatureInfo) ([]byte, error) {
	lines := make([][]byte, len(listed))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(recordFetches)
	for i := range listed {
		info := &listed[i]
		g.Go(func() (err error) {
			if info.Err != nil {
				lines[i], err = failedLine(info)
				return err
			}
			lines[i], err = r.transaction(ctx, info)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return bytes.Join(lines, nil), nil
}

func (r *recorder) transaction(ctx context.Context, info *rpc.SignatureInfo) ([]byte, error) {
	policy := rpc.RetryPolicy{Tries: recordTries, NotFound: true} // it was listed a moment ago
	tx, err := rpc.Retry(ctx, policy, func(ctx context.Context) (*rpc.Tx, error) {
		return r.client.Transaction(ctx, info.Signature, rpc.Finalized)
	})
	if err != nil {
		return nil, fmt.Errorf("fetch transaction %s of slot %d: %w", rpc.SignatureString(info.Signature), info.Slot, err)
	}
	if tx.Slot != info.Slot || tx.Err != nil {
		return nil, fmt.Errorf("the node lists %s in slot %d as succeeded, and gives it in slot %d otherwise", rpc.SignatureString(info.Signature), info.Slot, tx.Slot)
	}
	var line bytes.Buffer
	if err := json.Compact(&line, []byte(tx.Answer)); err != nil {
		return nil, fmt.Errorf("transaction %s: %w", rpc.SignatureString(info.Signature), err)
	}
	line.WriteByte('\n')
	return line.Bytes(), nil
}

// failedLine is a log without lines, of a transaction that had no effect.
func failedLine(info *rpc.SignatureInfo) ([]byte, error) {
	line := struct {
		Signature string          `json:"signature"`
		Slot      uint64          `json:"slot"`
		BlockTime *int64          `json:"blockTime"`
		Err       json.RawMessage `json:"err"`
		Logs      []string        `json:"logs"`
	}{Signature: rpc.SignatureString(info.Signature), Slot: info.Slot, Err: info.Err, Logs: []string{}}
	if info.HasBlockTime {
		line.BlockTime = &info.BlockTime
	}
	text, err := json.Marshal(line)
	if err != nil {
		return nil, fmt.Errorf("transaction %s: %w", line.Signature, err)
	}
	return append(text, '\n'), nil
}

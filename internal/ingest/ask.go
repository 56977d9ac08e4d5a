package ingest

import (
	"context"
	"time"

	"minesaudit/internal/rpc"
)

// Some programs emit events that no log shows. Of their transactions the stream
// only tells that they are there; what they hold is asked for by name, at the
// stream's commitment. Whatever comes of that late or not at all the record
// finds, as it does everything else: so a full queue waits for nobody, and an
// answer that cannot be had is let go.

const (
	// askers is how many transactions are asked for at once on the stream's account.
	askers = 8
	// askMost bounds how many wait to be asked for.
	askMost = 10_000
	// askTries is how often one is asked for; right after its notification a node
	// may not know it yet.
	askTries = 5
)

// asked is what waits to be asked for, and what has been answered.
type asked struct {
	names   chan announced
	answers chan answeredTx
}

func newAsked() asked {
	return asked{names: make(chan announced, askMost), answers: make(chan answeredTx)}
}

// announced is a transaction of which the stream has told, when.
type announced struct {
	signature [64]byte
	heard     time.Time
}

type answeredTx struct {
	tx    *rpc.Tx
	node  string
	heard time.Time
}

// ask puts a transaction on the list of those to be asked for.
func (d *Daemon) ask(tx *rpc.Tx, heard time.Time) {
	select {
	case d.asked.names <- announced{tx.Signature, heard}:
	default:
		d.Metrics.unasked.Inc()
	}
}

// answer asks for one transaction after another until ctx ends.
func (d *Daemon) answer(ctx context.Context) error {
	for {
		var a announced
		select {
		case a = <-d.asked.names:
		case <-ctx.Done():
			return nil
		}
		policy := rpc.RetryPolicy{Tries: askTries, NotFound: true}
		var node *rpc.Node
		tx, err := rpc.Retry(ctx, policy, func(ctx context.Context) (*rpc.Tx, error) {
			node = d.Nodes.Record()
			return node.Transaction(ctx, a.signature, d.Live)
		})
		if err != nil || tx.StatusMissing {
			d.Metrics.unasked.Inc()
			continue
		}
		select {
		case d.asked.answers <- answeredTx{tx, node.Name(), a.heard}:
		case <-ctx.Done():
			return nil
		}
	}
}

// answered adds a transaction to the batch as if its notification had told all of
// it, unless the record has gone by meanwhile: then it is the record's to tell.
func (d *Daemon) answered(told answeredTx, batch []arrival) []arrival {
	if !d.hears(told.tx) {
		return batch
	}
	bare := *told.tx
	bare.Answer = "" // what is kept aside is asked for again
	if d.late.keep(&bare) {
		return batch
	}
	a := d.arriveFrom(told.node, *told.tx, false, told.heard)
	if !a.whole() {
		d.Metrics.unreadable(a.trouble())
		return batch
	}
	return append(batch, a)
}

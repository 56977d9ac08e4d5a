package rpc

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"time"
)

// Fetched is one transaction of a batch, or why it could not be had: an *Error.
type Fetched struct {
	Tx  *Tx
	Err error
}

// Transactions asks for several transactions in one JSON-RPC batch. The answer has an
// entry for each signature, in order, as Transaction would have given it. A node counts
// each of them as a request, and so does the client's budget. Invalid means that the
// node takes no batches, or none as long as this one.
func (c *Client) Transactions(ctx context.Context, sigs [][64]byte, at Commitment) ([]Fetched, error) {
	if err := c.takeTurns(ctx, methodTransaction, len(sigs)); err != nil {
		return nil, err
	}
	defer func() { <-c.turns }()
	start := time.Now()
	items, header, err := c.exchangeBatch(ctx, sigs, at)
	if err != nil {
		c.told(start, err)
		return nil, err
	}
	found := make([]Fetched, len(sigs))
	for i := range items {
		tx, err := c.batched(&items[i], header, sigs[i])
		c.told(start, err)
		if found[i].Tx = tx; err != nil { // a nil *Error in an error is not nil
			found[i].Err = err
		}
	}
	return found, nil
}

// told notes the outcome of a request that was sent at a time.
func (c *Client) told(sent time.Time, err *Error) {
	now := time.Now()
	c.metrics.observe(methodTransaction, now.Sub(sent), err)
	c.budget.answered(sent, err, now)
	c.health.answered(err, now)
}

// takeTurns is takeTurn for n requests that are sent as one.
func (c *Client) takeTurns(ctx context.Context, method string, n int) error {
	if err := c.takeTurn(ctx, method); err != nil {
		return err
	}
	for range n - 1 {
		if c.budget.wait(ctx, method) == nil {
			continue
		}
		<-c.turns
		if ctx.Err() == nil { // as in takeTurn
			return canceled(method, context.DeadlineExceeded)
		}
		return canceled(method, ctx.Err())
	}
	return nil
}

func (c *Client) batched(item *answer, header http.Header, sig [64]byte) (*Tx, *Error) {
	switch {
	case item.Error != nil && item.Error.Code != nil:
		return nil, c.nodeError(methodTransaction, &reply{status: http.StatusOK, header: header}, item.Error)
	case item.ID == "" || item.Error != nil:
		return nil, malformed(methodTransaction, "the answer to a batch lacks one of its requests")
	case isNull(item.Result):
		return nil, &Error{Method: methodTransaction, Class: NotFound, Message: "the node answered null"}
	}
	return readTransaction(item.Result, sig)
}

// exchangeBatch gives the answers in the order of the signatures; an entry without
// an id has had none.
func (c *Client) exchangeBatch(ctx context.Context, sigs [][64]byte, at Commitment) ([]answer, http.Header, *Error) {
	body, fault := batchBody(sigs, at)
	if fault != nil {
		return nil, nil, malformed(methodTransaction, "the batch cannot be encoded")
	}
	r, err := c.post(ctx, body)
	if err != nil {
		return nil, nil, err
	}
	if r.cut || r.status != http.StatusOK {
		return nil, nil, c.refusedBatch(r)
	}
	answers, ok := readAnswers(string(r.body))
	if !ok {
		return nil, nil, c.refusedBatch(r)
	}
	items := make([]answer, len(sigs))
	for _, a := range answers {
		switch i, ok := a.of(); {
		case ok && 0 <= i && i < len(items):
			items[i] = a
		case !ok && len(answers) == 1 && a.Error != nil && a.Error.Code != nil: // one error for all
			return nil, nil, c.nodeError(methodTransaction, r, a.Error)
		}
	}
	return items, r.header, nil
}

// refusedBatch tells why a batch has no list of answers. An answer that is longer than
// the limit is the batch's length, too.
func (c *Client) refusedBatch(r *reply) *Error {
	if r.cut || r.status == http.StatusRequestEntityTooLarge {
		return &Error{Method: methodTransaction, Class: Invalid, Code: r.status, Message: "the batch is too long"}
	}
	if _, err := c.read(methodTransaction, r); err != nil {
		return err
	}
	return &Error{Method: methodTransaction, Class: Invalid, Message: "the node answers a batch with a single answer"}
}

func batchBody(sigs [][64]byte, at Commitment) ([]byte, error) {
	type request struct {
		Version string `json:"jsonrpc"`
		ID      int    `json:"id"`
		Method  string `json:"method"`
		Params  []any  `json:"params"`
	}
	batch := make([]request, len(sigs))
	for i, sig := range sigs {
		batch[i] = request{"2.0", i, methodTransaction, transactionParams(sig, at)}
	}
	return json.Marshal(batch)
}

// post sends one body and reads the answer to its end.
func (c *Client) post(ctx context.Context, body []byte) (*reply, *Error) {
	timed, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(timed, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return nil, &Error{Method: methodTransaction, Class: Invalid, Message: "the request cannot be made"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", userAgent)
	r := &reply{}
	resp, err := c.http.Do(req)
	if err == nil {
		defer func() { _ = resp.Body.Close() }()
		r.status, r.header = resp.StatusCode, resp.Header
		err = c.readBody(resp, r)
	}
	switch {
	case err == nil:
		return r, nil
	case ctx.Err() != nil:
		return nil, canceled(methodTransaction, ctx.Err())
	case r.status != 0 && r.status != http.StatusOK: // the body was lost, the status says enough
		return nil, statusError(methodTransaction, r)
	}
	return nil, &Error{Method: methodTransaction, Class: Unavailable, Message: cause(err)}
}

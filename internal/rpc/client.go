package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
)

// Config says how to speak to one node. Zero values mean the defaults named.
type Config struct {
	Name              string             // of the node, in metrics and states; default "node"
	URL               string             // http(s) endpoint; may hold keys in user info, path and query
	Timeout           time.Duration      // of one request; default 30 s
	MaxBody           int64              // bytes of one answer after decompression; default 64 MiB
	MaxConcurrent     int                // requests in flight; default 16
	RequestsPerSecond float64            // 0 = unlimited
	Limits            map[string]float64 // requests a second of single methods, under that of all
	Metrics           *Metrics           // nil = counted nowhere
}

// DefaultNode is the name of a node that was given none.
const DefaultNode = "node"

// Client makes JSON-RPC requests to one node, each once: Retry repeats them. It is
// safe for concurrent use. Every error is an *Error.
type Client struct {
	name    string
	rpc     jsonrpc.RPCClient
	http    *http.Client
	url     string // a secret: see scrub
	scrub   scrubber
	timeout time.Duration
	maxBody int64
	turns   chan struct{} // holds a token for each request in flight
	budget  *budget
	metrics *nodeMetrics
	health  *health
}

// NewClient checks the configuration; it does not connect.
func NewClient(cfg Config) (*Client, error) {
	u, err := parseURL(cfg.URL, "http", "https")
	if err != nil {
		return nil, fmt.Errorf("rpc-url: %w", err)
	}
	limits, err := newBudget(cfg.RequestsPerSecond, cfg.Limits)
	if err != nil {
		return nil, err
	}
	if cfg.Name == "" {
		cfg.Name = DefaultNode
	}
	if cfg.Metrics == nil {
		cfg.Metrics = NewMetrics(nil)
	}
	c := &Client{
		name:    cfg.Name,
		scrub:   newScrubber(u),
		timeout: orDefault(cfg.Timeout, 30*time.Second),
		maxBody: orDefault(cfg.MaxBody, 64<<20),
		url:     cfg.URL,
		turns:   make(chan struct{}, orDefault(cfg.MaxConcurrent, 16)),
		budget:  limits,
		metrics: cfg.Metrics.of(cfg.Name),
	}
	c.health = newHealth(c.metrics)
	c.http = newHTTPClient(cap(c.turns))
	c.rpc = jsonrpc.NewClientWithOpts(cfg.URL, &jsonrpc.RPCClientOpts{
		HTTPClient:   c.http,
		CustomHeader: http.Header{"User-Agent": {userAgent}},
	})
	return c, nil
}

// Close drops idle connections. Requests in flight are ended by their contexts.
func (c *Client) Close() { _ = c.rpc.Close() }

const userAgent = "minesaudit"

func newHTTPClient(conns int) *http.Client {
	return &http.Client{
		Transport: newTransport(conns),
		// A redirect would carry the request, and in Referer the old URL's path and
		// query, to a host that nobody configured.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func newTransport(conns int) *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		MaxIdleConnsPerHost:   conns,
		IdleConnTimeout:       90 * time.Second,
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
	}
}

func orDefault[T int | int64 | time.Duration](v, otherwise T) T {
	if v <= 0 {
		return otherwise
	}
	return v
}

// call makes one request and decodes its result into out. A null result is NotFound.
func (c *Client) call(ctx context.Context, method string, params []any, out any) error {
	if err := c.takeTurn(ctx, method); err != nil {
		return err
	}
	defer func() { <-c.turns }()
	start := time.Now()
	err := c.once(ctx, method, params, out)
	c.metrics.observe(method, time.Since(start), err)
	c.budget.answered(start, err, time.Now())
	c.health.answered(err, time.Now())
	if err != nil { // a nil *Error in an error is not nil
		return err
	}
	return nil
}

// takeTurn waits for the concurrency limit, then for the budget.
func (c *Client) takeTurn(ctx context.Context, method string) error {
	select {
	case c.turns <- struct{}{}:
	case <-ctx.Done():
		return canceled(method, ctx.Err())
	}
	began := time.Now()
	err := c.budget.wait(ctx, method)
	c.metrics.waited.Add(time.Since(began).Seconds())
	if err != nil {
		<-c.turns
		if ctx.Err() == nil { // the limiter saw that the turn comes after the deadline
			return canceled(method, context.DeadlineExceeded)
		}
		return canceled(method, ctx.Err())
	}
	return nil
}

func (c *Client) once(ctx context.Context, method string, params []any, out any) *Error {
	result, err := c.exchange(ctx, method, params)
	if err != nil {
		return err
	}
	if isNull(result) {
		return &Error{Method: method, Class: NotFound, Message: "the node answered null"}
	}
	if text, is := out.(*rawText); is {
		*text = result
		return nil
	}
	if json.Unmarshal([]byte(result), out) != nil {
		return malformed(method, "the result is not of the documented form")
	}
	return nil
}

func isNull[T ~string | ~[]byte](text T) bool { return len(text) == 0 || string(text) == "null" }

// malformed is an answer that breaks the protocol: the endpoint's fault.
func malformed(method, what string) *Error {
	return &Error{Method: method, Class: Unavailable, Message: what}
}

func canceled(method string, cause error) *Error {
	return &Error{Method: method, Class: Canceled, Message: cause.Error(), cause: cause}
}

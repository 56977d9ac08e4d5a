package rpc

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/prometheus/client_golang/prometheus"
)

// StreamConfig says what to subscribe to. Zero values mean the defaults named.
type StreamConfig struct {
	Name       string     // of the node, in metrics and states; default "node"
	URL        string     // ws(s) endpoint; may hold keys
	Program    string     // base58; transactions that mention it are notified
	Commitment Commitment // default confirmed

	QueueSize int           // items that wait for the consumer; default 8192
	QueueWait time.Duration // how long a full queue holds the socket back before the subscription ends; default 5 s

	ConnectTimeout time.Duration // TCP, TLS and handshake; default 15 s
	AckTimeout     time.Duration // answers to both subscribe requests; default 10 s
	StallAfter     time.Duration // without a slot notification; default 15 s
	PingEvery      time.Duration // default 30 s
	PingTimeout    time.Duration // for a pong or any frame; default 10 s
	ReadLimit      int64         // bytes of one message; default 16 MiB

	BackoffInitial time.Duration // first wait before connecting again, ±50 %; default 500 ms
	BackoffMax     time.Duration // default 30 s
	StableAfter    time.Duration // a subscription up for so long starts the waits anew; default 30 s

	Metrics *Metrics  // nil = counted nowhere
	OnEnd   func(End) // if set, hears of every end, also of connections that never came up; must not block
}

// End is the end of one connection.
type End struct {
	Reason Reason
	Err    error         // details, secrets struck out; may be nil
	WasUp  bool          // false: it was never listening, and no Item tells of it
	Wait   time.Duration // until the next attempt; 0 if there is none
}

// Stream keeps one log subscription alive. The way of an item:
//
//	socket ─ session.read ─► readFrame ─► queue (bounded) ─► Items ─► consumer
//	            │ full queue: stop reading, TCP holds the node back; too long: Overflow
//	            └ slot clock, pings and acknowledgement deadline end the session
//
// Run owns everything; when it returns no goroutine is left and Items is closed.
type Stream struct {
	cfg     StreamConfig
	queue   *queue
	scrub   scrubber
	http    *http.Client
	head    atomic.Uint64
	ran     atomic.Bool
	state   stateBox
	listens prometheus.Gauge
	await   func(context.Context) bool // if set, waited for before the first connection; false: never connect
}

// NewStream makes a stream; Run checks the configuration and connects.
func NewStream(cfg StreamConfig) *Stream {
	cfg = cfg.withDefaults()
	return newStream(cfg, newQueue(cfg.QueueSize, cfg.QueueWait, cfg.Metrics))
}

func newStream(cfg StreamConfig, q *queue) *Stream {
	s := &Stream{cfg: cfg, queue: q, http: newDialClient(), listens: cfg.Metrics.of(cfg.Name).listens}
	s.state.set(func(st *State) { st.Since = time.Now() })
	return s
}

func (cfg StreamConfig) withDefaults() StreamConfig {
	if cfg.Name == "" {
		cfg.Name = DefaultNode
	}
	if cfg.Commitment == "" {
		cfg.Commitment = Confirmed
	}
	cfg.QueueSize = orDefault(cfg.QueueSize, 8192)
	cfg.QueueWait = orDefault(cfg.QueueWait, 5*time.Second)
	cfg.ConnectTimeout = orDefault(cfg.ConnectTimeout, 15*time.Second)
	cfg.AckTimeout = orDefault(cfg.AckTimeout, 10*time.Second)
	cfg.StallAfter = orDefault(cfg.StallAfter, 15*time.Second)
	cfg.PingEvery = orDefault(cfg.PingEvery, 30*time.Second)
	cfg.PingTimeout = orDefault(cfg.PingTimeout, 10*time.Second)
	cfg.ReadLimit = orDefault(cfg.ReadLimit, 16<<20)
	cfg.BackoffInitial = orDefault(cfg.BackoffInitial, 500*time.Millisecond)
	cfg.BackoffMax = orDefault(cfg.BackoffMax, 30*time.Second)
	cfg.StableAfter = orDefault(cfg.StableAfter, 30*time.Second)
	if cfg.Metrics == nil {
		cfg.Metrics = NewMetrics(nil)
	}
	return cfg
}

// Items gives what happens, in order. What was queued stays readable after the end of
// a subscription and of Run; then the channel is closed.
func (s *Stream) Items() <-chan Item { return s.queue.items }

// Head is the highest slot that the slot clock has told of, or any notification where
// the node refuses slotSubscribe; 0 before the first.
func (s *Stream) Head() uint64 { return s.head.Load() }

// Run connects, and connects again after every end, until ctx ends: then it returns
// nil. Any error is one of the configuration. Run may be called once.
func (s *Stream) Run(ctx context.Context) error {
	if s.ran.Swap(true) {
		return errors.New("stream: Run was called before")
	}
	defer close(s.queue.items)
	return s.run(ctx)
}

// run is Run without the end of the queue.
func (s *Stream) run(ctx context.Context) error {
	u, err := parseURL(s.cfg.URL, "ws", "wss")
	if err != nil {
		return fmt.Errorf("ws-url: %w", err)
	}
	if _, err := ParseKey(s.cfg.Program); err != nil {
		return fmt.Errorf("program: %w", err)
	}
	s.scrub = newScrubber(u)
	if s.await != nil && !s.await(ctx) {
		return nil
	}
	waits := backoff.ExponentialBackOff{
		InitialInterval: s.cfg.BackoffInitial, MaxInterval: s.cfg.BackoffMax,
		Multiplier: 2, RandomizationFactor: 0.5,
	}
	waits.Reset()
	for {
		e := s.connect(ctx)
		if ctx.Err() != nil {
			s.ended(End{Reason: Stopped, WasUp: e.wasUp()})
			return nil
		}
		if e.wasUp() && time.Since(e.upSince) >= s.cfg.StableAfter {
			waits.Reset()
		}
		wait := max(waits.NextBackOff(), min(e.retryAfter, 5*time.Minute))
		s.ended(End{Reason: e.reason, Err: e.err, WasUp: e.wasUp(), Wait: wait})
		if !sleep(ctx, wait) {
			return nil
		}
	}
}

// sleep waits; it gives false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// ended tells of an end to everyone but the consumer, who has had the Down already.
func (s *Stream) ended(e End) {
	s.cfg.Metrics.ends.WithLabelValues(string(e.Reason)).Inc()
	s.state.down(e)
	if s.cfg.OnEnd != nil {
		s.cfg.OnEnd(e)
	}
}

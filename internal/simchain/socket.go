package simchain

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// socket is one websocket. Its reader (the handler's goroutine) answers requests,
// its writer sends what is queued. The library does the handshake, the reading and
// the control frames; data frames are written past it, many in one write.
type socket struct {
	node  *Node
	wire  *frameConn
	paces bool // the producer waits for this reader

	order sync.Mutex   // held while frames are queued
	queue chan []byte  // whole frames, shared and not to be changed
	waits atomic.Int64 // bytes in queue, where the socket does not pace

	deaf  atomic.Bool   // nothing is sent any more
	ended chan struct{} // closed when the socket is no more
	once  sync.Once
}

const (
	queueBlocks  = 1024 // blocks that may wait for a slow reader, above rate zero
	queueBytes   = 32 << 20
	paceBlocks   = 4 // at rate zero, where the producer waits for it
	pingEvery    = 30 * time.Second
	pongDeadline = 2 * time.Minute
)

// serveSocket takes an upgrade request and stays until the socket ends.
func (n *Node) serveSocket(w http.ResponseWriter, r *http.Request) {
	tap := &hijackTap{ResponseWriter: w}
	// Pages of any origin may connect: nothing here is worth stealing.
	conn, err := websocket.Accept(tap, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	s := &socket{node: n, wire: tap.wire, paces: n.chain.config.Rate == 0, ended: make(chan struct{})}
	s.queue = make(chan []byte, queueBlocks)
	if s.paces {
		s.queue = make(chan []byte, paceBlocks)
	}
	n.hub.join(s)
	ctx, cancel := context.WithCancel(r.Context())
	var helpers sync.WaitGroup
	helpers.Go(func() { s.write(ctx) })
	helpers.Go(func() { s.ping(ctx, conn) })

	s.read(ctx, conn)
	s.cut()
	cancel()
	n.hub.part(s)
	_ = conn.CloseNow()
	helpers.Wait()
}

// read answers requests until the socket ends.
func (s *socket) read(ctx context.Context, conn *websocket.Conn) {
	for {
		_, message, err := conn.Read(ctx)
		if err != nil {
			return
		}
		if answer := s.node.answerSocket(s, message); answer != nil {
			s.send(ctx, appendFrame(nil, answer))
		}
	}
}

// write sends what is queued until the socket ends.
func (s *socket) write(ctx context.Context) {
	for {
		select {
		case frames := <-s.queue:
			s.waits.Add(-int64(len(frames)))
			if _, err := s.wire.Write(frames); err != nil {
				s.cut()
				return
			}
		case <-s.ended:
			return
		case <-ctx.Done():
			s.cut()
			return
		}
	}
}

// ping asks for a sign of life now and then.
func (s *socket) ping(ctx context.Context, conn *websocket.Conn) {
	tick := time.NewTicker(pingEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			deadline, cancel := context.WithTimeout(ctx, pongDeadline)
			err := conn.Ping(deadline)
			cancel()
			if err != nil {
				s.cut()
				return
			}
		case <-s.ended:
			return
		}
	}
}

// send queues frames.
func (s *socket) send(ctx context.Context, frames []byte) {
	s.order.Lock()
	defer s.order.Unlock()
	s.put(ctx, frames)
}

// put queues frames; the caller holds s.order. Where there is no room, a socket that
// paces the producer makes it wait, until the socket or ctx ends; any other lags too
// far behind and is cut off.
func (s *socket) put(ctx context.Context, frames []byte) {
	if s.deaf.Load() {
		return
	}
	if s.paces {
		select {
		case s.queue <- frames:
		case <-s.ended:
		case <-ctx.Done():
		}
		return
	}
	if s.waits.Load() > queueBytes {
		s.cut()
		return
	}
	select {
	case s.queue <- frames:
		s.waits.Add(int64(len(frames)))
	case <-s.ended:
	default:
		s.cut()
	}
}

// deafen leaves the socket open and sends nothing from now on, no pong either.
func (s *socket) deafen() {
	s.deaf.Store(true)
	s.wire.deaf.Store(true)
}

// cut ends the socket at once, without a word.
func (s *socket) cut() {
	s.once.Do(func() {
		close(s.ended)
		_ = s.wire.Conn.Close()
	})
}

// frameConn makes each Write whole. The library writes a control frame in one
// Write and we write whole frames, so that they cannot cut into each other.
type frameConn struct {
	net.Conn
	mu   sync.Mutex
	deaf atomic.Bool // what is written goes nowhere
}

func (c *frameConn) Write(p []byte) (int, error) {
	if c.deaf.Load() {
		return len(p), nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Conn.Write(p)
}

// hijackTap hands the library a frameConn in place of the connection.
type hijackTap struct {
	http.ResponseWriter
	wire *frameConn
}

func (t *hijackTap) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(t.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	t.wire = &frameConn{Conn: conn}
	return t.wire, bufio.NewReadWriter(rw.Reader, bufio.NewWriter(t.wire)), nil
}

package rpc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// session is one connection from handshake to end. The goroutine that reads owns all
// fields but activity and blocked.
type session struct {
	*Stream
	conn *websocket.Conn
	ctx  context.Context // ends with the session; its cause is an *ending, or Run's end
	end  context.CancelCauseFunc

	logs, slots subscription
	upSince     time.Time // zero until Up
	slot, root  uint64    // highest seen
	ackBy       *time.Timer
	clock       *time.Timer   // runs once slotSubscribe is acknowledged, stands while the queue is full
	activity    atomic.Uint64 // frames read
	blocked     atomic.Bool   // the queue is full and nothing is read
}

// subscription is the state of one subscribe request.
type subscription struct {
	id      uint64
	known   bool // id is: from the reply, or from a notification that overtook it
	acked   bool
	refused bool
}

func (s *subscription) answered() bool { return s.acked || s.refused }

// connect lives through one connection. If it came up, its Down is queued on return.
func (s *Stream) connect(ctx context.Context) *ending {
	conn, failed := s.dial(ctx)
	if failed != nil {
		return failed
	}
	sessionCtx, end := context.WithCancelCause(ctx)
	c := &session{Stream: s, conn: conn, ctx: sessionCtx, end: end}
	e := c.run()
	if ctx.Err() != nil {
		e = &ending{reason: Stopped}
	}
	e.upSince = c.upSince
	if e.wasUp() {
		s.listens.Set(0)
		s.queue.down(Item{Kind: Down, At: time.Now(), Slot: c.slot, Root: c.root, Reason: e.reason, Err: e.err})
	}
	return e
}

// run reads until the connection ends and leaves no goroutine and no socket.
func (c *session) run() *ending {
	c.ackBy = time.AfterFunc(c.cfg.AckTimeout, func() {
		c.end(&ending{reason: AckTimeout, err: fmt.Errorf("no answer to a subscribe request within %v", c.cfg.AckTimeout)})
	})
	defer c.ackBy.Stop()
	c.clock = time.AfterFunc(c.cfg.StallAfter, func() {
		c.end(&ending{reason: Stalled, err: fmt.Errorf("no slot notification within %v", c.cfg.StallAfter)})
	})
	c.clock.Stop()
	defer c.clock.Stop()

	// Reads do not use c.ctx: its end would cut the close handshake off.
	readCtx, stopReading := context.WithCancel(context.WithoutCancel(c.ctx))
	var others sync.WaitGroup
	others.Go(c.ping)
	others.Go(func() { c.close(stopReading) })

	e := c.read(readCtx)
	c.end(e) // unless another end came first
	others.Wait()
	var first *ending
	if errors.As(context.Cause(c.ctx), &first) {
		return first
	}
	return &ending{reason: Stopped} // Run's context
}

// closeGrace bounds the close handshake at the end of Run.
const closeGrace = time.Second

// close waits for the end and closes the socket, politely only if it was ours to end.
func (c *session) close(stopReading context.CancelFunc) {
	<-c.ctx.Done()
	var e *ending
	if !errors.As(context.Cause(c.ctx), &e) {
		force := time.AfterFunc(closeGrace, stopReading)
		_ = c.conn.Close(websocket.StatusNormalClosure, "")
		force.Stop()
	}
	stopReading() // a read in progress closes the socket at once
	_ = c.conn.CloseNow()
}

// ping asks for a sign of life now and then. Nodes are known to leave pings unanswered
// while they stream, so any frame counts as one. While the queue is full a pong stays
// unread, and its absence means nothing.
func (c *session) ping() {
	for sleep(c.ctx, c.cfg.PingEvery) {
		before := c.activity.Load()
		ctx, cancel := context.WithTimeout(c.ctx, c.cfg.PingTimeout)
		err := c.conn.Ping(ctx)
		late := ctx.Err() != nil
		cancel()
		switch {
		case err == nil:
		case !late:
			return // closed: the reader knows why
		case c.activity.Load() == before && !c.blocked.Load():
			c.end(&ending{reason: PingTimeout, err: fmt.Errorf("neither a pong nor a frame within %v", c.cfg.PingTimeout)})
			return
		}
	}
}

// read subscribes and handles frames until something ends the connection.
func (c *session) read(ctx context.Context) *ending {
	if e := c.subscribe(ctx); e != nil {
		return e
	}
	var buf bytes.Buffer
	for {
		kind, r, err := c.conn.Reader(ctx)
		if err != nil {
			return c.readError(err)
		}
		if buf.Cap() > 1<<20 {
			buf = bytes.Buffer{} // do not keep the largest message's memory
		}
		buf.Reset()
		if _, err := buf.ReadFrom(r); err != nil {
			return c.readError(err)
		}
		c.activity.Add(1)
		if kind != websocket.MessageText {
			return &ending{reason: Malformed, err: errors.New("binary frame")}
		}
		f, err := readFrame(buf.Bytes())
		if err != nil {
			return &ending{reason: Malformed, err: err}
		}
		if e := c.handle(&f); e != nil {
			return e
		}
	}
}

// readError tells the end of the connection from frames that break the protocol.
func (c *session) readError(err error) *ending {
	var closed websocket.CloseError
	var network net.Error
	switch {
	case errors.As(err, &closed):
		text := fmt.Sprintf("close frame %d", closed.Code)
		if closed.Reason != "" {
			text += ": " + c.scrub.clean(closed.Reason)
		}
		return &ending{reason: Closed, err: errors.New(text)}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, context.Canceled), errors.As(err, &network):
		return &ending{reason: Closed, err: errors.New(cause(err))}
	case errors.Is(err, websocket.ErrMessageTooBig):
		return &ending{reason: Malformed, err: fmt.Errorf("frame over %d bytes", c.cfg.ReadLimit)}
	}
	return &ending{reason: Malformed, err: errors.New("frame that breaks the websocket protocol")}
}

package rpc

import (
	"context"
	"net/http"
	"time"

	"github.com/coder/websocket"
)

const methodDial = "websocket" // stands for the handshake in errors

func newDialClient() *http.Client {
	c := newHTTPClient(1)
	t := newTransport(1)
	t.ForceAttemptHTTP2 = false // a websocket needs HTTP/1.1
	t.DisableKeepAlives = true  // a refused handshake leaves nothing behind
	c.Transport = t
	return c
}

// dial makes the websocket, or tells why not.
func (s *Stream) dial(ctx context.Context) (*websocket.Conn, *ending) {
	ctx, cancel := context.WithTimeout(ctx, s.cfg.ConnectTimeout)
	defer cancel()
	conn, resp, err := websocket.Dial(ctx, s.cfg.URL, &websocket.DialOptions{
		HTTPClient: s.http,
		HTTPHeader: http.Header{"User-Agent": {userAgent}},
	})
	if err == nil {
		conn.SetReadLimit(s.cfg.ReadLimit)
		return conn, nil
	}
	e := &Error{Method: methodDial, Class: Unavailable, Message: cause(err)}
	if resp != nil {
		e = handshakeError(resp)
	}
	return nil, &ending{reason: ConnectFailed, err: e, retryAfter: e.RetryAfter}
}

func handshakeError(resp *http.Response) *Error {
	if resp.StatusCode < 300 { // 200, or a 101 that breaks the protocol
		return &Error{
			Method: methodDial, Class: Invalid, Code: resp.StatusCode,
			Message: "the endpoint did not answer as a websocket: is ws-url right?",
		}
	}
	return statusError(methodDial, &reply{status: resp.StatusCode, header: resp.Header})
}

// ending is why a connection is over; as a context's cause it travels from whoever
// concluded it to the reader.
type ending struct {
	reason     Reason
	err        error     // safe to show
	upSince    time.Time // zero: never up
	retryAfter time.Duration
}

func (e *ending) wasUp() bool { return !e.upSince.IsZero() }

func (e *ending) Error() string {
	if e.err == nil {
		return string(e.reason)
	}
	return string(e.reason) + ": " + e.err.Error()
}

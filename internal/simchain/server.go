package simchain

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Server is a node on loopback.
type Server struct {
	RPCURL string // http://host:port
	WSURL  string // ws://host:port+1, or port where port+1 was taken

	stop func()
	done sync.WaitGroup
}

// Serve listens on address (host:port; port 0 picks one) and, as nodes do, on the
// next port for websockets; both ports take both. It returns when it listens, and
// serves until ctx ends or Close is called.
func (n *Node) Serve(ctx context.Context, address string) (*Server, error) {
	rpc, ws, err := listenPair(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%w: listen on %s: %w", ErrConfig, address, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	s := &Server{RPCURL: "http://" + rpc.Addr().String(), WSURL: "ws://" + rpc.Addr().String(), stop: cancel}
	node := &http.Server{
		Handler: n.Handler(), ReadHeaderTimeout: 10 * time.Second,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	listeners := []net.Listener{rpc}
	if ws != nil {
		s.WSURL = "ws://" + ws.Addr().String()
		listeners = append(listeners, ws)
	}
	for _, l := range listeners {
		s.done.Go(func() { _ = node.Serve(l) }) // it ends with ErrServerClosed
	}
	s.done.Go(func() {
		<-ctx.Done()
		_ = node.Close()
		n.DropSockets()
	})
	return s, nil
}

// Serve is Node(0)'s.
func (c *Chain) Serve(ctx context.Context, address string) (*Server, error) {
	return c.Node(0).Serve(ctx, address)
}

// Close stops serving: requests are broken off, websockets cut.
func (s *Server) Close() {
	s.stop()
	s.done.Wait()
}

// listenPair listens on address and on the port after it; ws is nil if that one is
// taken. A port of 0 is chosen so that both are free, if that can be had.
func listenPair(ctx context.Context, address string) (rpc, ws net.Listener, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, nil, err
	}
	tries := 1
	if port == "0" {
		tries = 20
	}
	var lc net.ListenConfig
	for range tries {
		if rpc != nil {
			_ = rpc.Close()
		}
		if rpc, err = lc.Listen(ctx, "tcp", address); err != nil {
			return nil, nil, err
		}
		tcp, ok := rpc.Addr().(*net.TCPAddr)
		if !ok {
			_ = rpc.Close()
			return nil, nil, errors.New("not a TCP address")
		}
		if ws, err = lc.Listen(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(tcp.Port+1))); err == nil {
			return rpc, ws, nil
		}
	}
	return rpc, nil, nil
}

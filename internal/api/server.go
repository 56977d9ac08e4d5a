package api

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

// Server is a listening HTTP server.
type Server struct {
	http     *http.Server
	listener net.Listener
	done     chan error
}

// Listen binds an address and serves in the background until Close. Panics of
// handlers and faults of connections go to faults.
func Listen(address string, h http.Handler, faults *log.Logger) (*Server, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", address, err)
	}
	s := &Server{
		http:     &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, IdleTimeout: time.Minute, ErrorLog: faults},
		listener: l, done: make(chan error, 1),
	}
	go func() { s.done <- s.http.Serve(l) }()
	return s, nil
}

// URL is where the server can be reached.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() }

// Close ends the server, giving answers under way a moment.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if served := <-s.done; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}

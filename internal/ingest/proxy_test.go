package ingest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
)

// proxy stands between a daemon and its database. It lets the server do what
// moves the frontier, and now and then cuts the connection before the daemon
// hears of it: the outcome of that commit is not known.
type proxy struct {
	listener net.Listener
	network  string // of the server
	address  string
	moves    atomic.Int64
	cuts     atomic.Int64
	done     sync.WaitGroup
}

// lossy gives the address of a database behind a proxy.
func lossy(t *testing.T, dsn string) (*proxy, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, network: "unix", address: fmt.Sprintf("%s/.s.PGSQL.%d", cfg.Host, cfg.Port)}
	p.done.Go(p.accept)
	t.Cleanup(func() {
		_ = l.Close()
		p.done.Wait()
	})
	// In this mode each execution carries its text.
	return p, fmt.Sprintf("postgres://%s@%s/%s?sslmode=disable&default_query_exec_mode=cache_describe", cfg.User, l.Addr(), cfg.Database)
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial(p.network, p.address)
		if err != nil {
			_ = client.Close()
			continue
		}
		cut := &atomic.Bool{}
		p.done.Go(func() { defer server.Close(); p.requests(server, client, cut) })
		p.done.Go(func() { defer client.Close(); p.answers(client, server, cut) })
	}
}

// requests passes a session's messages on and watches for the one that moves
// the frontier.
func (p *proxy) requests(server io.Writer, client io.Reader, cut *atomic.Bool) {
	if !pass(server, client, 0, func(byte, []byte) {}) { // the startup message has no type
		return
	}
	moving := false
	for pass(server, client, 1, func(kind byte, body []byte) {
		switch kind {
		case 'P':
			moving = bytes.Contains(body, []byte("move_frontier"))
		case 'E':
			if moving && p.moves.Add(1)%3 == 0 {
				cut.Store(true)
			}
		}
	}) {
	}
}

// answers passes the server's messages on, up to the cut: then it waits until
// the server is ready for more, and so has committed.
func (p *proxy) answers(client io.Writer, server io.Reader, cut *atomic.Bool) {
	for {
		to, ready := client, false
		if cut.Load() {
			to = io.Discard
		}
		if !pass(to, server, 1, func(kind byte, _ []byte) { ready = kind == 'Z' }) {
			return
		}
		if ready && to == io.Discard {
			p.cuts.Add(1)
			return
		}
	}
}

// pass passes one message on, whose length stands after its type.
func pass(to io.Writer, from io.Reader, typed int, saw func(kind byte, body []byte)) bool {
	head := make([]byte, typed+4)
	if _, err := io.ReadFull(from, head); err != nil {
		return false
	}
	body := make([]byte, binary.BigEndian.Uint32(head[typed:])-4)
	if _, err := io.ReadFull(from, body); err != nil {
		return false
	}
	saw(head[0], body)
	_, err := to.Write(append(head, body...))
	return err == nil
}

//go:build crash

package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// build makes the binary, with crash points and weaknesses in it, and with a clock that
// can be set. Others than root may enter dir, but for its files.
func build(ctx context.Context, dir string) (string, error) {
	clocks, err := overlay(ctx, dir)
	if err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "indexer")
	out, err := exec.CommandContext(ctx, "go", "build", "-tags", "crashpoints", "-overlay", clocks, "-o", bin, "minesaudit/cmd/indexer").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the indexer: %w\n%s", err, out)
	}
	return bin, os.Chmod(dir, 0o711)
}

// A daemon is `indexer run` on one chain and one database.
type daemon struct {
	*program
	url string // of its API
}

// newDaemon makes a daemon that is yet to be started. database are the flags
// that say where the record is, and whatever else is not as below.
func newDaemon(bin, dir string, n *node, database ...string) (*daemon, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	listen := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, err
	}
	p, err := newProgram(bin, dir, append([]string{
		"run", "--program", n.chain.Program(), "--rpc-url", n.RPCURL, "--ws-url", n.WSURL, "--from", "genesis",
		"--reconcile-interval", "200ms", "--listen", listen, "--log-format", "json",
	}, database...)...)
	return &daemon{program: p, url: "http://" + listen}, err
}

// status is what is read of GET /status.
type status struct {
	State        string  `json:"state"`
	FrontierSlot *int64  `json:"frontier_slot"`
	LagSeconds   float64 `json:"lag_seconds"`
	AdvancedAt   *string `json:"frontier_moved_at"`
	Database     struct {
		OK    bool   `json:"ok"`
		Error string `json:"error"`
	} `json:"database"`
	Connection struct {
		Up         bool   `json:"up"`
		Reconnects uint64 `json:"reconnects"`
	} `json:"connection"`
}

func (d *daemon) status(ctx context.Context) (s status, err error) {
	body, err := d.get(ctx, "/status")
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal(body, &s)
}

func (d *daemon) get(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+path, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s", path, res.Status)
	}
	return io.ReadAll(res.Body)
}

var errEnded = errors.New("the daemon has ended")

// until waits for a status. An answer that does not come is waited for too, an
// end of the daemon is not.
func (d *daemon) until(ctx context.Context, what string, ok func(status) bool) error {
	var last status
	err := poll(ctx, func() (bool, error) {
		if d.ended() {
			return false, errEnded
		}
		s, err := d.status(ctx)
		if err == nil {
			last = s
		}
		return err == nil && ok(s), nil
	})
	if err != nil {
		return fmt.Errorf("waiting until %s: %w; last status %+v\n%s", what, err, last, tail(d.log))
	}
	return nil
}

// catchUp waits until every game has ended and the record has passed it.
func (d *daemon) catchUp(ctx context.Context, n *node) error {
	select {
	case <-n.chain.Done():
	case <-time.After(patience):
		return errors.New("the games do not end")
	}
	last := int64(n.chain.FinalizedSlot())
	return d.until(ctx, "the frontier passes the last game", func(s status) bool { return s.FrontierSlot != nil && *s.FrontierSlot >= last })
}

// poll asks again and again until the answer is yes, for as long as patience.
func poll(ctx context.Context, ok func() (bool, error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not within %s", patience))
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if done, err := ok(); done || err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

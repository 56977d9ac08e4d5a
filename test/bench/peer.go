//go:build bench

package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peerDir holds the script and, after its setup.sh, what it needs.
const peerDir = "peer"

// peerTotals is what the script says of its run when it ends.
type peerTotals struct {
	Transactions int     `json:"tx"`
	Pass         int     `json:"pass"`
	Fail         int     `json:"fail"`
	Seconds      float64 `json:"activeS"` // from the first notification to the last commit
	CPUSeconds   float64 `json:"cpuS"`
	PeakMiB      float64 `json:"maxRssMiB"`
}

// followByPeer lets the script audit the chain that follow lets the daemon audit,
// until it has been told of as many transactions.
func (b *Bench) followByPeer(ctx context.Context, db *database, games, transactions int) (t peerTotals, err error) {
	c, err := b.startChain(ctx, games, 0, 400)
	if err != nil {
		return t, err
	}
	defer c.stop()
	return b.peer(ctx, c, db, games, "--ws", c.ws, "--stop-after", strconv.Itoa(transactions))
}

// peer runs the script, which must pass the games of a chain.
func (b *Bench) peer(ctx context.Context, c *chain, db *database, games int, how ...string) (t peerTotals, err error) {
	idl := filepath.Join(b.dir, "idl.json")
	if out, err := exec.CommandContext(ctx, "node", filepath.Join(peerDir, "gen-idl.mjs"), c.program, idl).CombinedOutput(); err != nil {
		return t, fmt.Errorf("write the peer's IDL: %w\n%s", err, out)
	}
	cmd := exec.Command("node", append([]string{filepath.Join(peerDir, "daemon.mjs"), "--program", c.program, "--db", db.url, "--idl", idl}, how...)...)
	p, err := start(cmd, b.logFile("peer"))
	if err != nil {
		return t, err
	}
	defer p.stop()
	select {
	case <-p.exited:
	case <-time.After(followPatience):
		return t, fmt.Errorf("the peer is not done within %s:\n%s", followPatience, p.output())
	case <-ctx.Done():
		return t, context.Cause(ctx)
	}
	lines := strings.Split(strings.TrimSpace(p.output()), "\n")
	if err := errors.Join(p.err, json.Unmarshal([]byte(lines[len(lines)-1]), &t)); err != nil {
		return t, fmt.Errorf("the peer's run: %w\n%s", err, p.output())
	}
	// Anchor's parser loses the events of some honest layouts (a wrapper's log line
	// that looks like the end of a program), so not every game is whole.
	if t.Fail != 0 || t.Pass < games*3/4 || t.Seconds <= 0 {
		return t, fmt.Errorf("the peer passed %d of %d games and failed %d, in %v s", t.Pass, games, t.Fail, t.Seconds)
	}
	rows, err := db.count(ctx, `select count(*) from verdicts where verdict = 'pass'`)
	if err == nil && rows != int64(t.Pass) {
		err = fmt.Errorf("the peer stored %d verdicts of %d", rows, t.Pass)
	}
	return t, err
}

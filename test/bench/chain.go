//go:build bench

package bench

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// chain is `indexer simulate`, honest, always with the same seed: the same
// flags give the same transactions to whoever listens.
type chain struct {
	*process
	rpc, ws string // URLs
	program string // base58
}

// startChain starts a chain. At rate 0 its first game waits for a subscriber.
func (b *Bench) startChain(ctx context.Context, games int, rate float64, slotMs int) (*chain, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.bin, "simulate", "--listen", address, "--seed", "1", "--games", strconv.Itoa(games),
		"--rate", strconv.FormatFloat(rate, 'f', -1, 64), "--slot-ms", strconv.Itoa(slotMs))
	// The node is not what is measured, and shares the cores with what is: it may use
	// memory in place of time.
	cmd.Env = append(os.Environ(), "GOGC=400")
	p, err := start(cmd, b.logFile("chain"))
	if err != nil {
		return nil, err
	}
	c := &chain{process: p}
	err = await(ctx, "the chain listens", 10*time.Millisecond, 30*time.Second, []*process{p}, func() (bool, error) {
		return c.introduced(), nil
	})
	if err != nil {
		p.stop()
		return nil, err
	}
	return c, nil
}

// introduced reads where the chain is from what it says of itself.
func (c *chain) introduced() bool {
	lines := bufio.NewScanner(strings.NewReader(c.output()))
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) != 2 {
			continue
		}
		switch fields[0] {
		case "JSON-RPC":
			c.rpc = fields[1]
		case "websocket":
			c.ws = fields[1]
		case "program":
			c.program = fields[1]
		case "genesis": // the last line of the four
			return c.rpc != "" && c.ws != "" && c.program != ""
		}
	}
	return false
}

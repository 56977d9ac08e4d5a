//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gagliardetto/solana-go"
)

// BuildIndexer builds the binary into dir and gives its path.
func BuildIndexer(ctx context.Context, dir string) (string, error) {
	bin := filepath.Join(dir, "indexer")
	out, err := exec.CommandContext(ctx, "go", "build", "-o", bin, "minesaudit/cmd/indexer").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("build the indexer: %w\n%s", err, out)
	}
	return bin, nil
}

// A Daemon is `indexer run` on one program, with a database of its own.
type Daemon struct {
	name    string
	bin     string
	args    []string
	url     string // of its status and metrics
	log     string // file
	process *process
}

// Watch is what a daemon is to watch.
type Watch struct {
	Name     string // for messages and file names
	Program  solana.PublicKey
	Operator solana.PublicKey
	Profile  string // file; empty: one of the built-in layout is made
	Database string // URL; empty: a private server, under DataDir
	DataDir  string
	Node     *Validator
}

// profile is the payout convention of rig/prog/mines.c, and the key that may void early.
const profile = `program: %s
layout: builtin:mines
payout: {scale: 10000, rounding: floor_once, cap: payout, payout_from: exact, lost_multiplier: zero}
operators: [%s]
void_rate_ceiling: 0.02
`

// StartDaemon starts the daemon, with its files in dir.
func StartDaemon(bin, dir string, w Watch) (*Daemon, error) {
	file := w.Profile
	if file == "" {
		file = filepath.Join(dir, w.Name+".yaml")
		if err := os.WriteFile(file, fmt.Appendf(nil, profile, w.Program, w.Operator), 0o644); err != nil {
			return nil, err
		}
	}
	port, err := freePort(0)
	if err != nil {
		return nil, fmt.Errorf("find a port for the daemon: %w", err)
	}
	listen := fmt.Sprintf("127.0.0.1:%d", port)
	record := []string{"--database-url", w.Database}
	if w.Database == "" {
		record = []string{"--data-dir", w.DataDir}
	}
	d := &Daemon{
		name: w.Name,
		bin:  bin,
		url:  "http://" + listen,
		log:  filepath.Join(dir, w.Name+".log"),
		args: append(record,
			"--program", w.Program.String(), "--profile", file, "--from", "genesis", "--commitment", "confirmed",
			"--rpc-url", w.Node.RPC, "--ws-url", w.Node.Websocket, "--listen", listen, "--log-format", "json"),
	}
	return d, d.Start()
}

// Start starts the process, for the first time or again.
func (d *Daemon) Start() (err error) {
	d.process, err = startProcess(exec.Command(d.bin, append([]string{"run"}, d.args...)...), d.log)
	return err
}

// End sends sig and waits for the end. It gives the process's own error: nil is exit code 0.
func (d *Daemon) End(sig syscall.Signal) error {
	if err := d.process.end(sig, 30*time.Second); err != nil {
		return fmt.Errorf("daemon %s after %s: %w\n%s", d.name, sig, err, d.process.tail())
	}
	return nil
}

// Embedded gives the address of the private server, of the command that the daemon's log gives to look
// into it: psql -h FOLDER -p PORT -U USER -d DATABASE.
func (d *Daemon) Embedded() (string, error) {
	log, err := os.ReadFile(d.log)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(string(log)) {
		var entry struct {
			Psql string `json:"psql"`
		}
		if json.Unmarshal([]byte(line), &entry) != nil || entry.Psql == "" {
			continue
		}
		words := strings.Fields(entry.Psql)
		if len(words) != 9 {
			return "", fmt.Errorf("daemon %s: %q is not what was expected of a psql line", d.name, entry.Psql)
		}
		return fmt.Sprintf("host=%s port=%s user=%s dbname=%s", words[2], words[4], words[6], words[8]), nil
	}
	return "", fmt.Errorf("daemon %s: its log has no psql line", d.name)
}

// Status is what the test reads of GET /status.
type Status struct {
	State        string           `json:"state"`
	FrontierSlot *uint64          `json:"frontier_slot"`
	OpenGaps     int64            `json:"open_gaps"`
	Unverifiable int              `json:"unverifiable_transactions"`
	Games        map[string]int64 `json:"games"`
	Voids        map[string]int64 `json:"voids"`
	Connection   struct {
		Up bool `json:"up"`
	} `json:"connection"`
}

// Await waits, at most patience, until the daemon's status is as done wants it.
func (d *Daemon) Await(ctx context.Context, what string, patience time.Duration, done func(Status) bool) error {
	var last string
	err := poll(ctx, patience, func(ctx context.Context) (bool, error) {
		if d.process.ended() {
			return false, fmt.Errorf("it has ended: %v", d.process.err)
		}
		body, err := d.get(ctx, "/status")
		if err != nil {
			return false, nil // not up yet
		}
		last = string(body)
		var s Status
		if err := json.Unmarshal(body, &s); err != nil {
			return false, fmt.Errorf("status %q: %w", body, err)
		}
		return done(s), nil
	})
	if err != nil {
		return fmt.Errorf("daemon %s: wait until %s: %w\nstatus: %s\n%s", d.name, what, err, last, d.process.tail())
	}
	return nil
}

// Following is true when history has been read and the live stream is up.
func Following(s Status) bool { return s.FrontierSlot != nil && s.Connection.Up }

// Metric gives each sample of one metric by the value of its only label.
func (d *Daemon) Metric(ctx context.Context, name string) (map[string]int64, error) {
	body, err := d.get(ctx, "/metrics")
	if err != nil {
		return nil, fmt.Errorf("metrics of daemon %s: %w", d.name, err)
	}
	samples := map[string]int64{}
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		rest, ok := strings.CutPrefix(lines.Text(), name+"{")
		if !ok {
			continue
		}
		labels, value, _ := strings.Cut(rest, "} ")
		_, label, _ := strings.Cut(labels, "=")
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("metric line %q: %w", lines.Text(), err)
		}
		samples[strings.Trim(label, `"`)] = int64(n)
	}
	return samples, lines.Err()
}

// Count gives the one sample of a metric without labels.
func (d *Daemon) Count(ctx context.Context, name string) (int64, error) {
	body, err := d.get(ctx, "/metrics")
	if err != nil {
		return 0, fmt.Errorf("metrics of daemon %s: %w", d.name, err)
	}
	for line := range strings.Lines(string(body)) {
		if value, ok := strings.CutPrefix(line, name+" "); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int64(n), err
		}
	}
	return 0, fmt.Errorf("daemon %s has no metric %s", d.name, name)
}

func (d *Daemon) get(ctx context.Context, path string) ([]byte, error) {
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

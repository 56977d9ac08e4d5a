//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"text/template"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
)

// A Program is what the validator has loaded at an address from its first slot on.
type Program struct {
	ID   solana.PublicKey
	File string // absolute path of the .so
}

// A Validator is one node of release 0.1.7, alone on loopback, with a new ledger.
type Validator struct {
	RPC       string // http://127.0.0.1:N
	Websocket string // ws://127.0.0.1:N+1; the node takes no other port for it
	process   *process
}

// The node is told everything by this file; paths in it are relative to the file itself or to the
// working directory, so all are made absolute.
const config017 = `
[accounts]
remote = "http://127.0.0.1:9" # never contacted when offline
lifecycle = "offline"
[accounts.db]
directory = {{printf "%q" .Accounts}}
db-size = 104857600
block-size = "block256"
index-map-size = 20485760
max-snapshots = 2
snapshot-frequency = 1000000
[rpc]
addr = "127.0.0.1"
port = {{.Port}}
[ledger]
reset = true
path = {{printf "%q" .Ledger}}
[geyser_grpc]
addr = "127.0.0.1"
port = {{.GeyserPort}}
[metrics]
enabled = false
[validator]
millis_per_slot = 50
base_fees = 5000
{{range .Programs}}
[[program]]
id = "{{.ID}}"
path = {{printf "%q" .File}}
{{end}}`

// StartValidator runs a node with its files in dir and returns when it answers. rig is the folder that
// rig/setup.sh has filled. The caller stops it; it is also killed when this process dies.
func StartValidator(ctx context.Context, rig, dir string, programs []Program) (v *Validator, err error) {
	for range 3 { // its ports may have been taken since they were found free
		if v, err = startValidator(ctx, rig, dir, programs); err == nil {
			break
		}
	}
	return v, err
}

func startValidator(ctx context.Context, rig, dir string, programs []Program) (*Validator, error) {
	port, geyser, err := freePorts()
	if err != nil {
		return nil, fmt.Errorf("find ports for the validator: %w", err)
	}
	var conf bytes.Buffer
	err = template.Must(template.New("config").Parse(config017)).Execute(&conf, map[string]any{
		"Accounts": filepath.Join(dir, "accounts"), "Ledger": filepath.Join(dir, "ledger"),
		"Port": port, "GeyserPort": geyser, "Programs": programs,
	})
	if err != nil {
		return nil, fmt.Errorf("write the validator's configuration: %w", err)
	}
	for _, d := range []string{"accounts", "ledger"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(dir, "validator.toml")
	if err := os.WriteFile(file, conf.Bytes(), 0o644); err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(rig, "validator-017"), file)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+filepath.Join(rig, "compat.so"))
	p, err := startProcess(cmd, filepath.Join(dir, "validator.log"))
	if err != nil {
		return nil, err
	}
	v := &Validator{
		RPC:       fmt.Sprintf("http://127.0.0.1:%d", port),
		Websocket: fmt.Sprintf("ws://127.0.0.1:%d", port+1),
		process:   p,
	}
	if err := v.awaitSlots(ctx); err != nil {
		v.Stop()
		return nil, fmt.Errorf("validator does not answer on %s: %w\n%s", v.RPC, err, p.tail())
	}
	return v, nil
}

// firstSlot is when the node is used for the first time. In its first slots the programs can be "not
// visible yet": a transaction fails with InvalidAccountData then, and is never to be had afterwards.
const firstSlot = 10

func (v *Validator) awaitSlots(ctx context.Context) error {
	client := rpc.New(v.RPC)
	return poll(ctx, 30*time.Second, func(ctx context.Context) (bool, error) {
		if v.process.ended() {
			return false, fmt.Errorf("it has ended: %v", v.process.err)
		}
		slot, err := client.GetSlot(ctx, rpc.CommitmentConfirmed)
		return err == nil && slot >= firstSlot, nil
	})
}

// Stop ends the node: SIGINT lets it close its files, SIGKILL follows if it does not.
func (v *Validator) Stop() {
	_ = v.process.end(syscall.SIGINT, 5*time.Second)
	_ = v.process.end(syscall.SIGKILL, 5*time.Second)
}

// freePorts finds two neighbouring ports, for JSON-RPC and websocket, and a third one. They are free
// now; nothing keeps them free, so the caller must be ready for a node that does not come up.
func freePorts() (pair, third int, err error) {
	for range 50 {
		p, err := freePort(0)
		if err != nil {
			return 0, 0, err
		}
		if _, err := freePort(p + 1); err != nil {
			continue
		}
		for range 10 {
			third, err := freePort(0)
			if err == nil && third != p && third != p+1 {
				return p, third, nil
			}
		}
	}
	return 0, 0, errors.New("no two neighbouring ports are free on 127.0.0.1")
}

func freePort(want int) (int, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(want)))
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

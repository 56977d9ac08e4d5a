//go:build e2e

package e2e

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
)

// A Program is what a validator has loaded at an address from its first slot on.
type Program struct {
	ID   solana.PublicKey
	File string // absolute path of the .so
}

// A Validator is one node, alone on loopback: of release 0.1.7 (StartValidator) or of release 0.14.10
// (StartNewer).
type Validator struct {
	RPC       string // http://127.0.0.1:N
	Websocket string // ws://127.0.0.1:N+1; the node takes no other port for it
	process   *process

	bin, dir string   // what is run, and where its files are
	args     []string // of every start
}

// newValidator is a node that is still to be started. Its configuration file is in dir.
func newValidator(bin, dir string, port int, args ...string) *Validator {
	return &Validator{
		RPC:       fmt.Sprintf("http://127.0.0.1:%d", port),
		Websocket: fmt.Sprintf("ws://127.0.0.1:%d", port+1),
		bin:       bin, dir: dir, args: args,
	}
}

// start starts the process and waits until it answers from slot on. extra are arguments for this
// start alone.
func (v *Validator) start(ctx context.Context, slot uint64, extra ...string) (err error) {
	cmd := exec.Command(v.bin, append(extra, v.args...)...)
	cmd.Dir = v.dir
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+filepath.Join(filepath.Dir(v.bin), "compat.so"))
	if v.process, err = startProcess(cmd, filepath.Join(v.dir, "validator.log")); err != nil {
		return err
	}
	if err := v.await(ctx, slot); err != nil {
		v.Stop()
		return fmt.Errorf("validator does not answer on %s: %w\n%s", v.RPC, err, v.process.tail())
	}
	return nil
}

func (v *Validator) await(ctx context.Context, slot uint64) error {
	client := rpc.New(v.RPC)
	return poll(ctx, 30*time.Second, func(ctx context.Context) (bool, error) {
		if v.process.ended() {
			return false, fmt.Errorf("it has ended: %v", v.process.err)
		}
		now, err := client.GetSlot(ctx, rpc.CommitmentConfirmed)
		return err == nil && now >= slot, nil
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

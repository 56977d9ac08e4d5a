//go:build e2e

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// The newer node has no programs and no faucet of its own: it clones what it needs from a base chain.
// What is not told here would point at public networks.
const config014 = `
lifecycle = "offline"
remotes = [{{printf "%q" .BaseRPC}}, {{printf "%q" .BaseWebsocket}}]
storage = {{printf "%q" .Storage}}
[metrics]
address = "127.0.0.1:{{.MetricsPort}}"
[aperture]
listen = "127.0.0.1:{{.Port}}"
[ledger]
block-time = "50ms"
size = 1073741824
`

// StartNewer runs a node of release 0.14.10, with a new ledger and its files in dir, on top of base,
// and returns when it answers. The caller stops it; it is also killed when this process dies.
func StartNewer(ctx context.Context, rig, dir string, base *Validator) (v *Validator, err error) {
	for range 3 { // its ports may have been taken since they were found free
		if v, err = startNewer(ctx, rig, dir, base); err == nil {
			break
		}
	}
	return v, err
}

func startNewer(ctx context.Context, rig, dir string, base *Validator) (*Validator, error) {
	port, metrics, err := freePorts()
	if err != nil {
		return nil, fmt.Errorf("find ports for the validator: %w", err)
	}
	storage := filepath.Join(dir, "storage")
	if err := os.MkdirAll(storage, 0o755); err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "validator.toml")
	err = writeConfig(file, config014, map[string]any{
		"BaseRPC": base.RPC, "BaseWebsocket": base.Websocket, "Storage": storage, "Port": port, "MetricsPort": metrics,
	})
	if err != nil {
		return nil, err
	}
	v := newValidator(filepath.Join(rig, "validator-014"), dir, port, "--no-tui", file)
	return v, v.start(ctx, firstSlot, "--reset")
}

// Restart starts a node again that has been stopped. It keeps its ledger: only a first start resets it.
func (v *Validator) Restart(ctx context.Context) error { return v.start(ctx, 0) }

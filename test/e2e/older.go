//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

// The older node is told everything by this file; paths in it are relative to the file itself or to
// the working directory, so all are made absolute.
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

// firstSlot is when the node is used for the first time. In its first slots the programs can be "not
// visible yet": a transaction fails with InvalidAccountData then, and is never to be had afterwards.
const firstSlot = 10

// StartValidator runs a node of release 0.1.7, with a new ledger and its files in dir, and returns
// when it answers. rig is the folder that rig/setup.sh has filled. The caller stops it; it is also
// killed when this process dies.
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
	for _, d := range []string{"accounts", "ledger"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(dir, "validator.toml")
	err = writeConfig(file, config017, map[string]any{
		"Accounts": filepath.Join(dir, "accounts"), "Ledger": filepath.Join(dir, "ledger"),
		"Port": port, "GeyserPort": geyser, "Programs": programs,
	})
	if err != nil {
		return nil, err
	}
	v := newValidator(filepath.Join(rig, "validator-017"), dir, port, file)
	return v, v.start(ctx, firstSlot)
}

func writeConfig(file, text string, values map[string]any) error {
	var conf bytes.Buffer
	if err := template.Must(template.New("config").Parse(text)).Execute(&conf, values); err != nil {
		return fmt.Errorf("write the validator's configuration: %w", err)
	}
	return os.WriteFile(file, conf.Bytes(), 0o644)
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/signal"
	"syscall"

	"minesaudit/internal/config"
	"minesaudit/internal/rpc"
)

type recordCmd struct {
	Output   string `name:"output" short:"o" required:"" placeholder:"FILE" help:"File to write; compressed where its name ends in .gz or .zst. It must not be there yet."`
	FromSlot uint64 `name:"from-slot" placeholder:"SLOT" default:"0" help:"First slot. Default ${default}."`
	ToSlot   uint64 `name:"to-slot" placeholder:"SLOT" default:"9223372036854775807" help:"Last slot. Default: the newest that is finalized."`
	JSON     bool   `name:"json" help:"One JSON object in place of text."`

	Config  string        `name:"config" env:"MINESAUDIT_CONFIG" placeholder:"FILE" help:"YAML file of the daemon, for the settings below." yaml:"-"`
	RPCURL  config.Secret `name:"rpc-url" env:"MINESAUDIT_RPC_URL" placeholder:"URL" help:"Node's JSON-RPC address, http:// or https://. A secret if it has a key in it: better in the file that $MINESAUDIT_RPC_URL_FILE names." yaml:"rpc_url"`
	RPCRate float64       `name:"rpc-rate" env:"MINESAUDIT_RPC_RATE" placeholder:"N" default:"0" help:"Most JSON-RPC requests a second; 0 is no limit of our own. Public nodes bear about 4. Default ${default}." yaml:"rpc_rate"`
	Program string        `name:"program" env:"MINESAUDIT_PROGRAM" placeholder:"ADDRESS" help:"Address of the program, base58. May stand in the profile instead." yaml:"program"`
	Profile string        `name:"profile" env:"MINESAUDIT_PROFILE" placeholder:"NAME|FILE" default:"builtin:mines" help:"Profile that names the program. Default ${default}." yaml:"profile"`
}

// Help is shown under the flags.
func (recordCmd) Help() string {
	return `Saves every finalized transaction of the program that the node has, newest first: the node's own answers to getTransaction, one a line, for indexer replay, verify file or decode. Of failed ones, which had no effect, the line holds what the node's list tells.

The file has its name only once it is whole. Ended in the middle, the same command goes on where it was; what is newer than its first page is for another file.

Exit codes: 0 the file is whole, 2 usage, 4 the node cannot be asked or the file not be written.

Examples:
  indexer record --rpc-url https://NODE --rpc-rate 4 --program PROGRAM -o all.jsonl.zst
  indexer record --rpc-url http://127.0.0.1:8899 --program PROGRAM --from-slot 250000000 --to-slot 250432000 -o day.jsonl.gz`
}

func (c *recordCmd) Run(s *streams) error {
	cfg := config.Default()
	cfg.RPCURL, cfg.RPCRate, cfg.Program, cfg.Profile = c.RPCURL, c.RPCRate, c.Program, c.Profile
	settings, err := cfg.Check()
	if err != nil {
		return err
	}
	if c.FromSlot > c.ToSlot || c.ToSlot > math.MaxInt64 {
		return usage(fmt.Errorf("--from-slot %d, --to-slot %d: no such slots", c.FromSlot, c.ToSlot))
	}
	redactor := settings.Redactor()
	client, err := rpc.NewClient(rpc.Config{URL: settings.RPCURL.Reveal(), RequestsPerSecond: settings.RPCRate})
	if err != nil {
		return usage(redactor.Error(err))
	}
	defer client.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return redactor.Error(c.record(ctx, s, client, settings.Program))
}

func (c *recordCmd) record(ctx context.Context, s *streams, client *rpc.Client, program string) error {
	if err := c.reached(ctx, client); err != nil {
		return err
	}
	genesis, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: recordTries}, client.GenesisHash)
	if err != nil {
		return err
	}
	file, resumed, err := openRecord(c.Output, recordOf{Program: program, Genesis: rpc.KeyString(genesis), From: c.FromSlot, To: c.ToSlot})
	if err != nil {
		return err
	}
	defer file.close()
	if resumed {
		_, _ = fmt.Fprintf(s.Err, "going on below slot %d, after %d transactions\n", file.state.Oldest, file.state.Transactions)
	}
	bar := newBar(s.Err, "recording", -1)
	r := &recorder{client: client, file: file, told: func(n int) { bar.add(uint64(n)) }}
	err = r.run(ctx)
	bar.finish()
	if err != nil {
		return fmt.Errorf("%w (the same command goes on from here, %d transactions are in %s)", err, file.state.Transactions, file.partName())
	}
	if err := file.finish(); err != nil {
		return fmt.Errorf("finish %s: %w", c.Output, err)
	}
	return c.show(s, &file.state)
}

// reached refuses slots that are all still to come: what they will hold is not nothing.
func (c *recordCmd) reached(ctx context.Context, client *rpc.Client) error {
	if c.FromSlot == 0 {
		return nil
	}
	final, err := rpc.Retry(ctx, rpc.RetryPolicy{Tries: recordTries}, func(ctx context.Context) (uint64, error) {
		return client.Slot(ctx, rpc.Finalized)
	})
	if err != nil {
		return err
	}
	if c.FromSlot > final {
		return usage(fmt.Errorf("--from-slot %d lies above slot %d, the newest that the node has finalized", c.FromSlot, final))
	}
	return nil
}

func (c *recordCmd) show(s *streams, state *recordState) (err error) {
	if c.JSON {
		err = json.NewEncoder(s.Out).Encode(map[string]any{
			"file": c.Output, "program": state.Program, "genesis": state.Genesis, "transactions": state.Transactions, "failed": state.Failed,
			"newest_slot": state.Newest,
		})
	} else {
		what := "no transactions"
		if state.Transactions > 0 {
			what = fmt.Sprintf("%d transactions, of them %d failed, up to slot %d", state.Transactions, state.Failed, state.Newest)
		}
		_, err = fmt.Fprintf(s.Out, "%s: %s\nprogram %s\ngenesis %s\n", c.Output, what, state.Program, state.Genesis)
	}
	if err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return nil
}

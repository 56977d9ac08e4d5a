//go:build bench

package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
)

const (
	// parserDir holds Anchor's own parser over the same transactions and, after its
	// setup.sh, what it needs.
	parserDir = "parser"

	// mainnet are real transactions and IDLs, kept outside the repository because
	// they are other people's data.
	mainnet = "../../../shared/fixtures"

	// decodeSeconds is how long each way is measured in a round.
	decodeSeconds = "2"
)

// decodeRates are transactions a second of processor time: with the transactions
// in memory, and from their JSON text.
type decodeRates struct{ A, B float64 }

// Decode measures how fast events are found and read in mainnet transactions, in
// turns with Anchor's parser. Both have one thread.
func (b *Bench) Decode(ctx context.Context) error {
	if _, err := os.Stat(mainnet); err != nil {
		b.Report.Note("decode: not measured: the mainnet transactions are not here (../shared/fixtures beside the repository)")
		return nil
	}
	if out, err := exec.CommandContext(ctx, filepath.Join(parserDir, "setup.sh")).CombinedOutput(); err != nil {
		return fmt.Errorf("set up the parser: %w\n%s", err, out)
	}
	binary := filepath.Join(b.dir, "listing.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "minesaudit/internal/listing").CombinedOutput(); err != nil {
		return fmt.Errorf("build the benchmark: %w\n%s", err, out)
	}
	var ownA, ownB, peerA, peerB Sample
	for range b.Rounds {
		own, err := decodeByUs(ctx, binary)
		if err != nil {
			return err
		}
		peer, err := decodeByParser(ctx)
		if err != nil {
			return err
		}
		ownA, ownB = append(ownA, own.A), append(ownB, own.B)
		peerA, peerB = append(peerA, peer.A), append(peerB, peer.B)
	}
	r := &b.Report
	r.Figure("decode: transactions in memory", "tx/cpu-s", ownA...)
	r.Figure("decode: the same by Anchor's parser", "tx/cpu-s", peerA...)
	r.Figure("decode: transactions from JSON text", "tx/cpu-s", ownB...)
	r.Figure("decode: the same by Anchor's parser", "tx/cpu-s", peerB...)
	r.AtLeast("decode: in memory / Anchor's parser", ownA.Median()/peerA.Median(), 10)
	r.AtLeast("decode: from JSON text / Anchor's parser", ownB.Median()/peerB.Median(), 3)
	r.Note("decode: in memory, the parser is given the calls with an event's tag and their bytes; we find them, and check caller and account.")
	return nil
}

func decodeByUs(ctx context.Context, binary string) (rates decodeRates, err error) {
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", "^Benchmark[AB]$", "-test.cpu", "1", "-test.benchtime", decodeSeconds+"s")
	cmd.Dir = "../../internal/listing" // the transactions are found from there
	out, err := cmd.CombinedOutput()
	if err != nil {
		return rates, fmt.Errorf("run the benchmark: %w\n%s", err, out)
	}
	for name, rate := range map[string]*float64{"A": &rates.A, "B": &rates.B} {
		line := regexp.MustCompile(`(?m)^Benchmark` + name + `\s.*?([0-9.]+) tx/cpu-s`).FindSubmatch(out)
		if line == nil {
			return rates, fmt.Errorf("the benchmark has no rate of %s:\n%s", name, out)
		}
		if *rate, err = strconv.ParseFloat(string(line[1]), 64); err != nil {
			return rates, fmt.Errorf("the benchmark's rate of %s: %w", name, err)
		}
	}
	return rates, nil
}

func decodeByParser(ctx context.Context) (rates decodeRates, err error) {
	out, err := exec.CommandContext(ctx, "node", filepath.Join(parserDir, "parser.mjs"), mainnet, decodeSeconds).Output()
	if err != nil {
		return rates, fmt.Errorf("run the parser: %w", err)
	}
	if err := json.Unmarshal(out, &rates); err != nil {
		return rates, fmt.Errorf("the parser's rates: %w\n%s", err, out)
	}
	return rates, nil
}

//go:build crash

package crash

import (
	"context"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go"

	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

// truthful holds a record against what the chain knows of its games: each has
// the verdict of a perfect auditor, with exactly the checks failed that must.
func truthful(ctx context.Context, n *node, dsn string) error {
	st, err := store.Open(dsn)
	if err != nil {
		return err
	}
	defer st.Close()
	outcomes := map[string]string{}
	err = st.EachOutcome(ctx, func(o store.Outcome) {
		var failed []string
		for c, r := range o.Results {
			if r == verify.ResultFail {
				failed = append(failed, verify.Check(c).String())
			}
		}
		slices.Sort(failed)
		name := solana.PublicKey(o.Game).String() + " " + solana.PublicKey(o.User).String() + " " + o.Nonce
		outcomes[name] = fmt.Sprintf("%s %q %v", o.Verdict, failed, o.Finalized)
	})
	if err != nil {
		return err
	}
	wrong, example := 0, ""
	for _, truth := range n.chain.Truth() {
		name := truth.Game + " " + truth.User + " " + truth.Nonce
		want := fmt.Sprintf("%s %q true", truth.Verdict, slices.Sorted(slices.Values(truth.Fails)))
		if got := outcomes[name]; got != want {
			wrong++
			example = fmt.Sprintf("game %s (%q): %s, want %s", name, truth.Cheat, got, want)
		}
		delete(outcomes, name)
	}
	if wrong > 0 || len(outcomes) > 0 {
		return fmt.Errorf("%w: %d verdicts are not the truth and %d games were never played: %s", errDiffers, wrong, len(outcomes), example)
	}
	return nil
}

//go:build bench

package bench

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
)

// daemon is `indexer run` with its default settings.
type daemon struct {
	*process
	url string
}

func (b *Bench) startDaemon(c *chain, databaseURL string, more ...string) (*daemon, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(b.bin, append([]string{
		"run", "--rpc-url", c.rpc, "--ws-url", c.ws, "--program", c.program, "--from", "genesis",
		"--database-url", databaseURL, "--listen", address, "--log-format", "json",
	}, more...)...)
	p, err := start(cmd, b.logFile("daemon"))
	if err != nil {
		return nil, err
	}
	return &daemon{process: p, url: "http://" + address}, nil
}

// series scrapes its metrics; nil while it does not listen yet.
func (d *daemon) series(ctx context.Context) (Series, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // compressing would cost the daemon more than it saves
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, ctx.Err() // refused: not up yet, or ended, which await sees
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET /metrics: %s", res.Status)
	}
	return ParseSeries(res.Body)
}

// clean fails if the daemon's run was not the undisturbed one that is meant.
func clean(s Series) error {
	for _, metric := range []string{"minesaudit_subscription_reconnects_total", "minesaudit_dropped_transactions_total", "minesaudit_database_errors_total"} {
		if n := s.Sum(metric); n != 0 {
			return fmt.Errorf("the daemon's run was disturbed: %s is %v", metric, n)
		}
	}
	for _, verdict := range []string{"fail", "inconclusive"} {
		if n := s.Sum("minesaudit_verdicts_total", `verdict="`+verdict+`"`); n != 0 {
			return fmt.Errorf("%v verdicts %s on a chain where nobody cheats", n, verdict)
		}
	}
	return nil
}

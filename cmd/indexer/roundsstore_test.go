package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"minesaudit/internal/pglocal"
	"minesaudit/internal/pglocal/pgtest"
)

// rowsOf reads a query of texts.
func rowsOf(t *testing.T, dsn, query string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	answer, err := conn.Query(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for answer.Next() {
		values, err := answer.Values()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(values...))
	}
	if answer.Err() != nil {
		t.Fatal(answer.Err())
	}
	return strings.Join(all, "\n")
}

func TestRoundsAuditStores(t *testing.T) {
	withoutEnv(t)
	c := newTestChain(t, 20)
	dsn := pgtest.URL(t)
	good := c.file(t, "good.csv", c.csv(t, nil, 1, 2, 3, 7))
	bad := c.file(t, "bad.csv", c.csv(t, onLine(2, ".", "9."), 2)+"20,x,1.00\n")
	audit := func(file string) (int, string) {
		code, _, err := indexer("rounds", "audit", "--chain", c.terminal(), "--game", "rocket", "--store", "--database-url", dsn, file)
		return code, err
	}
	for _, test := range []struct {
		file string
		code int
		said string
	}{
		{good, 0, "stored rounds: 4 new, 0 superseded others, 0 stood there already"},
		{good, 0, "stored rounds: 0 new, 0 superseded others, 4 stood there already"},
		{bad, 1, "stored rounds: 0 new, 1 superseded others, 0 stood there already"},
	} {
		if code, err := audit(test.file); code != test.code || !strings.Contains(err, test.said) {
			t.Errorf("%s: exit %d, want %d: %s", test.file, code, test.code, err)
		}
	}
	const want = "1 pass 0\n2 fail 1\n3 pass 0\n7 pass 0"
	if got := rowsOf(t, dsn, `select concat_ws(' ', round, verdict, superseded) from audit_api.v1_rounds order by round`); got != want {
		t.Errorf("stand\n%s\nwant\n%s", got, want)
	}
	if got := rowsOf(t, dsn, `select concat_ws(' ', chain = '`+c.terminal()+`', game, round, check_name, result, reason) from audit_api.v1_round_findings`); got != "t rocket 2 outcome fail mismatch" {
		t.Errorf("findings: %s", got)
	}
	if got := rowsOf(t, dsn, `select concat_ws(' ', from_round, to_round) from audit_api.v1_round_gaps`); got != "4 6" {
		t.Errorf("gaps: %s", got)
	}
	if got := rowsOf(t, dsn, `select count(*)::text from audit_api.v1_games`); got != "0" {
		t.Errorf("%s games", got)
	}
}

func TestBetsAuditStores(t *testing.T) {
	withoutEnv(t)
	dsn := pgtest.URL(t)
	lines := betLine(t, nil) + betLine(t, map[string]any{"face": 3}) + betLine(t, map[string]any{"nonce": "2", "selected": []int{1}, "face": nil, "win": nil})
	for i, said := range []string{"stored bets: 3 new, 0 superseded others, 0 stood", "stored bets: 0 new, 0 superseded others, 3 stood"} {
		withStdin(t, lines)
		code, out, err := indexer("bets", "audit", "--store", "--database-url", dsn, "-")
		if code != 1 || !strings.Contains(err, said) {
			t.Errorf("time %d: exit %d\n%s%s", i+1, code, out, err)
		}
	}
	want := "1 fail face 3, won\n1 pass face 2, won\n2 inconclusive "
	if got := rowsOf(t, dsn, `select nonce || ' ' || verdict || ' ' || coalesce(claimed, '') from audit_api.v1_bets order by 1`); got != want {
		t.Errorf("stand\n%s\nwant\n%s", got, want)
	}
}

// Without a URL the results go to the private server, and one that a daemon
// runs is not taken from it.
func TestStoreInThePrivateDatabase(t *testing.T) {
	withoutEnv(t)
	parent, err := os.MkdirTemp("", "minesaudit-store-") // the server's user must be able to enter it
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(parent) })
	if err := os.Chmod(parent, 0o755); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(parent, "data")
	withStdin(t, betLine(t, nil))
	args := []string{"bets", "audit", "--store", "--data-dir", dir, "-"}
	if code, out, err := indexer(args...); code != 0 || !strings.Contains(err, "stored bets: 1 new") {
		t.Fatalf("exit %d\n%s%s", code, out, err)
	}
	withStdin(t, betLine(t, nil))
	if code, _, err := indexer(args...); code != 0 || !strings.Contains(err, "1 stood there already") {
		t.Fatalf("again: exit %d: %s", code, err)
	}
	server, startErr := pglocal.Start(context.Background(), pglocal.Options{Dir: dir})
	if startErr != nil {
		t.Fatal(startErr)
	}
	defer func() { _ = server.Stop(context.Background()) }()
	if code, _, err := indexer(args...); code != 2 || !strings.Contains(err, "data folder in use") || !strings.Contains(err, "--database-url") {
		t.Errorf("while another runs it: exit %d: %s", code, err)
	}
}

func TestStoreThatCannotBeReached(t *testing.T) {
	withoutEnv(t)
	withStdin(t, betLine(t, nil))
	const secret = "hunter2hunter2"
	dsn := "postgres://someone:" + secret + "@127.0.0.1:1/audit"
	code, out, err := indexer("bets", "audit", "--store", "--database-url", dsn, "-")
	if code != 4 || out != "" || strings.Contains(err, secret) {
		t.Errorf("exit %d: %s%s", code, out, err)
	}
	if code, _, err := indexer("bets", "audit", "--store", "--database-url", "postgres://a:"+secret+"@b:port/c", "-"); code != 2 || !strings.Contains(err, "--database-url") || strings.Contains(err, secret) {
		t.Errorf("exit %d: %s", code, err)
	}
}

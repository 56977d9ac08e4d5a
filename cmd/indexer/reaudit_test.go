package main

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"minesaudit/internal/pglocal/pgtest"
	"minesaudit/internal/store/storetest"
)

func TestReauditCommand(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dsn := pgtest.URL(t)
	if code, _, err := indexer("reaudit", "--database-url", dsn); code != exitUsage || !strings.Contains(err, "indexer migrate") {
		t.Errorf("an empty database: exit %d\n%s", code, err)
	}
	indexer("migrate", "--database-url", dsn)
	if code, _, err := indexer("reaudit", "--database-url", dsn); code != exitUsage || !strings.Contains(err, "watches nothing yet") {
		t.Errorf("a database of nobody: exit %d\n%s", code, err)
	}
	n.follow(t, dsn)
	before := storetest.Content(t, dsn)
	hundredths := temporary(t, "payout: {scale: 100}")
	last := strconv.FormatUint(n.chain.FinalizedSlot()+1, 10)
	for _, test := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"as it is", nil, exitGood, "0 changed, 0 altered"},
		{"dry", []string{"--dry-run"}, exitGood, "nothing was written"},
		{"from a slot", []string{"--since", last}, exitGood, "0 games, 0 events"},
		{"from a time", []string{"--since", "1999-12-31"}, exitGood, "0 changed, 0 altered"},
		{"from a time to come", []string{"--since", "2999-12-31T23:59:59Z"}, exitGood, "0 games, 0 events"},
		{"from nowhere", []string{"--since", "yesterday"}, exitUsage, `"yesterday" is no slot, date or time`},
		{"another profile", []string{"--profile", hundredths}, exitUsage, "--dry-run"},
		{"another profile, dry", []string{"--profile", hundredths, "--dry-run"}, exitMismatch, "multiplier: pass -> fail"},
		{"another program's profile", []string{"--profile", temporary(t, "program: "+newChainKey()), "--dry-run"}, exitUsage, "of another"},
		{"no such profile", []string{"--profile", "/nowhere"}, exitUsage, "--profile"},
	} {
		code, out, err := indexer(append([]string{"reaudit", "--database-url", dsn}, test.args...)...)
		if code != test.code || !strings.Contains(out+err, test.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", test.name, code, test.code, test.says, out, err)
		}
	}
	storetest.Same(t, "after all that", before, storetest.Content(t, dsn))
	if code, _, err := indexer("reaudit", "--database-url", "postgres://127.0.0.1:1/none?sslmode=disable"); code != exitUnavailable {
		t.Errorf("no database: exit %d\n%s", code, err)
	}
}

// newChainKey is an address that no program of these tests has.
func newChainKey() string { return strings.Repeat("1", 31) + "2" }

// Verdicts that were turned are superseded while a daemon holds the record.
func TestReauditBesideADaemon(t *testing.T) {
	withoutEnv(t)
	n := newPagedNode(t)
	dsn := pgtest.URL(t)
	n.follow(t, dsn)
	before := rowsOf(t, dsn, `select id::text, verdict, results from audit.game order by id`)
	daemon := spawn(t, "indexer", nil, "run", "--rpc-url", n.url, "--ws-url", n.ws(), "--program", n.chain.Program(), "--database-url", dsn, "--listen", "127.0.0.1:0")
	daemon.await(t, `"auditing"`)
	rowsOf(t, dsn, `with v as (update audit.verdict set verdict = 3, results = results | 3 where verdict = 1 returning game, verdict, results)
		update audit.game g set verdict = v.verdict, results = v.results from v where g.id = v.game returning 1`)
	code, out, err := indexer("reaudit", "--database-url", dsn, "--json", "--most", "1")
	var said struct {
		Games, Changed, Superseded, Altered int64
		Verdicts                            []struct{ Was, Now string }
		List                                []struct{ Nonce string } `json:"changed_list"`
	}
	if err := json.Unmarshal([]byte(out), &said); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if code != exitMismatch || said.Changed == 0 || said.Superseded != said.Changed || said.Altered != 0 || len(said.List) != 1 ||
		len(said.Verdicts) != 1 || said.Verdicts[0].Was != "inconclusive" || said.Verdicts[0].Now != "pass" {
		t.Errorf("exit %d\n%s%s", code, out, err)
	}
	if after := rowsOf(t, dsn, `select id::text, verdict, results from audit.game order by id`); after != before {
		t.Errorf("the verdicts are\n%s\nand were\n%s", after, before)
	}
	if daemon.ended() {
		t.Errorf("the daemon ended:\n%s", daemon.text())
	}
	if code := daemon.stop(t); code != exitGood {
		t.Errorf("the daemon: exit %d\n%s", code, daemon.text())
	}
}

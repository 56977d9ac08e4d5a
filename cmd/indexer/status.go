package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"text/tabwriter"
	"time"

	"minesaudit/internal/ingest"
	"minesaudit/internal/inspect"
)

type statusCmd struct {
	Listen  string        `name:"listen" env:"MINESAUDIT_LISTEN" default:"127.0.0.1:9477" placeholder:"HOST:PORT" help:"Address of the daemon, as given to run. Default ${default}."`
	JSON    bool          `name:"json" help:"Print the daemon's /status as it is."`
	Timeout time.Duration `name:"timeout" default:"5s" help:"How long to wait. Default ${default}."`
}

// Help is shown under the flags.
func (statusCmd) Help() string {
	return `Shows what the daemon's /status tells: head, frontier and lag, the slots that the record holds whole, gaps, what could not be verified, counts, and the health of nodes and database. Exit codes: 0 it follows, stands by or reads history; 3 it is stalled or still starting; 4 no daemon answers.

Examples:
  indexer status
  indexer status --json | jq .coverage`
}

// maxStatus bounds an answer, in bytes.
const maxStatus = 4 << 20

func (c *statusCmd) Run(s *streams) error {
	resp, body, err := askDaemon(c.Listen, "/status", c.Timeout, maxStatus)
	if err != nil {
		return err
	}
	var status ingest.Status
	if resp.StatusCode != http.StatusOK || json.Unmarshal(body, &status) != nil || status.State == "" {
		return fmt.Errorf("%s answers with %s, and not as a daemon does: is --listen right?", c.Listen, resp.Status)
	}
	if c.JSON {
		_, err = fmt.Fprintln(s.Out, strings.TrimSpace(string(body)))
	} else {
		err = showStatus(s.Out, &status)
	}
	if err == nil && (status.State == "stalled" || status.State == "starting") {
		return &exitError{code: exitInconclusive}
	}
	return err
}

// showStatus writes a status for people. Texts in it come from nodes.
func showStatus(out io.Writer, s *ingest.Status) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name, format string, args ...any) { _, _ = fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	row("state", "%s", s.State)
	row("program", "%s", s.Program)
	showSlots(row, s)
	if s.ReconciledAt != nil {
		row("reconciled", "%s", *s.ReconciledAt)
	}
	if s.AuditedFromSlot != nil {
		row("audited from", "slot %d", *s.AuditedFromSlot)
	}
	for _, r := range s.Coverage {
		if r.Complete {
			row("complete", "slots %d to %d", r.FromSlot, r.ToSlot)
		} else {
			row("not to be had", "slots %d to %d: %s", r.FromSlot, r.ToSlot, inspect.Printable(r.Reason))
		}
	}
	if b := s.Backfill; b != nil && b.Pages > 0 {
		row("history", "%d pages of %d transactions wait to be read", b.Pages, b.Transactions)
		if b.Failing > 0 {
			row("failing", "%d of them, and tried again: %s", b.Failing, inspect.Printable(b.LastError))
		}
	}
	for _, g := range s.Gaps {
		until := "it lasts"
		if g.ToSlot != nil {
			until = fmt.Sprintf("to slot %d", *g.ToSlot)
		}
		row("open gap", "from slot %d, %s: %s", g.FromSlot, until, inspect.Printable(g.Reason))
	}
	row("games", "%s", counts(s.Games))
	row("not final yet", "%s", counts(s.Confirmed))
	row("voids", "before the timeout %d, after it %d, unknown %d", s.Voids["before_timeout"], s.Voids["after_timeout"], s.Voids["unknown"])
	row("unverifiable", "%d transactions", s.Unverifiable)
	showNodes(row, s)
	if e := s.Examined; e != nil {
		row("nodes compared", "%d disagreements, %d open; %d slots on one node's word", e.Disagreements, e.Open, e.UncheckedSlots)
	}
	row("database", "%s", upOr(s.Database.OK, s.Database.Error))
	return w.Flush()
}

// showSlots says where the chain and the record are. Who stands by has heard nothing of
// the chain: its head is the one on record.
func showSlots(row func(name, format string, args ...any), s *ingest.Status) {
	switch {
	case s.State != "standby":
		row("head", "slot %d", s.HeadSlot)
	case s.AuditedFromSlot != nil:
		row("record's head", "slot %d", s.HeadSlot)
	}
	switch {
	case s.FrontierSlot == nil:
		row("frontier", "none yet")
	case s.LagSlots == nil || s.LagSeconds == nil:
		row("frontier", "slot %d", *s.FrontierSlot)
	default:
		row("frontier", "slot %d, %d slots behind (about %.0f s)", *s.FrontierSlot, *s.LagSlots, *s.LagSeconds)
	}
}

// showNodes says what is known of the subscription and of the nodes, and no more.
func showNodes(row func(name, format string, args ...any), s *ingest.Status) {
	if s.Connection != (ingest.Connection{}) {
		row("stream", "%s", upOr(s.Connection.Up, s.Connection.LastReason+" "+s.Connection.LastError))
	}
	row("node", "%s", upOr(s.Node.OK, s.Node.Error))
	for _, n := range s.Nodes {
		behind := ""
		if n.LagSlots != nil {
			behind = fmt.Sprintf(", %d slots behind", *n.LagSlots)
		}
		row("node "+inspect.Printable(n.Name), "%s%s %s", n.State, behind, inspect.Printable(n.Error))
	}
}

func counts(by map[string]int64) string {
	return fmt.Sprintf("pass %d, fail %d, inconclusive %d", by["pass"], by["fail"], by["inconclusive"])
}

func upOr(up bool, why string) string {
	if up {
		return "up"
	}
	if why = strings.TrimSpace(why); why != "" {
		return "down: " + inspect.Printable(why)
	}
	return "down"
}

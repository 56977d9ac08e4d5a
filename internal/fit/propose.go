package fit

import (
	"fmt"
	"slices"
	"strings"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
)

// A Source is what a profile is proposed for.
type Source struct {
	IDL     *idl.IDL
	File    string // of the IDL, as the profile will name it
	Program string // base58; empty: the IDL's own, if it has one
}

// A Proposal is a profile in YAML, with what is guessed in comments.
type Proposal struct {
	Text string

	// Mines says that something of a game of Mines was found. If not, the
	// profile has little to say.
	Mines bool
	Found int // events that were mapped
}

// Propose guesses a profile by the names and types of an IDL.
func Propose(s Source) Proposal {
	picked, others := chosen(s.IDL)
	w := writer{key: keyOf(picked)}
	p := Proposal{Mines: isMines(picked), Found: len(picked)}
	w.head(s, p.Mines)
	if len(picked) > 0 {
		w.keyLine()
	}
	for _, kind := range []decode.Kind{decode.KindStarted, decode.KindSettled, decode.KindVoided} {
		w.kind(kind, picked, others[kind])
	}
	w.unused(s.IDL, picked)
	w.payout(picked)
	p.Text = w.String()
	return p
}

type writer struct {
	strings.Builder
	key []decode.Role
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) head(s Source, mines bool) {
	w.line("# Proposed for %s by names and types alone: nothing here is known.", comment(s.File))
	w.line("# Read every line, settle each TODO, then: indexer profile check FILE")
	if !mines {
		w.line("#")
		w.line("# TODO: this does not look like a game of Mines: no event that ends a game has a seed or a")
		w.line("# board. With this profile no board can be checked.")
	}
	program := s.Program
	if program == "" {
		program = s.IDL.Address
	}
	if program == "" {
		w.line("# program: ADDRESS   # TODO: the IDL names none; or give --program")
	} else {
		w.line("program: %s", scalarText(program))
	}
	w.line("idl: %s", scalarText(s.File))
	if s.IDL.EventAuthority {
		w.line("events_in: both   # some instruction takes an event authority: events by CPI. Or only cpi, or logs")
	} else {
		w.line("events_in: logs   # no instruction takes an event authority. Or cpi, or both")
	}
}

func (w *writer) keyLine() {
	names := make([]string, 0, len(w.key))
	for _, part := range w.key {
		names = append(names, part.String())
	}
	if len(names) == 0 {
		w.line("key: [game]   # TODO: the events below share no field that tells games apart: map game, user or nonce in each")
		return
	}
	w.line("key: [%s]   # what all events below have: do these tell every two games apart?", strings.Join(names, ", "))
}

func (w *writer) kind(kind decode.Kind, picked []candidate, others []string) {
	w.line("")
	mine := slices.DeleteFunc(slices.Clone(picked), func(c candidate) bool { return c.kind != kind })
	if len(mine) == 0 {
		w.line("# %s:   # TODO: no event looks like one", kind)
		return
	}
	w.line("%s:", kind)
	for i := range mine {
		w.event(&mine[i])
	}
	if len(others) > 0 {
		w.line("  # These look like one too: %s", listed(others))
	}
}

func (w *writer) event(c *candidate) {
	w.line("  - event: %s", scalarText(c.event.Name))
	if c.when != "" {
		w.line("    when: %s", scalarText(c.when))
	}
	if c.says != decode.OutcomeUnsaid {
		w.line("    lost: %t   # by its name", c.says == decode.OutcomeLost)
	}
	w.line("    fields:")
	for _, role := range decode.Roles(c.kind) {
		w.field(c, role)
	}
	w.left(c)
}

func (w *writer) field(c *candidate, role decode.Role) {
	found := c.has(role)
	isKey := slices.Contains(w.key, role)
	switch {
	case found == nil && role == decode.RoleLost && c.says == decode.OutcomeUnsaid:
		w.line("      # lost:   # not found: a bool or variant that tells a lost game, if there is no bust_tile")
	case found == nil && (role == decode.RoleLost || role == decode.RoleBustTile && c.says == decode.OutcomeWon):
	case found == nil && role == decode.RoleGame:
		w.line("      # game:   # not found; serves as part of the key only")
	case found == nil && c.says == decode.OutcomeLost && (role == decode.RoleMultiplier || role == decode.RolePayout):
		w.line("      # %s:   # TODO: not found; {value: 0} if you vouch that a lost game has none", role)
	case found == nil:
		w.line("      # %s:   # TODO: not found; not published, unless you find it", role)
	case role == decode.RoleGame && !isKey:
		w.line("      # game: %s   # not in every event: no part of the key", comment(found.Path))
	default:
		w.line("      %s: %s   # %s", role, fieldText(found), remark(found))
	}
}

// fieldText is a field in YAML: a path, or a mapping if there is more to say.
func fieldText(c *choice) string {
	path := scalarText(c.Path)
	switch {
	case c.Unit == "" || c.Unit == decode.UnitTiles && c.leaf.Type.Kind != idl.Array:
		return path
	case c.Unit == decode.UnitTokens:
		return fmt.Sprintf("{path: %s, decimals: %d}", path, c.Decimals)
	default:
		return fmt.Sprintf("{path: %s, unit: %s}", path, c.Unit)
	}
}

func remark(c *choice) string {
	text := comment(c.leaf.Type.String())
	switch c.Unit {
	case decode.UnitTokens:
		text += "; TODO: as many decimals as the token or the scale has"
	case decode.UnitBPS:
		text += "; TODO: bps are parts of 10,000, ppb of 1,000,000,000"
	case decode.UnitTiles, decode.UnitFlags:
		text += "; TODO: tiles if it lists them, flags if it has a value for each"
	}
	if len(c.others) > 0 {
		text += "; or " + listed(c.others)
	}
	return text
}

// left lists the paths of an event that no role has.
func (w *writer) left(c *candidate) {
	taken := map[string]bool{}
	for _, x := range c.choices {
		taken[x.Path] = true
	}
	var rest []string
	for _, leaf := range c.event.Leaves() {
		if !taken[leaf.Path] && leaf.Type.Kind != idl.Struct && leaf.Type.Kind != idl.Tuple {
			rest = append(rest, leaf.Path+": "+leaf.Type.String())
		}
	}
	if len(rest) > 0 {
		w.line("    # Not used: %s", listed(rest))
	}
}

// unused lists the events that have no place.
func (w *writer) unused(file *idl.IDL, picked []candidate) {
	var names []string
	for _, e := range file.Events {
		if !slices.ContainsFunc(picked, func(c candidate) bool { return c.event == e }) {
			names = append(names, e.Name)
		}
	}
	if len(names) > 0 {
		w.line("\n# Other events: %s", listed(names))
	}
}

func (w *writer) payout(picked []candidate) {
	w.line(`
# What events do not say. These are the defaults: compare them with the program.
# payout:
#   scale: 10000             # multiplier × scale is the published integer
#   rounding: floor_once     # floor_once, floor_each, nearest
#   cap: payout              # max_payout bounds payout, multiplier or none
#   payout_from: exact       # exact or rounded multiplier
#   lost_multiplier: zero    # zero or at_bust`)
	for _, c := range picked {
		if c.kind == decode.KindSettled && c.says != decode.OutcomeLost && c.has(decode.RolePayout) == nil {
			w.line("#   balance: lamports        # take payouts from balances, as none is published: lamports or token")
			break
		}
	}
	w.line("# operators: [KEY]           # who may void before the timeout; without it void_right is not checked")
}

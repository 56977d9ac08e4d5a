package inspect

import (
	"encoding/hex"
	"encoding/json"
	"io"
	"strconv"

	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

// WriteJSON writes the result as one JSON object and a newline.
func (r *Result) WriteJSON(w io.Writer, explain bool) error {
	out := resultJSON{
		Verdict: r.Verdict().String(), Program: r.Program, ProgramFrom: r.ProgramFrom, Profile: r.Profile, RulesVersion: verify.RulesVersion,
		Nothing: r.Nothing, Notes: notNil(r.Notes), NotProved: r.unproved(), Games: []gameJSON{},
	}
	if a := r.Asked; a != nil {
		out.Transaction = &askedJSON{Signature: a.Signature, Commitment: a.Commitment}
		if a.Commitment != "" {
			out.Transaction.Slot = u64(a.Slot)
		}
	}
	for i := range r.Cases {
		g := r.Cases[i].json(&r.Rules)
		if explain {
			g.Explain = r.Cases[i].explainJSON()
		}
		out.Games = append(out.Games, g)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}

type resultJSON struct {
	Verdict      string     `json:"verdict"` // of all games together: pass, fail or inconclusive
	Transaction  *askedJSON `json:"transaction"`
	Program      string     `json:"program"`
	ProgramFrom  string     `json:"program_from,omitempty"`
	Profile      string     `json:"profile"`
	RulesVersion int        `json:"rules_version"`
	Nothing      string     `json:"nothing,omitempty"`
	Notes        []string   `json:"notes"`
	Games        []gameJSON `json:"games"`
	NotProved    []string   `json:"not_proved"`
}

type askedJSON struct {
	Signature  string `json:"signature"`
	Slot       string `json:"slot,omitempty"`
	Commitment string `json:"commitment,omitempty"`
}

type gameJSON struct {
	Game       string          `json:"game"`
	User       *string         `json:"user"`  // null where it is not published
	Nonce      *string         `json:"nonce"` // likewise
	Verdict    string          `json:"verdict"`
	Headline   string          `json:"headline"`
	Events     []eventJSON     `json:"events"`
	Terms      *termsJSON      `json:"terms"`
	Settlement *settlementJSON `json:"settlement"`
	Void       *voidJSON       `json:"void"`
	Derived    *boardJSON      `json:"derived_board"`
	Checks     []checkJSON     `json:"checks"`
	Notes      []string        `json:"notes"`
	Explain    *explainJSON    `json:"explain,omitempty"`
}

type eventJSON struct {
	Kind       string `json:"kind"`
	Signature  string `json:"signature"`
	Slot       string `json:"slot"`
	Ordinal    uint32 `json:"ordinal"`
	BlockTime  string `json:"block_time,omitempty"` // unix seconds
	Commitment string `json:"commitment,omitempty"`
}

type boardJSON struct {
	Mines    []int `json:"mines"`
	Revealed []int `json:"revealed,omitempty"`
}

type checkJSON struct {
	Check    string `json:"check"`
	Result   string `json:"result"`
	Reason   string `json:"reason,omitempty"`
	Expected string `json:"expected,omitempty"`
	Observed string `json:"observed,omitempty"`
}

func (c *Case) json(rules *verify.Rules) gameJSON {
	g := gameJSON{
		Game: rpc.KeyString(c.Game.Address),
		User: published(c.Game.Missing, verify.FieldUser, rpc.KeyString(c.Game.User)), Nonce: published(c.Game.Missing, verify.FieldNonce, u64(c.Game.Nonce)),
		Verdict: c.Report.Verdict.String(), Headline: c.headline(), Notes: notNil(c.Notes),
	}
	for i, p := range c.Events {
		e := eventJSON{Kind: p.Event.Kind.String(), Signature: rpc.SignatureString(p.Signature), Slot: u64(p.Slot), Ordinal: p.Ordinal}
		if p.HasBlockTime {
			e.BlockTime = i64(p.BlockTime)
		}
		if i < len(c.Levels) {
			e.Commitment = string(c.Levels[i])
		}
		g.Events = append(g.Events, e)
	}
	for _, f := range c.Checks {
		g.Checks = append(g.Checks, checkJSON{f.Check.String(), f.Result.String(), string(f.Reason), f.Expected, f.Observed})
	}
	if s := c.start(); s != nil {
		g.Terms = newTermsJSON(s, rules)
	}
	if s := c.settled(); s != nil {
		g.Settlement = newSettlementJSON(s)
	}
	if v := c.voided(); v != nil {
		g.Void = &voidJSON{
			Refund:    published(v.Missing, verify.FieldRefund, u64(v.Refund)),
			Authority: published(v.Missing, verify.FieldAuthority, rpc.KeyString(v.Authority)),
			When:      c.Report.VoidWhen.String(), NotPublished: names(v.Missing),
		}
	}
	if c.Trace != nil {
		g.Derived = &boardJSON{Mines: bitList(c.Trace.Board.Mask)}
	}
	return g
}

func u64(n uint64) string { return strconv.FormatUint(n, 10) }

func i64(n int64) string { return strconv.FormatInt(n, 10) }

func hash(h [32]byte) string { return hex.EncodeToString(h[:]) }

func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

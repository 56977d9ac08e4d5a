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
		g := r.Cases[i].json()
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
	User       string          `json:"user"`
	Nonce      string          `json:"nonce"`
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

type termsJSON struct {
	MinesCount    uint8  `json:"mines_count"`
	Stake         string `json:"stake"`
	CommitHash    string `json:"commit_hash"`
	Slothash      string `json:"slothash"`
	HouseEdgeBPS  uint32 `json:"house_edge_bps"`
	MaxPayout     string `json:"max_payout"`
	RefundTimeout string `json:"refund_timeout"` // seconds
	StartedAt     string `json:"started_at"`     // unix seconds
}

type settlementJSON struct {
	ServerSeed   string    `json:"server_seed"`
	Slothash     string    `json:"slothash"`
	MinesMask    uint32    `json:"mines_mask"`
	RevealedMask uint32    `json:"revealed_mask"`
	Board        boardJSON `json:"board"`
	BustTile     *uint8    `json:"bust_tile"`
	Multiplier   string    `json:"multiplier"`
	Payout       string    `json:"payout"`
}

type boardJSON struct {
	Mines    []int `json:"mines"`
	Revealed []int `json:"revealed,omitempty"`
}

type voidJSON struct {
	Refund    string `json:"refund"`
	Authority string `json:"authority"`
	When      string `json:"when"` // before_timeout, after_timeout or unknown
}

type checkJSON struct {
	Check    string `json:"check"`
	Result   string `json:"result"`
	Reason   string `json:"reason,omitempty"`
	Expected string `json:"expected,omitempty"`
	Observed string `json:"observed,omitempty"`
}

func (c *Case) json() gameJSON {
	g := gameJSON{
		Game: rpc.KeyString(c.Game.Address), User: rpc.KeyString(c.Game.User), Nonce: u64(c.Game.Nonce),
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
		g.Terms = &termsJSON{
			MinesCount: s.MinesCount, Stake: u64(s.Stake), CommitHash: hash(s.CommitHash), Slothash: hash(s.Slothash), HouseEdgeBPS: s.HouseEdge,
			MaxPayout: u64(s.MaxPayout), RefundTimeout: i64(s.RefundTimeout), StartedAt: i64(s.StartedAt),
		}
	}
	if s := c.settled(); s != nil {
		g.Settlement = settledJSON(s)
	}
	if v := c.voided(); v != nil {
		g.Void = &voidJSON{u64(v.Refund), rpc.KeyString(v.Authority), c.Report.VoidWhen.String()}
	}
	if c.Trace != nil {
		g.Derived = &boardJSON{Mines: bitList(c.Trace.Board.Mask)}
	}
	return g
}

func settledJSON(s *verify.Settled) *settlementJSON {
	out := &settlementJSON{
		ServerSeed: hash(s.ServerSeed), Slothash: hash(s.Slothash), MinesMask: s.MinesMask, RevealedMask: s.RevealedMask,
		Board:      boardJSON{bitList(s.MinesMask), bitList(s.RevealedMask)},
		Multiplier: u64(s.Multiplier), Payout: u64(s.Payout),
	}
	if s.HasBust {
		out.BustTile = &s.BustTile
	}
	return out
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

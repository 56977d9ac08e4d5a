package inspect

import (
	"encoding/hex"

	"minesaudit/internal/verify"
)

// explainJSON is how the board and the pay come about; a part is null where it
// cannot be worked out.
type explainJSON struct {
	Blocks []blockJSON `json:"blocks"`
	Draws  []drawJSON  `json:"draws"`
	Pay    *payJSON    `json:"pay"`
}

type blockJSON struct {
	Preimage []partJSON `json:"preimage"`
	SHA256   string     `json:"sha256"`
}

type partJSON struct {
	Name string `json:"name"`
	Hex  string `json:"hex"`
}

type drawJSON struct {
	Bound    uint32   `json:"bound"`
	Zone     uint32   `json:"zone"`
	Rejected []uint32 `json:"rejected"`
	Word     uint32   `json:"word"`
	At       int      `json:"at"`
	With     int      `json:"with"`
	Mine     uint8    `json:"mine"`
}

type payJSON struct {
	Exact      string   `json:"exact"` // a fraction in lowest terms; empty if the formula has no value
	Floors     []string `json:"floors,omitempty"`
	Rounded    string   `json:"rounded,omitempty"`
	Factor     string   `json:"factor"`
	Product    string   `json:"product,omitempty"` // floor(stake x factor)
	Multiplier string   `json:"multiplier,omitempty"`
	Payout     string   `json:"payout,omitempty"`
}

func (c *Case) explainJSON() *explainJSON {
	e := &explainJSON{}
	if c.Trace != nil {
		for k := range c.Trace.Blocks {
			b := &c.Trace.Blocks[k]
			block := blockJSON{SHA256: hash(b.Digest)}
			for _, part := range b.Parts() {
				block.Preimage = append(block.Preimage, partJSON{part.Name, hex.EncodeToString(part.Bytes)})
			}
			e.Blocks = append(e.Blocks, block)
		}
		for _, d := range c.Trace.Draws {
			e.Draws = append(e.Draws, drawJSON{d.Bound, d.Zone, append([]uint32{}, d.Rejected...), d.Word, d.At, d.With, d.Mine})
		}
	}
	if c.Pay != nil {
		e.Pay = c.payJSON()
	}
	return e
}

func (c *Case) payJSON() *payJSON {
	p := c.Pay
	out := &payJSON{}
	if p.Exact != (verify.Ratio{}) {
		out.Exact, out.Factor = p.Exact.String(), p.Factor.String()
		if p.Fits {
			out.Rounded = u64(p.Rounded)
		}
		if p.Bounded {
			out.Product = u64(p.Product)
		}
		for _, floor := range p.Floors {
			out.Floors = append(out.Floors, u64(floor))
		}
	}
	if p.MultiplierReason == "" {
		out.Multiplier = u64(p.Multiplier)
	}
	if p.PayoutReason == "" {
		out.Payout = u64(p.Payout)
	}
	return out
}

package inspect

import "minesaudit/internal/verify"

// What the program does not publish is null, in these three, and named.

type termsJSON struct {
	MinesCount    *uint8    `json:"mines_count"`
	Stake         *string   `json:"stake"`
	CommitHash    *string   `json:"commit_hash"`
	Slothash      *string   `json:"slothash"`
	HouseEdgeBPS  *uint32   `json:"house_edge_bps"`       // null too where the edge is written in another scale
	HouseEdge     *edgeJSON `json:"house_edge,omitempty"` // then here
	MaxPayout     *string   `json:"max_payout"`
	RefundTimeout *string   `json:"refund_timeout"` // seconds
	StartedAt     *string   `json:"started_at"`     // unix seconds
	NotPublished  []string  `json:"not_published,omitempty"`
}

type edgeJSON struct {
	Parts uint32 `json:"parts"`
	Of    uint32 `json:"of"`
}

type settlementJSON struct {
	ServerSeed   *string   `json:"server_seed"`
	Slothash     *string   `json:"slothash"`
	MinesMask    *uint32   `json:"mines_mask"`
	RevealedMask *uint32   `json:"revealed_mask"`
	Board        boardJSON `json:"board"`
	BustTile     *uint8    `json:"bust_tile"`
	Says         string    `json:"says,omitempty"` // won or lost, where the program tells it beside the bust tile
	Multiplier   *string   `json:"multiplier"`
	Payout       *string   `json:"payout"`
	NotPublished []string  `json:"not_published,omitempty"`
}

type voidJSON struct {
	Refund       *string  `json:"refund"`
	Authority    *string  `json:"authority"`
	When         string   `json:"when"` // before_timeout, after_timeout or unknown
	NotPublished []string `json:"not_published,omitempty"`
}

func newTermsJSON(s *verify.Start, rules *verify.Rules) *termsJSON {
	m := s.Missing
	out := &termsJSON{
		MinesCount:    published(m, verify.FieldMinesCount, s.MinesCount),
		Stake:         published(m, verify.FieldStake, u64(s.Stake)),
		CommitHash:    published(m, verify.FieldCommitHash, hash(s.CommitHash)),
		Slothash:      published(m, verify.FieldSlothash, hash(s.Slothash)),
		MaxPayout:     published(m, verify.FieldMaxPayout, u64(s.MaxPayout)),
		RefundTimeout: published(m, verify.FieldRefundTimeout, i64(s.RefundTimeout)),
		StartedAt:     published(m, verify.FieldStartedAt, i64(s.StartedAt)),
		NotPublished:  names(m),
	}
	if rules.EdgeScale == verify.BasisPoints {
		out.HouseEdgeBPS = published(m, verify.FieldHouseEdge, s.HouseEdge)
	} else {
		out.HouseEdge = published(m, verify.FieldHouseEdge, edgeJSON{s.HouseEdge, rules.EdgeScale})
	}
	return out
}

func newSettlementJSON(s *verify.Settled) *settlementJSON {
	m := s.Missing
	out := &settlementJSON{
		ServerSeed:   published(m, verify.FieldServerSeed, hash(s.ServerSeed)),
		Slothash:     published(m, verify.FieldSlothash, hash(s.Slothash)),
		MinesMask:    published(m, verify.FieldMinesMask, s.MinesMask),
		RevealedMask: published(m, verify.FieldRevealedMask, s.RevealedMask),
		Multiplier:   published(m, verify.FieldMultiplier, u64(s.Multiplier)),
		Payout:       published(m, verify.FieldPayout, u64(s.Payout)),
		NotPublished: names(m),
	}
	if out.MinesMask != nil {
		out.Board.Mines = bitList(s.MinesMask)
	}
	if out.RevealedMask != nil {
		out.Board.Revealed = bitList(s.RevealedMask)
	}
	if s.HasBust {
		out.BustTile = published(m, verify.FieldBustTile, s.BustTile)
	}
	if s.Says != verify.OutcomeUnsaid {
		out.Says = s.Says.String()
	}
	return out
}

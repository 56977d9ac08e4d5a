package verify

import (
	"fmt"
	"slices"
)

// RulesVersion numbers what Judge checks and how. Raise it with every change
// that can change a report; verdicts are stored with it.
const RulesVersion = 1

// MaxScale is the largest Scale with which every multiplier fits 64 bits: the
// greatest is C(25, 12) = 5,200,300.
const MaxScale = 1_000_000_000_000

// The scales of a house edge: the default and the finest.
const (
	BasisPoints  = 10_000
	MaxEdgeScale = 1_000_000_000
)

// Rules is the payout convention of a program, which the rules of play leave
// open, and who operates it.
type Rules struct {
	EdgeScale      uint32 // what a house edge of 1, the whole stake, is written as
	Scale          uint64 // what a multiplier of 1 is written as
	Rounding       Rounding
	Cap            CapMode
	PayoutFrom     PayoutFrom
	LostMultiplier LostMultiplier
	Operators      [][32]byte // keys that may void at any time; none: void_right is not checked
}

// DefaultRules is the convention that the package comment describes, with no
// operator known.
func DefaultRules() Rules {
	return Rules{EdgeScale: BasisPoints, Scale: 10_000}
}

// Validate reports the first setting with which no game could be judged.
func (r *Rules) Validate() error {
	switch {
	case r.Scale < 1 || r.Scale > MaxScale:
		return fmt.Errorf("scale %d: want 1..%d", r.Scale, uint64(MaxScale))
	case r.EdgeScale < 1 || r.EdgeScale > MaxEdgeScale:
		return fmt.Errorf("edge_scale %d: want 1..%d", r.EdgeScale, MaxEdgeScale)
	case r.Rounding > Nearest:
		return fmt.Errorf("rounding %d: unknown", r.Rounding)
	case r.Cap > CapNone:
		return fmt.Errorf("cap %d: unknown", r.Cap)
	case r.PayoutFrom > FromRounded:
		return fmt.Errorf("payout_from %d: unknown", r.PayoutFrom)
	case r.LostMultiplier > LostAtBust:
		return fmt.Errorf("lost_multiplier %d: unknown", r.LostMultiplier)
	}
	return nil
}

func (r *Rules) isOperator(key [32]byte) bool {
	return slices.Contains(r.Operators, key)
}

// Rounding makes an integer of a multiplier × Scale.
type Rounding uint8

// The roundings.
const (
	// FloorOnce takes one floor of the exact number.
	FloorOnce Rounding = iota
	// FloorEach takes a floor at each step: of Scale × (1 − edge), then of the
	// product with (25 − i)/(25 − M − i) for each tile in turn.
	FloorEach
	// Nearest rounds the exact number to the nearest integer, a half up.
	Nearest
)

func (r Rounding) String() string { return settingName(roundings(), int(r)) }

// ParseRounding reads floor_once, floor_each or nearest.
func ParseRounding(s string) (Rounding, error) {
	i, err := parseSetting("rounding", roundings(), s)
	return Rounding(i), err
}

func roundings() []string { return []string{"floor_once", "floor_each", "nearest"} }

// CapMode says what Start.MaxPayout bounds.
type CapMode uint8

// The cap modes.
const (
	CapPayout     CapMode = iota // the payout
	CapMultiplier                // the multiplier, in units of 1/Scale, before the stake is multiplied
	CapNone                      // nothing
)

func (c CapMode) String() string { return settingName(capModes(), int(c)) }

// ParseCapMode reads payout, multiplier or none.
func ParseCapMode(s string) (CapMode, error) {
	i, err := parseSetting("cap", capModes(), s)
	return CapMode(i), err
}

func capModes() []string { return []string{"payout", "multiplier", "none"} }

// PayoutFrom says which multiplier the payout is the product of.
type PayoutFrom uint8

// The values of PayoutFrom.
const (
	FromExact   PayoutFrom = iota // the exact one
	FromRounded                   // the integer one, over Scale
)

func (p PayoutFrom) String() string { return settingName(payoutFroms(), int(p)) }

// ParsePayoutFrom reads exact or rounded.
func ParsePayoutFrom(s string) (PayoutFrom, error) {
	i, err := parseSetting("payout_from", payoutFroms(), s)
	return PayoutFrom(i), err
}

func payoutFroms() []string { return []string{"exact", "rounded"} }

// LostMultiplier says what a lost game gives as its multiplier. Its payout is
// always 0.
type LostMultiplier uint8

// The values of LostMultiplier.
const (
	LostZero   LostMultiplier = iota // 0
	LostAtBust                       // that of the tiles revealed before the bust
)

func (l LostMultiplier) String() string { return settingName(lostMultipliers(), int(l)) }

// ParseLostMultiplier reads zero or at_bust.
func ParseLostMultiplier(s string) (LostMultiplier, error) {
	i, err := parseSetting("lost_multiplier", lostMultipliers(), s)
	return LostMultiplier(i), err
}

func lostMultipliers() []string { return []string{"zero", "at_bust"} }

func settingName(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("unknown(%d)", i)
}

func parseSetting(setting string, names []string, s string) (int, error) {
	if i := slices.Index(names, s); i >= 0 {
		return i, nil
	}
	return 0, fmt.Errorf("%s %q: want one of %q", setting, s, names)
}

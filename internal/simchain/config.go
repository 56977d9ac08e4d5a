package simchain

import (
	"fmt"
	"io"
	"time"
)

// Config is what a chain is made from. The same Config gives the same chain.
type Config struct {
	Seed  int64
	Games int // games to play; 0 means without end (memory then grows by about 1 kB a game)

	// Rate is how many games start a second; a slot then holds its share. Zero
	// means as fast as subscribers read, with GamesPerSlot in each slot.
	Rate         float64
	GamesPerSlot int // at rate zero; default 50

	SlotTime      time.Duration // between slots, by the chain's clock and, above rate zero, by ours; default 400 ms
	FinalitySlots int           // slots from confirmed to finalized; default 32
	StartTime     int64         // block time of the first slot, unix seconds; default 1,760,000,000

	Cheats []Cheat // what is done to about one game in twenty; none = everybody is honest

	// TruncateEvery cuts the log of one transaction of each n-th honest game
	// short at the 10,000 bytes of a node, so that the game cannot be judged.
	// Zero means that no log is cut.
	TruncateEvery int

	// Hostile adds attackers, and a program that errs: see hostile.go.
	Hostile bool

	// CPI has the program emit its events by calling itself with them, as
	// emit_cpi! does. They are then in no log, and a log that is cut hides none.
	CPI bool

	// WaitForSubscriber holds the first game back until somebody subscribes to
	// logs.
	WaitForSubscriber bool

	// Truth receives one JSON line a game (see Truth), once its last transaction
	// is finalized.
	Truth io.Writer
}

func (c Config) withDefaults() Config {
	if c.GamesPerSlot == 0 {
		c.GamesPerSlot = 50
	}
	if c.SlotTime == 0 {
		c.SlotTime = 400 * time.Millisecond
	}
	if c.FinalitySlots == 0 {
		c.FinalitySlots = 32
	}
	if c.StartTime == 0 {
		c.StartTime = 1_760_000_000
	}
	return c
}

func (c Config) check() error {
	for _, bad := range []struct {
		is     bool
		remedy string
	}{
		{c.Games < 0, fmt.Sprintf("games is %d: give a number of games, or 0 for no end", c.Games)},
		{c.Rate < 0 || c.Rate > 1e6, fmt.Sprintf("rate is %v games a second: give 0 to 1,000,000", c.Rate)},
		{c.GamesPerSlot < 0, fmt.Sprintf("%d games a slot: give 1 or more", c.GamesPerSlot)},
		{c.SlotTime < time.Millisecond, fmt.Sprintf("a slot of %v: give 1 ms or more", c.SlotTime)},
		{c.FinalitySlots < 1, fmt.Sprintf("%d slots to finality: give 1 or more", c.FinalitySlots)},
		{c.StartTime < 0, fmt.Sprintf("start time %d: give unix seconds", c.StartTime)},
		{c.TruncateEvery < 0, fmt.Sprintf("truncate every %d games: give 1 or more, or 0 for never", c.TruncateEvery)},
	} {
		if bad.is {
			return fmt.Errorf("%w: %s", ErrConfig, bad.remedy)
		}
	}
	for _, cheat := range c.Cheats {
		if err := cheat.check(); err != nil {
			return err
		}
	}
	return nil
}

package ingest

import "time"

// slotClock tells how long a slot lately took, by this machine's clock: the
// chain's own clock may be anybody's.
type slotClock struct {
	fromSlot uint64
	fromTime time.Time
	seconds  float64
}

const (
	defaultSlotSeconds = 0.4
	clockWindow        = 30 * time.Second
	clockLeast         = 2 * time.Second
)

func newSlotClock() slotClock { return slotClock{seconds: defaultSlotSeconds} }

// saw notes that the head rose to slot.
func (c *slotClock) saw(slot uint64, now time.Time) {
	if c.fromTime.IsZero() || slot <= c.fromSlot {
		c.fromSlot, c.fromTime = slot, now
		return
	}
	passed := now.Sub(c.fromTime)
	if passed < clockLeast {
		return
	}
	c.seconds = passed.Seconds() / float64(slot-c.fromSlot)
	if passed > clockWindow {
		c.fromSlot, c.fromTime = slot, now
	}
}

func (c *slotClock) slotSeconds() float64 { return c.seconds }

//go:build crash

package crash

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// clockFile lies in the folder of a server whose clock can be set.
const clockFile = "clock"

// A clock is what some processes take for the time of day: the machine's, and some
// seconds more. Setting it is setting the machine's clock, but for everybody else.
type clock struct{ file *os.File }

// newClock makes a clock that is right, in a server's folder. The server is to be
// started after, and with clocked.
func newClock(dir string) (*clock, error) {
	f, err := os.OpenFile(filepath.Join(dir, clockFile), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, fmt.Errorf("make a clock: %w", err)
	}
	c := &clock{f}
	return c, c.set(0)
}

// set puts the clock ahead of the machine's, at once and for all.
func (c *clock) set(ahead time.Duration) error {
	var seconds [8]byte
	binary.NativeEndian.PutUint64(seconds[:], uint64(int64(ahead/time.Second)))
	if _, err := c.file.WriteAt(seconds[:], 0); err != nil {
		return fmt.Errorf("set the clock: %w", err)
	}
	return nil
}

// env lets a daemon or worker go by the clock.
func (c *clock) env() string { return "CLOCK_FILE=" + c.file.Name() }

func (c *clock) close() { _ = c.file.Close() }

//go:build crash

package crash

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"minesaudit/internal/store"
)

// A member is a program of a crew that is started again whenever it ends, as a
// supervisor would. It may end by what was done to it, or because the database or the
// node is away, and by nothing else.
type member struct {
	*program
	name   string
	env    []string           // of every start
	points []store.CrashPoint // that it may come by
	gives  []int              // exit codes that time mends
	once   bool               // it has a task that ends

	killed bool             // since its start
	asked  bool             // to end
	point  store.CrashPoint // at which it dies, if it comes by
	back   time.Time        // when it is started again; zero while it runs
	over   bool             // its task is done
}

// run starts it. Where it is to die by itself, random names the point.
func (m *member) run(random *rand.Rand) error {
	env := m.env
	m.killed, m.asked, m.point, m.back = false, false, "", time.Time{}
	if random != nil && len(m.points) > 0 && random.IntN(2) == 0 {
		m.point = m.points[random.IntN(len(m.points))]
		env = append(env[:len(env):len(env)], crashAt(m.point, 1+random.IntN(2)))
	}
	return m.start(env...)
}

// runs reports whether there is a process.
func (m *member) runs() bool { return m.process != nil && m.back.IsZero() && !m.over }

// strike ends it without a word.
func (m *member) strike() {
	m.killed = true
	m.signal(syscall.SIGKILL)
}

// ask has it end in good order, by which it comes by other crash points.
func (m *member) ask() {
	m.asked = true
	m.signal(syscall.SIGTERM)
}

// ending says how a process that has ended did: by itself at a named point, or by what
// was done to it. Any other end is an error.
func (m *member) ending() (atPoint bool, err error) {
	code, by, err := m.wait()
	switch {
	case err != nil:
		return false, err
	case by == syscall.SIGKILL && m.killed:
		return false, nil
	case by == syscall.SIGKILL && m.point != "":
		return true, nil
	case by == syscall.SIGTERM && m.asked: // so early that it listened to no signal yet
		return false, nil
	case by == 0 && code == 0 && (m.asked || m.once):
		m.over = m.once && !m.asked
		return false, nil
	}
	for _, c := range m.gives {
		if by == 0 && code == c {
			return false, nil
		}
	}
	return false, fmt.Errorf("the %s ended by itself: exit code %d (%v)\n%s", m.name, code, by, tail(m.program.log))
}

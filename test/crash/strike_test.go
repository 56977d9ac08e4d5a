//go:build crash

package crash

import (
	"context"
	"errors"
	"syscall"
	"time"
)

// strikes are what happens in rounds, each as often as its weight says. One that finds
// nothing to hit gives errAway, and is not counted.
func strikes() []strikeKind {
	list := []strikeKind{
		{"leader", true, 5, func(r *round, ctx context.Context) error { return r.killDaemon(ctx, true) }},
		{"standby", true, 2, func(r *round, ctx context.Context) error { return r.killDaemon(ctx, false) }},
		{"worker", true, 5, func(r *round, _ context.Context) error { return r.kill(r.members[2]) }},
		{"planner", true, 2, func(r *round, _ context.Context) error { return r.kill(r.members[3]) }},
		{"PostgreSQL", true, 4, func(r *round, _ context.Context) error { return r.killServer() }},
		{"several at once", true, 3, func(r *round, _ context.Context) error { return r.killSeveral() }},
		{"leader asked to end", false, 1, (*round).askLeader},
		{"leader stopped and continued", false, 2, (*round).pauseLeader},
		{"worker stopped and continued", false, 1, func(r *round, _ context.Context) error { return r.pause(r.members[2]) }},
		{"clock set by an hour", false, 2, func(r *round, _ context.Context) error { return r.turnClock() }},
	}
	for _, o := range outages() {
		list = append(list, strikeKind{"database: " + o.name, false, 1, func(r *round, ctx context.Context) error { return r.disturbServer(ctx, &o) }})
	}
	return list
}

type strikeKind struct {
	name   string
	kills  bool
	weight int
	do     func(*round, context.Context) error
}

// strike does one of them.
func (r *round) strike(ctx context.Context) error {
	kinds, sum := strikes(), 0
	for _, k := range kinds {
		sum += k.weight
	}
	n := r.random.IntN(sum)
	i := 0
	for ; n >= kinds[i].weight; i++ {
		n -= kinds[i].weight
	}
	switch err := kinds[i].do(r, ctx); {
	case errors.Is(err, errAway):
		return nil
	case err != nil:
		return err
	}
	if kinds[i].kills {
		r.tally.kills[kinds[i].name]++
	} else {
		r.tally.others[kinds[i].name]++
	}
	return nil
}

func (r *round) kill(m *member) error {
	if !m.runs() || m.ended() {
		return errAway
	}
	m.strike()
	return nil
}

// killDaemon kills the one that leads, or the one that does not. Where nobody says
// that he leads, the first is taken for it.
func (r *round) killDaemon(ctx context.Context, leads bool) error {
	m, other := r.lead(ctx)
	if !leads {
		m = other
	}
	return r.kill(m)
}

func (r *round) lead(ctx context.Context) (leader, other *member) {
	if d, _ := r.leader(ctx); d == r.daemons[1] {
		return r.members[1], r.members[0]
	}
	return r.members[0], r.members[1]
}

func (r *round) killServer() error {
	if _, runs := postmaster(r.postgres.dir); !runs {
		return errAway
	}
	killPostmaster(r.postgres.dir)
	return nil
}

// killSeveral kills two or more of all that there is.
func (r *round) killSeveral() error {
	victims := r.random.Perm(5)[:2+r.random.IntN(4)]
	hit := 0
	for _, i := range victims {
		err := error(nil)
		if i == 4 {
			err = r.killServer()
		} else {
			err = r.kill(r.members[i])
		}
		if err == nil {
			hit++
		}
	}
	if hit < 2 {
		return errAway
	}
	return nil
}

func (r *round) askLeader(ctx context.Context) error {
	m, _ := r.lead(ctx)
	if !m.runs() || r.paused[m] {
		return errAway
	}
	m.ask()
	return nil
}

// pauseLeader stops the leader, mostly for so long that the other takes over.
func (r *round) pauseLeader(ctx context.Context) error {
	m, _ := r.lead(ctx)
	return r.pause(m)
}

func (r *round) pause(m *member) error {
	if !m.runs() || r.paused[m] {
		return errAway
	}
	stopped := m.process
	stopped.signal(syscall.SIGSTOP)
	r.paused[m] = true
	r.later(time.Duration(2000+r.random.IntN(14_000))*time.Millisecond, "a pause", func(ctx context.Context) error {
		delete(r.paused, m)
		if d, _ := r.leader(ctx); d != nil && m != r.members[2] && d.program != m.program && !stopped.ended() {
			r.tally.others["leader replaced while stopped"]++
		}
		stopped.signal(syscall.SIGCONT)
		return nil
	})
	return nil
}

// turnClock sets the clock an hour forth or back, or right again.
func (r *round) turnClock() error {
	switch {
	case r.ahead != 0:
		return r.setClock(0)
	case r.random.IntN(2) == 0:
		return r.setClock(time.Hour)
	default:
		return r.setClock(-time.Hour)
	}
}

// setClock sets the clock, but not while statements sleep in the server: they go by it,
// and one that is set back would keep them asleep, and all that they lock.
func (r *round) setClock(ahead time.Duration) error {
	if r.outage == slowStatement {
		return errAway
	}
	r.ahead = ahead
	return r.clock.set(ahead)
}

// disturbServer lets the server suffer for a while. It suffers from one thing at a time.
func (r *round) disturbServer(ctx context.Context, o *outage) error {
	if r.outage != "" || o.disk && r.diskless {
		return errAway
	}
	begin, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	end, err := o.begin(begin, r.postgres)
	if end == nil && err != nil { // killed a moment ago, or not yet up again
		return errAway
	}
	r.outage = o.name
	r.later(time.Duration(300+r.random.IntN(5000))*time.Millisecond, "database: "+o.name, func(ctx context.Context) error {
		err := poll(ctx, func() (bool, error) { return end(ctx) == nil, nil })
		r.outage = ""
		return err
	})
	return nil
}

// later ends something in a while.
func (r *round) later(after time.Duration, what string, end func(context.Context) error) {
	r.due = append(r.due, due{time.Now().Add(after), what, end})
}

//go:build crash

package crash

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// A round is one chain with a crew to which things happen, from when the crew has
// begun until the games are over. All that is drawn follows from the round's seed. One
// goroutine does everything, so that what happens at a time is in an order.
type round struct {
	*crew
	random  *rand.Rand
	members []*member // the daemons, the worker, the planner
	tally   tally

	paused  map[*member]bool
	outage  string        // what the server suffers from at this time; empty: nothing
	ahead   time.Duration // what the clock shows too much
	due     []due
	healing bool // nothing more is to happen
}

// due is what ends by itself, and how.
type due struct {
	at   time.Time
	what string
	end  func(context.Context) error
}

// tally is what happened in rounds, by kind.
type tally struct{ kills, others map[string]int }

func newTally() tally { return tally{map[string]int{}, map[string]int{}} }

// newRound has a crew ready. Env is the daemons', for a round that is to fail.
func newRound(t *testing.T, seed uint64, env ...string) *round {
	t.Helper()
	r := &round{random: rand.New(rand.NewPCG(seed, 0xc4a05)), tally: newTally(), paused: map[*member]bool{}}
	var flags []string
	if r.random.IntN(2) == 0 { // the leader is a worker too
		flags = []string{"--backfill-workers", "1", "--backfill-from-slot", strconv.Itoa(firstSlot)}
	}
	r.crew = newCrew(t, true, flags...)
	clock := r.clock.env()
	for i, d := range r.daemons {
		m := &member{program: d.program, name: fmt.Sprintf("daemon %d", i+1), env: append(env, clock), points: store.CrashPoints()}
		if len(env) > 0 {
			m.gives = []int{4} // a weakness bears no faults of its own
		}
		r.members = append(r.members, m)
	}
	r.members = append(r.members,
		&member{program: r.worker, name: "worker", env: []string{clock}, points: workerPoints(), gives: []int{4}},
		&member{program: r.planner, name: "planner", env: []string{clock}, gives: []int{4}, once: true})
	return r
}

// live plays the round and holds what is left against an undisturbed run's.
func (r *round) live(t *testing.T, want string) error {
	t.Helper()
	ctx := t.Context()
	if err := r.begin(ctx, r.members[0].env...); err != nil {
		return err
	}
	for _, m := range r.members[2:] {
		if err := m.run(nil); err != nil {
			return err
		}
	}
	if err := r.node.chain.Faults.Inject(int64(r.random.Uint64()>>1), r.faults()...); err != nil {
		return err
	}
	if err := r.suffer(ctx); err != nil {
		return err
	}
	if err := r.recover(ctx); err != nil {
		return err
	}
	if err := r.stop(); err != nil {
		return err
	}
	return r.judge(ctx, t, want)
}

// faults draws what goes wrong with the node all the while. Forks are the chain's, a
// node that keeps less of logs makes another record, and calls that hang would make a
// round last by their time limit.
func (r *round) faults() []simchain.Fault {
	var drawn []simchain.Fault
	for _, k := range simchain.FaultKinds() {
		switch k.Fault {
		case "forks", "truncate", "hang":
			continue
		}
		if !k.Lie && r.random.IntN(4) == 0 {
			drawn = append(drawn, k.Fault)
		}
	}
	return drawn
}

// between is how long it is quiet between two strikes, on average.
const between = 350 * time.Millisecond

// suffer has things happen until the games are over.
func (r *round) suffer(ctx context.Context) error {
	next := time.NewTimer(between)
	defer next.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-r.node.chain.Done():
			return nil
		case <-next.C:
			if err := r.strike(ctx); err != nil {
				return err
			}
			next.Reset(time.Duration(r.random.Int64N(int64(2 * between))))
		case <-tick.C:
		}
		if err := r.keep(ctx); err != nil {
			return err
		}
	}
}

// keep ends what is due to end, and starts what has ended again.
func (r *round) keep(ctx context.Context) error {
	for i := 0; i < len(r.due); i++ {
		if d := r.due[i]; r.healing || !time.Now().Before(d.at) {
			if err := d.end(ctx); err != nil {
				return fmt.Errorf("end %s: %w", d.what, err)
			}
			r.due = append(r.due[:i], r.due[i+1:]...)
			i--
		}
	}
	for _, m := range r.members {
		if err := r.keepUp(m); err != nil {
			return err
		}
	}
	return nil
}

func (r *round) keepUp(m *member) error {
	switch {
	case m.over:
		return nil
	case !m.back.IsZero():
		if time.Now().Before(m.back) {
			return nil
		}
		random := r.random
		if r.healing {
			random = nil
		}
		return m.run(random)
	case !m.ended():
		return nil
	}
	atPoint, err := m.ending()
	if err != nil {
		return err
	}
	if atPoint {
		r.tally.kills["at named points"]++
	}
	// Away for a while: there must be something to miss.
	m.back = time.Now().Add(time.Duration(r.random.IntN(600)) * time.Millisecond)
	return nil
}

// recover heals everything and waits until the record is whole.
func (r *round) recover(ctx context.Context) error {
	r.healing = true
	r.node.chain.Faults.Heal()
	last := int64(r.node.chain.FinalizedSlot())
	err := poll(ctx, func() (bool, error) {
		if err := r.keep(ctx); err != nil {
			return false, err
		}
		if err := r.setClock(0); err != nil && !errors.Is(err, errAway) {
			return false, err
		}
		return r.ahead == 0 && r.settled() && r.members[3].over && r.whole(ctx, last), nil
	})
	if err == nil {
		return nil
	}
	var logs strings.Builder
	for _, m := range r.members {
		fmt.Fprintf(&logs, "\n%s: %s", m.name, tail(m.program.log))
	}
	return fmt.Errorf("the record does not become whole after %v: %w%s", r.tally, err, logs.String())
}

// settled reports whether everybody runs who is to run on, and has those killed that may
// still die by themselves: in good order they would come by a crash point.
func (r *round) settled() bool {
	all := true
	for _, m := range r.members {
		if m.runs() && m.point != "" && !m.killed {
			m.strike()
		}
		all = all && (m.over || m.runs() && !m.killed && !m.asked)
	}
	return all
}

var errAway = errors.New("there is nobody to hit just now")

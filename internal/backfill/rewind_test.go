package backfill

import (
	"testing"
	"time"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store/storetest"
)

// What was planned, put off or led by a clock that was an hour ahead is worked at once
// when it has been set back.
func TestAClockThatIsSetBackHoldsNothingUp(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 100}, "all")
	want := storetest.Content(t, p.walked(t).dsn)
	r := p.bound(t)
	if pages := plan(t, p, r, 60); pages < 3 {
		t.Fatalf("%d pages, want three kinds of them", pages)
	}
	exec(t, r, `update audit_jobs.river_job set scheduled_at = now() + interval '1 hour',
		state = (case id % 3 when 0 then 'available' when 1 then 'retryable' else 'scheduled' end)::audit_jobs.river_job_state`)
	exec(t, r, `insert into audit_jobs.river_leader (elected_at, expires_at, leader_id, name)
		values (now() + interval '59 minutes', now() + interval '1 hour', 'history-gone', 'default')`)
	work(t, r, p.workers(t, r))
	if ahead := scan[int](t, r, `select count(*) from audit_jobs.river_leader where expires_at > now() + interval '30 minutes'`); ahead > 0 {
		t.Error("nobody can lead the queue for an hour")
	}
	storetest.Same(t, "pages planned by another clock", want, storetest.Content(t, r.dsn))
}

// A page that is put off for good reason stays so.
func TestRewindLeavesPausesAlone(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 20}, "")
	r := p.bound(t)
	plan(t, p, r, 60)
	exec(t, r, `update audit_jobs.river_job set scheduled_at = now() + interval '5 minutes', state = 'retryable'`)
	if err := r.queue.rewind(bounded(t)); err != nil {
		t.Fatal(err)
	}
	if due := scan[int](t, r, `select count(*) from audit_jobs.river_job where scheduled_at < now() + interval '4 minutes'`); due > 0 {
		t.Errorf("%d pages that were put off by five minutes are due", due)
	}
}

// The queue of calls is as long after the clock was set back as it was before.
func TestTheQueueOfCallsOutlivesAClockThatIsSetBack(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	r := p.unbound(t)
	if err := r.HoldCalls(bounded(t), "n", 3*time.Hour); err != nil {
		t.Fatal(err)
	}
	for _, moved := range []string{"free = free + 36000, told = told + 36000", "free = free - 3600, told = told - 3600"} { // ten hours back, one forth
		exec(t, r, `update audit.call_queue set `+moved)
		wait, err := r.ReserveCalls(bounded(t), "n", 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		t.Log(moved, wait)
		if wait < 2*time.Hour-time.Minute || wait > 3*time.Hour+time.Minute {
			t.Errorf("%s: a call waits for %v, want three hours, or two after an hour that was skipped", moved, wait)
		}
	}
}

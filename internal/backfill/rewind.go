package backfill

import (
	"context"
	"fmt"
	"strconv"
)

// mostAhead, in seconds, is longer than anything in the queue is ever put off: a page
// by five minutes (NextRetry), the term of the client that moves pages on by less.
const mostAhead = 600

// rewind makes due what is put off by longer than anything is: the clock has been set
// back since. Else pages that were planned or put off before would wait until it shows
// that time again, and so would whoever is to move pages on when the client that did
// so is gone.
func (q *Queue) rewind(ctx context.Context) error {
	ahead := `now() + interval '` + strconv.Itoa(mostAhead) + ` seconds'`
	// The queue's own index on state, queue, priority and time leads to such rows alone.
	for _, statement := range []string{
		`update audit_jobs.river_job set scheduled_at = now(), state = 'available'
			where state in ('available', 'retryable', 'scheduled') and queue = '` + kind + `' and priority = 1 and scheduled_at > ` + ahead,
		`delete from audit_jobs.river_leader where expires_at > ` + ahead,
	} {
		if _, err := q.pool.Exec(ctx, statement); err != nil {
			return fmt.Errorf("rewind the job queue: %w", err)
		}
	}
	return nil
}

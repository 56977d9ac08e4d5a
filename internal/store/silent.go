package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// silentFor is how long a leader may be without a statement before its process is
// taken for stopped. [Writer.Beat] is there to be heard of more often.
const silentFor = 10 * time.Second

// A sighting is a leader's idle session as it was seen last. A session of which
// nothing is heard looks the same each time, and for how long is measured by the
// clock of who looks: the server's may be set while somebody waits, forth, and a
// leader that is well would seem silent, or back, and one that is not would seem
// heard of until the clock is there again.
type sighting struct {
	backend
	changed time.Time // when its last statement ended, by the server's clock
	since   time.Time // when it was first seen so, by ours
}

// endSilent ends the session that has the lock if nothing was heard of it for long,
// and reports whether it did. Where the server does not show or allow it, the session
// stays. For as long as somebody waits for the lock this is called every few moments.
func (w *Writer) endSilent(ctx context.Context, last *sighting) (ended bool, err error) {
	now := sighting{since: time.Now()}
	err = w.conn.QueryRow(ctx, `select a.pid, a.backend_start, a.state_change`+holdsLock+`
		and a.state like 'idle%'`, lockKey).Scan(&now.pid, &now.start, &now.changed)
	switch {
	case errors.Is(err, pgx.ErrNoRows), Refused(err):
		*last = sighting{}
		return false, nil
	case err != nil:
		return false, fmt.Errorf("look for a silent leader: %w", err)
	case !now.same(last):
		*last = now
		return false, nil
	case time.Since(last.since) <= silentFor:
		return false, nil
	}
	err = w.conn.QueryRow(ctx, `select count(pg_terminate_backend(a.pid)) > 0`+holdsLock+`
		and a.pid = $2 and a.backend_start = $3 and a.state_change = $4`, lockKey, now.pid, now.start, now.changed).Scan(&ended)
	if err != nil && !Refused(err) {
		return false, fmt.Errorf("end a silent leader's session: %w", err)
	}
	*last = sighting{} // the session may be seen for a moment yet: it has been told
	return ended, nil
}

// same reports whether nothing was heard of a session between two sightings.
func (s *sighting) same(other *sighting) bool {
	return s.pid == other.pid && s.start.Equal(other.start) && s.changed.Equal(other.changed)
}

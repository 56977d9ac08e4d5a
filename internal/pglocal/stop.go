package pglocal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

const (
	// cancelPatience is how long a start that failed gives its server to end.
	cancelPatience = 10 * time.Second
	// quitPatience is how long a server told to quit gets; by itself it kills
	// its children after 5 s.
	quitPatience = 8 * time.Second
)

// Stop shuts the server down: open transactions are rolled back, what is
// committed is written out, and the folder is free for another. If ctx ends
// before that, the server is made to quit at once and the next start recovers
// what is committed from its log. Either way it has ended when Stop returns.
//
// The result is that of Err, or that of a shutdown cut short. Calling Stop
// again waits for the first call and returns the same.
func (s *Server) Stop(ctx context.Context) error {
	s.stopOnce.Do(func() {
		s.stopErr = errors.Join(s.end(ctx), s.lock.release())
	})
	return s.stopErr
}

// end ends the process and closes what belongs to it, except the lock.
func (s *Server) end(ctx context.Context) error {
	err := s.shutDown(ctx)
	_ = s.Err() // reads the log for later askers
	// Not empty if the server was killed; then the next one cleans up.
	_ = os.Remove(s.sockets)
	return errors.Join(err, s.log.file.Close())
}

// shutDown raises the pressure until the process is gone. The modes of
// shutdown are PostgreSQL's: fast on SIGINT, immediate on SIGQUIT.
func (s *Server) shutDown(ctx context.Context) error {
	_ = s.process.cmd.Process.Signal(syscall.SIGINT) // fails if it has ended
	select {
	case <-s.process.done:
		return s.Err()
	case <-ctx.Done():
	}
	_ = s.process.cmd.Process.Signal(syscall.SIGQUIT)
	select {
	case <-s.process.done:
	case <-time.After(quitPatience):
		s.process.killGroup()
		<-s.process.done
	}
	return fmt.Errorf("PostgreSQL shutdown cut short: %w", context.Cause(ctx))
}

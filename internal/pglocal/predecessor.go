package pglocal

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// predecessorPatience is how long a start waits for what a dead daemon or
	// a dead server left. After that postgres's refusal stands.
	predecessorPatience = 30 * time.Second
	predecessorFirst    = 50 * time.Millisecond // first pause between attempts
	predecessorMax      = time.Second           // longest pause
)

// succeed calls launch again while postgres refuses to take the folder over
// from a server that is not gone yet. As we hold the lock, that one has no
// daemon: it is shutting down because its daemon died, or, where the kernel
// does not tell it, runs on and is told here; or it was killed and its
// children outlive it by a moment. Who is gone is for postgres to judge.
//
// launch returns an error only when its own server has ended.
func (s *Server) succeed(ctx context.Context, launch func() error) error {
	deadline := time.Now().Add(predecessorPatience)
	for wait := predecessorFirst; ; wait = min(2*wait, predecessorMax) {
		_, before := postmasterPID(s.data)
		err := launch()
		// A server that ended took its postmaster.pid along. One that is there
		// is another's, which ours has respected; one that was there may have
		// gone only after ours gave up.
		pid, after := postmasterPID(s.data)
		if err == nil || !before && !after || time.Now().After(deadline) {
			return err
		}
		// The pid may be another program's by now. Only a server that answers
		// and works in data proves that the file is true.
		if after && serves(ctx, s.URL(maintenanceDB), s.data) {
			_ = syscall.Kill(pid, syscall.SIGINT) // fails if it has ended
		}
		if pause(ctx, wait) != nil {
			return err
		}
	}
}

// pause waits for d, or returns why ctx ended before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// postmasterPID reads the pid of the server that runs, or last ran, in data.
func postmasterPID(data string) (int, bool) {
	file, err := os.Open(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return 0, false
	}
	defer file.Close()
	line, err := bufio.NewReader(file).ReadString('\n')
	if err != nil {
		return 0, false
	}
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	return pid, err == nil && pid > 1
}

// serves tells whether a server answers at url and its data folder is data.
func serves(ctx context.Context, url, data string) bool {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return false
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var dir string
	if err := conn.QueryRow(ctx, `show data_directory`).Scan(&dir); err != nil {
		return false
	}
	return dir == data
}

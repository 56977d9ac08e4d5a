package pglocal

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// predecessorPatience is how long a start waits for a server that a dead
// daemon left. After that postgres judges what its postmaster.pid means.
const predecessorPatience = 30 * time.Second

// awaitPredecessor returns when no server of an earlier daemon runs in data,
// or when it has waited long enough. The caller holds the lock, so such a
// server has no daemon: it is shutting down because its daemon died, or, where
// the kernel does not tell it, it runs on and is told here.
func awaitPredecessor(ctx context.Context, data, url string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, predecessorPatience, errPatience)
	defer cancel()
	for {
		pid, ok := postmasterPID(data)
		if !ok || !alive(pid) {
			return nil
		}
		// The pid may be another program's by now. Only a server that answers
		// and works in data proves that the file is true: postgres lets no
		// second one into the folder.
		if serves(ctx, url, data) {
			_ = syscall.Kill(pid, syscall.SIGINT)
		}
		select {
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errPatience) {
				return nil
			}
			return fmt.Errorf("waiting for an earlier server (process %d) to end: %w", pid, context.Cause(ctx))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

var errPatience = errors.New("waited long enough")

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

func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
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

//go:build crashpoints

package store

import (
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// passed counts how often the point of this process was passed. It is the one
// thing here that outlives a call, and no build for use has it.
var passed atomic.Int64

// CrashAt kills the process, as kill -9 would, when it passes the point that
// MINESAUDIT_CRASH_AT=name[:n] names for the n-th time.
func CrashAt(p CrashPoint) {
	name, count, counted := strings.Cut(os.Getenv("MINESAUDIT_CRASH_AT"), ":")
	if name != string(p) {
		return
	}
	n := int64(1)
	if counted {
		n, _ = strconv.ParseInt(count, 10, 64)
	}
	if passed.Add(1) != n {
		return
	}
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // the signal is on its way
}

// Weak tells whether MINESAUDIT_WEAKNESS names the weakness.
func Weak(w Weakness) bool { return os.Getenv("MINESAUDIT_WEAKNESS") == string(w) }

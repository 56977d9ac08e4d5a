//go:build bench

package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// tick is the unit of processor times in /proc, 1/100 s on every Linux that Go runs on.
const tick = 0.01

// cpuSeconds is the processor time of a process, user and system, and with
// reaped that of its children that have ended. Unlike time on the clock it
// hardly depends on what else the machine does.
func cpuSeconds(pid int, reaped bool) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name in parentheses may hold anything; utime is the 14th field.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	last := 13
	if reaped {
		last = 15
	}
	if len(fields) < last {
		return 0, fmt.Errorf("/proc/%d/stat is short", pid)
	}
	sum := 0.0
	for _, field := range fields[11:last] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, fmt.Errorf("/proc/%d/stat: %w", pid, err)
		}
		sum += ticks * tick
	}
	return sum, nil
}

// serverCPU is the processor time of the server so far, all its processes.
func (b *Bench) serverCPU() (float64, error) {
	text, err := os.ReadFile(filepath.Join(b.dir, "pg", "data", "postmaster.pid"))
	if err != nil {
		return 0, err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	if err != nil {
		return 0, fmt.Errorf("postmaster.pid: %w", err)
	}
	sum, err := cpuSeconds(pid, true)
	if err != nil {
		return 0, err
	}
	children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return 0, err
	}
	for _, child := range strings.Fields(string(children)) {
		pid, err := strconv.Atoi(child)
		if err != nil {
			return 0, fmt.Errorf("children of the server: %w", err)
		}
		if s, err := cpuSeconds(pid, false); err == nil { // else it has just ended
			sum += s
		}
	}
	return sum, nil
}

// chargeServer runs something and gives the server's processor time meanwhile.
func (b *Bench) chargeServer(f func() error) (float64, error) {
	before, err := b.serverCPU()
	if err != nil {
		return 0, err
	}
	if err := f(); err != nil {
		return 0, err
	}
	after, err := b.serverCPU()
	return after - before, err
}

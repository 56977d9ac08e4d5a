package pglocal

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// ErrInUse means that another process, or another Server of this one, runs its
// server in the folder.
var ErrInUse = errors.New("data folder in use")

// lock is the right to run a server in a folder. The kernel ends it with the
// process, so a file that is left behind locks nobody out.
type lock struct{ file *os.File }

// acquire locks dir, or returns ErrInUse at once.
func acquire(dir string) (*lock, error) {
	path := filepath.Join(dir, "lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("locking the data folder: %w", err)
	}
	err = retryInterrupted(func() error { return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
	if errors.Is(err, syscall.EWOULDBLOCK) {
		holder := readHolder(file)
		file.Close()
		return nil, fmt.Errorf("%w: %s is held by %s; stop it or choose another data folder", ErrInUse, dir, holder)
	}
	if err == nil {
		err = writeHolder(file)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return &lock{file}, nil
}

// release unlocks explicitly: closing alone leaves the lock with a child that
// is between fork and exec at this moment.
func (l *lock) release() error {
	err := syscall.Flock(int(l.file.Fd()), syscall.LOCK_UN)
	if err := errors.Join(err, l.file.Close()); err != nil {
		return fmt.Errorf("unlocking %s: %w", l.file.Name(), err)
	}
	return nil
}

// readHolder names the process that holds the lock. It may have only just got
// it and not have written its pid yet.
func readHolder(file *os.File) string {
	content, err := io.ReadAll(io.LimitReader(file, 32))
	pid, parseErr := strconv.Atoi(strings.TrimSpace(string(content)))
	if err != nil || parseErr != nil {
		return "another process"
	}
	return "process " + strconv.Itoa(pid)
}

func writeHolder(file *os.File) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	return err
}

func retryInterrupted(f func() error) error {
	for {
		if err := f(); !errors.Is(err, syscall.EINTR) {
			return err
		}
	}
}

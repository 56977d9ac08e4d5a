package pglocal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// DefaultDir is the data folder for when none is given: /var/lib/minesaudit
// for root, else minesaudit in $XDG_DATA_HOME or ~/.local/share. Without a
// home it is minesaudit-data in the current folder. It makes nothing.
func DefaultDir() string {
	if os.Geteuid() == 0 {
		return "/var/lib/minesaudit"
	}
	// A relative value is to be ignored, says the XDG specification.
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "minesaudit")
	}
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		return filepath.Join(home, ".local", "share", "minesaudit")
	}
	return "minesaudit-data"
}

// makeDir makes dir and returns its absolute path without symbolic links: one
// name a folder, whichever way it is reached. An existing folder stays as it is.
func makeDir(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("no data folder given")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("finding the data folder: %w", err)
	}
	// Under root the server's user has to pass, whatever the umask; it reads
	// nothing there but the cluster, which is its own.
	mode := fs.FileMode(0o700)
	if os.Geteuid() == 0 {
		mode = 0o711
	}
	if err := mkdirAll(dir, mode); err != nil {
		return "", fmt.Errorf("making the data folder: %w", err)
	}
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("finding the data folder: %w", err)
	}
	return dir, nil
}

// mkdirAll is os.MkdirAll with the umask left out.
func mkdirAll(dir string, mode fs.FileMode) error {
	info, err := os.Stat(dir)
	if err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a folder", dir)
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := mkdirAll(filepath.Dir(dir), mode); err != nil {
		return err
	}
	if err := os.Mkdir(dir, mode); err != nil {
		if errors.Is(err, fs.ErrExist) { // somebody else made it meanwhile
			return nil
		}
		return err
	}
	return os.Chmod(dir, mode)
}

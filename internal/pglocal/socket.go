package pglocal

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// socketPort is part of the socket's file name; nothing listens on TCP.
const socketPort = "5432"

// socketDir is the folder of the socket of the server in dir (absolute, no
// symbolic links). /tmp by name: TMPDIR may be long, and differs by user.
func socketDir(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return filepath.Join("/tmp", "minesaudit-"+hex.EncodeToString(sum[:8]))
}

// makeSocketDir makes path for a alone, or takes it as an earlier run left it.
// Everyone may write in /tmp, so a folder that somebody else put there is
// refused: its owner could put a socket of his own in the server's place.
func makeSocketDir(path string, a account) error {
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("making the socket's folder: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("checking the socket's folder: %w", err)
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	ours := owner == a.uid || owner == uint32(os.Geteuid())
	if !ours || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return fmt.Errorf("the socket's folder %s is not a private folder of %s (mode %v, owner %d): remove it", path, a.name, info.Mode(), owner)
	}
	// Still ours if an earlier run was killed at this point. /tmp is sticky:
	// nobody else can have exchanged it since the check.
	if owner != a.uid {
		if err := os.Lchown(path, int(a.uid), int(a.gid)); err != nil {
			return fmt.Errorf("giving the socket's folder to %s: %w", a.name, err)
		}
	}
	return nil
}

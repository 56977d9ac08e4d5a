package pglocal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	// superuser owns the cluster and everything in it, whoever runs the server.
	superuser = "minesaudit"

	initPrefix = "init-" // of the folders in which initdb works

	leftoverPatience = 10 * time.Second
	leftoverPause    = 20 * time.Millisecond
)

// ErrOtherMajor means that the data folder was made by a PostgreSQL major
// version of which the machine has no programs. The data are untouched.
var ErrOtherMajor = errors.New("data folder of another PostgreSQL major version")

func otherMajor(data, version string, have []programs) error {
	return fmt.Errorf("%w: %s was made by version %s, the machine has %s; %s; or move its content over with pg_upgrade; or choose another data folder",
		ErrOtherMajor, data, version, list(have), installHint(leadingInt(version)))
}

// clusterVersion returns the content of PG_VERSION in data, such as "15", or
// "" if data does not exist or is empty. A folder with anything else in it is
// an error: it is somebody's, and not ours to replace.
func clusterVersion(data string) (string, error) {
	version, err := os.ReadFile(filepath.Join(data, "PG_VERSION"))
	if err == nil {
		return strings.TrimSpace(string(version)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("reading the version of the cluster: %w", err)
	}
	entries, err := os.ReadDir(data)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("looking for a cluster: %w", err)
	}
	if len(entries) > 0 {
		return "", fmt.Errorf("%s holds files but no PG_VERSION: it is not a PostgreSQL cluster; move it away or choose another data folder", data)
	}
	return "", nil
}

// createCluster makes DIR/data. Everything happens in a folder beside it that
// is renamed when it is whole and on disk: killed before the rename, the next
// start finds no cluster and a leftover; killed after it, a cluster.
func createCluster(ctx context.Context, dir string, p programs, a account, noFsync bool) error {
	work, err := os.MkdirTemp(dir, initPrefix)
	if err != nil {
		return fmt.Errorf("making a folder for initdb: %w", err)
	}
	defer os.RemoveAll(work) // after the rename there is nothing left to remove
	if err := os.Lchown(work, int(a.uid), int(a.gid)); err != nil {
		return fmt.Errorf("giving the initdb folder to %s: %w", a.name, err)
	}
	if err := initdb(ctx, work, p, a, noFsync); err != nil {
		return err
	}
	data := filepath.Join(dir, "data")
	// An empty folder may be there already; os.Rename replaces no folder, and
	// rmdir removes nothing else.
	if err := syscall.Rmdir(data); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replacing the empty folder %s: %w", data, err)
	}
	if err := os.Rename(work, data); err != nil {
		return fmt.Errorf("putting the new cluster in place: %w", err)
	}
	if noFsync {
		return nil
	}
	return syncFolder(dir)
}

func initdb(ctx context.Context, work string, p programs, a account, noFsync bool) error {
	args := []string{
		"--pgdata=" + work,
		"--username=" + superuser,
		"--auth-local=trust", // the socket's folder is the fence, see the package comment
		"--auth-host=reject",
		"--encoding=UTF8",
		"--no-locale", // byte order: the same on every machine, and fast
		"--data-checksums",
		"--no-instructions",
	}
	if noFsync {
		args = append(args, "--no-sync")
	}
	var output bytes.Buffer
	cmd := exec.Command(p.path("initdb"), args...)
	cmd.Dir = work
	cmd.Env = serverEnv()
	cmd.Stdout, cmd.Stderr = &output, &output
	cmd.SysProcAttr = childAttr(a, syscall.SIGKILL)
	proc, err := startProcess(cmd)
	if err != nil {
		return fmt.Errorf("starting %s: %w", cmd.Path, err)
	}
	select {
	case <-proc.done:
	case <-ctx.Done():
		// Its children hold the output pipe, so done means that they are gone
		// too and nobody writes into the folder any more.
		proc.killGroup()
		<-proc.done
		return fmt.Errorf("running initdb: %w", context.Cause(ctx))
	}
	if proc.err != nil {
		return fmt.Errorf("running %s: %w\n%s", cmd.Path, proc.err, lastBytes(output.Bytes(), logTail))
	}
	return nil
}

// removeLeftovers deletes what initdb runs that were killed have left in dir.
// A run killed a moment ago may still have a child that writes files, until
// it finds its input closed.
func removeLeftovers(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, leftoverPatience)
	defer cancel()
	leftovers, err := filepath.Glob(filepath.Join(globEscape(dir), initPrefix+"*"))
	if err != nil {
		return fmt.Errorf("looking for unfinished clusters: %w", err)
	}
	for _, path := range leftovers {
		for {
			err := os.RemoveAll(path)
			if err == nil {
				break
			}
			if !errors.Is(err, syscall.ENOTEMPTY) || pause(ctx, leftoverPause) != nil {
				return fmt.Errorf("removing an unfinished cluster: %w", err)
			}
		}
	}
	return nil
}

func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// syncFolder makes the names in dir survive a power cut.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	defer f.Close()
	if err := f.Sync(); err != nil {
		return fmt.Errorf("syncing %s: %w", dir, err)
	}
	return nil
}

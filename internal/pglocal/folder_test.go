package pglocal

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestFolderInUse(t *testing.T) {
	dir := clusterDir(t)
	daemon, output := startHolder(t, dir)
	awaitHolder(t, output)
	_, err := Start(within(t), Options{Dir: dir})
	if !errors.Is(err, ErrInUse) {
		t.Fatalf("error %v", err)
	}
	for _, want := range []string{dir, "process " + strconv.Itoa(daemon.Process.Pid)} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not name %s: %v", want, err)
		}
	}
	link := dir + ".link"
	check(t, os.Symlink(dir, link))
	defer os.Remove(link)
	if _, err := Start(within(t), Options{Dir: link}); !errors.Is(err, ErrInUse) {
		t.Errorf("by another name of the folder: %v", err)
	}
}

func TestFolderInUseByThisProcess(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	if _, err := Start(within(t), Options{Dir: dir}); !errors.Is(err, ErrInUse) {
		t.Errorf("error %v", err)
	}
	stop(t, s)
	run(t, Options{Dir: dir})
}

func TestTwoFolders(t *testing.T) {
	first, second := run(t, Options{Dir: clusterDir(t)}), run(t, Options{Dir: clusterDir(t)})
	mark(t, first)
	mark(t, second) // would be there already
	checkMark(t, first)
}

func TestOtherMajorVersion(t *testing.T) {
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	mark(t, s)
	stop(t, s)
	versionFile := filepath.Join(s.data, "PG_VERSION")
	original, err := os.ReadFile(versionFile)
	check(t, err)
	for _, other := range []string{"14", "9.6", "99"} {
		check(t, os.WriteFile(versionFile, []byte(other+"\n"), 0o600))
		before := contents(t, s.data)
		_, err := Start(within(t), Options{Dir: dir})
		if !errors.Is(err, ErrOtherMajor) {
			t.Fatalf("%s: error %v", other, err)
		}
		for _, want := range []string{s.data, "version " + other, s.programs.version, "install"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("the error does not say %q: %v", want, err)
			}
		}
		if !maps.Equal(before, contents(t, s.data)) {
			t.Errorf("%s: the data were touched", other)
		}
	}
	check(t, os.WriteFile(versionFile, original, 0o600))
	checkMark(t, run(t, Options{Dir: dir}))
}

func TestFolderOfSomethingElse(t *testing.T) {
	dir := openDir(t)
	data := filepath.Join(dir, "data")
	check(t, os.Mkdir(data, 0o700))
	check(t, os.WriteFile(filepath.Join(data, "thesis.txt"), []byte("years"), 0o600))
	before := contents(t, data)
	if _, err := Start(within(t), Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), data) {
		t.Errorf("error %v", err)
	}
	if !maps.Equal(before, contents(t, data)) {
		t.Error("the files were touched")
	}
}

func TestEmptyDataFolder(t *testing.T) {
	dir := openDir(t)
	check(t, os.Mkdir(filepath.Join(dir, "data"), 0o755))
	mark(t, run(t, Options{Dir: dir}))
}

func TestLeftoversAreRemoved(t *testing.T) {
	dir := clusterDir(t)
	check(t, os.MkdirAll(filepath.Join(dir, initPrefix+"123", "base", "1"), 0o700))
	check(t, os.WriteFile(filepath.Join(dir, initPrefix+"123", "PG_VERSION"), []byte("15\n"), 0o600))
	check(t, os.WriteFile(filepath.Join(dir, "initial-notes"), nil, 0o600))
	run(t, Options{Dir: dir})
	checkNoLeftovers(t, dir)
	if !exists(filepath.Join(dir, "initial-notes")) {
		t.Error("a file of somebody else's was removed")
	}
}

func TestSocketFolderOfSomebodyElse(t *testing.T) {
	dir := clusterDir(t)
	sockets := socketDir(dir)
	target := openDir(t)
	for name, plant := range map[string]func() error{
		"open to all": func() error { return errors.Join(os.Mkdir(sockets, 0o700), os.Chmod(sockets, 0o777)) },
		"a link":      func() error { return os.Symlink(target, sockets) },
		"a file":      func() error { return os.WriteFile(sockets, nil, 0o700) },
		"of another owner": func() error {
			if os.Geteuid() != 0 {
				return os.Symlink(target, sockets) // only root can give away
			}
			return errors.Join(os.Mkdir(sockets, 0o700), os.Chown(sockets, 4242, 4242))
		},
	} {
		check(t, plant())
		if _, err := Start(within(t), Options{Dir: dir, NoFsync: true}); err == nil || !strings.Contains(err.Error(), sockets) {
			t.Errorf("%s: error %v", name, err)
		}
		check(t, os.Remove(sockets))
	}
	// As a run leaves it that is killed between making and giving away.
	check(t, os.Mkdir(sockets, 0o700))
	mark(t, run(t, Options{Dir: dir}))
}

func TestUnusableFolders(t *testing.T) {
	file := filepath.Join(openDir(t), "file")
	check(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{"", file, filepath.Join(file, "below")} {
		if _, err := Start(within(t), Options{Dir: dir}); err == nil {
			t.Errorf("%q was taken", dir)
		}
	}
}

func TestServerLogIsMovedAway(t *testing.T) {
	dir := clusterDir(t)
	path := filepath.Join(dir, "server.log")
	check(t, os.WriteFile(path, nil, 0o600))
	check(t, os.Truncate(path, logMax+1))
	run(t, Options{Dir: dir})
	old, err := os.Stat(path + ".1")
	check(t, err)
	current, err := os.Stat(path)
	check(t, err)
	if old.Size() != logMax+1 || current.Size() == 0 || current.Size() > logMax {
		t.Errorf("the old log has %d bytes, the new one %d", old.Size(), current.Size())
	}
}

func TestDefaultDir(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", "/xdg")
	t.Setenv("HOME", "/home/of-test")
	if os.Geteuid() == 0 {
		if got := DefaultDir(); got != "/var/lib/minesaudit" {
			t.Errorf("root's folder is %s", got)
		}
		return
	}
	for xdg, want := range map[string]string{
		"/xdg":     "/xdg/minesaudit",
		"relative": "/home/of-test/.local/share/minesaudit",
		"":         "/home/of-test/.local/share/minesaudit",
	} {
		t.Setenv("XDG_DATA_HOME", xdg)
		if got := DefaultDir(); got != want {
			t.Errorf("with XDG_DATA_HOME=%q: %s, want %s", xdg, got, want)
		}
	}
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("HOME", "")
	if got := DefaultDir(); got != "minesaudit-data" {
		t.Errorf("without a home: %s", got)
	}
}

package pglocal

import (
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root runs the server as another user")
	}
}

func owner(t *testing.T, path string) (uid uint32) {
	t.Helper()
	info, err := os.Stat(path)
	check(t, err)
	return info.Sys().(*syscall.Stat_t).Uid
}

func TestRootRunsTheServerAsAnother(t *testing.T) {
	needRoot(t)
	for name, users := range map[string][]string{"postgres": nil, "nobody": {"no-such-user", "nobody"}} {
		t.Run(name, func(t *testing.T) {
			u, err := user.Lookup(name)
			if err != nil {
				t.Skip(err)
			}
			dir := openDir(t)
			s := run(t, Options{Dir: dir, users: users})
			mark(t, s)
			ps, err := exec.Command("ps", "-o", "uid=", "-o", "pgid=", "-p", strconv.Itoa(s.process.cmd.Process.Pid)).Output()
			check(t, err)
			if got, want := strings.Fields(string(ps)), []string{u.Uid, strconv.Itoa(s.process.cmd.Process.Pid)}; got[0] != want[0] || got[1] != want[1] {
				t.Errorf("user and process group of the server are %v, want %v", got, want)
			}
			if got := strconv.Itoa(int(owner(t, s.data))); got != u.Uid {
				t.Errorf("the cluster belongs to %s", got)
			}
			if owner(t, dir) != 0 || os.Geteuid() != 0 {
				t.Error("the folder or the daemon is not root's any more")
			}
			stop(t, s)
			// Whoever comes first in the list now, the cluster's owner runs it.
			s = run(t, Options{Dir: dir, users: []string{"daemon", "nobody"}})
			checkMark(t, s)
		})
	}
}

func TestRootWithoutAnyOther(t *testing.T) {
	needRoot(t)
	_, err := Start(within(t), Options{Dir: openDir(t), users: []string{"no-such-user"}})
	if err == nil || !strings.Contains(err.Error(), "no-such-user") {
		t.Errorf("error %v", err)
	}
}

func TestClusterOfRoot(t *testing.T) {
	needRoot(t)
	dir := clusterDir(t)
	s := run(t, Options{Dir: dir})
	stop(t, s)
	check(t, os.Chown(s.data, 0, 0))
	if _, err := Start(within(t), Options{Dir: dir}); err == nil || !strings.Contains(err.Error(), "chown -R postgres: "+s.data) {
		t.Errorf("error %v", err)
	}
}

func TestFolderOutOfReach(t *testing.T) {
	needRoot(t)
	closed := filepath.Join(openDir(t), "closed")
	check(t, os.Mkdir(closed, 0o700))
	for _, dir := range []string{closed, filepath.Join(closed, "below", "it")} {
		_, err := Start(within(t), Options{Dir: dir})
		if err == nil || !strings.Contains(err.Error(), closed+" (mode 0700)") {
			t.Errorf("the error does not name what is closed: %v", err)
		}
		if exists(filepath.Join(dir, "data")) {
			t.Error("a cluster was begun out of the server's reach")
		}
	}
}

// Root's folders are open to the server's user whatever the umask.
func TestUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	mark(t, run(t, Options{Dir: filepath.Join(openDir(t), "a", "b")}))
}

// An ordinary user has no other to run as: the same tests, run by nobody.
func TestAsOrdinaryUser(t *testing.T) {
	needRoot(t)
	acct, err := lookupAccount([]string{"nobody"})
	check(t, err)
	dir := openDir(t) // go's build folder is root's alone
	binary := filepath.Join(dir, "pglocal.test")
	copyFile(t, os.Args[0], binary)
	tmp := filepath.Join(dir, "tmp")
	check(t, os.Mkdir(tmp, 0o700))
	check(t, os.Chown(tmp, int(acct.uid), int(acct.gid)))

	tests := []string{"TestDataOutlivesTheServer", "TestDaemonKilledAndStartedAtOnce", "TestFolderInUse", "TestKilledDuringInitdb", "TestDefaultDir"}
	cmd := exec.Command(binary, "-test.v", "-test.run=^("+strings.Join(tests, "|")+")$")
	cmd.Dir = tmp
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: acct.credential()}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, test := range tests {
		if !strings.Contains(string(out), "--- PASS: "+test+" ") {
			t.Errorf("%s did not run:\n%s", test, out)
		}
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	src, err := os.Open(from)
	check(t, err)
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE, 0o755)
	check(t, err)
	_, err = io.Copy(dst, src)
	check(t, err)
	check(t, dst.Close())
}

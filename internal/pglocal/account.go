package pglocal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is the user that the server runs as.
type account struct {
	name     string
	uid, gid uint32
	switches bool // the daemon is root and must become this user to run programs
}

// serverAccount returns the user to run the server as. Under root that is the
// owner of the cluster in data, since PostgreSQL runs as no other, and for a
// cluster to be made (data is "") the first of names that the machine knows.
func serverAccount(data string, names []string) (account, error) {
	if os.Geteuid() != 0 {
		return account{name: "the current user", uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}, nil
	}
	if data == "" {
		return lookupAccount(names)
	}
	info, err := os.Stat(data)
	if err != nil {
		return account{}, fmt.Errorf("looking for the owner of the cluster: %w", err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	if stat.Uid == 0 {
		return account{}, fmt.Errorf("%s belongs to root, as whom PostgreSQL refuses to run: give it back with chown -R %s: %s", data, names[0], data)
	}
	a := account{name: "uid " + strconv.Itoa(int(stat.Uid)), uid: stat.Uid, gid: stat.Gid, switches: true}
	if u, err := user.LookupId(strconv.Itoa(int(stat.Uid))); err == nil {
		a.name = u.Username
	}
	return a, nil
}

func lookupAccount(names []string) (account, error) {
	for _, name := range names {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		// darwin writes nobody's ids as -2.
		uid, uidErr := strconv.ParseInt(u.Uid, 10, 64)
		gid, gidErr := strconv.ParseInt(u.Gid, 10, 64)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return account{}, fmt.Errorf("reading the ids of user %s: %w", name, err)
		}
		return account{name: name, uid: uint32(uid), gid: uint32(gid), switches: true}, nil
	}
	return account{}, fmt.Errorf("PostgreSQL refuses to run as root and there is no user of %q to run it as: create one, or start as another user", names)
}

// credential makes a child run as the account, without other groups; nil means
// as the daemon.
func (a account) credential() *syscall.Credential {
	if !a.switches {
		return nil
	}
	return &syscall.Credential{Uid: a.uid, Gid: a.gid}
}

// checkReach returns an error that names the first folder on the way down to
// dir (absolute, without symbolic links) which the account may not enter.
func (a account) checkReach(dir string) error {
	if !a.switches {
		return nil
	}
	if parent := filepath.Dir(dir); parent != dir {
		if err := a.checkReach(parent); err != nil {
			return err
		}
	}
	info, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("checking the way to the data folder: %w", err)
	}
	stat := info.Sys().(*syscall.Stat_t)
	execute := fs.FileMode(0o001)
	switch {
	case stat.Uid == a.uid:
		execute = 0o100
	case stat.Gid == a.gid:
		execute = 0o010
	}
	if info.Mode().Perm()&execute == 0 {
		return fmt.Errorf("the server runs as %s, who may not enter %s (mode %#o): chmod o+x it or choose another data folder", a.name, dir, info.Mode().Perm())
	}
	return nil
}

package pglocal

import "syscall"

// childAttr makes a child run as a, in a process group of its own. darwin has
// no parent-death signal: what survives the daemon is stopped by the next Start.
func childAttr(a account, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true}
}

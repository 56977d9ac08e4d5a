package pglocal

import "syscall"

// childAttr makes a child run as a, in a process group of its own, and get
// signal when the daemon dies.
func childAttr(a account, signal syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: a.credential(), Setpgid: true, Pdeathsig: signal}
}

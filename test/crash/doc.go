// Package crash holds the daemon to what it promises about crashes: killed at
// any moment, it or its database or both, the next start goes on with nothing
// lost or doubled.
//
// The tests run the real binary, built with named crash points and with
// weaknesses (see internal/store/crashpoint.go), against a simulated chain that
// lives in the test's process and so outlives every daemon. A run is judged by
// its content: what the record says, whichever way it came about, must equal
// what one undisturbed daemon recorded of the same chain, and its counts must
// follow from its rows.
//
// Each harness has a negative control: the same run with a defence left off
// must be found out, else the harness shows nothing.
//
//	make crash                   a short form, for every change
//	make crash CRASH_ROUNDS=100  100 kills at random moments
//	make chaos CHAOS=30m         rounds of everybody killed, stopped and cut off; the last line is the figure
//	make soak SOAK=30m           half an hour of everything that goes wrong
//
// A failed run prints its seed; CRASH_SEED repeats its choices, though not the
// machine's timing.
//
// # Rounds
//
// A round of TestChaos is one chain with a crew: a daemon that leads, one that stands by,
// a worker, what plans its jobs, and PostgreSQL on a small disk, all by one clock. Part of
// the games is history for the worker and, in half of the rounds, the leader; the rest is played meanwhile, over forks and by a
// node with faults. Whoever ends is started again, half of the times to die at a
// named point; an end that nobody brought about fails the round. When the games are over
// everything is healed, and the record must become whole.
//
// # Clocks
//
// The daemon has no hook for its clock. The go command builds it with a standard library
// whose time.Now adds what a file says (testdata/clock/shift.go), and PostgreSQL is
// started with a library that does the same (shift.c). So the clock of all of them is set
// as a machine's is: at once, for every use of it in whatever package, with the monotonic
// clock left alone.
package crash

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
//	make soak SOAK=30m           half an hour of everything that goes wrong
//
// A failed run prints its seed; CRASH_SEED repeats its choices, though not the
// machine's timing.
package crash

// Package e2e plays real nodes against the real binary.
//
// A node is a validator that runs Agave's own virtual machine, with JSON-RPC and websockets, on
// loopback (rig/setup.sh fetches it; it is used here only and never shipped). On it run five programs:
//
//   - M, a Mines program that enforces every rule on-chain (rig/prog/mines.c);
//   - U, its dishonest build, which emits whatever it is told;
//   - A and B, two copies of an emitter that prints any bytes (rig/prog/emitter.c): our events in a
//     callee, by a foreign program, in failed and in truncated transactions, amid noise;
//   - the minefield, a third copy: another layout, emitted by calls of the program to itself.
//
// The driver, in Go, plays on all, partly before the daemons start (history) and partly while
// they follow (live). It writes down in a Ledger what each game is and what a perfect auditor says of
// it. Then `indexer run`, one process and one database a program, has to agree through the views that
// dashboards use.
//
// The driver has no derivation of its own. It asks the chain for boards and pay (Oracle), so the
// truth that our core is compared with comes from C code that ran inside the virtual machine.
//
// # Two releases of the node
//
// Each shows what the other cannot:
//
//   - 0.1.7 (TestAudit) takes transactions with address lookup tables, so that a program, or a game,
//     is named by a table alone. Its list loses entries between pages: everything stays on one page.
//   - 0.14.10 (TestNewerNode) has a list that can be walked, over several pages, and keeps its ledger
//     over a restart: it is stopped five times in the middle of a burst, the first time while a daemon
//     has been killed. It needs a base chain, which is a node of 0.1.7, and refuses lookup tables.
//
// Both play everything else alike; the program's code and what is expected of it are the same.
//
// # Another layout, by CPI
//
// The minefield is what the daemon knows by testdata/minefield.yaml and its IDL alone
// (TestEventsByCPI, on both nodes). Its bytes are written here by hand, from the same types as those of
// the built-in layout, so that every cheat is settled in both. Rounds are what can go wrong with
// calls: made by others, with a wrong account or tag, in failed transactions, beneath logs that were
// cut, with accounts from lookup tables. What `indexer verify tx` and `indexer decode` say of the same
// transactions is held against the same truth.
//
// A real program signs for its event authority, and refuses a call with the tag that is not signed so.
// The emitter does neither: forgeries land here that a real program would have failed. Who signs within
// a call, nodes do not tell.
//
//	make e2e    # rig/setup.sh, then go test -tags e2e ./test/e2e/...
//
// # What is not here
//
// What one node cannot show, because it is always final: forks, skipped slots, rate limits, dropped
// sockets. Those are the simulated chain's part.
package e2e

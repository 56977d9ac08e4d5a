// Package e2e plays a real node against the real binary.
//
// The node is a validator that runs Agave's own virtual machine, with JSON-RPC and websockets, on
// loopback (rig/setup.sh fetches it; it is used here only and never shipped). On it run four programs:
//
//   - M, a Mines program that enforces every rule on-chain (rig/prog/mines.c);
//   - U, its dishonest build, which emits whatever it is told;
//   - A and B, two copies of an emitter that prints any bytes (rig/prog/emitter.c): our events in a
//     callee, by a foreign program, in failed and in truncated transactions, amid noise.
//
// The driver, in Go, plays on all four, partly before the daemons start (history) and partly while
// they follow (live). It writes down in a Ledger what each game is and what a perfect auditor says of
// it. Then `indexer run`, one process and one database a program, has to agree through the views that
// dashboards use.
//
// The driver has no derivation of its own. It asks the chain for boards and pay (Oracle), so the
// truth that our core is compared with comes from C code that ran inside the virtual machine.
//
//	make e2e    # rig/setup.sh, then go test -tags e2e ./test/e2e/...
//
// What one node cannot show, because it is always final: forks, skipped slots, rate limits, dropped
// sockets. Those are the simulated chain's part.
package e2e

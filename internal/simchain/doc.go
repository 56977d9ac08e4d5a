// Package simchain is a Solana chain of our own: one Mines program with an
// operator, players and strangers, honest or cheating, amid foreign programs,
// served over real JSON-RPC and websockets on loopback. It feeds the demo, the
// tests and the benchmarks.
//
// # The oracle
//
// The chain knows the truth of every game: what was done to it and which checks
// a perfect auditor fails. That knowledge is worth something only if it is
// independent, so this package imports nothing else of the project: it derives
// boards, multipliers and payouts with its own code, in the plainest form that
// the rules have (a slice that is shuffled, big.Rat), and it encodes events with
// a bytes.Buffer. A fault in the auditor's decoder or rules cannot hide in it.
//
// # How it runs
//
//	world ──block──► ledger ──────────► JSON-RPC (answers from the ledger)
//	  │ (who plays, what lands when)        ▲
//	  └──────────────block──► hub ──frames──┴─► websockets (logs, slots)
//
// One producer (Run, or a test that calls Step) makes a slot at a time. A block
// is a pure function of Config and of the slots before it: wall-clock time
// decides when a block is made and never what is in it, so that the same Config
// gives the same slots, signatures, logs and times at any speed. (Forks asked
// for by Faults are the one exception: they happen when they are asked for.)
//
// A block is confirmed as soon as it is made and finalized Config.FinalitySlots
// later. A few slots are skipped.
//
// # What is kept
//
// A transaction keeps its signature, slot, event bytes and a salt, some 400
// bytes with its indexes. Instructions, log lines and wire bytes are composed
// from these anew whenever somebody asks (compose.go), so that a run of 200,000
// games fits in memory and a notification and a getTransaction answer cannot
// disagree.
//
// # Pace
//
// With Config.Rate above zero a slot lasts SlotTime and holds its share of the
// games; a websocket that lags behind is cut off, as a node does. With Rate zero
// the slots follow each other as fast as the slowest subscriber reads them: a
// full connection makes the producer wait, and nobody is cut off.
//
// # Cheats and noise
//
// cheat.go says what each cheat is. The honest world is noisy as well: foreign
// programs print exact copies of the program's events, transactions fail after
// an event was printed, user text looks like log structure, wrappers call the
// program at depth two. None of this may change a verdict.
package simchain

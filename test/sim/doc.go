// Package sim lives through whole runs of the daemon by seed: a simulated chain with
// its operator, players and attackers, two nodes over it that have faults of
// their own, and behind each node a daemon with a record of its own.
//
//	seed ─► schedule ─┬► chain (games, cheats, hostile logs, cut logs, forks)
//	                  ├► node 0 (faults) ◄── daemon 0 (starts, stops) ──► record 0 ─┐
//	                  └► node 1 (faults) ◄── daemon 1 (starts, stops) ──► record 1 ─┴► judged
//
// Nothing is a stand-in: the daemon is internal/ingest's, the nodes speak over
// sockets, the records are PostgreSQL's. All of it lives in one process with one
// server, and records are emptied and lent again, so that a seed takes a second or
// two, most of it waiting; eight are lived through at once. When the games are
// over every node is healed, and both daemons catch up.
//
// # What must be true in the end
//
//   - Every verdict is the truth: the one of a perfect auditor, with exactly the
//     checks failed that must. Where a node keeps less of logs, what they hide may
//     be inconclusive, and nothing may be false (judge).
//   - Every settled game at or below the frontier has exactly one standing verdict,
//     and rows do not contradict each other (consistent).
//   - What was complete once stays so and says the same: at drawn moments a digest of
//     all at or below the frontier is taken, and taken again in the end up to the
//     same slot (kept). Where lists had holes, what was missing may have come.
//   - Both daemons recorded the same content, whatever they lived through (same):
//     that is also what a restart at any block must not change.
//
// # What a seed repeats, and what it does not
//
// The chain, what goes wrong with which transaction and in which slots, and at
// which block a daemon is stopped or its database sessions end follow from the
// seed. When the daemon asks does not: sockets, the scheduler and PostgreSQL run by
// the machine's clock, which Go's synctest cannot stand in for. A failing seed is
// printed with the command that lives through it again; one that depends on the
// moment may take several tries.
//
// # Fault classes, and what shows that they are seen
//
// Each fault of `indexer simulate --faults` is drawn by TestSeeds but those of
// nodes that lie, and has a test of its own in internal/simchain/plan_test.go and
// lie_test.go that it does what its line of help says. A defence that is left off
// (store.Weak) must be found out by TestWeaknessesAreFound:
//
//	fault of the world                           defence left off   found out by
//	a daemon is away while games are played      start-at-head      games without a verdict
//	news of a fork after its slot is final       no-cut             rows of what never was
//	database sessions end in a commit            frontier-first     counts that differ from rows
//	database sessions end before a save          give-up            a daemon that ends, lost games
//	lists with holes, notifications lost         no-overlap         games without a verdict
//	forks that take back what was confirmed      no-compare         second ends that never were
//	pages that are shorter than asked for        short-page-ends    games without a verdict
//	getTransaction without history for a while   skip-unfetched     games without a verdict
//	forks after which the same lands elsewhere   same-signature     boards of another slot hash
//	logs cut at a node's limit                   take-cut-logs      games that stay open for ever
//
// Two more are left to test/crash, where whole processes die: no-fence, as two
// daemons on one record are another harness, and every crash point.
//
// # What these runs found
//
// In 500 seeds (100 to 299, 1000 to 1299): nothing in the daemon, whose own fault
// tests had been there first. What
// they taught is that much mends itself: a transaction that is dropped by one
// wrong null, or skipped by a failed fetch, is listed in the next pass's overlap
// and fetched anew, so that only looks in between show it.
//
// # Several nodes
//
// A daemon has one node here. Chain.Node gives as many as one likes, lying ones
// among them; watcher.connect is where a pool of them goes, and schedule.sides where
// their faults are drawn. A lie that a single node tells consistently is not found
// by anybody, which is why TestSeeds draws none.
//
//	make sim SEEDS=1000 SEED_START=1   the last line is the figure
//	make sim-short                     20 seeds, and every defence left off
package sim

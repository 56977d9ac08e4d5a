// Package sim lives through whole runs of the daemon by seed: a simulated chain with
// its operator, players and attackers, nodes over it that have faults of their own,
// liars among them, and two daemons, each with nodes and a record of its own.
//
//	seed ─► schedule ─┬► chain (games, cheats, hostile logs, cut logs, forks)
//	                  ├► nodes a, b, c ◄── daemon 0 (starts, stops) ──► record 0 ─┐
//	                  └► nodes a, b, c ◄── daemon 1 (starts, stops) ──► record 1 ─┴► judged
//
// Nothing is a stand-in: the daemon is internal/ingest's, the nodes speak over
// sockets, the records are PostgreSQL's. All of it lives in one process with one
// server, and records are emptied and lent again, so that a seed takes a second or
// two, most of it waiting; several are lived through at once. When the games are
// over every node is healed but of its lies, and both daemons catch up.
//
// In one world of three each daemon has one node, which is honest. In the others a
// daemon has two or three, each with parts of its own (live, record, check) and with
// its own faults; one at least is honest and whole, others may hide, alter, invent,
// lag, or cut logs sooner. No two of a daemon's tell the same lie: what two of three
// agree on is believed, which is what three nodes are for.
//
// # What must be true in the end
//
//   - Every verdict is the truth: the one of a perfect auditor, with exactly the
//     checks failed that must (holds). So it must be where nobody lies, whatever goes
//     wrong, and where a liar is one of three.
//   - Every settled game at or below the frontier has exactly one standing verdict,
//     and rows do not contradict each other (consistent).
//   - What was complete once stays so and says the same. At drawn moments, and after
//     each stop, the record is read and held against what it said the time before,
//     transaction by transaction and game by game (kept).
//   - Both daemons recorded the same content, whatever they lived through (same):
//     that is also what a restart at any block must not change.
//
// # What may be otherwise, and only with its reason on record
//
//   - Of two nodes of which one lies, a verdict may be missing: the game is
//     inconclusive, or has none where both its ends are in dispute, and nodes are on
//     record as disagreeing about one of its transactions. Of the checks that a game
//     fails some may be left out where the others need what is in dispute. None that
//     holds may fail, and no game may pass that must not.
//   - An honest game that every node's cut log hides may pass where a liar makes its
//     end up as it was: having a transaction is believed before not having it.
//   - Where a daemon does not ask a second node of everything (sample), a game may
//     pass by an end that a liar alone told, as long as the honest node, which is not
//     listened to in these worlds, was never asked for that end (unsampled).
//   - A transaction may change below the frontier if nodes disagree about it, or come
//     late where no second node could be asked at the time or lists had holes; with it
//     the games that it has an event of, and what was inconclusive by a cut log.
//   - A game that never was may come to have a withdrawn verdict as of any frontier, as
//     that is of no slot: one that was said above the frontier by made-up news, all of
//     which is dropped or in dispute.
//   - Where a liar was heard, contents are compared without the transactions that
//     nodes disagree about, the games of these, and the counts that hold them.
//   - Where a daemon's one node cuts logs sooner, what these hide may be open.
//
// # What a seed repeats, and what it does not
//
// The chain, what goes wrong with which transaction and in which slots, who lies, and
// at which block a daemon is stopped or its database sessions end follow from the
// seed. When the daemon asks does not: sockets, the scheduler and PostgreSQL run by
// the machine's clock, which Go's synctest cannot stand in for. A failing seed is
// printed with the command that lives through it again; one that depends on the
// moment may take several tries.
//
// # Fault classes, and what shows that they are seen
//
// Each fault of `indexer simulate --faults` is drawn by TestSeeds, and has a test of
// its own in internal/simchain/plan_test.go and lie_test.go that it does what its line
// of help says. A defence that is left off (store.Weak) must be found out by
// TestWeaknessesAreFound, in worlds that TestControlsPassDefended sees pass with all on:
//
//	fault of the world                            defence left off   found out by
//	a daemon is away while games are played       start-at-head      games without a verdict
//	news of a fork after its slot is final        no-cut             rows of what never was
//	database sessions end in a commit             frontier-first     counts that differ from rows
//	database sessions end before a save           give-up            a daemon that ends, lost games
//	lists with holes, notifications lost          no-overlap         games without a verdict
//	forks that take back what was confirmed       no-compare         second ends that never were
//	pages that are shorter than asked for         short-page-ends    games without a verdict
//	getTransaction without history for a while    skip-unfetched     games without a verdict
//	forks after which the same lands elsewhere    same-signature     boards of another slot hash
//	logs cut at a node's limit                    take-cut-logs      games that stay open for ever
//	a node that alters what it gives              no-examine         games that pass and must not
//	a node that hides transactions                no-unhide          games without a verdict
//	a node that cuts logs sooner than another     no-longer          games that are inconclusive
//	a node that makes transactions up             one-word           games that fail and must not
//	a node that hides while the other is away     no-recheck         games without a verdict
//	a node that lags, so that its head goes back  back-is-fork       rows that are gone for a while
//
// Two more are left to test/crash, where whole processes die: no-fence, as two
// daemons on one record are another harness, and every crash point.
//
// # What these runs found
//
// With one node to a daemon, in 500 seeds: nothing, its own fault tests had been there
// first. With several, in the first 300 (each has a test of its own by now, in
// internal/ingest/denial_test.go where no other is named):
//
//	seed 9           a made-up end failed a game: what a range that is looked at again
//	                 brings, or what comes below the frontier, was not examined
//	seeds 22, 31     of three nodes one took a verdict away: made-up ends stayed in dispute
//	                 although two did not know them, and a dispute was never looked at again
//	                 when the third node, which had rested, could be asked
//	seeds 65, 77     a game below the frontier without a verdict for good: its start came into
//	                 dispute between two turns of a pass (found here only)
//	seed 171         a liar confirmed itself: who had notified a transaction was taken for who
//	                 had been asked for its events
//	seeds 114, 124,  a game that fails by two ends said for good that it had three: one that
//	188              was made up, and dropped
//
// What else came to light on the way to these: a null, or a shorter history, of a second
// node was taken for a denial, and true fails became inconclusive; a longer log was
// believed against a third node; what waited to be examined was forgotten at a restart.
//
//	make sim SEEDS=1000 SEED_START=1   the last line is the figure
//	make sim-short                     20 seeds, every defence left off, and none
package sim

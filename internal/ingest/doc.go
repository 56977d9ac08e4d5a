// Package ingest is the joint where everything meets: it follows a program,
// assembles its games, has them judged and saves what came of it.
//
// # The live stream is a hint, the finalized list is the record
//
// Two workers feed one save:
//
//   - live takes notifications as they come, at the configured commitment, and
//     gives a verdict within a second. Notifications get lost, doubled and cut
//     off without a word, so nothing is concluded from their absence.
//   - reconcile asks a node every few seconds for its finalized slot S and for
//     the finalized signatures of the program, back over the frontier. What is
//     missing or differs is fetched; what is stored and not listed is asked for
//     by name and dropped only if the node does not know it. Then, and only
//     then, the frontier moves to S, in the transaction that counts what it
//     passed.
//
// Both lead through the same decode, assemble, judge and commit, which are
// idempotent: order does not matter, and a crash at any point is mended by
// reading the same again.
//
// # The cut
//
// While a pass for S runs, the live stream could still bring a transaction at
// or below S that the pass has gone by. So the pass first waits until all that
// was heard before is saved, and from then on the stream is believed above S
// only: what it says of S and below is kept aside and asked for by name before
// the frontier moves. Above the cut the stream is believed, at or below it the
// record alone.
//
// # What a lying node can do
//
// The record holds each transaction's existence, slot and outcome against the
// finalized list, but the log of one that was notified is believed as it was
// notified: asking for each again would double the node's work. So whoever
// serves the websocket is trusted with the content of logs, and whoever serves
// JSON-RPC with the completeness of the list. What can be seen through is: a
// finalized slot that the stream's clock has not come near, or that goes back; a
// list that repeats itself or ends above the frontier; a null for what the node
// itself calls finalized. Then the frontier stays, and the state says why.
//
// # Cross-examination
//
// One node's word is one node's word. Where several are configured, a pass holds what
// it has read against a second one before the frontier moves:
//
//   - The list. Both lists of the pass's slots must name the same transactions, in the
//     same slots, with the same outcome. What one hides is fetched from the other and
//     stored: having it is believed before not having it, for a node that hides is the
//     attack, and one that makes up a transaction has to show it. But no game fails by
//     a transaction that only one of two nodes knows: it is inconclusive then.
//   - What it says. A share of the transactions, drawn by a hash that nobody outside
//     knows, and all of those on which doubt rests (failed and inconclusive games, logs
//     that could not be read, notifications that contradicted each other) are fetched
//     from the second node too and read as the first node's were. What differs goes
//     to both, and to a third where there is one; see settle.
//
// The pass reads up to a slot that both have finalized, so a second node that is a
// little behind holds the frontier back by as much. One that fails, lags or is down
// does not: the range is noted as unchecked (audit.unchecked), with the node whose list
// it is, shown and counted, and held against another node's list once one can be asked,
// whichever is the first by then. But a signature that another node
// has listed, and that could not be had for a reason that may pass, holds the frontier
// back for holdFor. After that the record goes on without it: its slot is noted as
// unchecked, the disagreement stands open, and it is asked for again.
//
// What a second node says of transactions is looked at for examineFor at most before
// the frontier moves; the rest waits for the examiner, beside the passes. A verdict
// that it changes is superseded, as any other. What waits is in memory only: a daemon
// that starts examines the newest slots once more. What comes late, below the frontier,
// is examined too: its slots were held against another list before it was there.
//
// What two nodes say of a transaction is settled as follows. Where a third node says
// what one of the two does, that stands: also that there is no such transaction, whose
// name then stays in the record, without events. Of two logs of which one is the other
// cut short the longer stands, unless a third node has other lines. Else a transaction
// whose log or outcome they give differently is in dispute: its events count for
// nothing, and the games that it has any of are inconclusive, unless other events fail
// them. It is looked at again when a third node that could not be asked can be. So one
// honest node among two keeps any verdict that was looked into from being false, but a
// liar can take verdicts away: with three it cannot. Of two nodes the operator of the
// audited program should run neither.
//
// A null is no denial. A node has no transaction if it keeps the transaction's slot, has
// come to it, and has no status of it either; until it is known which, it has not
// answered.
//
// Where two nodes are listened to, whatever either of them notifies is held against the
// other's word by its hash at once, and what contradicts is looked into in the next
// pass. What only one subscription told, or only one node was asked for, and no doubt
// rests on, is covered by the sample alone.
//
// # What is not taken from the stream
//
// A log that was truncated, that is missing or that cannot be attributed is
// not saved from a notification: the record fetches that transaction, with the
// accounts that it named, and marks it. Failed transactions are stored without
// events.
//
// A game that is open when the frontier passes a marked transaction that names
// it is inconclusive from then on: its end may lie in the part that was cut, and
// then will not be seen anywhere. Anybody can name a running game so, which
// costs the attacker a transaction and gains little: when the end does come it
// is judged as ever, and that verdict supersedes.
//
// # When the frontier is not where it was left
//
// The answer to a commit can be lost, and a daemon can be paused while another
// one has the database. So a new session takes the frontier over as it finds it,
// a batch whose move has happened is decided to nothing, and the stream is
// believed above the new frontier only. A daemon that finds the lock taken stands
// by; one that finds its epoch over ends, and its caller lets it stand by. A leader
// is heard of every two seconds. One that was stopped is not, and its session is
// ended by who stands by.
//
// # History beside it
//
// What lies below where the daemon began is not its business: it is read in pages, by
// package backfill, in other processes or in this one (Config.Beside). It has turns and
// sessions of its own, never moves the frontier, and gives way while Behind. It moves the
// beginning of the audit down in the database, which the status is read from.
//
// # Being stopped again and again
//
// A list is read from its newest end, and the frontier moves when it has been read
// down to where it was. So where much is stored above it, a pass goes only to about
// the Stage-th transaction, and begins its list at a stored signature that the
// node calls finalized: each stage is gained, however often the daemon is killed.
package ingest

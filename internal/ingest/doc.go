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
// # What is not taken from the stream
//
// A log that was truncated, that is missing or that cannot be attributed is
// not saved from a notification: the record fetches that transaction, with the
// accounts that it named, and marks it. Failed transactions are stored without
// events.
package ingest

// Package store keeps the record in PostgreSQL.
//
// One session leads. It holds an advisory lock for as long as it lives, and every
// write of what follows the chain goes through it: a leader that lost its lock has
// lost its connection too, and the server has rolled back what it had begun. Each
// leader also begins an epoch, which each of its transactions checks: a paused
// daemon cannot write after another took over even where something in between,
// such as a pooler, keeps its session alive without the lock. Workers, which store
// history, write besides. Reads for status and metrics go through a small pool.
//
// Games are decided in turns. A turn is a transaction that holds one more lock:
// what is stored is read in it, and transactions, events, games, verdicts,
// findings, rollups and the frontier become visible together at its end or not at
// all. So two writers never decide one game by what each knew alone. New rows go
// in by COPY; unique keys refuse what a writer took for new and was not, and then
// the whole batch is read and decided again, never a COMMIT alone.
//
// Departures from a plain table-per-noun layout, and why:
//   - Block times are rows of slot_time, one a slot with activity, not columns
//     of tx: live rows come without a time, and finality must cost no rewrite
//     of them.
//   - A verdict row carries its rollup cell. Counts are a function of verdict
//     rows at or below the frontier alone, so a superseding verdict moves its
//     cell by exactly the difference, whatever has changed in the game's row.
//   - What the counts rest on does not change under them: once a game has been
//     counted in an hour, or in none, the time of its slot stays as it was known.
//   - The sums over all hours have a small table of their own: status and
//     metrics are asked for every few seconds, for years.
//   - Games are keyed by 16 bytes of a SHA-256 over (game, user, nonce), a
//     fifth of the natural key's size in two indexes. Signatures are not
//     shortened: their first half is the signer's to choose.
//   - Slots are bigint. A node that speaks of slots above 2^63-1 is refused
//     before anything reaches this package.
package store

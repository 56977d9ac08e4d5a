// Package inspect judges the games of a few transactions without a record: for
// a person who holds one signature, or files that somebody saved.
//
// # The evidence
//
// From a [Node] it reads the transaction asked for and, for each game with an
// event in it, the whole history of the game's address, so that the start, the
// end and any second one are seen. An address may have served other games before
// and after: only events of the same game, by address, user and nonce, count.
// From files ([ReadAnswers], [InspectFiles]) it takes all transactions together,
// in any form that package txjson reads and that has signature and slot.
//
// The same rules as the daemon's then judge the same [verify.Game], so that the
// verdict is the daemon's. Two things differ, both because there is no record:
//
//   - A history that was not read to its beginning leaves lifecycle open, and so
//     never gives a pass: an earlier start, or an end in between, may lie in what
//     was not read.
//   - Files are all there is: a start that is not in them will not come, and the
//     game is inconclusive where the daemon would still wait.
//
// # What is not believed
//
// Logs, errors and problems are text that strangers wrote. Everything of that
// kind is printed through [Printable], so that no control character reaches a
// terminal. A transaction that failed on chain proves nothing about any game.
// Files are taken at their word, as is the node: no signature of a block is
// verified here, and the output says so.
//
// # Output
//
// [Result.WriteText] is for people, plain ASCII, [Result.WriteJSON] for
// programs; its field names are stable, integers of 64 bits are strings, keys
// and signatures base58, hashes and seeds hex. Neither says "fair": each lists
// what its verdict does not prove.
package inspect

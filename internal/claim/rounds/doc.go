// Package rounds audits rounds that a game with a hash chain has published:
// Platforms, Rocket and Battle. The rules are those of verify.
//
// # What is read
//
// Files as package records reads them, JSON lines or CSV, in any order, each
// record a round:
//
//	round    1 to 10,000,000
//	hash     64 hex digits in lower case
//	outcome  as claimed; also under the game's own name for it:
//	         multiplier of rocket, platform of platforms, winner of battle (from 0; -1: none)
//	chances  of battle, in percent, a list
//
// # Direction
//
// Rounds take their chain from its end: H of round n's hash is the hash of round
// n − 1, and H applied n times to it gives the published terminal, which is the
// SHA-256 of the last hash. So a hash proves those of all lower rounds, and a
// round needs its lower neighbour or the terminal to be proved. Where a terminal
// is given that may be either the SHA-256 of the last hash or this hash itself,
// the lowest rounds decide which, for all.
//
// # Checks
//
//	chain    H leads from the hash to the nearest lower hash that is proved, or to the
//	         terminal, in as many steps as the rounds are apart
//	outcome  what is claimed is what the hash gives, a multiplier as the float64 that it is
//	unique   the round is claimed once, or each time the same
//
// A hash is measured by what is proved, not by its neighbour: one that is false
// fails alone, and the rounds above it are held against the ones below it.
// Rounds that were not given are bridged by hashing, and reported as gaps; they
// weaken no other round's proof. A claim that is repeated word by word is
// counted. Where claims differ, the first is the one that is checked, and unique
// fails.
//
// A round that claims no outcome has nothing to check if no round does, so that
// a list of hashes alone can pass. Once one does, the outcome of one that does
// not is inconclusive: leaving it out was somebody's choice.
//
// # What it costs
//
// Each step of the chain between the terminal and the highest round is hashed
// once, whatever the number of rounds: at most 10,000,000 hashes, of about 0.2 µs
// each. Links are hashed on all cores; the way from the lowest round to the
// terminal is one long link, which checkpoints shorten. Only false hashes cost
// more, since the rounds above each look for the next proved one; that is
// bounded ([extraHashes]), and beyond it rounds are inconclusive with the
// reason not_checked.
//
// In memory a round takes 48 bytes, at most 480 MB for all 10,000,000, however
// long or often repeated the files, and garbage beside them by the collector's
// settings. Findings are kept up to [MaxFindings] and
// counted to the last.
package rounds

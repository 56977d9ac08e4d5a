// Package bets audits bets of the single-player games, Dice and the off-chain
// Mines, whose server seeds have been revealed. The rules are those of verify.
//
// # What is read
//
// Files as package records reads them, JSON lines or CSV, each record a bet:
//
//	game              dice or hmac-mines (also: mines); may be left out where it is the same for all
//	server_seed       as revealed
//	server_seed_hash  as shown before the bet, 64 hex digits
//	client_seed
//	nonce             the time of the bet in milliseconds, as a decimal string
//	game_seed         as claimed
//	selected          of dice, the numbers that the bet named, a list
//	face, win         of dice, as claimed
//	mines             of hmac-mines, how many
//	tiles             of hmac-mines, the mines as claimed, 1 to 25, in any order
//
// # Checks
//
//	seed_hash     the server seed is the one whose hash was shown
//	game_seed     as claimed, is that of the seeds and the nonce; n/a if it is not claimed
//	outcome       as claimed, is what the game seed gives
//	nonce_unique  no earlier bet in the files had these seeds and this nonce
//
// What a check needs and the record does not give makes it inconclusive, with
// the reason FIELD_not_given.
//
// # The hash of a server seed
//
// The page says that a hashed version of the seed is shown and not of what. All
// its other hashes are those of texts, so that is looked for first. A seed of an
// even number of hex digits may also have been hashed as the bytes behind it;
// that passes too and is counted apart, but only if its letters are lower-case.
// The games hash the text: with AB and ab for the same byte, whoever shows the
// hash of bytes could choose among the spellings afterwards.
//
// # Nonces
//
// Two bets with the same seeds and nonce have the same outcome: whoever saw the
// first knew the second. The later one in the files fails. A record that is
// repeated word by word is counted and passed over. Nonces of a pair of seeds
// that are too small to be times in milliseconds are taken for a counter, and
// numbers missing between its lowest and highest are reported as gaps: bets that
// were not shown. Times have no gaps that could be told.
//
// # What it costs
//
// Bets are worked out on all cores and handed on one by one. What stays in
// memory is about 60 bytes a bet, by which a nonce is found again.
package bets

// Package verify holds the rules of an on-chain Mines game and judges games by
// them. It is pure: no context, clock, logger, randomness or I/O, so that the
// same game gives the same report wherever and whenever it is judged.
//
// # The board
//
// A board has 25 tiles, 0 to 24, and M mines, 1 to 24. A mask is a 32-bit word
// whose bit t stands for tile t; bits 25 to 31 must be clear. The board is a
// function of what the start fixed and what the settlement reveals:
//
//	block(k) = sha256(server_seed ‖ slothash ‖ user ‖ le64(nonce) ‖ "mines" ‖ le64(k))
//	words    = block(0), block(1), … cut into big-endian 32-bit words, 8 a block
//	draw(b)  = the next word below zone(b), mod b; zone(b) = 4294967295 − 4294967295 mod b
//	mines    = the first M steps of a Fisher–Yates shuffle of [0 … 24], step i by draw(25 − i)
//
// Two things differ from a textbook shuffle. The zone rejects b words too many
// where b is a power of two, so boards differ there from those of a common
// library. And M is not hashed: with equal inputs the mines of M are the first
// M of M + 1.
//
// # What a game pays
//
// With k safe tiles revealed and a house edge of e basis points the multiplier
// is a rational number, kept exact:
//
//	m = (1 − e/10000) × Π (25 − i)/(25 − M − i), i in [0, k)
//	  = (10000 − e) × C(25, M) / (10000 × C(25 − k, M))
//
// How a program writes m as an integer and what its cap bounds is a convention
// of that program: [Rules]. The default is floor(m × 10,000) for the
// multiplier, min(floor(stake × m), max_payout) for the payout, and 0 and 0 for
// a lost game. Arithmetic is on integers of 128 bits, never on floats. A payout
// of 2^64 or more is above every cap that an event can hold.
//
// # Checks
//
// A settled game:
//
//	commit             sha256(server_seed) is the start's commit_hash
//	slothash_kept      the settlement publishes the slot hash of the start
//	board              the published mines are those of the board, derived with the start's slot hash
//	mine_count         as many bits in mines_mask as mines_count, which is 1 to 24
//	mask_range         no bit above 24 in mines_mask or revealed_mask
//	reveals_safe       no revealed tile is a mine of the derived board
//	bust_is_mine       the bust tile is a mine of the derived board
//	bust_not_revealed  the bust tile is not among the revealed tiles
//	outcome            what was paid is what a loss pays exactly if there is a bust tile
//	multiplier         as derived from the start's terms and the revealed tiles
//	payout             likewise
//	terms_kept         nothing to check: a settlement of this layout repeats no terms
//
// A voided game:
//
//	refund             the whole stake
//	void_right         before started_at + refund_timeout only an operator's key may void
//
// Both:
//
//	lifecycle          one start and one end, the end not before the start
//
// A check that cannot be made is inconclusive and says why; it is never counted
// as passed or failed. Checks are made against the first start and the first end
// in chain order; a second one fails lifecycle and changes nothing else. Where
// several lie in one slot the order is not known, and a check on which it bears
// is inconclusive. The
// board comes from the derivation, never from the published mask, so that a
// false mask fails board and does not excuse the tiles.
//
// # The verdict
//
// Fail if any check fails: a fault that is proved stays proved, whatever else
// is unknown. Else pending while the game has no end, or while its start may
// still come. Else inconclusive if any check is. Else pass.
//
// # What a pass does not prove
//
// Settlement binds tiles to the board, not to the player's clicks. The operator
// chose the seed and the moment of the start, and knows the board during play.
// The slot hash is taken as the start published it. One game tells nothing
// about any of these; only many do.
package verify

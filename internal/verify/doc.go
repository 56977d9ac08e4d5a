// Package verify holds the rules of provably fair games: of an on-chain Mines
// game, which it judges ([Judge]), and of six games off the chain, whose
// outcomes it works out. It is pure: no context, clock, logger, chance or I/O,
// so that the same game gives the same answer wherever and whenever it is asked
// for. An input out of range is an error that names it, never a panic.
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
// With k safe tiles revealed and a house edge of e parts of a whole of w the
// multiplier is a rational number, kept exact:
//
//	m = (1 − e/w) × Π (25 − i)/(25 − M − i), i in [0, k)
//	  = (w − e) × C(25, M) / (w × C(25 − k, M))
//
// How a program writes e, how it writes m as an integer and what its cap bounds
// is a convention of that program: [Rules]. The default is basis points for the
// edge, w = 10,000, floor(m × 10,000) for the multiplier, min(floor(stake × m),
// max_payout) for the payout, and 0 and 0 for a lost game. Arithmetic is on
// integers of 128 bits, never on floats: both parts of m stay below 2^55 for
// every w of 32 bits, and their products with a scale, a stake or a cap of 64
// bits below 2^119. A payout of 2^64 or more is above every cap that an event
// can hold.
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
//	outcome            what was paid is what a loss pays exactly if there is a bust tile; what else
//	                   is said of winning and losing agrees
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
// # What a program does not publish
//
// A game's events name the fields that the program does not publish in them
// ([Fields]). They are zero, and nothing is read from them: a check that needs
// one is inconclusive, not_published, and says which. No field that is wanting
// turns a pass into a fail. A constant that a profile gives is not missing. One
// field missing costs
//
//	user, nonce, mines_count       board, reveals_safe, bust_is_mine; mines_count also mine_count, and
//	                               multiplier and payout of what was won
//	server_seed                    commit, board, reveals_safe, bust_is_mine
//	commit_hash                    commit
//	slothash, of either event      slothash_kept
//	mines_mask                     board, mine_count, mask_range
//	revealed_mask                  mask_range, reveals_safe, bust_not_revealed, multiplier and payout of
//	                               what was won
//	bust_tile                      bust_is_mine, bust_not_revealed of what was lost, and see below
//	stake                          payout of what was won, refund
//	house_edge                     multiplier and payout of what was won
//	max_payout                     what it caps
//	multiplier, payout             its own check, and outcome unless the other one shows a win
//	refund                         refund
//	started_at, refund_timeout     void_right, unless an operator voided
//	authority                      void_right, before the timeout
//
// As much as can be is still checked. A number that no game allows fails
// mine_count or mask_range where it stands, though its counterpart is missing,
// and a loss that paid fails outcome by either amount. The mines are not counted
// in the mask: the start must fix their number.
//
// A start without slot hash leaves the settlement's for the board. Who passes
// board by it has shown that seed, slot hash and mines belong together, not that
// the slot hash is the one from before play: slothash_kept stays open, and so
// does the verdict. A board that fails by it is a fault all the same, if not of
// the mines then of the slot hash.
//
// Whether a game was lost, its bust tile tells; else what the settlement says of
// it ([Outcome]); else that it paid what a loss pays. In the last case the pay
// cannot be held against itself: outcome is open, and of what paid nothing so
// are the multiplier and the payout, unless a win owes nothing too, since a win
// that was kept from the player looks the same. Rates by outcome then take its
// look for it.
//
// # The verdict
//
// Fail if any check fails: a fault that is proved stays proved, whatever else
// is unknown. Else pending while the game has no end and none can be hidden, or
// while its start may still come. Else inconclusive if any check is, but for those
// that a program's silence costs nothing: where the settlement repeats no slot
// hash (the start's fixed the board), publishes no mask (the tiles are held
// against the derived board) or no multiplier (the payout is), and where nothing
// tells when or by whom a void was allowed. They stay inconclusive in the report.
// Else pass.
//
// # What a pass does not prove
//
// Settlement binds tiles to the board, not to the player's clicks. The operator
// chose the seed and the moment of the start, and knows the board during play.
// The slot hash is taken as the start published it. One game tells nothing
// about any of these; only many do.
//
// # Off the chain: hashes are texts
//
// The games below come from a page that prints their Go code, and each is what
// that code does, bit for bit. Its hashes are lower-case hex, and the text of 64
// digits, not the 32 bytes behind it, is hashed again:
//
//	H(s) = hex(sha256(s))
//
// # Hash chains
//
// Platforms, Rocket and Battle take a hash a round from a chain: H applied
// 10,000,000 times to a secret, used from the last to the first. H of a round's
// hash is the hash of the round before ([ChainHash.Next]), and H applied n times
// to the hash of round n gives the SHA-256 of the last hash, which was published
// before play ([Terminals], [CheckRound]).
//
// The page calls both the last hash and its SHA-256 what is published; from the
// last hash itself round n is n − 1 steps away ([TerminalForm]). Its loop
// runs one step past the end of its slice and panics, and the hash that it
// gives to round 1, number 10,000,000 counted from 0, is not in it: rounds are
// counted here from what was published. And it says that players have a round's
// hash before the round. Taken at its word, whoever has the hash knows the
// outcome before anybody bets; nothing here can tell when a hash was shown.
//
// # Game seeds
//
// Dice and the off-chain Mines take a seed a bet, made of a server's and a
// client's seed and the time of the bet in milliseconds as a decimal number:
//
//	gameSeed = hex(HMAC-SHA256(key = serverSeed:clientSeed:nonce, message = nothing))
//
// The parts are not escaped, so a colon in a seed lets two triples give one key.
// A key above 64 bytes is hashed by HMAC first. The seed is used as a text by
// Mines, where its case counts, and as a number by Dice, where it does not.
//
// # Outcomes
//
//	Dice       gameSeed mod 6, plus 1; a bet on 1 to 5 numbers wins if the face is among them
//	Mines      tile i = 1 + (first 4 bytes of HMAC-SHA256(key = gameSeed, "mine-<i>")) mod 25, i = 0, 1, …; the first M distinct ones
//	Platforms  rand.New(rand.NewSource(int64(first 8 bytes of hash))).Intn(25) + 1, of math/rand version 1
//	Rocket     1 if hash mod 40 is 0; else floor((100·2^52 − h)/(2^52 − h))/100, h the first 13 hex digits
//	Battle     r = (first 8 bytes of hash)/(2^64 − 1); the first participant whose chances/100, summed in order, exceed r
//
// Bytes are big-endian. What the code does where the page says nothing, or
// something else:
//
//   - Dice never looks at the range of the numbers: one that no face has loses.
//     A seed may have a sign; a negative one counts as Euclid has it.
//   - Mines places 25 mines if asked to, which leaves no safe tile, and none for
//     0 or less. Tiles 1 to 21 are favoured by 1 in 171,798,691.
//   - Platforms has 2^31 − 2 distinct seeds: math/rand reduces them. Only the
//     last platform follows from the hash; the order in which the others fall
//     is described without code, and nobody can check it. A hash below 8 bytes
//     makes the code panic, and is an error here.
//   - Rocket divides in a big.Float of 64 bits, which is then rounded to a
//     float64 and floored. The quotient can round up to a whole number that the
//     exact one stays below: at 171 hundredths below 200, and at many far above.
//     The formula in the code's own comment is another one, and not what it
//     does. A hash that is a multiple of 40 may be short.
//   - Battle takes sums of chances from 99.99 to 100.01. Below 100 a part of
//     [0, 1) is nobody's, and r can be 1, which lies in nobody's part either:
//     such a round ends in [ErrNoWinner]. A chance that is not a number passes
//     the code's own checks, and is an error here.
//
// # What the outcome off the chain does not prove
//
// The server knew the whole chain in advance. It makes a server seed after it
// has the client's, and the millisecond that is the nonce is its own to choose.
// An outcome that follows from its seed was not necessarily chosen blindly.
package verify

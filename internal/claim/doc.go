// Package claim works out games that somebody wrote down: by hand, one at a
// time, or as lines of JSON by the million ([Batch]). The rules are those of
// verify; there is no chain here, and no record. Files of published rounds and
// bets, which are held against one another too, are for the packages rounds and
// bets below this one.
//
// # A request
//
// is a flat JSON object whose "game" says what else it holds. Fields in brackets
// may be left out; any that is not listed is an error, so that a misspelt one
// is not taken for one left out.
//
//	mines       server_seed, slothash, user, nonce, mines_count
//	            [commit_hash, mines_mask, revealed_mask, bust_tile, house_edge_bps, stake, max_payout, multiplier, payout]
//	dice        server_seed, client_seed, nonce or game_seed; selected
//	hmac-mines  server_seed, client_seed, nonce or game_seed; mines
//	platforms   hash
//	rocket      hash
//	battle      hash, chances
//	chain       hash, [round, terminal, terminal_form]
//
// Seeds and hashes of 32 bytes are hex, slothash and user hex or base58; the
// hashes and seeds of the off-chain games are texts. Amounts and nonces are
// decimal strings; a JSON number is taken too up to 2^53, beyond which many
// programs that write JSON round. bust_tile is null where no mine was hit, and 0
// to 24 where one was. A terminal is 64 hex digits, or the name of a chain whose
// end was published.
//
// # What mines answers
//
// The first five fields fix the board. The others are claims, held against it as
// [verify.Judge] holds a settlement. A check that rests on a field which was not
// given is inconclusive, with the reason FIELD_not_given; only what can be
// proved with the fields at hand fails. A line has one slot hash and one game,
// so the checks of a start against a settlement do not occur.
//
// # What chain answers
//
// Pass if the terminal is as many steps away from the hash as the round asks for.
// For a chain that is known by name it is the SHA-256 of the last hash that was
// published; of other terminals it is not known which of the two forms they
// are, unless terminal_form says so: sha256 or final. Either passes then, and
// the answer says which it was: the same hash passes for two rounds, by one form
// each. Without a round the distance is looked for, and the verdict open.
package claim

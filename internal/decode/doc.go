// Package decode finds the events of one program in the logs and instructions of
// transactions, and reads those of the built-in layout. Logs are hostile: any
// program in the transaction writes to them, and the node cuts them off. The
// package takes no context, clock, logger or I/O, and never panics on what it is
// given.
//
// [Decoder.Payloads] gives what the program wrote into a log and [CPI.Events]
// what it emitted by calling itself, as bytes, for whoever has the program's IDL;
// [Finder] does both and holds the two against each other. A [Reader] reads the
// events of games out of either, by a [Layout]: the built-in one below, or one
// that a [Mapping] makes of the program's IDL.
//
// # Whose line it is
//
// The runtime writes structure around what programs write:
//
//	Program <id> invoke [<depth>]
//	Program data: <base64>[ <base64>…]      by sol_log_data
//	Program log: <text>                     by sol_log, any text
//	Program return: <id> <base64>
//	Program <id> consumed N of M compute units
//	Program <id> success
//	Program <id> failed: <text>
//	Log truncated
//
// A data line belongs to the innermost program invoked and not yet ended, so
// [Reader.Logs] keeps a stack: invoke pushes, success and failed pop. Only
// whole array elements of exactly these forms are structure, with an id of 32 to
// 44 base58 characters. Text that merely looks like it, a newline or NUL within
// an element, or a form that the runtime does not write, is noise; an element is
// never split.
//
// # What is not believed
//
// After "Log truncated" the collector still takes shorter lines, so a success
// may be gone where a later data line survives, perhaps another program's:
// nothing after the marker is taken. Where the stack does not add up (a depth
// that does not follow, an end of what is not running, data outside every
// invocation, a log that ends within one) lines are missing, and nothing from
// there on is taken. What was found before either point stands; the state tells
// the caller that there may have been more.
//
// Whether the transaction failed is not in the log: the caller must not take
// events of a failed one.
//
// A program may also have printed its events as text, as Anchor did before it had
// data lines. Text is what players choose, so it is read only where that is asked
// for ([Decoder.WithMessages]), and such payloads have a source and ordinals of
// their own.
//
// # Events by CPI
//
// emit_cpi! leaves nothing in the log but the program's call of itself. The event
// is the data of that inner instruction: the tag e445a52e51cb9a1d, then
// discriminator and fields. Anyone may send a program such data, so it counts only
// if the program itself called, and the sole account is the program's address of
// the seed "__event_authority", for which nobody else can sign. Everything with
// the tag that is not so is a [Forgery]. Who called follows from the heights of
// the stack; records of old have none, and then a complete log proves them or
// nothing does. Where program, caller or account are not known, the record is in
// doubt from there on.
//
// A complete log has a line for every call. So it tells whether a record has all
// of the program's calls of itself, and, where there is a log alone, whether there
// may be events that it does not show.
//
// # The events
//
// emit! writes one slice: sha256("event:" + name)[:8], then the fields in Borsh:
// little-endian integers, arrays without length, an option as 0 or as 1 and the
// value. The layout, which the length must match exactly:
//
//	MinesGameStarted { game, user: pubkey, nonce: u64, mines_count: u8, stake: u64, commit_hash, slothash: [u8; 32],
//	                   house_edge_bps: u16, max_payout: u64, refund_timeout, started_at: i64 }
//	MinesGameSettled { game, user: pubkey, nonce: u64, server_seed, slothash: [u8; 32], mines_mask, revealed_mask: u32,
//	                   bust_tile: Option<u8>, multiplier, payout: u64 }
//	MinesGameVoided  { game, user: pubkey, nonce, refund: u64, authority: pubkey }
//
// Values are not judged here: a tile of 200 is read as 200.
//
// # Events of other programs
//
// A mapping makes events of an IDL starts, settlements and voids, and says which
// field of them has which [Role]. Several events may be one kind, as a cash-out
// and a bust are, and one event several, told apart by a variant that it has.
// What a mapping has no field for, and what is absent where a path leads through
// an option or variant, is [Event.Missing] and zero.
//
// Values are converted where that is exact, and only there:
//
//	keys          pubkey, 32 bytes, base58; of a game also a number, big-endian in the last bytes
//	hashes, seed  32 bytes in any form, 64 digits of hex
//	amounts       integers; × 10^N, also of floats: the only amount whose quotient by 10^N, rounded, is the float
//	masks         an integer with a bit for each tile, a list of flags, a list of tiles
//	bust tile     what an option or variant holds; else a tile, or none if negative, 255 or the type's largest
//	outcome       a bool, a variant that is there, or which event it is
//
// What does not fit and says something about the game is kept as a value that
// breaks a rule: a tile beyond 31 as bit 31, so that the mask is out of range, a
// count or edge that is too large or negative as the largest, a bust tile that fits
// no byte as 254. What does not fit and says nothing, an amount of more than 64
// bits or a seed of 31 bytes, makes the event malformed.
//
// An IDL changes when the program does: of several, that with the greatest slot
// not above the transaction's holds. What a layout reads has a canonical form
// ([Layout.Canonical]), which a record can be bound to.
//
// # Where events are
//
// Programs emit by log, by CPI or by both ([Where]). With both, the same bytes in
// the log and in an instruction are one event, as often as they are in both. By
// CPI alone a log proves at most that there was none; else the transaction has to
// be asked for, and its instructions prove what happened even where the log was
// cut off. Ordinals count each source by itself, so an event keeps its name
// whichever way it was found first.
package decode

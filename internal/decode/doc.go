// Package decode finds the events of one program in the logs and instructions of
// transactions, and reads those of the built-in layout. Logs are hostile: any
// program in the transaction writes to them, and the node cuts them off. The
// package takes no context, clock, logger or I/O, and never panics on what it is
// given.
//
// [Decoder.Payloads] gives what the program wrote into a log and [CPI.Events]
// what it emitted by calling itself, as bytes, for whoever has the program's IDL;
// [Finder] does both and holds the two against each other. [Decoder.Logs] reads
// the events below at once.
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
// [Decoder.Logs] keeps a stack: invoke pushes, success and failed pop. Only
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
package decode

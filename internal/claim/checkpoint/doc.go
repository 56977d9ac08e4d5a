// Package checkpoint keeps every N-th hash of a long hash chain in a file, so
// that what lies far down the chain need not be hashed again from the start.
//
// # The file
//
// is text, a line a checkpoint, with the hashes as the games write them:
//
//	minesaudit-chain 1 FROM EVERY SUM      the first line: format, first hash, distance of the checkpoints
//	STEP HASH SUM                          H applied STEP times to FROM
//	…
//
// Steps rise. Each is a multiple of EVERY, but for the last of a run, which is
// as far as the run was asked to go. SUM is the CRC-32 of all before it in the
// file, so that a line that was changed, left out or put elsewhere is found. It
// is against accidents: whoever forges a file can make it fit.
//
// # A crash
//
// Lines are only ever added. Killed at any moment, the writer leaves whole
// lines, and at most one that was cut off: the next run takes that one away,
// hashes the way to the last whole one again, and goes on from there. A whole
// line that does not fit is damage, not a crash, and the file is refused
// ([ErrDamaged]), as is one of another chain ([ErrForeign]). One process at a
// time works on a file ([ErrInUse]).
//
// # What a checkpoint is worth
//
// No checkpoint is used on its word: the way to it from the one before is hashed
// first. That costs EVERY steps and shows that the two belong together. That
// those above them do, rests on the program that wrote the file. Whoever has it
// from somebody else hashes the whole chain: ten million steps are a few seconds.
//
// A file is held in memory, 72 bytes a checkpoint, and has at most
// [MaxCheckpoints].
package checkpoint

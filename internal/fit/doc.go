// Package fit says how a program's events fit the audit. [Propose] reads an IDL
// and guesses a profile for a person to correct; [Report] takes a profile and
// tells which field is what, what is not published, and which checks that leaves
// open.
//
// # The guess
//
// Only names and types are there to go by. Names are split into words, so that
// seedHash, seed_hash and SeedHash are the same, and each role knows phrases for
// it, the likeliest first. A field gets the role whose phrase it is, or has in it,
// best, if its type can be that of the role; no field gets two roles. Of the
// events that look like a start, a settlement or a void the one is taken in which
// most was found, and for settlements a second one if the two are the won and the
// lost games. Everything else that might have been meant stands beside it in
// comments: a guess that is not looked at is worth nothing, and the text says so.
//
// # The cost
//
// Which checks a field that is missing leaves open is not written down a second
// time: sample games are judged by the rules themselves, with that missing what
// the profile has no field for.
package fit

// Package reaudit judges the games of a record again, from the bytes of their
// events and by the rules of this binary.
//
// It streams the keys of games in small parts, each as it was at one moment, and
// judges on every core. Reading takes no lock: a daemon that writes goes on.
// Each game comes to one of these:
//
//   - The same: the events give the stored row, and the verdict that stands.
//   - Changed: the events give another verdict, because the rules have changed, or
//     because something else that a verdict rests on has, such as a log that was
//     cut short and names the game. A verdict is added that supersedes the one that
//     stands, unless nothing is to be written. The games that differ are decided
//     once more for that, in a turn, by what is stored then: through the same path
//     as everything else that enters the record, and so counts follow.
//   - Altered: the events no longer give the row that was made of them, by the very
//     rules that made it; or an event lies with a game that is not its own; or the
//     row does not show the verdict that stands. Nobody's game has changed, but the
//     record has, by a hand or by a disk. No verdict is made of such events: it
//     would accuse an operator of what happened here. The contradiction is put on
//     record (audit.altered, audit_api.v1_altered) with the transaction, whose true
//     bytes a node has, and goes from there when a later re-audit finds the game
//     in order. The verdict of before stands.
//   - Newer: the verdict was made by newer rules than this binary has. It is left
//     alone.
//
// What cannot be seen: an alteration of the bytes, the row and the verdict that
// fits; and events that belonged to no game when they were stored, which are not
// read again.
//
// With another profile than the record's nothing is written, and rows are not
// compared: it tells what verdicts that profile would give, of the events that the
// record's own profile took for a game's. A game whose events that profile would
// divide otherwise is counted as regrouped, and not judged.
//
// A re-audit that is ended in the middle has superseded what it has superseded;
// the next one finds the rest.
package reaudit

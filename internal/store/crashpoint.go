package store

// CrashPoint names a moment at which a crash leaves something behind that the
// next start has to mend. A build with the tag crashpoints dies there when
// MINESAUDIT_CRASH_AT names it (see crashpoint_on.go); in any other build
// CrashAt is empty.
type CrashPoint string

// The crash points, in the order in which a run first meets them.
const (
	CrashMigrated      CrashPoint = "migrated"       // the schema is there, nobody writes yet
	CrashLocked        CrashPoint = "locked"         // the writer has its lock and epoch
	CrashBinding       CrashPoint = "binding"        // about to bind the database to a program
	CrashBound         CrashPoint = "bound"          // bound, nothing read yet
	CrashGapOpened     CrashPoint = "gap-opened"     // a gap is on record, nothing fills it yet
	CrashGapClosed     CrashPoint = "gap-closed"     // its end is on record too
	CrashSending       CrashPoint = "sending"        // a batch is decided and not sent
	CrashCommitted     CrashPoint = "committed"      // the server has committed it, nobody here knows
	CrashPageStored    CrashPoint = "page-stored"    // a page of a walk is stored and not compared
	CrashPageCompared  CrashPoint = "page-compared"  // between two pages of a walk
	CrashLateResolved  CrashPoint = "late-resolved"  // all is stored that the frontier may pass
	CrashFrontierChunk CrashPoint = "frontier-chunk" // some undecided games are decided, the frontier stays
	CrashAdvancing     CrashPoint = "advancing"      // a batch that moves the frontier is decided and not sent
	CrashAdvanced      CrashPoint = "advanced"       // the frontier has moved, nobody here knows
	CrashLeaving       CrashPoint = "leaving"        // the last batch is saved, the stop is not on record
)

// CrashPoints lists every crash point.
func CrashPoints() []CrashPoint {
	return []CrashPoint{
		CrashMigrated, CrashLocked, CrashBinding, CrashBound, CrashGapOpened, CrashGapClosed, CrashSending, CrashCommitted,
		CrashPageStored, CrashPageCompared, CrashLateResolved, CrashFrontierChunk, CrashAdvancing, CrashAdvanced, CrashLeaving,
	}
}

// Weakness is a defence that a build with the tag crashpoints leaves off when
// MINESAUDIT_WEAKNESS names it: a harness that does not fail then shows nothing.
type Weakness string

// The weaknesses, each a mistake that such a program might well be written with.
const (
	WeakFrontierFirst Weakness = "frontier-first"  // the frontier moves before the rows that it promises
	WeakStartAtHead   Weakness = "start-at-head"   // a start goes on at the head instead of the frontier
	WeakNoCut         Weakness = "no-cut"          // the stream is believed below the frontier
	WeakNoFence       Weakness = "no-fence"        // a writer goes on without lock and epoch
	WeakGiveUp        Weakness = "give-up"         // what could not be saved at once is let go
	WeakNoOverlap     Weakness = "no-overlap"      // a list is not looked at below the frontier, where it may have had holes
	WeakNoCompare     Weakness = "no-compare"      // what is stored and not listed is not asked for
	WeakShortPageEnds Weakness = "short-page-ends" // a page shorter than was asked for is taken for the last
	WeakSkipUnfetched Weakness = "skip-unfetched"  // a pass goes on without what it could not fetch
	WeakSameSignature Weakness = "same-signature"  // what is known by its signature is not looked at again
	WeakTakeCutLogs   Weakness = "take-cut-logs"   // a log that was cut is taken for whole
	WeakNoExamine     Weakness = "no-examine"      // what one node says is held against no other
	WeakNoUnhide      Weakness = "no-unhide"       // what one node hides is not fetched from the other
	WeakNoLonger      Weakness = "no-longer"       // a log that one node cuts stays cut, although another gives it whole
	WeakOneWord       Weakness = "one-word"        // what two nodes give differently counts as the first told it
	WeakNoRecheck     Weakness = "no-recheck"      // what no second node could be asked of is forgotten
	WeakBackIsFork    Weakness = "back-is-fork"    // a node's head that goes back is taken for a fork
)

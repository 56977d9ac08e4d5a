//go:build race

package verify

// uniformBoards is fewer than without the race detector, which watches the
// counting at ten times the cost and has no opinion on the boards.
const uniformBoards = 1_000_000

// instrumented: more escapes to the heap, so that allocations say nothing.
const instrumented = true

//go:build !race

package verify

const uniformBoards = 10_000_000

const instrumented = false

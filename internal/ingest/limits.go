//go:build !crashpoints

package ingest

const (
	// pageLimit is the most that a node answers.
	pageLimit = 1000
	// maxBatch bounds what is saved at once, and so the memory of a batch.
	maxBatch = 4096
)

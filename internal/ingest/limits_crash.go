//go:build crashpoints

package ingest

// So small that a run of some hundred games crosses what lies between two pages
// and between two chunks.
const (
	pageLimit = 50
	maxBatch  = 8
)

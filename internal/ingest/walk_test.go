package ingest

import (
	"testing"

	"minesaudit/internal/rpc"
)

// A slot may hold more than a page, and be the one that a pass began at.
func TestTheFirstPageMayLieInOneSlot(t *testing.T) {
	t.Parallel()
	page := make([]rpc.SignatureInfo, pageLimit)
	for i := range page {
		page[i] = rpc.SignatureInfo{Signature: [64]byte{byte(i), byte(i >> 8)}, Slot: 100}
	}
	w := walk{frontier: 90, upTo: 100, upper: 100}
	if err := w.compare(t.Context(), page, 100); err != nil {
		t.Fatal(err)
	}
	if len(w.carry) != len(page) || w.upper != 100 {
		t.Errorf("%d of %d signatures are carried on to the next page, up to slot %d", len(w.carry), len(page), w.upper)
	}
}

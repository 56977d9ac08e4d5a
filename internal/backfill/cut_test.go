package backfill

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/rpc"
)

// chainOf makes a list, newest first, of slots with so many transactions each.
func chainOf(slots []int64, count func(int) int) []rpc.SignatureInfo {
	var list []rpc.SignatureInfo
	n := 0
	for i := len(slots) - 1; i >= 0; i-- {
		for range count(i) {
			n++
			list = append(list, rpc.SignatureInfo{Signature: [64]byte{1, byte(n), byte(n >> 8)}, Slot: uint64(slots[i])})
		}
	}
	return list
}

// below gives a node's answer: at most limit below a signature.
func below(list []rpc.SignatureInfo, before [64]byte, limit int) []rpc.SignatureInfo {
	at := 0
	if before != ([64]byte{}) {
		for at < len(list) && list[at].Signature != before {
			at++
		}
		at++
	}
	return list[min(at, len(list)):min(at+limit, len(list))]
}

// listOf reads a list in pages of limit, and counts them.
func listOf(list []rpc.SignatureInfo, limit int, calls *int) *rpc.SignatureList {
	return rpc.NewSignatureList(rpc.ListOpts{}, func(_ context.Context, before [64]byte) ([]rpc.SignatureInfo, error) {
		*calls++
		return below(list, before, limit), nil
	})
}

// Pages tile the span, hold every transaction of it once, and split no slot; and the
// list is asked for about once a page.
func TestPagesTileTheSpan(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var slots []int64
		slot := rapid.Int64Range(0, 5).Draw(t, "lowest")
		for range rapid.IntRange(0, 30).Draw(t, "slots") {
			slots = append(slots, slot)
			slot += rapid.Int64Range(1, 4).Draw(t, "step")
		}
		sizes := rapid.SliceOfN(rapid.IntRange(1, 9), len(slots), len(slots)).Draw(t, "sizes")
		list := chainOf(slots, func(i int) int { return sizes[i] })
		limit := rapid.IntRange(2, 12).Draw(t, "limit")
		from := rapid.Int64Range(0, slot+3).Draw(t, "from")
		to := from + rapid.Int64Range(0, slot+3).Draw(t, "more")
		inSpan := map[[64]byte]bool{}
		for _, i := range list {
			if int64(i.Slot) >= from && int64(i.Slot) <= to {
				inSpan[i.Signature] = true
			}
		}
		c := cutter{from: from, upper: to}
		calls, upper, total := 0, to, 0
		parts := listOf(list, limit, &calls)
		for last := false; !last; {
			if calls > 2*len(list)+2 {
				t.Fatal("the list is asked for again and again")
			}
			part, err := parts.Next(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			var p Page
			var made bool
			if p, made, last = c.add(part); !made {
				continue
			}
			if p.To != upper || p.From > p.To {
				t.Fatalf("a page of slots %d to %d, where %d is the next", p.From, p.To, upper)
			}
			var before [64]byte
			if p.Before != "" {
				before, _ = rpc.ParseSignature(p.Before)
			}
			var of []rpc.SignatureInfo
			for _, i := range below(list, before, len(list)) {
				if int64(i.Slot) >= p.From && int64(i.Slot) <= p.To {
					of = append(of, i)
				}
			}
			if len(of) != p.Count || p.Count > 0 && digest(of) != p.Set {
				t.Fatalf("page %+v holds %d transactions", p, len(of))
			}
			total += p.Count
			upper = p.From - 1
		}
		if upper != from-1 || total != len(inSpan) {
			t.Fatalf("pages down to slot %d hold %d of %d transactions", upper+1, total, len(inSpan))
		}
	})
}

func TestASlotLongerThanAnAnswerIsOnePage(t *testing.T) {
	t.Parallel()
	list := chainOf([]int64{5, 6, 7}, func(i int) int { return []int{3, 25, 2}[i] })
	c := cutter{from: 0, upper: 10}
	var pages []string
	parts := listOf(list, 10, new(int))
	for last := false; !last; {
		part, err := parts.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var p Page
		var made bool
		if p, made, last = c.add(part); made {
			pages = append(pages, fmt.Sprintf("%d-%d:%d", p.From, p.To, p.Count))
		}
	}
	if got, want := fmt.Sprint(pages), "[7-10:2 6-6:25 0-5:3]"; got != want {
		t.Errorf("pages %s, want %s", got, want)
	}
}

func TestTheDigestKnowsNoOrder(t *testing.T) {
	t.Parallel()
	list := chainOf([]int64{5}, func(int) int { return 3 })
	other := []rpc.SignatureInfo{list[2], list[0], list[1]}
	if digest(list) != digest(other) {
		t.Error("another order gives another digest")
	}
	if digest(list) == digest(list[:2]) || digest(list[:1]) == digest(list[1:2]) {
		t.Error("other sets have the same digest")
	}
}

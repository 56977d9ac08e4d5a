package rpc

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// balanced are nodes behind one address, that keep the same transactions and order a
// slot differently. Each page comes from the node that turn names.
type balanced struct {
	txs   []SignatureInfo
	limit int
	turn  func() int
	calls int
	lists map[int][]SignatureInfo // by node
}

func (b *balanced) ask(_ context.Context, before [64]byte) ([]SignatureInfo, error) {
	b.calls++
	list := b.list(b.turn())
	if before != ([64]byte{}) {
		at := slices.IndexFunc(list, func(i SignatureInfo) bool { return i.Signature == before })
		if at < 0 {
			return nil, errors.New("unknown")
		}
		list = list[at+1:]
	}
	return list[:min(len(list), b.limit)], nil
}

// list is a node's: each has another order of bytes.
func (b *balanced) list(node int) []SignatureInfo {
	if b.lists[node] == nil {
		other := byte(node * 37)
		list := slices.SortedFunc(slices.Values(b.txs), func(x, y SignatureInfo) int {
			for i := range 4 {
				x.Signature[i] ^= other
				y.Signature[i] ^= other
			}
			return cmp.Or(cmp.Compare(y.Slot, x.Slot), bytes.Compare(x.Signature[:], y.Signature[:]))
		})
		if b.lists == nil {
			b.lists = map[int][]SignatureInfo{}
		}
		b.lists[node] = list
	}
	return b.lists[node]
}

// ledger draws slots of so many transactions at most.
func ledger(t *rapid.T, most int) (txs []SignatureInfo) {
	slot := uint64(0)
	for range rapid.IntRange(0, 25).Draw(t, "slots") {
		slot += rapid.Uint64Range(1, 3).Draw(t, "step")
		for range rapid.IntRange(1, most).Draw(t, "transactions") {
			n := len(txs)
			txs = append(txs, SignatureInfo{Signature: [64]byte{byte(n * 89), 1, byte(n), byte(n >> 8)}, Slot: slot})
		}
	}
	return txs
}

// read reads a list to its end, and checks that its parts are whole slots, each once.
func read(t *rapid.T, l *SignatureList) (all []SignatureInfo) {
	given := uint64(math.MaxInt64)
	for {
		part, err := l.Next(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range part.Txs {
			if i.Slot > given || !part.Ended && i.Slot <= part.Above {
				t.Fatalf("slot %d is given, where those above %d had been and those above %d are", i.Slot, given, part.Above)
			}
		}
		all = append(all, part.Txs...)
		if part.Ended {
			return all
		}
		given = part.Above
	}
}

func sorted(txs []SignatureInfo) []string {
	var all []string
	for _, i := range txs {
		all = append(all, fmt.Sprint(i.Slot, i.Signature[:4]))
	}
	slices.Sort(all)
	return all
}

// Whichever node gives a page, everything is listed once, as long as a page is longer
// than a slot.
func TestASplitSlotIsListedWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &balanced{txs: ledger(t, 5), limit: rapid.IntRange(6, 20).Draw(t, "limit")}
		turns := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "turns"), 0)) //nolint:gosec // a test's
		b.turn = func() int { return turns.IntN(3) }
		got := read(t, NewSignatureList(ListOpts{}, b.ask))
		if !slices.Equal(sorted(got), sorted(b.txs)) {
			t.Fatalf("%d transactions are listed of %d", len(got), len(b.txs))
		}
	})
}

// A slot may be longer than any page: one node has an order to go on by.
func TestALongSlotIsListedWhole(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &balanced{txs: ledger(t, 20), limit: rapid.IntRange(1, 30).Draw(t, "limit"), turn: func() int { return 0 }}
		got := read(t, NewSignatureList(ListOpts{}, b.ask))
		if !slices.Equal(sorted(got), sorted(b.txs)) {
			t.Fatalf("%d transactions are listed of %d", len(got), len(b.txs))
		}
		if longest := 20; b.limit > longest {
			if most := len(b.txs)/(b.limit-longest) + 3; b.calls > most {
				t.Fatalf("%d calls for %d transactions, %d at once", b.calls, len(b.txs), b.limit)
			}
		}
	})
}

// However short pages are and however a slot is ordered, a list comes to its end.
func TestAListEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := &balanced{txs: ledger(t, 9), limit: rapid.IntRange(1, 4).Draw(t, "limit")}
		b.turn = func() int { return b.calls % 2 }
		read(t, NewSignatureList(ListOpts{}, b.ask))
	})
}

// A page of fewer than there could be is the end where the list has come down far
// enough, and the slots above are whole.
func TestAShortPageMayBeTheEnd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from         uint64
		calls, given int
	}{{0, 3, 4}, {7, 1, 4}, {6, 1, 4}, {5, 3, 4}} {
		b := &balanced{limit: 1000, turn: func() int { return 0 }}
		for n, slot := range []uint64{9, 7, 5, 5} {
			b.txs = append(b.txs, SignatureInfo{Signature: [64]byte{byte(n + 1)}, Slot: slot})
		}
		l := NewSignatureList(ListOpts{From: c.from}, b.ask)
		given := 0
		for ended := false; !ended; {
			part, err := l.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			given, ended = given+len(part.Txs), part.Ended
		}
		if b.calls != c.calls || given != c.given {
			t.Errorf("from slot %d on: %d calls for %d transactions, want %d for %d", c.from, b.calls, given, c.calls, c.given)
		}
	}
}

func TestAListThatDoesNotGoOn(t *testing.T) {
	t.Parallel()
	tx := func(n byte, slot uint64) SignatureInfo { return SignatureInfo{Signature: [64]byte{n}, Slot: slot} }
	at := Place{[64]byte{1}, 50}
	for name, c := range map[string]struct {
		at   Place
		page []SignatureInfo
	}{
		"above where it was left": {at, []SignatureInfo{tx(2, 51)}},
		"what it is to be below":  {at, []SignatureInfo{tx(2, 50), tx(1, 50)}},
		"rising":                  {at, []SignatureInfo{tx(2, 40), tx(3, 41)}},
		"no slot":                 {Place{}, []SignatureInfo{tx(2, 1<<63)}},
	} {
		l := NewSignatureList(ListOpts{At: c.at}, func(context.Context, [64]byte) ([]SignatureInfo, error) { return c.page, nil })
		if _, err := l.Next(t.Context()); !errors.Is(err, ErrListOrder) {
			t.Errorf("%s: %v", name, err)
		}
	}
	calls := 0
	l := NewSignatureList(ListOpts{At: at}, func(context.Context, [64]byte) ([]SignatureInfo, error) {
		calls++
		return []SignatureInfo{tx(byte(2+calls%2), 40)}, nil
	})
	var err error
	for err == nil && calls < 100 {
		_, err = l.Next(t.Context())
	}
	if !errors.Is(err, ErrListOrder) {
		t.Errorf("two signatures in turn: %v", err)
	}
}

// A node that makes up ever more transactions of one slot is not listened to for ever.
func TestASlotWithoutEnd(t *testing.T) {
	t.Parallel()
	calls := uint64(0)
	l := NewSignatureList(ListOpts{}, func(context.Context, [64]byte) ([]SignatureInfo, error) {
		page := make([]SignatureInfo, 1000)
		for i := range page {
			binary.BigEndian.PutUint64(page[i].Signature[:], calls*1000+uint64(i)+1)
			page[i].Slot = 7
		}
		calls++
		return page, nil
	})
	var err error
	for err == nil && calls <= 2*mostInSlot/1000 {
		_, err = l.Next(t.Context())
	}
	if !errors.Is(err, ErrListOrder) || !strings.Contains(err.Error(), "slot 7") {
		t.Errorf("after %d pages: %v", calls, err)
	}
}

// What ask could not get is asked for again in the same place.
func TestAListGoesOnAfterAnError(t *testing.T) {
	t.Parallel()
	b := &balanced{limit: 3, turn: func() int { return 0 }}
	for n := range 9 {
		b.txs = append(b.txs, SignatureInfo{Signature: [64]byte{byte(n + 1)}, Slot: uint64(n / 2)})
	}
	fails := errors.New("out of reach")
	odd := false
	l := NewSignatureList(ListOpts{}, func(ctx context.Context, before [64]byte) ([]SignatureInfo, error) {
		if odd = !odd; odd {
			return nil, fails
		}
		return b.ask(ctx, before)
	})
	var all []SignatureInfo
	for {
		part, err := l.Next(t.Context())
		if errors.Is(err, fails) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, part.Txs...)
		if part.Ended {
			break
		}
	}
	if !slices.Equal(sorted(all), sorted(b.txs)) {
		t.Errorf("%d transactions of %d", len(all), len(b.txs))
	}
}

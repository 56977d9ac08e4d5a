package ingest

import (
	"maps"
	"testing"

	"minesaudit/internal/rpc"
)

// played is a chain whose games have been played and that nobody has told of.
func played(t *testing.T, games int) *node {
	t.Helper()
	n := serve(t, quick(games, ""))
	n.chain.Faults.Withhold(1)
	n.listen(t)
	n.play(t)
	<-n.chain.Done()
	return n
}

// whole is what a node lists, page by page, and how many pages there were.
func whole(t *testing.T, n *node) (listed map[[64]byte]uint64, pages int) {
	t.Helper()
	client, err := rpc.NewClient(rpc.Config{URL: n.url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	program, err := rpc.ParseKey(n.chain.Program())
	if err != nil {
		t.Fatal(err)
	}
	l := list{d: New(Config{Program: program}), node: rpc.Single(client).Record(), tries: 1}
	listed = make(map[[64]byte]uint64)
	for {
		page, err := l.next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			return listed, pages
		}
		pages++
		for i := range page {
			listed[page[i].Signature] = page[i].Slot
		}
	}
}

// Pages end inside slots, and the next one comes from a node that orders the slot
// otherwise.
func TestASplitSlotIsListedWhole(t *testing.T) {
	t.Parallel()
	n := played(t, 300)
	want, _ := whole(t, n)
	for _, size := range []int{30, 31, 32, 33, 50} {
		n.chain.Faults.Pages(size)
		got, pages := whole(t, n)
		if !maps.Equal(got, want) {
			t.Errorf("pages of %d: %d of %d transactions are listed", size, len(got), len(want))
		}
		if most := len(want)*5/(size*4) + 3; pages > most {
			t.Errorf("pages of %d: %d of them, want %d at most", size, pages, most)
		}
	}
}

// However short the pages are, and however a slot is ordered, the list comes to its end.
func TestAListEnds(t *testing.T) {
	t.Parallel()
	n := played(t, 50)
	for size := range 5 {
		n.chain.Faults.Pages(size)
		if listed, _ := whole(t, n); len(listed) < 50 {
			t.Errorf("pages of %d: only %d transactions are listed", size, len(listed))
		}
	}
}

// What only a second node lists is found though its pages split slots.
func TestASplitSlotHidesNothing(t *testing.T) {
	t.Parallel()
	n := played(t, 300)
	_, other := n.peer(t, 1)
	n.chain.Node(1).Faults.Pages(40)
	lies(t, n.chain.Node(0), "hide")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleLive, rpc.RoleRecord}}, rpcNode{"b", other, []rpc.Role{rpc.RoleCheck}}))
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

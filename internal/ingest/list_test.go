package ingest

import (
	"testing"

	"minesaudit/internal/rpc"
)

// What only a second node lists is found though its pages split slots.
func TestASplitSlotHidesNothing(t *testing.T) {
	t.Parallel()
	n := serve(t, quick(300, ""))
	n.chain.Faults.Withhold(1)
	n.listen(t)
	n.play(t)
	<-n.chain.Done()
	_, other := n.peer(t, 1)
	n.chain.Node(1).Faults.Pages(40)
	lies(t, n.chain.Node(0), "hide")
	w := watch(t, n, database(t), nodes(t, n, rpcNode{"a", n.url, []rpc.Role{rpc.RoleLive, rpc.RoleRecord}}, rpcNode{"b", other, []rpc.Role{rpc.RoleCheck}}))
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

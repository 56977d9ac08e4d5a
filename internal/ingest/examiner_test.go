package ingest

import "testing"

// A pass and the examiner may examine the same transaction one after the other. Where
// the first has settled it and the second could not ask every node, it is examined
// again all the same, and waits no longer than that.
func TestWhatIsToBeExaminedAgainIsThoughItWasDone(t *testing.T) {
	t.Parallel()
	e := newExaminer()
	s := [64]byte{1}
	e.add(s)
	e.finish([][64]byte{s}, []*finding{{}}) // by a pass, while it waits
	names := e.take(1)
	e.finish(names, []*finding{{again: true}})

	e.reconsider()
	names = e.take(1)
	if len(names) != 1 || names[0] != s {
		t.Fatalf("%d are examined again, want the one that is to be", len(names))
	}
	e.finish(names, []*finding{{}})
	if waiting, _ := e.length(); waiting != 0 {
		t.Errorf("%d wait when all is examined", waiting)
	}
}

package store

import "testing"

// A stage ends where so many are stored, and begins to read at the first one above.
func TestStage(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	var txs []Tx
	for n := 1; n <= 9; n++ {
		txs = append(txs, r.tx(t, n, uint64(10*n))) // slots 10 to 90
	}
	twin := r.tx(t, 20, 50)
	dropped := r.tx(t, 21, 61)
	r.commit(t, &Batch{New: append(txs, twin, dropped)})
	r.commit(t, &Batch{Dropped: []int64{dropped.ID}})
	for _, c := range []struct {
		after, upTo int64
		most        int
		want        Stage
		more        bool
	}{
		{0, 95, 3, Stage{UpTo: 40, Above: 50}, true},
		{0, 95, 5, Stage{UpTo: 50, Above: 60, Before: signature(6)}, true}, // both of slot 50 are below
		{0, 95, 6, Stage{UpTo: 60, Above: 70, Before: signature(7)}, true}, // what was dropped is no place to begin at
		{35, 95, 1, Stage{UpTo: 50, Above: 60, Before: signature(6)}, true},
		{0, 95, 9, Stage{}, false},  // the last one has none above it
		{0, 95, 10, Stage{}, false}, // not so many
		{0, 60, 6, Stage{}, false},
		{90, 95, 0, Stage{}, false},
	} {
		got, more, err := r.w.Stage(bounded(t), c.after, c.upTo, c.most)
		if c.want.Before == ([64]byte{}) {
			got.Before = [64]byte{} // either of two
		}
		if err != nil || more != c.more || (more && got != c.want) {
			t.Errorf("%d to %d by %d: %+v, %v, %v; want %+v, %v", c.after, c.upTo, c.most, got, more, err, c.want, c.more)
		}
	}
}

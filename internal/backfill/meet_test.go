package backfill

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"minesaudit/internal/rpc"
	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// A record is met by whichever node answers, and by none of another chain.
func TestARecordIsMetByTheNodeThatAnswers(t *testing.T) {
	t.Parallel()
	p := play(t, simchain.Config{Games: 1}, "")
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "gone", http.StatusServiceUnavailable) }))
	t.Cleanup(down.Close)
	other := p.genesis
	other[0] ^= 1
	for _, c := range []struct {
		genesis [32]byte
		want    error
	}{{p.genesis, nil}, {other, store.ErrOtherWatch}} {
		pool, err := rpc.NewPool(rpc.PoolConfig{Providers: []rpc.Provider{
			{Client: rpc.Config{Name: "down"}, Ends: rpc.Endpoints{RPC: down.URL}},
			{Client: rpc.Config{Name: "up"}, Ends: rpc.Endpoints{RPC: p.url}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(pool.Close)
		if err := Meet(bounded(t), pool, store.Watch{Genesis: c.genesis, Program: p.program}); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
		if known := pool.Health()[1].Known; known != (c.want == nil) {
			t.Errorf("the node that answers is known: %v", known)
		}
	}
}

package ingest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

var (
	listedTime = regexp.MustCompile(`("slot":(\d+).*?"blockTime":)\d+`)
	anyTime    = regexp.MustCompile(`"blockTime":\d+`)
)

// untimed has a chain's node know the time of a slot only when asked for it, in a list,
// more often than that; a transaction it gives without one.
func untimed(t *testing.T, cfg simchain.Config, often int) *node {
	t.Helper()
	n := serve(t, cfg)
	var mu sync.Mutex
	listed := map[string]int{}
	whole := n.chain.Handler()
	n.url = n.served(t, n.chain.Node(0), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			whole.ServeHTTP(w, r)
			return
		}
		asked, err := io.ReadAll(n.calls.tee(r.Body))
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(asked))
		answer := httptest.NewRecorder()
		whole.ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		if bytes.Contains(asked, []byte(`"getTransaction"`)) {
			body = anyTime.ReplaceAll(body, []byte(`"blockTime":null`))
		}
		if bytes.Contains(asked, []byte(`"getSignaturesForAddress"`)) {
			mu.Lock()
			here := map[string]bool{}
			body = listedTime.ReplaceAllFunc(body, func(entry []byte) []byte {
				parts := listedTime.FindSubmatch(entry)
				slot := string(parts[2])
				here[slot] = true
				if listed[slot] >= often {
					return entry
				}
				return append(bytes.Clone(parts[1]), "null"...)
			})
			for slot := range here {
				listed[slot]++
			}
			mu.Unlock()
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.Code)
		_, _ = w.Write(body)
	}))
	return n
}

// A node may list a transaction before it knows the time of its slot. The frontier
// does not pass the slot before that is known: nobody would ask again.
func TestTheTimeOfASlotMayBeKnownLate(t *testing.T) {
	t.Parallel()
	n := untimed(t, quick(150, "all"), 2)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
	when := texts(t, w.dsn, fmt.Sprintf(`select void_when::text from audit.game where end_kind = %d`, verify.EndVoided))
	if len(when) == 0 || slices.Contains(when, strconv.Itoa(int(verify.VoidWhenUnknown))) {
		t.Errorf("voids were when: %q, want some, and none of them unknown", when)
	}
	if hours := texts(t, w.dsn, `select hour::text from audit.rollup where n <> 0 and hour = '-infinity'`); len(hours) > 0 {
		t.Errorf("%d counts are of no hour", len(hours))
	}
}

// Where a node has no times at all, the frontier goes on without them.
func TestANodeMayHaveNoTimes(t *testing.T) {
	t.Parallel()
	n := untimed(t, quick(40, ""), 1<<30)
	w := watch(t, n, database(t))
	n.play(t)
	w.catchUp(t, n)
	agree(t, n, w.dsn)
}

// What one transaction of a slot has no time for, another may have.
func TestAKnownTimeOfASlotIsKept(t *testing.T) {
	t.Parallel()
	times := appendTime(nil, 7, 0, false)
	times = appendTime(times, 7, 1_700_000_000, true)
	times = appendTime(times, 7, 0, false)
	if want := (store.SlotTime{Slot: 7, Time: time.Unix(1_700_000_000, 0), Has: true}); len(times) != 1 || times[0] != want {
		t.Errorf("%+v, want %+v alone", times, want)
	}
}

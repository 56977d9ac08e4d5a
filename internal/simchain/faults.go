package simchain

import (
	"errors"
	"math"
	"net/http"
	"sync"
)

// Faults is what goes wrong on demand. All methods may be called at any time from
// any goroutine; nothing goes wrong until one is called.
type Faults struct {
	mu       sync.Mutex
	finality int

	withheld, doubled float64 // shares of transactions
	mute              bool
	delay             int
	nulls             int
	asked             map[uint64]int // getTransaction calls by signature, while nulls > 0
	holes             int
	hidden            map[uint64]bool // signatures that lists leave out
	http              []HTTPFault     // of the next requests
	forks             [2]struct{ drop, reland int }
}

// HTTPFault is how a request can be answered wrongly.
type HTTPFault uint8

const (
	TooManyRequests HTTPFault = iota // 429 with Retry-After: 1
	RPCTooMany                       // 200 with JSON-RPC error 429
	ServerError                      // 503
	HTMLPage                         // 200 with a page of HTML
	CutJSON                          // an answer that ends in its middle
	Hang                             // no answer until the client goes away
)

// ErrFinality says that a fork needs more slots than finality leaves it.
var ErrFinality = errors.New("finality is too near for a fork: 5 slots or more are needed")

// Withhold keeps the notifications of a share (0 to 1) of transactions back. Which
// ones follows from their signatures.
func (f *Faults) Withhold(share float64) { f.set(func() { f.withheld = share }) }

// Duplicate sends the notifications of a share (0 to 1) of transactions twice.
func (f *Faults) Duplicate(share float64) { f.set(func() { f.doubled = share }) }

// Mute keeps all notifications back, slots too, while sockets stay open.
func (f *Faults) Mute(on bool) { f.set(func() { f.mute = on }) }

// Delay keeps all notifications back for some slots, as a node does whose
// websockets lag behind its ledger.
func (f *Faults) Delay(slots int) { f.set(func() { f.delay = slots }) }

// NullFirst lets getTransaction answer null the first n times it is asked for a
// signature, as a node does that lags behind its own notifications.
func (f *Faults) NullFirst(n int) { f.set(func() { f.nulls, f.asked = n, map[uint64]int{} }) }

// Holes leaves the next n transactions of the program out of signature lists;
// getTransaction knows them all the same.
func (f *Faults) Holes(n int) { f.set(func() { f.holes = n }) }

// FillHoles lists them again.
func (f *Faults) FillHoles() { f.set(func() { f.holes, f.hidden = 0, nil }) }

// HTTP answers the next requests with these faults, one each in this order.
func (f *Faults) HTTP(next ...HTTPFault) { f.set(func() { f.http = append(f.http, next...) }) }

// Heal takes back what is still to come: HTTP faults, withheld and doubled
// notifications, answers of null. Holes stay until FillHoles.
func (f *Faults) Heal() {
	f.set(func() { f.http, f.withheld, f.doubled, f.nulls = nil, 0, 0, 0 })
}

// DropStarts takes the next n starts back in a fork, after they were confirmed:
// those games never were.
func (f *Faults) DropStarts(n int) error { return f.fork(forkStart, n, 0) }

// DropEnds takes the next n ends back; the operator sends each again later, under
// another signature.
func (f *Faults) DropEnds(n int) error { return f.fork(forkEnd, n, 0) }

// RelandStarts moves the next n starts to a later slot after they were confirmed:
// same signature, another slot hash, another board.
func (f *Faults) RelandStarts(n int) error { return f.fork(forkStart, 0, n) }

// RelandEnds moves the next n ends to a later slot after they were confirmed.
func (f *Faults) RelandEnds(n int) error { return f.fork(forkEnd, 0, n) }

type forkKind uint8

const (
	forkStart forkKind = iota
	forkEnd
)

func (f *Faults) fork(kind forkKind, drop, reland int) error {
	if f.finality < 5 {
		return ErrFinality
	}
	f.set(func() { f.forks[kind].drop += drop; f.forks[kind].reland += reland })
	return nil
}

func (f *Faults) set(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
}

func (f *Faults) takeFork(kind forkKind) (lands, forked bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch k := &f.forks[kind]; {
	case k.reland > 0:
		k.reland--
		return true, true
	case k.drop > 0:
		k.drop--
		return false, true
	}
	return false, false
}

// muted tells whether notifications are kept back, and how often the one of t is
// to be sent: 0, 1 or 2 times.
func (f *Faults) muted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mute
}

func (f *Faults) delayed() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.delay
}

func (f *Faults) copies(t *tx) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := float64(t.salt>>32) / math.MaxUint32
	switch {
	case at < f.withheld:
		return 0
	case 1-at < f.doubled:
		return 2
	default:
		return 1
	}
}

// playsDead tells whether getTransaction is to deny t this time.
func (f *Faults) playsDead(t *tx) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.nulls == 0 {
		return false
	}
	f.asked[t.short()]++
	return f.asked[t.short()] <= f.nulls
}

// dig hides a new transaction of the program from lists if holes are wanted.
func (f *Faults) dig(t *tx) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.holes == 0 || t.layout == foreignOnly {
		return
	}
	if f.hidden == nil {
		f.hidden = map[uint64]bool{}
	}
	f.holes--
	f.hidden[t.short()] = true
}

func (f *Faults) hides(t *tx) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.hidden[t.short()]
}

// serve answers a request wrongly if that is what is wanted next.
func (f *Faults) serve(w http.ResponseWriter, r *http.Request, body []byte) (served bool) {
	f.mu.Lock()
	if len(f.http) == 0 {
		f.mu.Unlock()
		return false
	}
	fault := f.http[0]
	f.http = f.http[1:]
	f.mu.Unlock()
	switch fault {
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
	case RPCTooMany:
		respond(w, refuseAll(body, &rpcError{Code: 429, Message: "too many requests"}))
	case ServerError:
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
	case HTMLPage:
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html><body>We will be right back.</body></html>"))
	case CutJSON:
		respond(w, []byte(`{"jsonrpc":"2.0","result":{"sl`))
	case Hang:
		<-r.Context().Done()
	}
	return true
}

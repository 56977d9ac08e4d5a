package simchain

import (
	"net/http"
)

// HTTPFault is how a request can be answered wrongly.
type HTTPFault uint8

const (
	TooManyRequests HTTPFault = iota // 429 with Retry-After: 1
	RPCTooMany                       // 200 with JSON-RPC error 429
	ServerError                      // 503
	HTMLPage                         // 200 with a page of HTML
	CutJSON                          // an answer that ends in its middle
	Hang                             // no answer until the client goes away
	TooManyBare                      // 429 that does not say when to come again
	BadGateway                       // 502 with a page of HTML
	InternalError                    // 500 without a body
)

// serve answers a request wrongly if that is what is wanted next.
func (f *Faults) serve(w http.ResponseWriter, r *http.Request, body []byte) (served bool) {
	fault, is := f.nextHTTP()
	if !is {
		return false
	}
	switch fault {
	case TooManyRequests:
		w.Header().Set("Retry-After", "1")
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
	case TooManyBare:
		http.Error(w, "Too Many Requests", http.StatusTooManyRequests)
	case RPCTooMany:
		respond(w, refuseAll(body, &rpcError{Code: 429, Message: "too many requests"}))
	case ServerError:
		http.Error(w, "unavailable", http.StatusServiceUnavailable)
	case BadGateway:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = w.Write([]byte("<html><body>502 Bad Gateway</body></html>"))
	case InternalError:
		w.WriteHeader(http.StatusInternalServerError)
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

func (f *Faults) nextHTTP() (HTTPFault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case len(f.http) > 0:
	case f.down:
		return ServerError, true
	default:
		return f.plan.http()
	}
	fault := f.http[0]
	f.http = f.http[1:]
	return fault, true
}

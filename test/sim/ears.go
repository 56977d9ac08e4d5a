//go:build sim

package sim

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

// ears hears which transactions a node is asked for by name.
type ears struct {
	mu    sync.Mutex
	asked map[string]bool // signatures in base58
}

func newEars() *ears { return &ears{asked: map[string]bool{}} }

func (e *ears) heard(signature string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.asked[signature]
}

// before has a handler's requests heard.
func (e *ears) before(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return // the client has gone
			}
			e.hear(body)
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		h.ServeHTTP(w, r)
	})
}

func (e *ears) hear(body []byte) {
	var request struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	var signature string
	if json.Unmarshal(body, &request) != nil || request.Method != "getTransaction" || len(request.Params) == 0 ||
		json.Unmarshal(request.Params[0], &signature) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.asked[signature] = true
}

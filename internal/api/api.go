// Package api serves what a watcher tells of itself over HTTP: health,
// metrics and status. It has no authentication, so it listens on loopback
// unless the operator says otherwise, and shows nothing secret.
//
//   - /livez answers 200 while the main loop turns. It touches nothing else: a
//     database that is down must not restart the process.
//   - /readyz answers 200 when the database can be reached and its schema is
//     this binary's. Findings do not bear on it.
//   - /status is the whole account as JSON, also while nothing works.
//   - /metrics is for Prometheus.
//   - /debug/pprof/ has profiles of the process where the operator asked for
//     them; the caller sees to it that only loopback is listened on.
//
// What a Source gives must be free of secrets already; what goes wrong inside
// the server goes to the Log, never into an answer.
package api

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// staleAfter is how long the main loop may not turn before /livez fails: more
// than the longest a single database statement is given.
const staleAfter = 3 * time.Minute

// readyTimeout bounds the look at the database.
const readyTimeout = 2 * time.Second

// Source is what the handlers ask.
type Source struct {
	Turned  func() time.Time            // when the main loop last turned
	Ready   func(context.Context) error // database reachable, schema right
	Status  func() any                  // encoded as JSON
	Metrics prometheus.Gatherer

	Log      *log.Logger // of faults in serving
	Profiles bool        // serve /debug/pprof/
}

// Handler serves a source.
func Handler(s Source) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, _ *http.Request) {
		if idle := time.Since(s.Turned()); idle > staleAfter {
			answer(w, http.StatusServiceUnavailable, fmt.Sprintf("the main loop has not turned for %s", idle.Round(time.Second)))
			return
		}
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
		defer cancel()
		if err := s.Ready(ctx); err != nil {
			answer(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		answer(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /status", func(w http.ResponseWriter, _ *http.Request) {
		body, err := json.MarshalIndent(s.Status(), "", "  ")
		if err != nil {
			s.Log.Printf("encode the status: %v", err)
			answer(w, http.StatusInternalServerError, "the status could not be encoded; see the log")
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(append(body, '\n'))
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{
		// The default answers a failed gathering with its errors.
		ErrorHandling: promhttp.ContinueOnError, ErrorLog: s.Log,
	}))
	if s.Profiles {
		serveProfiles(mux)
	}
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, "minesaudit: /status /metrics /livez /readyz")
	})
	return mux
}

func answer(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(code)
	_, _ = fmt.Fprintln(w, text)
}

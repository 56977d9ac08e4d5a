package api

import (
	"net/http"
	"net/http/pprof"
)

// serveProfiles adds what go tool pprof asks for. /debug/pprof/cmdline is left
// out: a command line may hold the node's address with its key. The others show
// functions, counts and addresses of memory, never what is stored there.
func serveProfiles(mux *http.ServeMux) {
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", http.NotFound)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
}

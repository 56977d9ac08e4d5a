package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// source is a watcher that is well, and what was logged of serving it.
func source() (Source, *bytes.Buffer) {
	out := &bytes.Buffer{}
	reg := prometheus.NewRegistry()
	reg.MustRegister(prometheus.NewCounter(prometheus.CounterOpts{Name: "minesaudit_test_total", Help: "x"}))
	return Source{
		Turned:  time.Now,
		Ready:   func(context.Context) error { return nil },
		Status:  func() any { return map[string]string{"state": "following"} },
		Metrics: reg, Log: log.New(out, "", 0),
	}, out
}

func get(t *testing.T, s Source, path string) (code int, body string, header http.Header) {
	t.Helper()
	w := httptest.NewRecorder()
	Handler(s).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w.Code, w.Body.String(), w.Header()
}

func TestLiveWhileTheLoopTurns(t *testing.T) {
	s, _ := source()
	s.Ready = func(context.Context) error { return errors.New("the database is down") }
	s.Status = func() any { panic("asked") }
	if code, body, _ := get(t, s, "/livez"); code != 200 || body != "ok\n" {
		t.Errorf("with the database down: %d %q", code, body)
	}
	s.Turned = func() time.Time { return time.Now().Add(-staleAfter + 10*time.Second) }
	if code, _, _ := get(t, s, "/livez"); code != 200 {
		t.Errorf("shortly before it counts as stuck: %d", code)
	}
	s.Turned = func() time.Time { return time.Now().Add(-staleAfter - time.Second) }
	if code, body, _ := get(t, s, "/livez"); code != 503 || !strings.Contains(body, "has not turned for 3m") {
		t.Errorf("stuck: %d %q", code, body)
	}
}

func TestReadyFollowsTheDatabase(t *testing.T) {
	s, _ := source()
	var fault error
	s.Ready = func(ctx context.Context) error {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("it may wait for ever")
		}
		return fault
	}
	s.Turned = func() time.Time { return time.Time{} } // is for /livez to tell
	for _, fault = range []error{nil, errors.New("the schema is old"), nil} {
		code, body, _ := get(t, s, "/readyz")
		if fault == nil && (code != 200 || body != "ok\n") || fault != nil && (code != 503 || body != "the schema is old\n") {
			t.Errorf("%v: %d %q", fault, code, body)
		}
	}
}

func TestStatusIsJSON(t *testing.T) {
	s, _ := source()
	code, body, header := get(t, s, "/status")
	var got map[string]string
	if err := json.Unmarshal([]byte(body), &got); err != nil || code != 200 || got["state"] != "following" {
		t.Errorf("%d %q: %v", code, body, err)
	}
	if ct := header.Get("Content-Type"); ct != "application/json; charset=utf-8" {
		t.Errorf("type %q", ct)
	}
}

// broken is a collector that fails with an error that no answer should show.
type broken struct{ desc *prometheus.Desc }

func (b broken) Describe(ch chan<- *prometheus.Desc) { ch <- b.desc }
func (b broken) Collect(ch chan<- prometheus.Metric) {
	ch <- prometheus.NewInvalidMetric(b.desc, errors.New("MARKER"))
}

// What goes wrong inside stands in the log, not in the answer.
func TestFaultsGoToTheLog(t *testing.T) {
	s, out := source()
	s.Status = func() any { return func() {} }
	if code, body, _ := get(t, s, "/status"); code != 500 || strings.Contains(body, "json:") {
		t.Errorf("%d %q", code, body)
	}
	s.Metrics.(*prometheus.Registry).MustRegister(broken{prometheus.NewDesc("broken", "x", nil, nil)})
	if code, body, _ := get(t, s, "/metrics"); code != 200 || strings.Contains(body, "MARKER") || !strings.Contains(body, "minesaudit_test_total 0") {
		t.Errorf("/metrics: %d %q", code, body)
	}
	for _, want := range []string{"encode the status: json:", "MARKER"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in the log: %s", want, out)
		}
	}
}

func TestProfilesAreServedWhereAskedFor(t *testing.T) {
	s, _ := source()
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/cmdline"} {
		if code, _, _ := get(t, s, path); code != 404 {
			t.Errorf("%s by default: %d", path, code)
		}
	}
	s.Profiles = true
	for path, want := range map[string]int{
		"/debug/pprof/": 200, "/debug/pprof/heap?debug=1": 200, "/debug/pprof/goroutine?debug=2": 200,
		"/debug/pprof/cmdline": 404, // it may hold a key
	} {
		if code, _, _ := get(t, s, path); code != want {
			t.Errorf("%s: %d, want %d", path, code, want)
		}
	}
}

func TestOtherPathsAndMethods(t *testing.T) {
	s, _ := source()
	for request, want := range map[string]int{"GET /": 200, "GET /other": 404, "POST /status": 405, "DELETE /metrics": 405} {
		method, path, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		Handler(s).ServeHTTP(w, httptest.NewRequest(method, path, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", request, w.Code, want)
		}
	}
}

func TestServer(t *testing.T) {
	s, out := source()
	s.Status = func() any { panic("in a handler") }
	server, err := Listen("127.0.0.1:0", Handler(s), s.Log)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(server.URL() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if !strings.Contains(string(body), "minesaudit_test_total 0") {
		t.Errorf("%s", body)
	}
	if _, err := client.Get(server.URL() + "/status"); err == nil {
		t.Error("a handler that panicked has answered")
	}
	if _, err := Listen(strings.TrimPrefix(server.URL(), "http://"), Handler(s), s.Log); err == nil {
		t.Error("two listen on one port")
	}
	if err := server.Close(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(out.String(), "in a handler") {
		t.Errorf("the panic is not in the log: %q", out)
	}
	if _, err := client.Get(server.URL() + "/"); err == nil {
		t.Error("it still listens")
	}
}

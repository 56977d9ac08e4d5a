package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// answering serves one answer to /status.
func answering(t *testing.T, code int, body string) (listen string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/status" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.WriteHeader(code)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://")
}

const followingStatus = `{"state":"following","program":"P","head_slot":120,"frontier_slot":100,"audited_from_slot":10,
"backfill":{"pages":3,"transactions":2900,"failing_pages":1,"last_error":"withheld\u001b[2J"},"lag_slots":20,"lag_seconds":8,
"reconciled_at":"2026-01-02T03:04:05Z","coverage":[{"from_slot":1,"to_slot":9,"complete":false,"reason":"pruned\u001b[2J","source":"backfill"},
{"from_slot":10,"to_slot":100,"complete":true,"source":"follow"}],"gaps":[{"reason":"stalled","from_slot":99,"to_slot":null,"opened_at":""}],
"games":{"pass":7,"fail":1,"inconclusive":2},"confirmed":{"pass":3},"voids":{"before_timeout":4,"after_timeout":5},"unverifiable_transactions":6,
"connection":{"up":false,"last_end_reason":"stalled","last_error":"no slot for 15 s"},"node":{"ok":true},"database":{"ok":true}}`

func TestStatusShowsWhatIsKnownAndWhatIsNot(t *testing.T) {
	withoutEnv(t)
	listen := answering(t, http.StatusOK, followingStatus)
	code, out, stderr := indexer("status", "--listen", listen)
	if code != exitGood {
		t.Fatalf("%d %s", code, stderr)
	}
	for _, want := range []string{
		"slot 100, 20 slots behind (about 8 s)", "slots 10 to 100", "slots 1 to 9: pruned", "audited from", "slot 10\n",
		"3 pages of 2900 transactions wait to be read\n", "1 of them, and tried again: withheld", "from slot 99, it lasts: stalled",
		"pass 7, fail 1, inconclusive 2", "pass 3, fail 0", "before the timeout 4, after it 5", "6 transactions", "down: stalled no slot for 15 s",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if strings.ContainsRune(out, 0x1b) {
		t.Errorf("a node writes to the terminal:\n%q", out)
	}
	if code, out, _ := indexer("status", "--listen", listen, "--json"); code != exitGood || strings.TrimSpace(out) != followingStatus {
		t.Errorf("--json: %d %s", code, out)
	}
}

const standbyStatus = `{"state":"standby","program":"P","genesis_hash":"G","head_slot":120,"frontier_slot":100,"audited_from_slot":10,"lag_slots":null,"lag_seconds":null,
"node":{"ok":false,"error":"connection refused","since":""},"nodes":[{"name":"a","state":"erring","error":"connection refused","lag_slots":null},{"name":"b","state":"unknown","lag_slots":null},
{"name":"c","state":"ok","lag_slots":3}],"database":{"ok":true}}`

// What a daemon does not do while it stands by is not told of.
func TestStatusOfAStandby(t *testing.T) {
	withoutEnv(t)
	code, out, stderr := indexer("status", "--listen", answering(t, http.StatusOK, standbyStatus))
	if code != exitGood {
		t.Fatalf("%d %s", code, stderr)
	}
	lines := map[string]bool{}
	for line := range strings.Lines(out) {
		lines[strings.Join(strings.Fields(line), " ")] = true
	}
	for _, want := range []string{
		"record's head slot 120", "frontier slot 100", "audited from slot 10", "node down: connection refused",
		"node a erring connection refused", "node b unknown", "node c ok, 3 slots behind", "database up",
	} {
		if !lines[want] {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "stream") {
		t.Errorf("a subscription that was not made is told of:\n%s", out)
	}
	_, out, _ = indexer("status", "--listen", answering(t, http.StatusOK, `{"state":"starting","connection":{"up":false,"since":"2026-01-02T03:04:05Z"}}`))
	if strings.Contains(out, "down: \n") {
		t.Errorf("a reason is announced and not given:\n%s", out)
	}
}

func TestStatusExitCodes(t *testing.T) {
	withoutEnv(t)
	for body, want := range map[string]int{
		`{"state":"standby"}`: exitGood, `{"state":"reading_history"}`: exitGood, `{"state":"stalled"}`: exitInconclusive, `{"state":"starting"}`: exitInconclusive,
		`{}`: exitUnavailable, `<html>`: exitUnavailable,
	} {
		if code, _, stderr := indexer("status", "--listen", answering(t, http.StatusOK, body)); code != want {
			t.Errorf("%s: %d, want %d: %s", body, code, want, stderr)
		}
	}
	if code, _, _ := indexer("status", "--listen", answering(t, http.StatusBadGateway, followingStatus)); code != exitUnavailable {
		t.Errorf("another's error: %d", code)
	}
	if code, _, stderr := indexer("status", "--listen", "nowhere"); code != exitUsage || !strings.Contains(stderr, "HOST:PORT") {
		t.Errorf("no address: %d %s", code, stderr)
	}
}

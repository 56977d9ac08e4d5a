package rpc

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
)

func TestRequestsAsTheNodeSeesThem(t *testing.T) {
	sig := testSig(1)
	cases := []struct {
		name   string
		answer string
		call   func(context.Context, *Client) error
		method string
		params []string
	}{
		{
			"slot", `5`, func(ctx context.Context, c *Client) error { _, err := c.Slot(ctx, Finalized); return err },
			"getSlot",
			[]string{`{"commitment":"finalized"}`},
		},
		{
			"transaction", string(`{"slot":1,"transaction":null,"meta":null}`),
			func(ctx context.Context, c *Client) error { _, err := c.Transaction(ctx, sig, Confirmed); return err },
			"getTransaction",
			[]string{
				`"` + SignatureString(sig) + `"`,
				`{"commitment":"confirmed","encoding":"base64","maxSupportedTransactionVersion":1}`,
			},
		},
		{
			"signatures from the newest", `[]`,
			func(ctx context.Context, c *Client) error {
				_, err := c.Signatures(ctx, testProgram, SignaturesOpts{})
				return err
			}, "getSignaturesForAddress",
			[]string{`"` + testProgram + `"`, `{"commitment":"finalized","limit":1000}`},
		},
		{
			"signatures below one", `[]`,
			func(ctx context.Context, c *Client) error {
				_, err := c.Signatures(ctx, testProgram, SignaturesOpts{
					Commitment: Confirmed, Before: sig, MinContextSlot: 1<<64 - 1, Limit: 2,
				})
				return err
			}, "getSignaturesForAddress",
			[]string{
				`"` + testProgram + `"`,
				`{"before":"` + SignatureString(sig) + `","commitment":"confirmed","limit":2,"minContextSlot":18446744073709551615}`,
			},
		},
		{
			"statuses", `{"context":{"slot":9},"value":[null]}`,
			func(ctx context.Context, c *Client) error {
				_, _, err := c.SignatureStatuses(ctx, [][64]byte{sig}, true)
				return err
			}, "getSignatureStatuses",
			[]string{`["` + SignatureString(sig) + `"]`, `{"searchTransactionHistory":true}`},
		},
		{
			"program", `{"context":{"slot":9},"value":null}`,
			func(ctx context.Context, c *Client) error { _, err := c.ProgramExists(ctx, testProgram); return err },
			"getAccountInfo",
			[]string{
				`"` + testProgram + `"`,
				`{"commitment":"confirmed","dataSlice":{"length":0,"offset":0},"encoding":"base64"}`,
			},
		},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			node := newFakeNode(t, result(tc.answer))
			if err := tc.call(t.Context(), newTestClient(t, node.URL)); err != nil {
				t.Fatal(err)
			}
			got := node.asked()[0]
			var params []string
			for _, p := range got.Params {
				params = append(params, string(p))
			}
			if got.Method != tc.method || !reflect.DeepEqual(params, tc.params) {
				t.Errorf("asked %s %s\nwant  %s %s", got.Method, params, tc.method, tc.params)
			}
		})
	}
}

func TestNumbersAreExact(t *testing.T) {
	const slot = "9007199254740993" // 2^53 + 1: a float64 cannot hold it
	sig := SignatureString(testSig(1))
	node := newFakeNode(t,
		result(slot), result("18446744073709551615"),
		result(`[{"signature":"`+sig+`","slot":`+slot+`,"err":null,"blockTime":null},
			{"signature":"`+sig+`","slot":1,"err":{"InstructionError": [0, {"Custom": 6001}]},"blockTime":-1}]`),
		result(`{"context":{"slot":18446744073709551615},"value":[null,{"slot":`+slot+`,"confirmations":null,"err":"AccountNotFound"},
			{"slot":3,"confirmations":1,"err":null,"confirmationStatus":"confirmed"}]}`))
	c := newTestClient(t, node.URL)
	ctx := t.Context()
	if got, err := c.Slot(ctx, Confirmed); err != nil || got != 9007199254740993 {
		t.Errorf("Slot: %d, %v", got, err)
	}
	if got, err := c.FirstAvailableBlock(ctx); err != nil || got != 1<<64-1 {
		t.Errorf("FirstAvailableBlock: %d, %v", got, err)
	}
	page, err := c.Signatures(ctx, testProgram, SignaturesOpts{})
	want := []SignatureInfo{
		{Signature: testSig(1), Slot: 9007199254740993},
		{Signature: testSig(1), Slot: 1, Err: []byte(`{"InstructionError":[0,{"Custom":6001}]}`), BlockTime: -1, HasBlockTime: true},
	}
	if err != nil || !reflect.DeepEqual(page, want) {
		t.Errorf("Signatures: %v, %v", page, err)
	}
	statuses, asOf, err := c.SignatureStatuses(ctx, make([][64]byte, 3), false)
	wantStatuses := []*SignatureStatus{
		nil,
		{Slot: 9007199254740993, Err: []byte(`"AccountNotFound"`), Commitment: Finalized},
		{Slot: 3, Commitment: Confirmed},
	}
	if err != nil || asOf != 1<<64-1 || !reflect.DeepEqual(statuses, wantStatuses) {
		t.Errorf("SignatureStatuses: %v as of %d, %v", statuses, asOf, err)
	}
}

func TestErrorClasses(t *testing.T) {
	html := "<html><body>upstream</body></html>"
	cases := []struct {
		name   string
		answer scripted
		class  Class
		code   int
		after  time.Duration
	}{
		{"null", result("null"), NotFound, 0, 0},
		{"block not available", failure(-32004, "x"), Unavailable, -32004, 0},
		{"node behind", failure(-32005, "x"), Unavailable, -32005, 0},
		{"slot skipped or missing", failure(-32007, "x"), Unavailable, -32007, 0},
		{"long-term storage skipped", failure(-32009, "x"), Unavailable, -32009, 0},
		{"status not yet available", failure(-32014, "x"), Unavailable, -32014, 0},
		{"min context slot", failure(-32016, "x"), Unavailable, -32016, 0},
		{"long-term storage unreachable", failure(-32019, "x"), Unavailable, -32019, 0},
		{"internal", failure(-32603, "x"), Unavailable, -32603, 0},
		{"unknown code", failure(-31999, "x"), Unavailable, -31999, 0},
		{"version", failure(-32015, "x"), UnsupportedVersion, -32015, 0},
		{"cleaned up", failure(-32001, "x"), NoHistory, -32001, 0},
		{"no history", failure(-32011, "x"), NoHistory, -32011, 0},
		{"anchor unknown", failure(-32020, "x"), NotFound, -32020, 0},
		{"bad parameters", failure(-32602, "x"), Invalid, -32602, 0},
		{"unknown method", failure(-32601, "x"), Invalid, -32601, 0},
		{"429 as JSON-RPC", failure(429, "slow down"), RateLimited, 429, 0},
		{"429 as HTTP", scripted{status: 429, retryAfter: "7", body: html}, RateLimited, 429, 7 * time.Second},
		{"429 as both", scripted{status: 429, retryAfter: " 3 ", body: failure(-32005, "x").body}, RateLimited, -32005, 3 * time.Second},
		{"401", scripted{status: 401, body: html}, Auth, 401, 0},
		{"403 with a JSON-RPC error", scripted{status: 403, body: failure(-32052, "x").body}, Auth, -32052, 0},
		{"404", scripted{status: 404, body: html}, Invalid, 404, 0},
		{"413", scripted{status: 413}, Invalid, 413, 0},
		{"400 with a JSON-RPC error", scripted{status: 400, body: failure(-32015, "x").body}, UnsupportedVersion, -32015, 0},
		{"redirect", scripted{status: 307}, Invalid, 307, 0},
		{"503", scripted{status: 503, body: html, retryAfter: "1"}, Unavailable, 503, time.Second},
		{"502 with an odd body", scripted{status: 502, body: `{"error":"upstream"}`}, Unavailable, 502, 0},
		{"HTML as 200", scripted{body: html}, Unavailable, 0, 0},
		{"cut JSON", scripted{body: `{"jsonrpc":"2.0","id":1,"result":{"slot":`}, Unavailable, 0, 0},
		{"two JSON values", scripted{body: `{"result":1}{"result":2}`}, Unavailable, 0, 0},
		{"empty", scripted{body: ""}, Unavailable, 0, 0},
		{"neither result nor error", scripted{body: `{"jsonrpc":"2.0","id":1}`}, Unavailable, 0, 0},
		{"slot as text", result(`"12"`), Unavailable, 0, 0},
		{"slot above u64", result(`18446744073709551616`), Unavailable, 0, 0},
		{"slot with a fraction", result(`1.5`), Unavailable, 0, 0},
		{"too long", result(strings.Repeat(" ", 5000) + "1"), Unavailable, 0, 0},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			node := newFakeNode(t, tc.answer)
			reg := prometheus.NewRegistry()
			m := NewMetrics(reg)
			c := newTestClient(t, node.URL, func(cfg *Config) { cfg.MaxBody, cfg.Metrics = 4096, m })
			_, err := c.Slot(t.Context(), Confirmed)
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, tc.class) || ClassOf(err) != tc.class {
				t.Fatalf("error %v (%T), want class %v", err, err, tc.class)
			}
			if e.Code != tc.code || e.RetryAfter != tc.after || e.Method != "getSlot" {
				t.Errorf("method %s code %d retry after %v, want %d and %v", e.Method, e.Code, e.RetryAfter, tc.code, tc.after)
			}
			if got := len(node.asked()); got != 1 {
				t.Errorf("asked %d times", got)
			}
			if got := testutil.ToFloat64(m.requests.WithLabelValues(DefaultNode, "getSlot", tc.class.String())); got != 1 {
				t.Errorf("counted %v", got)
			}
		})
	}
}

func TestMalformedRecordsAreTheEndpointsFault(t *testing.T) {
	sig := SignatureString(testSig(1))
	cases := map[string]struct {
		answer string
		call   func(context.Context, *Client) error
	}{
		"signature line without slot":           {`[{"signature":"` + sig + `","err":null}]`, callSignatures},
		"signature line with a short signature": {`[{"signature":"abc","slot":1,"err":null}]`, callSignatures},
		"signatures that are no list":           {`{"signature":"abc"}`, callSignatures},
		"fewer statuses than asked": {`{"context":{"slot":1},"value":[]}`, func(ctx context.Context, c *Client) error {
			_, _, err := c.SignatureStatuses(ctx, make([][64]byte, 1), false)
			return err
		}},
		"transaction without slot": {`{"meta":null}`, callTransaction},
		"another transaction":      {`{"slot":1,"meta":null,"transaction":{"signatures":["` + SignatureString(testSig(2)) + `"],"message":{"accountKeys":[]}}}`, callTransaction},
		"account that does not say what it is": {`{"context":{"slot":1},"value":{"lamports":1}}`, func(ctx context.Context, c *Client) error {
			_, err := c.ProgramExists(ctx, testProgram)
			return err
		}},
		"genesis hash of 3 bytes": {`"abc"`, func(ctx context.Context, c *Client) error { _, err := c.GenesisHash(ctx); return err }},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			node := newFakeNode(t, result(tc.answer))
			if err := tc.call(t.Context(), newTestClient(t, node.URL)); !errors.Is(err, Unavailable) {
				t.Errorf("error %v, want unavailable", err)
			}
		})
	}
}

func callSignatures(ctx context.Context, c *Client) error {
	_, err := c.Signatures(ctx, testProgram, SignaturesOpts{})
	return err
}

func callTransaction(ctx context.Context, c *Client) error {
	_, err := c.Transaction(ctx, testSig(1), Finalized)
	return err
}

func TestTooManyStatusesAreNotAskedFor(t *testing.T) {
	node := newFakeNode(t, result("null"))
	_, _, err := newTestClient(t, node.URL).SignatureStatuses(t.Context(), make([][64]byte, MaxStatuses+1), false)
	if !errors.Is(err, Invalid) || len(node.asked()) != 0 {
		t.Errorf("error %v after %d requests", err, len(node.asked()))
	}
}

func TestTimeoutIsTheEndpointsAndCancelTheCallers(t *testing.T) {
	node := newFakeNode(t, scripted{hang: true})
	slow := newTestClient(t, node.URL, func(c *Config) { c.Timeout = 20 * time.Millisecond })
	_, err := slow.Slot(t.Context(), Confirmed)
	if !errors.Is(err, Unavailable) || !strings.Contains(err.Error(), "timeout") || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("request timeout: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err = newTestClient(t, node.URL).Slot(ctx, Confirmed)
	if !errors.Is(err, Canceled) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("caller's deadline: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err = newTestClient(t, node.URL).Slot(ended, Confirmed)
	if !errors.Is(err, Canceled) || !errors.Is(err, context.Canceled) {
		t.Errorf("caller's cancel: %v", err)
	}
}

func TestRateLimitHoldsRequestsBack(t *testing.T) {
	node := newFakeNode(t, result("1"))
	c := newTestClient(t, node.URL, func(c *Config) { c.RequestsPerSecond = 1e-6 }) // the burst of one, then none for days
	if _, err := c.Slot(t.Context(), Confirmed); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if _, err := c.Slot(ctx, Confirmed); !errors.Is(err, Canceled) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("second request: %v", err)
	}
	if got := len(node.asked()); got != 1 {
		t.Errorf("the node was asked %d times", got)
	}
}

func TestConcurrencyLimitHoldsRequestsBack(t *testing.T) {
	arrived, release := make(chan struct{}, 8), make(chan struct{})
	server := newFakeNode(t, result("1"))
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
		server.serve(w, r)
	})
	c := newTestClient(t, server.URL, func(c *Config) { c.MaxConcurrent = 2 })
	done := make(chan error, 3)
	for range 3 {
		go func() { _, err := c.Slot(t.Context(), Confirmed); done <- err }()
	}
	<-arrived
	<-arrived
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Slot(ctx, Confirmed); !errors.Is(err, Canceled) {
		t.Errorf("with two in flight: %v", err)
	}
	if got := len(arrived); got != 0 {
		t.Errorf("%d more requests reached the node", got)
	}
	close(release)
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestSeriesExistAtZero(t *testing.T) {
	reg := prometheus.NewRegistry()
	NewMetrics(reg).of(DefaultNode)
	want := len(methods()) * (1 + int(lastClass))
	if got, err := testutil.GatherAndCount(reg, "minesaudit_rpc_requests_total"); err != nil || got != want {
		t.Errorf("%d request series, %v, want %d", got, err, want)
	}
	if got, _ := testutil.GatherAndCount(reg, "minesaudit_subscription_ends_total"); got != len(reasons()) {
		t.Errorf("%d end series", got)
	}
	problems, err := testutil.GatherAndLint(reg)
	if err != nil || len(problems) != 0 {
		t.Errorf("metric names: %v, %v", problems, err)
	}
}

func TestRetryAfterHeader(t *testing.T) {
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"":                              0,
		"7":                             7 * time.Second,
		"-1":                            0,
		"soon":                          0,
		"99999999999999999999":          0,
		"Sun, 29 Nov 2026 12:01:00 GMT": time.Minute,
		"Sun, 29 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

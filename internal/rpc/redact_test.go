package rpc

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// withMarkers puts keys into user info, path and query of a URL.
func withMarkers(t *testing.T, raw string) string {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("MARKER-user", "MARKER/pass word")
	u.Path = "/v2/MARKER-path%/x"
	u.RawQuery = "api-key=MARKER-query%2F1&MARKER-bare"
	return u.String()
}

// everything is all that an error could ever show.
func everything(err error) string {
	text := fmt.Sprintf("%v|%+v|%#v|%s", err, err, err, err)
	for e := err; e != nil; e = errors.Unwrap(e) {
		text += "|" + e.Error()
	}
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			text += "|" + everything(e)
		}
	}
	return text
}

func wantNoMarker(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	text := everything(err)
	if basic := base64.StdEncoding.EncodeToString([]byte("MARKER-user:MARKER/pass word")); strings.Contains(text, "MARKER") || strings.Contains(text, basic) {
		t.Errorf("a key is shown: %s", text)
	}
}

// echo is a node that repeats all that it was sent, as some do.
func echo(status int, format string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		user, pass, _ := r.BasicAuth()
		text := strings.Join([]string{
			r.RequestURI, r.URL.Path, r.URL.RawQuery, r.URL.Query().Get("api-key"), r.Header.Get("Authorization"), user, pass,
			"http://" + user + "@" + r.Host + r.RequestURI,
		}, " ")
		w.WriteHeader(status)
		fmt.Fprintf(w, format, text)
	}
}

func refusedURL(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// endpoints provoke every way in which an endpoint can fail.
func endpoints(t *testing.T) map[string]string {
	serve := func(h http.HandlerFunc) string {
		s := httptest.NewServer(h)
		t.Cleanup(s.Close)
		return s.URL
	}
	secure := httptest.NewUnstartedServer(echo(200, "%s"))
	secure.Config.ErrorLog = newSilentLog()
	secure.StartTLS()
	t.Cleanup(secure.Close)
	rpcErr := `{"jsonrpc":"2.0","id":1,"error":{"code":-32052,"message":%q}}`
	return map[string]string{
		"refused":         refusedURL(t),
		"no such host":    "http://minesaudit.invalid",
		"bad certificate": secure.URL,
		"not TLS":         strings.Replace(serve(echo(200, "%s")), "http:", "https:", 1),
		"401":             serve(echo(401, "<html>%s</html>")),
		"403 JSON":        serve(echo(403, rpcErr)),
		"404":             serve(echo(404, "<html>%s</html>")),
		"429":             serve(echo(429, "%s")),
		"500":             serve(echo(500, "%s")),
		"HTML":            serve(echo(200, "<html>%s</html>")),
		"JSON-RPC error":  serve(echo(200, rpcErr)),
		"odd result":      serve(echo(200, `{"result":%q}`)),
		"cut JSON":        serve(echo(200, `{"result":"%s`)),
		"redirect": serve(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere"+r.RequestURI, http.StatusTemporaryRedirect)
		}),
		"dropped": serve(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }),
		"cut body": serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "{")
		}),
		"timeout": serve(func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}),
	}
}

func TestNoKeyInRequestErrors(t *testing.T) {
	for name, raw := range endpoints(t) {
		t.Run(name, func(t *testing.T) {
			c := newTestClient(t, withMarkers(t, raw), func(cfg *Config) {
				if name == "timeout" {
					cfg.Timeout = 30 * time.Millisecond
				}
			})
			_, err := c.Slot(t.Context(), Confirmed)
			wantNoMarker(t, err)
			_, err = Retry(t.Context(), atOnce(RetryPolicy{Tries: 2}), func(ctx context.Context) (uint64, error) { return c.Slot(ctx, Confirmed) })
			wantNoMarker(t, err)
		})
	}
}

func TestNoKeyInStreamErrors(t *testing.T) {
	all := endpoints(t)
	all["close frame"] = "http" + strings.TrimPrefix(newWSNode(t, func(c *wsConn) {
		c.requests()
		_ = c.conn.Close(websocket.StatusPolicyViolation, "bad key MARKER-query/1 of MARKER-user")
	}), "ws")
	all["refusal"] = "http" + strings.TrimPrefix(newWSNode(t, func(c *wsConn) {
		logs, _ := c.requests()
		c.send(`{"error":{"code":-32602,"message":"no MARKER-path%%/x for MARKER/pass word"},"id":%s}`, logs.ID)
		hold(c)
	}), "ws")
	for name, raw := range all {
		t.Run(name, func(t *testing.T) {
			r := start(t, "ws"+strings.TrimPrefix(withMarkers(t, raw), "http"), func(c *StreamConfig) {
				if name == "timeout" {
					c.ConnectTimeout = 30 * time.Millisecond
				}
			})
			e := r.nextEnd()
			wantNoMarker(t, e.Err)
			if s := r.State(); strings.Contains(fmt.Sprintf("%+v", s), "MARKER") || s.LastError == "" {
				t.Errorf("state %+v", s)
			}
		})
	}
}

func TestKeysReachTheNode(t *testing.T) {
	node := newFakeNode(t, result("1"))
	if _, err := newTestClient(t, withMarkers(t, node.URL)).Slot(t.Context(), Confirmed); err != nil {
		t.Fatal(err)
	}
	got := node.asked()[0]
	if got.uri != "/v2/MARKER-path%25/x?api-key=MARKER-query%2F1&MARKER-bare" || !strings.HasPrefix(got.auth, "Basic ") {
		t.Errorf("the node saw %s and %q", got.uri, got.auth)
	}
}

func TestCleanKeepsWhatIsNoKey(t *testing.T) {
	u, _ := url.Parse("https://node.example/v2/SECRET")
	s := newScrubber(u)
	if got := s.clean("v2 says: key SECRET is bad\r\n\x00\x1b[31m"); got != "v2 says: key [redacted] is bad    [31m" {
		t.Errorf("%q", got)
	}
	long := s.clean(strings.Repeat("é", 400) + "SECRET")
	if len(long) > maxMessage+3 || !strings.HasSuffix(long, "é...") {
		t.Errorf("%d bytes: %q", len(long), long)
	}
	if got := s.clean(strings.Repeat("x", maxMessage-3) + "SECRET"); strings.Contains(got, "SEC") {
		t.Errorf("half a key: %q", got[maxMessage-10:])
	}
}

func TestCausesAreToldByKind(t *testing.T) {
	foreign := errors.New("MARKER http://u:MARKER@x/")
	for want, err := range map[string]error{
		"timeout":                             &url.Error{Op: "Post", URL: "MARKER", Err: context.DeadlineExceeded},
		"no such host":                        &net.DNSError{Name: "MARKER", IsNotFound: true},
		"host name lookup failed":             &net.DNSError{Name: "MARKER"},
		"TLS: the endpoint does not speak it": tls.RecordHeaderError{Msg: "MARKER"},
		"TLS: certificate not valid":          &tls.CertificateVerificationError{Err: foreign},
		"connection closed by the endpoint":   fmt.Errorf("MARKER: %w", io.ErrUnexpectedEOF),
		"the endpoint could not be spoken to": foreign,
	} {
		if got := cause(fmt.Errorf("Post MARKER: %w", err)); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}

package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"pgregory.net/rapid"
)

const marker = "MARKERk3y"

// TestRedactorHidesEachPlace puts the marker in each place of a secret and shows
// it in each way that an error or a log line might.
func TestRedactorHidesEachPlace(t *testing.T) {
	places := []struct{ name, secret, key string }{
		{"path", "https://node.example/v2/" + marker, marker},
		{"path with slash", "https://node.example/" + marker + "/", marker},
		{"query", "https://node.example/?api-key=" + marker, marker},
		{"query of two", "https://node.example/rpc?a=1&key=" + marker + "&b=2", marker},
		{"bare query", "https://node.example?" + marker, marker},
		{"password", "https://user:" + marker + "@node.example/", marker},
		{"user", "https://" + marker + "@node.example/", marker},
		{"user and path", "wss://" + marker + ":x@node.example/" + marker, marker},
		{"fragment", "https://node.example/#" + marker, marker},
		{"percent-encoded", "https://node.example/" + marker + "%2F%40%22x", marker + `/@"x`},
		{"malformed", "https://us er:" + marker + "%zz@node.example/", marker + "%zz"},
		{"slash in password", "https://user:/" + marker + "@node.example/x", "/" + marker},
		{"not an address", marker, marker},
		{"escaped by JSON", marker + "<&>\u2028", marker + "<&>\u2028"},
		{"database URL", "postgres://minesaudit:" + marker + "@db:5432/minesaudit", marker},
		{"database URL, slash", "postgres://minesaudit:a/" + marker + "@db:5432/minesaudit", "a/" + marker},
		{"database query", "postgresql://db/minesaudit?user=u&password=" + marker, marker},
		{"settings", "host=db user=u password=" + marker + " dbname=x", marker},
		{"settings first", "password = " + marker, marker},
		{"quoted setting", `host=db password='` + marker + `\' \\ x' dbname=x`, marker + `' \ x`},
		{"unended quote", `host=db password='` + marker, marker},
		{"escaped setting", `host=db password=` + marker + `\ y dbname=x`, marker + " y"},
		{"key's password", "host=db sslpassword=" + marker, marker},
	}
	for _, p := range places {
		t.Run(p.name, func(t *testing.T) {
			r := NewRedactor("", "short", p.secret)
			inJSON, _ := json.Marshal(map[string]string{"url": p.secret, "key": p.key})
			for _, text := range []string{
				p.secret, "get " + p.secret + ": refused", fmt.Sprintf("%q", p.secret), string(inJSON), p.secret + p.secret,
				url.QueryEscape(p.secret), url.PathEscape(p.secret),
				p.key, "key " + p.key + "!", fmt.Sprintf("%q", p.key), url.QueryEscape(p.key), url.PathEscape(p.key),
			} {
				got := r.String(text)
				if strings.Contains(got, marker) {
					t.Errorf("%s\nbecomes %s", text, got)
				}
				if again := r.String(got); again != got {
					t.Errorf("%s\nredacted twice is %s", got, again)
				}
			}
		})
	}
}

func TestRedactorHidesPieces(t *testing.T) {
	cases := []struct{ secret, text, want string }{
		{"https://node.example/v2/" + marker, "GET /v2/" + marker + ": 429", "GET /[redacted]: 429"},
		{"https://node.example/v2/" + marker, "dial tcp node.example:443: refused", "dial tcp node.example:443: refused"},
		{"https://node.example/v2/" + marker, "wss://node.example/v2/" + marker, "wss://node.example/[redacted]"},
		{"https://node.example/v2/" + marker, "https://node.example/v2/" + marker, "https://node.example"},
		{"https://node.example/v2/" + marker, "version v2 of it", "version v2 of it"},
		{"https://node.example/a%40b" + marker, "a@b" + marker, "[redacted]"},
		{"https://u:" + marker + "@node.example", "Authorization: Basic dTpNQVJLRVJrM3k=", "Authorization: Basic [redacted]"},
		{"postgres://minesaudit:" + marker + "@db/minesaudit", "database minesaudit of minesaudit at db: " + marker, "database minesaudit of minesaudit at db: [redacted]"},
		{"host=db password='a\\'" + marker + "' user=minesaudit", "minesaudit with a'" + marker, "minesaudit with [redacted]"},
		{"http://127.0.0.1:8899/", "http://127.0.0.1:8899/ is down, 127.0.0.1:9477 too", "http://127.0.0.1:8899 is down, 127.0.0.1:9477 too"},
	}
	for _, tc := range cases {
		if got := NewRedactor(tc.secret).String(tc.text); got != tc.want {
			t.Errorf("%s\nin %s\nis   %s\nwant %s", tc.secret, tc.text, got, tc.want)
		}
	}
}

// What nobody configured is hidden by its shape.
func TestRedactorKnowsShapes(t *testing.T) {
	cases := []struct{ text, want string }{
		{"proxy http://me:" + marker + "@proxy:3128 refused", "proxy http://[redacted]@proxy:3128 refused"},
		{"proxy http://me:a@" + marker + "@proxy:3128", "proxy http://[redacted]@proxy:3128"},
		{"moved to https://x/?api-key=" + marker + "&a=b", "moved to https://x/?api-key=[redacted]&a=b"},
		{"moved to https://x/?apikey=" + marker, "moved to https://x/?apikey=[redacted]"},
		{"host=db password='a b " + marker + "' dbname=x", "host=db password=[redacted] dbname=x"},
		{"host=db PASSWORD=pw dbname=x", "host=db PASSWORD=[redacted] dbname=x"},
		{"password authentication failed for user \"u\"", "password authentication failed for user \"u\""},
		{"mail me@example.org", "mail me@example.org"},
	}
	var none *Redactor
	for _, r := range []*Redactor{none, NewRedactor()} {
		for _, tc := range cases {
			got := r.String(tc.text)
			if got != tc.want {
				t.Errorf("%s\nis   %s\nwant %s", tc.text, got, tc.want)
			}
			if again := r.String(got); again != got {
				t.Errorf("%s\nredacted twice is %s", got, again)
			}
		}
	}
}

func TestRedactorLeavesNoTailOfALongerSecret(t *testing.T) {
	r := NewRedactor("abcdef", "abcdefghij")
	if got := r.String("abcdefghij abcdef"); got != "[redacted] [redacted]" {
		t.Errorf("got %s", got)
	}
}

// Any key, percent-encoded or not, in any place, in the errors of the standard
// library's own client and parser.
func TestRedactorOnRealErrors(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// The alphabet begins and ends with what survives every encoding.
		key := "K" + rapid.StringMatching(`[a-zA-Z0-9"'\\ @:/?#&=%<>+~-]{8,24}`).Draw(t, "key") + "Z"
		place := rapid.SampledFrom([]func(string) string{
			func(k string) string { return "http://127.0.0.1:1/v2/" + url.PathEscape(k) },
			func(k string) string { return "http://127.0.0.1:1/?api-key=" + url.QueryEscape(k) },
			func(k string) string {
				return (&url.URL{Scheme: "http", Host: "127.0.0.1:1", User: url.UserPassword("me", k)}).String()
			},
			func(k string) string { return "http://me:" + k + "@127.0.0.1:1" },
		}).Draw(t, "place")
		address := place(key)
		r := NewRedactor(address)
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // the request fails at once, with the address in its error
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err == nil {
			_, err = http.DefaultTransport.RoundTrip(req)
			err = &url.Error{Op: "Get", URL: address, Err: err}
		}
		got := r.Error(fmt.Errorf("ask node: %w", err)).Error()
		for _, form := range []string{key, url.PathEscape(key), url.QueryEscape(key), strings.Trim(fmt.Sprintf("%q", key), `"`)} {
			if strings.Contains(got, form) {
				t.Fatalf("%q holds %q", got, form)
			}
		}
	})
}

func TestRedactorOnDriverErrors(t *testing.T) {
	for _, dsn := range []string{
		"postgres://u:" + marker + "@127.0.0.1:1/x?connect_timeout=1",
		"host=127.0.0.1 port=1 user=u password=" + marker + " connect_timeout=1",
		"postgres://u:" + marker + "@127.0.0.1:bad/x",
	} {
		_, err := pgx.Connect(t.Context(), dsn)
		if err == nil {
			t.Fatal("connected to port 1")
		}
		if got := NewRedactor(dsn).Error(err).Error(); strings.Contains(got, marker) {
			t.Errorf("%s", got)
		}
	}
}

func TestRedactedErrorKeepsItsChain(t *testing.T) {
	r := NewRedactor(marker)
	inner := &fs.PathError{Op: "open", Path: "/" + marker, Err: fs.ErrNotExist}
	err := r.Error(fmt.Errorf("load: %w", inner))
	var pathError *fs.PathError
	if !errors.Is(err, fs.ErrNotExist) || !errors.As(err, &pathError) || pathError != inner {
		t.Errorf("%v lost its chain", err)
	}
	for _, verb := range []string{"%v", "%+v", "%s", "%q"} {
		if got := fmt.Sprintf(verb, err); strings.Contains(got, marker) || !strings.Contains(got, "load: open /[redacted]") {
			t.Errorf("%s prints %s", verb, got)
		}
	}
	if got := fmt.Errorf("start: %w", err).Error(); strings.Contains(got, marker) {
		t.Errorf("wrapped: %s", got)
	}
	if r.Error(nil) != nil {
		t.Error("nil became an error")
	}
}

func TestRedactURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://u:p@host:8899/key?a=b#c":     "https://host:8899",
		"wss://[::1]:1/key":                   "wss://[::1]:1",
		"postgres://u:p@db/x":                 "postgres://db",
		"":                                    "",
		marker:                                "[redacted]",
		"/" + marker:                          "[redacted]",
		"https://%zz" + marker:                "[redacted]",
		"mailto:" + marker:                    "[redacted]",
		"postgres://u:12/" + marker + "@db/x": "[redacted]",
	} {
		if got := RedactURL(address); got != want {
			t.Errorf("%q shows as %q, want %q", address, got, want)
		}
	}
}

func TestEarlyRedactor(t *testing.T) {
	env := map[string]string{"MINESAUDIT_DATABASE_URL": "host=db password=" + marker + "2"}
	lookup := func(name string) (string, bool) { v, ok := env[name]; return v, ok }
	r := EarlyRedactor([]string{"run", "https://node/" + marker + "0", "--ws-url=wss://node/" + marker + "1", "--listen=1"}, lookup)
	for i := range 3 {
		secret := fmt.Sprint(marker, i)
		if got := r.String("unexpected argument " + secret + "."); strings.Contains(got, marker) {
			t.Errorf("shows %s", got)
		}
	}
	if got := r.String("--listen=1: run"); got != "--listen=1: run" {
		t.Errorf("hides too much: %s", got)
	}
}

func FuzzRedactor(f *testing.F) {
	f.Add("https://u:p@host/key", "x")
	f.Add("postgres://u:p/q@host/key?password=a", "host=a password='b")
	f.Add("password='\\", "://@")
	f.Fuzz(func(t *testing.T, secret, text string) {
		r := NewRedactor(secret)
		if got := r.String(text); r.String(text) != got {
			t.Error("not deterministic")
		}
		// A whole secret never survives in plain text, unless there is nothing
		// to hide in it or what is shown instead spells it again.
		secret = strings.TrimSpace(secret)
		shown := RedactURL(secret)
		if secret == "" || strings.Contains(shown, secret) || strings.Contains(redacted, secret) {
			return
		}
		if got := r.String("a " + secret + " b"); strings.Contains(got, secret) {
			t.Errorf("%q holds %q", got, secret)
		}
	})
}

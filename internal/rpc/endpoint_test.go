package rpc

import (
	"fmt"
	"strings"
	"testing"
)

func TestWSFromHTTP(t *testing.T) {
	for in, want := range map[string]string{
		"http://127.0.0.1:8899":                 "ws://127.0.0.1:8900",
		"http://localhost:8899/":                "ws://localhost:8900/",
		"http://[::1]:8899":                     "ws://[::1]:8900",
		"http://localhost":                      "ws://localhost",
		"https://api.mainnet-beta.solana.com":   "wss://api.mainnet-beta.solana.com",
		"https://node.example/v2/KEY?api-key=K": "wss://node.example/v2/KEY?api-key=K",
		"https://u:p@node.example:9000/x":       "wss://u:p@node.example:9001/x",
		"https://node.example:443/x":            "wss://node.example:443/x",
		"http://node.example:80":                "ws://node.example:80",
		"http://node.example:443":               "ws://node.example:444",
	} {
		if got, err := WSFromHTTP(in); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", in, got, err, want)
		}
	}
}

func TestParseEndpoints(t *testing.T) {
	e, err := ParseEndpoints("http://127.0.0.1:8899", "")
	if err != nil || e.RPC != "http://127.0.0.1:8899" || e.WS != "ws://127.0.0.1:8900" {
		t.Errorf("%v, %v", e, err)
	}
	e, err = ParseEndpoints("https://u:MARKER@a.example/MARKER?k=MARKER", "wss://b.example/MARKER")
	if err != nil || e.WS != "wss://b.example/MARKER" {
		t.Fatalf("%v, %v", e, err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, e); strings.Contains(text, "MARKER") || !strings.Contains(text, "a.example") {
			t.Errorf("%s shows %s", format, text)
		}
	}
}

func TestBadURLsNameTheRemedyAndNoSecret(t *testing.T) {
	cases := []struct{ rpc, ws, field, remedy string }{
		{"", "", "rpc-url", "write https://"},
		{"MARKER", "", "rpc-url", "write https://"},
		{"ftp://x/MARKER", "", "rpc-url", "write https://"},
		{"ws://x/MARKER", "", "rpc-url", "http://"},
		{"http:///MARKER", "", "rpc-url", "write https://"},
		{"http://u:MARKER@x y/", "", "rpc-url", "write https://"},
		{"http://x/%zzMARKER", "", "rpc-url", "write https://"},
		{"http://x:99999/MARKER", "", "rpc-url", "65535"},
		{"http://x:0/MARKER", "", "rpc-url", "65535"},
		{"http://x:MARKER/", "", "rpc-url", "write https://"},
		{"http://x:65535/MARKER", "", "rpc-url", "ws-url"},
		{"http://x", "http://y/MARKER", "ws-url", "wss://"},
		{"http://x", "wss://:MARKER", "ws-url", "wss://"},
	}
	for _, tc := range cases {
		_, err := ParseEndpoints(tc.rpc, tc.ws)
		if err == nil || strings.Contains(err.Error(), "MARKER") ||
			!strings.Contains(err.Error(), tc.field) || !strings.Contains(err.Error(), tc.remedy) {
			t.Errorf("%q %q: %v", tc.rpc, tc.ws, err)
		}
	}
}

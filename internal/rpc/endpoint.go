package rpc

import (
	"errors"
	"fmt"
	"net/url"
	"strconv"
)

// Endpoints are the two URLs of one node. Both may hold keys: String shows none.
type Endpoints struct {
	RPC string // http or https
	WS  string // ws or wss
}

// String shows schemes and hosts only.
func (e Endpoints) String() string {
	return "rpc " + origin(e.RPC) + ", ws " + origin(e.WS)
}

// GoString keeps %#v from showing more than String.
func (e Endpoints) GoString() string { return e.String() }

func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "unreadable"
	}
	return u.Scheme + "://" + u.Host
}

// ParseEndpoints checks rpcURL, and wsURL unless that is empty: then it follows from
// rpcURL by WSFromHTTP. Its errors name the remedy and quote neither URL.
func ParseEndpoints(rpcURL, wsURL string) (Endpoints, error) {
	if _, err := parseURL(rpcURL, "http", "https"); err != nil {
		return Endpoints{}, fmt.Errorf("rpc-url: %w", err)
	}
	if wsURL == "" {
		derived, err := WSFromHTTP(rpcURL)
		if err != nil {
			return Endpoints{}, fmt.Errorf("rpc-url: %w", err)
		}
		return Endpoints{RPC: rpcURL, WS: derived}, nil
	}
	if _, err := parseURL(wsURL, "ws", "wss"); err != nil {
		return Endpoints{}, fmt.Errorf("ws-url: %w", err)
	}
	return Endpoints{RPC: rpcURL, WS: wsURL}, nil
}

// WSFromHTTP gives the websocket URL that belongs to an RPC URL: http becomes ws and
// https wss. A port that is written out becomes the next one, as a validator serves
// the two (8899 and 8900). Without a port, or with the scheme's own (80, 443), the
// host is a provider's and serves both there. User info, path and query are kept.
func WSFromHTTP(httpURL string) (string, error) {
	u, err := parseURL(httpURL, "http", "https")
	if err != nil {
		return "", err
	}
	standard := "80"
	if u.Scheme == "https" {
		u.Scheme, standard = "wss", "443"
	} else {
		u.Scheme = "ws"
	}
	if port := u.Port(); port != "" && port != standard {
		n, _ := strconv.Atoi(port) // parseURL has checked it
		if n == 65535 {
			return "", errors.New("no port follows 65535: give ws-url too")
		}
		u.Host = u.Host[:len(u.Host)-len(port)] + strconv.Itoa(n+1)
	}
	return u.String(), nil
}

// parseURL accepts an absolute URL of one of two schemes. The parser's own errors
// quote the URL, so none is passed on.
func parseURL(raw, plain, secure string) (*url.URL, error) {
	form := fmt.Sprintf("%s://HOST[:PORT][/PATH] or %s://…", secure, plain)
	if raw == "" {
		return nil, fmt.Errorf("is empty: write %s", form)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, fmt.Errorf("is not a URL (a space, a bad port or a bad %% escape?): write %s", form)
	}
	if u.Scheme != plain && u.Scheme != secure {
		return nil, fmt.Errorf("must begin with %s:// or %s://: write %s", plain, secure, form)
	}
	if u.Hostname() == "" {
		return nil, fmt.Errorf("names no host: write %s", form)
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, errors.New("port must be between 1 and 65535")
		}
	}
	return u, nil
}

package config

import (
	"fmt"
	"net"
	"strconv"
)

func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("%q is not HOST:PORT, such as 127.0.0.1:9477", clip(address))
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("port %q is not a number from 0 to 65535", clip(port))
	}
	return nil
}

// isLoopback reports whether only this machine reaches what is served on an
// address. A name is not looked up: what it means may change.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// LocalURL is the base URL by which this machine reaches what Listen serves: an
// unspecified host is reached by loopback.
func (c *Config) LocalURL() string {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return ""
	}
	switch ip := net.ParseIP(host); {
	case host == "":
		host = "127.0.0.1"
	case ip != nil && ip.IsUnspecified() && ip.To4() != nil:
		host = "127.0.0.1"
	case ip != nil && ip.IsUnspecified():
		host = "::1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

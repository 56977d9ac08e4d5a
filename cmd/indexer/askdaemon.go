package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"minesaudit/internal/config"
)

// askDaemon asks the daemon that listens on this machine; most bounds what is
// read of its answer, in bytes.
func askDaemon(listen, path string, timeout time.Duration, most int64) (resp *http.Response, body []byte, err error) {
	if _, _, err := net.SplitHostPort(listen); err != nil {
		return nil, nil, usage(fmt.Errorf("--listen: %w; give HOST:PORT", err))
	}
	daemon := config.Config{Listen: listen}
	client := &http.Client{Timeout: timeout}
	resp, err = client.Get(daemon.LocalURL() + path)
	if err != nil {
		return nil, nil, fmt.Errorf("no daemon answers: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err = io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return nil, nil, fmt.Errorf("read the answer: %w", err)
	}
	return resp, body, nil
}

package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

type healthcheckCmd struct {
	Listen  string        `name:"listen" env:"MINESAUDIT_LISTEN" default:"127.0.0.1:9477" placeholder:"HOST:PORT" help:"Address of the daemon, as given to run. Default ${default}."`
	Live    bool          `name:"live" help:"Ask /livez (the main loop turns) in place of /readyz (the database can be reached)."`
	Timeout time.Duration `name:"timeout" default:"5s" help:"How long to wait. Default ${default}."`
}

// Help is shown under the flags.
func (healthcheckCmd) Help() string {
	return `For containers that have neither shell nor curl. Exit code 0: well; 4: not.

Example:
  indexer healthcheck --listen 127.0.0.1:9477`
}

func (c *healthcheckCmd) Run(s *streams) error {
	path := "/readyz"
	if c.Live {
		path = "/livez"
	}
	resp, body, err := askDaemon(c.Listen, path, c.Timeout, 4096)
	if err != nil {
		return err
	}
	text := strings.TrimSpace(string(body))
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, text)
	}
	_, err = fmt.Fprintln(s.Out, text)
	return err
}

package main

import (
	"github.com/alecthomas/kong"

	"minesaudit/internal/config"
	"minesaudit/internal/pglocal"
	"minesaudit/internal/rpc"
)

type configCmd struct {
	config.Config `embed:""`
	JSON          bool `name:"json" help:"Print one JSON object, {KEY: {value, from, secret}}."`
}

// Help is shown under the flags.
func (configCmd) Help() string {
	return `Takes the flags, variables and file of indexer run and prints what run would use, and where each setting comes from. Of secrets it shows scheme and host only. Nothing is connected to. What is wrong is told as run would tell it, with exit code 2.

Examples:
  indexer config --config /etc/minesaudit.yaml
  indexer config --program PROGRAM --rpc-url http://127.0.0.1:8899 > minesaudit.yaml`
}

func (c *configCmd) Run(s *streams, ctx *kong.Context, resolver *config.Resolver) error {
	c.Nodes = resolver.Nodes()
	settings, err := c.Check()
	if err != nil {
		return err
	}
	origin := func(flag string) string { return resolver.Origin(ctx, flag) }
	followed := map[string]string{}
	if settings.WSURL == "" && len(settings.Nodes) == 0 {
		ends, err := rpc.ParseEndpoints(settings.RPCURL.Reveal(), "")
		if err != nil {
			return usage(err)
		}
		settings.WSURL, followed["ws-url"] = config.Secret(ends.WS), "follows from rpc_url"
	}
	if settings.DatabaseURL == "" && settings.DataDir == "" {
		settings.DataDir = pglocal.DefaultDir()
	}
	shown := settings.Show(func(flag string) string {
		if from, ok := followed[flag]; ok {
			return from
		}
		return origin(flag)
	})
	write := config.ShownYAML
	if c.JSON {
		write = config.ShownJSON
	}
	text, err := write(shown)
	if err != nil {
		return err
	}
	_, err = s.Out.Write(text)
	return err
}

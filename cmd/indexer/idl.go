package main

type idlCmd struct {
	Fetch idlFetchCmd `cmd:"" help:"Get a program's Anchor IDL from the chain."`
}

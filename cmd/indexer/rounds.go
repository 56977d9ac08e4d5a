package main

type roundsCmd struct {
	Audit roundsAuditCmd `cmd:"" help:"Check published rounds of Platforms, Rocket or Battle from files."`
	Chain roundsChainCmd `cmd:"" help:"Hash a chain on from a hash, with checkpoints in a file."`
}

// Help is shown under the subcommands.
func (roundsCmd) Help() string {
	return `The games with a hash chain take a round's hash from it: H applied n times to the hash of round n gives the published terminal, and H of it the hash of round n - 1. A single round is checked by indexer verify chain.`
}

// Command indexer audits a provably-fair Mines program on Solana. This package
// holds the flags, signals, exit codes and the wiring, a file a subcommand; the
// work is done in internal.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/alecthomas/kong"

	"minesaudit/internal/config"
)

// Exit codes, the same for every subcommand.
const (
	exitGood         = 0
	exitMismatch     = 1
	exitUsage        = 2
	exitInconclusive = 3
	exitUnavailable  = 4
)

const description = `Audits a provably-fair Mines program on Solana: follows its transactions, re-derives every board, multiplier and payout, and keeps a record that anyone can query.

Exit codes: 0 good, 1 a mismatch was found, 2 usage or configuration, 3 inconclusive, 4 a node or database is unavailable.

Data goes to stdout, everything else to stderr.`

type cli struct {
	Run         runCmd         `cmd:"" help:"Follow one program until stopped, and audit its games."`
	Demo        demoCmd        `cmd:"" help:"See the whole thing work: simulated chain, private database, the same daemon."`
	Simulate    simulateCmd    `cmd:"" help:"A chain of our own on loopback, with an operator who may cheat."`
	Verify      verifyCmd      `cmd:"" help:"Judge single games without a database: from a node, or from files."`
	Decode      decodeCmd      `cmd:"" help:"Print the events of any Anchor program in saved transactions, as JSON lines."`
	Profile     profileCmd     `cmd:"" help:"Fit the audit to a program: propose a profile for its IDL, check one."`
	IDL         idlCmd         `cmd:"" name:"idl" help:"Get what describes a program: its Anchor IDL, from the chain."`
	Rounds      roundsCmd      `cmd:"" help:"Audit published rounds of the off-chain games with a hash chain, and their chain."`
	Bets        betsCmd        `cmd:"" help:"Audit bets of the single-player off-chain games."`
	Backfill    backfillCmd    `cmd:"" help:"Read history that a record does not hold, by jobs that any number of workers share."`
	Worker      workerCmd      `cmd:"" help:"Work the jobs of indexer backfill, on this or any other machine."`
	Reaudit     reauditCmd     `cmd:"" help:"Judge the games of a record again, by the rules of today."`
	Replay      replayCmd      `cmd:"" help:"Store saved transactions in a record."`
	Record      recordCmd      `cmd:"" help:"Save a program's transactions from a node to a file."`
	Status      statusCmd      `cmd:"" help:"Ask a running daemon how far the record has come, and what is missing."`
	Config      configCmd      `cmd:"" help:"Print the configuration that run would use, without secrets."`
	Migrate     migrateCmd     `cmd:"" help:"Bring a database's schema up to date."`
	Healthcheck healthcheckCmd `cmd:"" help:"Ask a running daemon whether it is well."`
	Version     versionCmd     `cmd:"" help:"Print the version."`
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// streams are what a subcommand reads and writes: data goes to Out, all else to
// Err.
type streams struct {
	In       io.Reader
	Out, Err io.Writer
}

func run(args []string, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			code = crashed(stderr, p)
		}
	}()
	early := config.EarlyRedactor(args, os.LookupEnv)
	fail := func(err error) int {
		if err == nil {
			return exitGood
		}
		code, shown := exitUnavailable, true
		var coded *exitError
		switch {
		case errors.As(err, &coded):
			code, shown = coded.code, coded.err != nil
		case isUsage(err):
			code = exitUsage
		}
		if shown {
			_, _ = fmt.Fprintln(stderr, "indexer: "+early.String(err.Error()))
		}
		return code
	}
	resolver := config.NewResolver(os.LookupEnv)
	var c cli
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("indexer"), kong.Description(description), kong.UsageOnError(),
		kong.Writers(stdout, stderr), kong.Exit(func(code int) { exited = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Resolvers(resolver),
	)
	if err != nil {
		return fail(err)
	}
	ctx, err := parser.Parse(args)
	if exited >= 0 { // --help was printed
		return exited
	}
	if err != nil {
		var parse *kong.ParseError
		if errors.As(err, &parse) {
			err = usage(fmt.Errorf("%w; see indexer%s --help", err, commandOf(parse.Context)))
		}
		return fail(err)
	}
	return fail(ctx.Run(&streams{In: os.Stdin, Out: stdout, Err: stderr}, resolver))
}

// commandOf names the subcommand that was being parsed, with those above it and
// after a space, if any.
func commandOf(ctx *kong.Context) string {
	if ctx == nil {
		return ""
	}
	if node := ctx.Selected(); node != nil {
		return " " + node.Path()
	}
	return ""
}

// Package config says what the daemon is told and how: the one [Config] of
// `indexer run`, the [Profile] of the audited program, and the one [Redactor]
// that keeps secrets out of everything printed.
//
// # Where a value comes from
//
// A flag beats the environment, which beats the YAML file, which beats the
// default. kong reads flags, environment and defaults; [NewResolver] gives it
// the file, and steps back wherever the flag's variable is set, because kong by
// itself lets a resolver win over the environment. A variable that is set but
// empty counts as not set: process managers and compose files write those.
//
// Secrets (the node's and the database's addresses) have a second variable,
// NAME_FILE, that names a file with the value: a flag is visible to every user
// of the machine, an environment to every child process.
//
// # Errors
//
// What the operator wrote wrong is found before anything starts, all of it at
// once: [Config.Check] and the loaders return one error that lists every
// problem, each with the field, where it can be set and what to write instead.
// Such an error matches [ErrUsage]. A file may only hold keys that exist, once
// each, of the right type: a misspelt key that is silently ignored is an audit
// run under other rules than the operator believes.
//
// # The profile
//
// The texts of the game leave open how a multiplier is scaled and rounded, what
// the cap bounds, and who may void early. A profile settles that for one
// program, and [Profile.Hash] identifies the settlement: a database is bound to
// it, so that verdicts made under two conventions never stand side by side.
//
// A program whose events are not the built-in ones has them mapped:
//
//	idl: FILE                         # or a list of {file, from_slot}; beside the profile
//	events_in: logs                   # logs, cpi or both: by default both if an instruction takes an event authority
//	log_messages: true                # and in lines of text that are base64, as old programs print
//	key: [game, user, nonce]          # what tells games apart; one of them at least
//	settled:                          # so started and voided; one event or a list
//	  - event: Busted
//	    when: outcome.Hit             # only those with this variant, option or true bool
//	    lost: true                    # an outcome that all of them have
//	    fields:
//	      stake: terms.wager          # a path
//	      house_edge: {path: edge, unit: ppb}
//	      payout: {path: won, decimals: 9}
//	      max_payout: {value: 1000}   # published nowhere, and vouched for by the profile
//	payout: {balance: lamports}       # lamports or token: payouts that no event has, from the player's account
//
// What the fields may be, package decode says. A field that is left out is not
// published: the checks that need it are inconclusive.
//
// # Secrets
//
// Fields of type [Secret] do not print. Everything else goes through a
// [Redactor] that knows the configured secrets and the pieces of them that may
// surface alone: the key in a URL's path, a password inside a driver's message,
// an encoded form in a quoted error.
package config

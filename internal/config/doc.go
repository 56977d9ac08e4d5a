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
// # Secrets
//
// Fields of type [Secret] do not print. Everything else goes through a
// [Redactor] that knows the configured secrets and the pieces of them that may
// surface alone: the key in a URL's path, a password inside a driver's message,
// an encoded form in a quoted error.
package config

// Package pglocal runs a private PostgreSQL server from the programs that are
// installed on the machine, so that the indexer needs no database set up for
// it and tests have a real one.
//
// # The folder
//
//	DIR/lock          flock of the one process that owns DIR, holds its pid
//	DIR/data          the cluster, made by initdb; mode 0700, owner: server user
//	DIR/init-*        an initdb under way, or what a killed one left behind
//	DIR/server.log    what the server writes; moved to server.log.1 when large
//
// The server listens on a Unix socket only, in a folder under /tmp with a
// short name derived from DIR, because the path of a socket is limited to 103
// bytes on darwin and 107 on linux while DIR may be longer. That folder has
// mode 0700 and is the access control: the server trusts whoever reaches the
// socket, and only its own user and root do.
//
// # Who runs as whom
//
// PostgreSQL refuses to run as root. Under root the daemon stays root, and
// initdb and postgres run as the owner of an existing DIR/data, else as
// postgres, else as nobody. That user must be able to walk down to DIR, which
// is checked before anything is made. Under any other user the programs run as
// that user.
//
// # How things end
//
// The server is a child in a process group of its own, so a Ctrl-C at the
// terminal reaches only the daemon, which finishes its writes and then calls
// [Server.Stop]: SIGINT, PostgreSQL's fast shutdown. On linux the kernel sends
// the same signal when the daemon dies without a word. That signal is tied to
// the thread that forked the child, hence a goroutine locked to its thread for
// as long as the server lives.
//
// Each state that a crash can leave is mended by the next Start:
//
//	killed during initdb          DIR/init-* is removed, initdb runs again;
//	                              DIR/data appears by one rename, whole or not
//	daemon killed                 its server is waited for, and told to stop if
//	                              nothing told it (darwin), before ours starts
//	server killed, power lost     postgres judges its stale postmaster.pid and
//	                              replays its log; Start waits as long as ctx
//
// A cluster made by another major version is never touched: Start takes
// programs of that version if the machine has them, else refuses.
package pglocal

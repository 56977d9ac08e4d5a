// Package backfill reads a program's history by jobs that any number of processes, on
// any number of machines, work beside a daemon.
//
// # Pages
//
// A planner pages the finalized signature list of one node from the end of what is not
// covered down, and makes one job of each page: a span of slots, with the number of
// transactions in it and a digest of their signatures. Pages are cut between slots, so
// that spans tile and no slot is in two. Newest first, so that what people look at
// fills at once. The planner keeps no state of its own: what is still to be planned is
// what neither audit.coverage nor a waiting job has.
//
// A worker lists its page again, at whichever node it reads from, and holds it against
// the job as a set, for nodes differ about the order inside a slot. It skips what the
// record has with the same slot and outcome, takes failed transactions from the list,
// and fetches the rest in JSON-RPC batches, or singly where the node takes none. What
// is stored in the span and not listed is asked for by name, as by the daemon. Then
// rows, verdicts, coverage and the job's completion are committed in one transaction,
// in a turn in which nobody else decides games. What waits for that turn is to be little:
// rows of which nothing was stored are written in the transaction before it.
//
// # What is not claimed
//
// A page is stored whole or not at all. A transaction that is listed and not given, a
// list that is shorter than the one planned by, or a list that repeats itself is tried
// again, with growing pauses and at another node if there is one; after ten times the
// span is on record as lacking, with the reason, and a later plan makes a job of it
// again. An empty answer ends the list only where the node is seen to know the
// transaction that it was asked to list below. Where the list ends, slots below the
// node's first available block are on record as lacking.
//
// # Kills
//
// A job whose process is gone is taken up within seconds: each process holds an
// advisory lock for as long as its session lives, and the others free the jobs of
// those whose lock they can take. A process that lost only its session and goes on
// commits or fails with its job: completing it is part of the transaction, and can be
// done once.
//
//	kill                      what is left                       who mends it
//	while planning            jobs of the pages so far           the next plan goes on below them
//	while reading a page      a running job, nothing stored      the next worker to look
//	between a page's turns    rows, and no claim to the span     likewise; known rows are not fetched again
//	after the commit          everything                         nobody
//
// # Nodes
//
// Of several nodes the first is read from, in the operator's order, that is well, keeps
// the slots in question and has not got a page wrong lately. A node that is pruned stands
// aside for one that is not; a page that a node errs about, withholds a part of or
// contradicts is read at the next one, and so is the rest of a plan. What a node got
// wrong about history is this package's memory and not the pool's: to follow the program
// it may serve as well as any.
//
// A page is read at one node, and its list is held against the one that it was planned
// by. Where there are several nodes, its slots are noted as unchecked, with the name of
// that one, in the transaction that claims them: the daemon holds them against another
// afterwards, as it does what it has followed while no second one could be asked (package
// ingest). With a daemon of one node, or without one, they stay unchecked, and with one
// node there is nothing to note: it is believed.
//
// # Budgets
//
// Calls to a node wait in one queue that the database keeps (audit.call_queue), so
// that all processes together keep to a rate: each takes places at its end and makes
// its calls when they begin. A method with a limit of its own has a queue before it. A
// place that is not used is lost, never made up for. One that was refused for its rate
// moves the queue on for all.
//
// # Beside a daemon
//
// A daemon may read history itself ([Beside]): while it leads, it plans what the record
// does not hold below its frontier and works at pages, its own and anybody's. Its
// workers ask the nodes through the daemon's own clients, so that both together keep to
// their rates; they take a share of them only, so that what follows the program finds
// the rest, and none while the record is behind ([Yield]). What could not be had is
// planned again after a start and once a day. A stop puts the pages under way back.
//
// # Clocks
//
// When a page or a call is due is written by the database's clock or the machine's. One
// that is set forth makes it due early, which costs a retry or a crowded second. One
// that is set back would put it off by as much: the queue of calls then goes on from
// where it was, and pages that stand further ahead than any pause is long are due at
// once (Queue.rewind).
package backfill

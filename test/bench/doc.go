// Package bench measures the indexer as ratios, because only ratios within one
// run mean anything: machines differ, and one machine differs from itself an
// hour later.
//
// Everything runs as it would for a user: the real binary as `indexer simulate`
// and `indexer run`, two processes, and a PostgreSQL server with its default
// settings (fsync on), all on loopback. Things compared take turns, A B A B A B,
// and the median of each is what counts.
//
//	ingest   games a second from the first notification to the last committed
//	         verdict of a chain that goes as fast as it is read (rate 0), against
//	         COPY of the same rows, in the same transactions, into the same tables
//	         and indexes (replay.go), and against a script that does less (peer/)
//	verdict  from a notification to its committed verdict at 100 games a second,
//	         against an insert and commit of a single row, one at a time (bare.go);
//	         and how many questions the node is asked meanwhile
//	decode   mainnet transactions a second of processor time, in memory and from
//	         JSON text, against Anchor's own parser (parser/)
//	reaudit  games judged again from their stored events, against reading these
//	         events alone by the same statements
//	backfill games a second that are read as history from a node without a limit, in
//	         JSON-RPC batches and singly, against COPY of the same rows and against
//	         the script
//	budget   calls that two workers make of a node in a minute, against the four a
//	         second that they are given
//	memory   peak resident set over 200,000 games, and what a million games take
//	         on disk
//
// A bound that is missed is said loudly and fails, unless BENCH_STRICT=0.
//
//	make bench                                   # all of it, after the micro-benchmarks
//	BENCH_ONLY=TestBounds/verdict make bench-ratios
//	BENCH_JSON=out.json BENCH_ROUNDS=5 make bench-ratios
//
// What is not measured: a node at a distance. Its latency and rate limits would
// be the greatest part of every figure but the live ones.
package bench

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"minesaudit/internal/config"
	"minesaudit/internal/ingest"
	"minesaudit/internal/inspect"
	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
	"minesaudit/internal/verify"
)

type replayCmd struct {
	Files   []string `arg:"" name:"file" help:"Files of transactions, plain or compressed by gzip or zstd; - is standard input."`
	DryRun  bool     `name:"dry-run" help:"Read the files and count what is in them; no database is asked."`
	JSON    bool     `name:"json" help:"One JSON object in place of text."`
	Program string   `name:"program" env:"MINESAUDIT_PROGRAM" placeholder:"ADDRESS" group:"A new record:" help:"Address of the program, base58. May stand in the profile instead; a record that is there names it." yaml:"program"`
	Genesis string   `name:"genesis" placeholder:"HASH" group:"A new record:" help:"Genesis hash of the chain that the files are of, as indexer record printed it. Only for a database that watches nothing yet."`
	From    int64    `name:"from-slot" placeholder:"SLOT" default:"-1" group:"A new record:" help:"First slot to be audited. Only for a database that watches nothing yet."`
	recordFlags
}

// Help is shown under the flags.
func (replayCmd) Help() string {
	return `Stores saved transactions in the record, just as if the node had told of them now: answers to getTransaction, one a line, as indexer record writes them, and any other form that verify file takes. What is there already stays; files may come in any order, twice, and while a daemon or another replay writes.

A file proves nothing about what is missing from it. Games get their verdicts, but the frontier does not move and nothing is counted, until indexer run has held the transactions against a node's finalized list; those that are stored it need not fetch. At or below the frontier a file has no say. A game whose transactions come in parts is judged more than once, and the last verdict stands: the verdicts that are printed are all that were made.

Of a file that is cut short or damaged what stands before is stored, and the next file is gone on with.

Exit codes: 0 all is stored, 2 usage, 3 something could not be read or needs a node, 4 the database cannot be reached.

Examples:
  indexer replay --database-url postgres://owner@db/audit 2026-01.jsonl.zst
  indexer replay --genesis HASH --from-slot 0 --program PROGRAM all.jsonl.gz
      a new record
  indexer replay --dry-run all.jsonl.gz`
}

// replayBatch is how many transactions are stored at a time.
const replayBatch = 1000

func (c *replayCmd) Run(s *streams) error {
	collectLess()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if c.DryRun {
		total := &replayTotal{}
		err := c.feed(s, total, func(txs []*rpc.Tx) error {
			total.Given += int64(len(txs))
			return ctx.Err()
		})
		return c.show(s, total, err)
	}
	db, profile, err := c.open(ctx, s)
	if err != nil {
		return err
	}
	defer db.close()
	replay, err := c.prepare(ctx, db, profile)
	if err != nil {
		return db.redactor.Error(err)
	}
	w, _, err := db.store.OpenWorker(ctx)
	if err != nil {
		return db.redactor.Error(err)
	}
	defer func() { _ = w.Close(context.WithoutCancel(ctx)) }()
	total := &replayTotal{}
	err = c.feed(s, total, func(txs []*rpc.Tx) error {
		done, err := replay.Save(ctx, w, txs)
		total.Add(done)
		return db.redactor.Error(err)
	})
	return c.show(s, total, err)
}

// prepare brings the schema up to date, binds a new record, and makes what reads
// and judges by the profile.
func (c *replayCmd) prepare(ctx context.Context, db *resultStore, profile *config.Profile) (*ingest.Replay, error) {
	if _, err := db.store.Migrate(ctx); err != nil {
		return nil, err
	}
	watch, err := db.store.Watch(ctx)
	if errors.Is(err, store.ErrNoWatch) {
		watch, err = c.bind(ctx, db.store, profile)
	}
	if err != nil {
		return nil, err
	}
	if err := fits(profile, watch); err != nil {
		return nil, err
	}
	if c.Program != "" && c.Program != rpc.KeyString(watch.Program) {
		return nil, usage(fmt.Errorf("--program: the record is of %s", rpc.KeyString(watch.Program)))
	}
	if err := madeBy(profile, watch); err != nil {
		return nil, usage(err)
	}
	reader, err := formOf(profile).Reader(rpc.KeyString(watch.Program))
	if err != nil {
		return nil, usage(err)
	}
	return &ingest.Replay{
		Reader:   reader,
		Standard: ingest.Standard{Layout: profile.Layout, Rules: profile.Rules()},
	}, nil
}

// bind ties a new record to a chain and a program. Nothing of it is complete.
func (c *replayCmd) bind(ctx context.Context, st *store.Store, profile *config.Profile) (watch store.Watch, err error) {
	program := c.Program
	if program == "" {
		program = profile.Program
	}
	if program == "" || c.Genesis == "" || c.From < 0 {
		return watch, usage(fmt.Errorf("%w: a new record needs --program, --genesis and --from-slot", store.ErrNoWatch))
	}
	watch.AuditedFrom, watch.Frontier, watch.Head = c.From, c.From-1, c.From
	watch.ProfileHash, watch.VoidCeiling = profile.Hash(), &profile.VoidRateCeiling
	if watch.Program, err = config.ParseKey(program); err != nil {
		return watch, usage(fmt.Errorf("--program: %w", err))
	}
	if watch.Genesis, err = config.ParseKey(c.Genesis); err != nil {
		return watch, usage(fmt.Errorf("--genesis: %w", err))
	}
	w, err := st.OpenWriter(ctx)
	if err != nil {
		return watch, err
	}
	defer func() { _ = w.Close(context.WithoutCancel(ctx)) }()
	return w.Bind(ctx, watch)
}

// replayTotal is what became of everything in the files.
type replayTotal struct {
	ingest.Replayed
	unreadable int64
}

// mostComplaints bounds the lines about documents that cannot be read.
const mostComplaints = 20

// feed reads the files and gives their transactions on, batch by batch.
func (c *replayCmd) feed(s *streams, total *replayTotal, save func([]*rpc.Tx) error) error {
	bar := newBar(s.Err, "replaying", sizeOf(c.Files))
	defer bar.finish()
	var batch []*rpc.Tx
	for _, name := range c.Files {
		file, err := openSaved(s.In, name, func(n int) { bar.add(uint64(n)) })
		if err != nil {
			return err
		}
		defer file.close()
		for {
			tx, line, bad, err := file.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if why := damage(err); why != "" {
				total.unreadable++
				_, _ = fmt.Fprintf(s.Err, "%s: %s; what stands before is read\n", inspect.Printable(file.name), why)
				break
			}
			if err != nil {
				return err
			}
			if bad != nil {
				total.complain(s, file.name, line, bad)
				continue
			}
			if batch = append(batch, tx); len(batch) == replayBatch {
				if err := save(batch); err != nil {
					return err
				}
				batch = batch[:0]
			}
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return save(batch)
}

func (t *replayTotal) complain(s *streams, name string, line int, why error) {
	if t.unreadable++; t.unreadable <= mostComplaints {
		_, _ = fmt.Fprintf(s.Err, "%s: line %d: %s\n", inspect.Printable(name), line, inspect.Printable(why.Error()))
	}
}

// sizeOf is the size of files together; -1 where it is not known.
func sizeOf(names []string) (size int64) {
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return -1
		}
		size += info.Size()
	}
	return size
}

// show writes what became of everything, also where it ended early.
func (c *replayCmd) show(s *streams, t *replayTotal, err error) error {
	if err != nil && t.Given == 0 {
		return err
	}
	if c.JSON {
		encoded := json.NewEncoder(s.Out).Encode(map[string]any{
			"transactions": t.Given, "new": t.New, "replaced": t.Replaced, "known": t.Known, "at_or_below_frontier": t.Settled,
			"need_a_node": t.Partial, "unreadable": t.unreadable, "ended_early": err != nil, "verdicts_made": map[string]int64{
				"pass": t.Verdicts[verify.VerdictPass], "fail": t.Verdicts[verify.VerdictFail], "inconclusive": t.Verdicts[verify.VerdictInconclusive],
			},
		})
		err = errors.Join(err, encoded)
	} else {
		_, printed := fmt.Fprintf(s.Out, "%d transactions: %d new, %d replaced, %d known, %d at or below the frontier, %d need a node, %d unreadable; verdicts made, superseded ones too: %d pass, %d fail, %d inconclusive\n",
			t.Given, t.New, t.Replaced, t.Known, t.Settled, t.Partial, t.unreadable,
			t.Verdicts[verify.VerdictPass], t.Verdicts[verify.VerdictFail], t.Verdicts[verify.VerdictInconclusive])
		err = errors.Join(err, printed)
	}
	if err != nil {
		return err
	}
	if t.unreadable+t.Partial > 0 {
		return &exitError{code: exitInconclusive}
	}
	return nil
}

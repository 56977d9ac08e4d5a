package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Watch is what a database is bound to: one program on one chain under one
// profile, from one slot on.
type Watch struct {
	Genesis     [32]byte
	Program     [32]byte
	ProfileHash string
	VoidCeiling *float64
	AuditedFrom int64 // first slot audited
	Frontier    int64 // last slot complete; AuditedFrom - 1 = none yet
	Head        int64
}

// Watch reads the binding; ErrNoWatch before the first Bind.
func (w *Writer) Watch(ctx context.Context) (Watch, error) {
	return readWatch(ctx, w.conn)
}

// Bind makes the binding at the first start. Later it compares chain, program
// and profile with the stored ones and fails with ErrOtherWatch where they
// differ; the stored history bounds stand. It returns the binding in force.
func (w *Writer) Bind(ctx context.Context, want Watch) (Watch, error) {
	have, err := w.Watch(ctx)
	if errors.Is(err, ErrNoWatch) {
		CrashAt(CrashBinding)
		_, err = w.conn.Exec(ctx, `insert into audit.watch (genesis_hash, program, profile_hash, void_ceiling, audited_from, frontier, head)
			values ($1, $2, $3, $4, $5, $6, $7)`, want.Genesis[:], want.Program[:], want.ProfileHash, want.VoidCeiling,
			want.AuditedFrom, want.Frontier, want.Head)
		if err != nil {
			return Watch{}, fmt.Errorf("bind the database: %w", err)
		}
		CrashAt(CrashBound)
		w.frontier, w.epoch = want.Frontier, firstEpoch
		return want, nil
	}
	if err != nil {
		return Watch{}, err
	}
	w.frontier = have.Frontier
	if err := have.Differs(want); err != nil {
		return have, err
	}
	// The ceiling bears on alerts, not on verdicts: it follows the profile.
	if _, err := w.conn.Exec(ctx, `update audit.watch set void_ceiling = $1 where void_ceiling is distinct from $1`, want.VoidCeiling); err != nil {
		return have, fmt.Errorf("note the void-rate ceiling: %w", err)
	}
	have.VoidCeiling = want.VoidCeiling
	return have, nil
}

// BeginAt moves the beginning of the audit up, while nothing is covered yet.
func (w *Writer) BeginAt(ctx context.Context, slot int64) error {
	moved := false
	q := &pgx.Batch{}
	q.Queue(`update audit.watch set audited_from = $1, frontier = $1 - 1
		where frontier = audited_from - 1 and audited_from < $1`, slot).
		Exec(func(tag pgconn.CommandTag) error { moved = tag.RowsAffected() == 1; return nil })
	if err := w.transact(ctx, q); err != nil {
		return fmt.Errorf("begin the audit at slot %d: %w", slot, err)
	}
	if moved {
		w.frontier = slot - 1
	}
	return nil
}

// Differs compares chain, program and profile: nil, or ErrOtherWatch naming
// what differs and the remedy.
func (have Watch) Differs(want Watch) error {
	switch {
	case have.Genesis != want.Genesis:
		return fmt.Errorf("%w: its chain has genesis hash %s, the node's has %s; use a node of that chain or a database of its own",
			ErrOtherWatch, solana.Hash(have.Genesis), solana.Hash(want.Genesis))
	case have.Program != want.Program:
		return fmt.Errorf("%w: program %s, not %s; use a database of its own", ErrOtherWatch,
			solana.PublicKey(have.Program), solana.PublicKey(want.Program))
	case have.ProfileHash != want.ProfileHash:
		return fmt.Errorf("%w: its verdicts were made under another profile (hash %.12s, now %.12s); restore that profile or use a database of its own",
			ErrOtherWatch, have.ProfileHash, want.ProfileHash)
	}
	return nil
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func readWatch(ctx context.Context, q querier) (Watch, error) {
	var (
		v                Watch
		genesis, program []byte
	)
	err := q.QueryRow(ctx, `select genesis_hash, program, profile_hash, void_ceiling, audited_from, frontier, head from audit.watch`).
		Scan(&genesis, &program, &v.ProfileHash, &v.VoidCeiling, &v.AuditedFrom, &v.Frontier, &v.Head)
	if err != nil {
		return Watch{}, fmt.Errorf("read what the database watches: %w", noRows(err, ErrNoWatch))
	}
	copy(v.Genesis[:], bytes.Clone(genesis))
	copy(v.Program[:], program)
	return v, nil
}

package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// firstEpoch is what the binding begins with: audit.watch.epoch's default.
const firstEpoch = 1

// Conditions that functions of the schema raise.
const (
	stateEpochOver     = "MA001" // hold_epoch
	stateFrontierMoved = "MA002" // move_frontier
)

// Beat is heard by whoever waits for this leader to go silent, and checks that it
// still leads: ErrLocked if not.
func (w *Writer) Beat(ctx context.Context) error {
	if err := w.exec(ctx, `select`); err != nil {
		return fmt.Errorf("beat: %w", err)
	}
	return nil
}

// begin begins the writer's epoch, which ends that of every writer before it,
// and reads the frontier. There is neither before Bind.
func (w *Writer) begin(ctx context.Context) error {
	begin := `update audit.watch set epoch = epoch + 1 returning epoch, frontier`
	if Weak(WeakNoFence) {
		begin = `select 0::bigint, frontier from audit.watch`
	}
	err := w.conn.QueryRow(ctx, begin).Scan(&w.epoch, &w.frontier)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("begin an epoch: %w", err)
	}
	return nil
}

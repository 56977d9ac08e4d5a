package inspect

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"minesaudit/internal/assemble"
	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
)

// InspectFiles judges every game that has an event in the transactions. Without
// a program it takes the one whose frames hold such events. Errors match
// ErrInput: the transactions contradict each other, or there are several such
// programs.
func InspectFiles(txs []*rpc.Tx, audit Audit) (*Result, error) {
	txs, err := distinct(txs)
	if err != nil {
		return nil, err
	}
	r := &Result{Audit: audit}
	if audit.Program == "" {
		switch found := audit.programs(txs); len(found) {
		case 0:
			r.Nothing = fmt.Sprintf("%s: no program's frames hold an event of a known form", count(txs))
			return r, nil
		case 1:
			r.Program, r.ProgramFrom = found[0], "the only program in the files with such events"
		default:
			return nil, fmt.Errorf("%w: events of %d programs: choose one with --program: %s", ErrInput, len(found), strings.Join(found, ", "))
		}
	}
	reader, err := audit.Events.Reader(r.Program)
	if err != nil {
		return nil, err
	}
	e := newEvidence(reader)
	for _, tx := range txs {
		e.add(tx)
	}
	if len(e.pieces) == 0 {
		r.Nothing = count(txs) + ": no event of the program"
		if program, err := rpc.ParseKey(r.Program); err == nil && len(txs) == 1 {
			r.Nothing = e.txs[0].nothing(program)
		}
		return r, nil
	}
	r.Notes = e.unreadable()
	for _, key := range e.byPlace() {
		r.Cases = append(r.Cases, e.judge(key, &r.Rules, reach{complete: true}))
	}
	return r, nil
}

// distinct keeps each transaction once. Of two answers that differ in the log
// alone, as nodes with different limits give, the longer one counts.
func distinct(txs []*rpc.Tx) ([]*rpc.Tx, error) {
	at := map[[64]byte]int{}
	var list []*rpc.Tx
	for _, tx := range txs {
		i, known := at[tx.Signature]
		switch {
		case !known:
			at[tx.Signature] = len(list)
			list = append(list, tx)
		case list[i].Slot != tx.Slot || !bytes.Equal(list[i].Err, tx.Err):
			return nil, fmt.Errorf("%w: transaction %s stands in slots %d and %d, or once succeeded and once failed: leave out what a fork took back",
				ErrInput, rpc.SignatureString(tx.Signature), list[i].Slot, tx.Slot)
		case len(list[i].Logs) < len(tx.Logs):
			list[i] = tx
		}
	}
	return list, nil
}

// maxFrames is how many programs of one transaction are looked at: the runtime
// allows no longer trace of instructions.
const maxFrames = 64

// programs lists the programs in whose own frames an event of a known form
// stands, in transactions that succeeded.
func (a *Audit) programs(txs []*rpc.Tx) []string {
	found := map[string]bool{}
	for _, tx := range txs {
		if tx.Err != nil {
			continue
		}
		for _, id := range invoked(tx.Logs) {
			reader, err := a.Events.Reader(id)
			found[id] = found[id] || err == nil && slices.ContainsFunc(reader.Read(tx).Events, isGameEvent)
		}
	}
	maps.DeleteFunc(found, func(_ string, has bool) bool { return !has })
	return slices.Sorted(maps.Keys(found))
}

// invoked lists what may be the ids of programs; whether they are is for the
// decoder to say.
func invoked(lines []string) []string {
	var ids []string
	for _, line := range lines {
		words := strings.Split(line, " ")
		if len(words) == 4 && words[0] == "Program" && words[2] == "invoke" && !slices.Contains(ids, words[1]) && len(ids) < maxFrames {
			ids = append(ids, words[1])
		}
	}
	return ids
}

// byPlace lists the games in the order of their first events.
func (e *evidence) byPlace() []decode.GameKey {
	first := make(map[decode.GameKey]assemble.Piece, len(e.pieces))
	for key, pieces := range e.pieces {
		first[key] = slices.MinFunc(pieces, assemble.ChainOrder)
	}
	return slices.SortedFunc(maps.Keys(first), func(a, b decode.GameKey) int {
		return cmp.Or(assemble.ChainOrder(first[a], first[b]), bytes.Compare(a.Game[:], b.Game[:]))
	})
}

func count(txs []*rpc.Tx) string {
	failed := 0
	for _, tx := range txs {
		if tx.Err != nil {
			failed++
		}
	}
	return fmt.Sprintf("%d transactions, %d of them failed on chain", len(txs), failed)
}

package ingest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"minesaudit/internal/rpc"
	"minesaudit/internal/store"
)

// listing compares the list of a second node with the record, from a slot down, page
// by page. Slots in (upper, upTo] have been compared.
type listing struct {
	d      *Daemon
	saving context.Context
	by     *rpc.Node // whose list is read
	first  *rpc.Node // whose list the record was made of
	after  int64     // the range is (after, upTo]
	upTo   int64
	upper  int64
	hold   bool // what could not be had for now holds the frontier back

	doubt [][64]byte // found: what both have, and not alike
}

// run goes on until the range is compared.
func (l *listing) run(ctx context.Context) error {
	if err := l.keeps(ctx); err != nil {
		return err
	}
	at, err := l.begin(ctx)
	if err != nil {
		return err
	}
	list := l.list(at)
	lost, restarts := 0, 0
	for l.upper > l.after {
		part, err := list.Next(ctx)
		if errors.Is(err, rpc.NotFound) && restarts < checkTries {
			// It does not know what it has just listed, or called finalized: behind one
			// address there may be several, and the next one asked may know it. Where none
			// does the list is read from the newest again.
			if lost++; lost == checkTries {
				lost, restarts = 0, restarts+1
				list = l.list(rpc.Place{})
			}
			continue
		}
		lost = 0
		if err != nil {
			return err
		}
		oldest := l.after
		if !part.Ended {
			oldest = max(min(int64(part.Above), l.upper), l.after) // a page may lie above the range
		}
		if err := l.compare(ctx, part.Txs, oldest); err != nil {
			return err
		}
	}
	return nil
}

func (l *listing) list(at rpc.Place) *rpc.SignatureList {
	return l.d.list(l.by, at, l.after+1, l.upTo, checkTries)
}

// begin gives where the list is begun to be read: below a stored transaction near above
// the range, where much lies above that and the node calls it finalized in that slot; of
// any other its list would mean nothing. Else at the newest.
func (l *listing) begin(ctx context.Context) (rpc.Place, error) {
	var (
		before [64]byte
		above  int64
		ok     bool
	)
	err := l.d.write(l.saving, "look where to begin a list", func(ctx context.Context, w *store.Writer) (err error) {
		before, above, ok, err = w.Anchor(ctx, l.upTo, pageLimit)
		return err
	})
	if err != nil || !ok {
		return rpc.Place{}, err
	}
	statuses, err := check(ctx, func(ctx context.Context) (statuses []*rpc.SignatureStatus, err error) {
		statuses, _, err = l.by.SignatureStatuses(ctx, [][64]byte{before}, true)
		return statuses, err
	})
	if err != nil {
		return rpc.Place{}, fmt.Errorf("ask for the status of a transaction of slot %d: %w", above, err)
	}
	if s := statuses[0]; s == nil || s.Commitment != rpc.Finalized || s.Slot != uint64(above) {
		return rpc.Place{}, nil
	}
	return rpc.Place{Before: before, Slot: uint64(above)}, nil
}

// keeps refuses a node whose ledger begins within the range: its list would end early
// and look as if the other had made the rest up.
func (l *listing) keeps(ctx context.Context) error {
	first, err := check(ctx, l.by.FirstAvailableBlock)
	if rpc.ClassOf(err) == rpc.Invalid {
		return nil
	}
	if err != nil {
		return fmt.Errorf("ask for the first available block: %w", err)
	}
	if first > firstBlocks && int64(min(first, 1<<62)) > l.after+1 {
		return fmt.Errorf("%w: its history begins at slot %d", errShort, first)
	}
	return nil
}

// errShort is a second node that does not keep the slots in question, which is no fault.
var errShort = errors.New("the second node does not keep these slots")

// compare holds what is listed of the slots in (oldest, upper] against the record.
func (l *listing) compare(ctx context.Context, txs []rpc.SignatureInfo, oldest int64) error {
	if oldest == l.upper {
		return nil
	}
	listed := make(map[[64]byte]rpc.SignatureInfo)
	for _, info := range txs {
		if slot := int64(min(info.Slot, math.MaxInt64)); slot > oldest && slot <= l.upper {
			listed[info.Signature] = info
		}
	}
	if err := l.differences(ctx, oldest, listed); err != nil {
		return err
	}
	l.upper = oldest
	return nil
}

// differences finds what only one of the two has, and has it settled.
func (l *listing) differences(ctx context.Context, oldest int64, listed map[[64]byte]rpc.SignatureInfo) error {
	var stored map[[64]byte]store.Known
	err := l.d.write(l.saving, "examine a page", func(ctx context.Context, w *store.Writer) (err error) {
		stored, err = w.Between(ctx, oldest, l.upper)
		return err
	})
	if err != nil {
		return err
	}
	var hidden []rpc.SignatureInfo
	var unlisted [][64]byte
	for s, info := range listed {
		k, ok := stored[s]
		if !ok {
			hidden = append(hidden, info)
			continue
		}
		l.had(s)
		if k.Failed != (info.Err != nil) {
			l.doubt = append(l.doubt, s)
		}
	}
	for s, k := range stored {
		if _, ok := listed[s]; !ok {
			unlisted = append(unlisted, s)
		} else if !k.Failed && l.d.samples(s) {
			l.d.examiner.add(s)
		}
	}
	if hidden, err = l.elsewhere(hidden); err != nil {
		return err
	}
	if err := l.bring(ctx, hidden); err != nil {
		return err
	}
	return l.deny(ctx, unlisted, stored)
}

// elsewhere takes out what the record has in another slot: that is no hiding.
func (l *listing) elsewhere(infos []rpc.SignatureInfo) (hidden []rpc.SignatureInfo, err error) {
	if len(infos) == 0 {
		return nil, nil
	}
	names := make([][64]byte, len(infos))
	for i := range infos {
		names[i] = infos[i].Signature
	}
	var known map[[64]byte]store.Known
	err = l.d.write(l.saving, "look hidden transactions up", func(ctx context.Context, w *store.Writer) (err error) {
		known, err = w.Known(ctx, names)
		return err
	})
	for i := range infos {
		if k, ok := known[infos[i].Signature]; ok && !k.Dropped {
			l.doubt = append(l.doubt, infos[i].Signature)
		} else {
			hidden = append(hidden, infos[i])
		}
	}
	return hidden, err
}

// had lets go of what was waited for.
func (l *listing) had(s [64]byte) {
	if l.hold { // else the pass's memory is not ours
		delete(l.d.examining.held, s)
	}
}

// bring fetches what the first node hides, and stores it.
func (l *listing) bring(ctx context.Context, hidden []rpc.SignatureInfo) error {
	if store.Weak(store.WeakNoUnhide) {
		return nil
	}
	var found []arrival
	var all []store.Disagreement
	for i := range hidden {
		info := &hidden[i]
		tx, given, alone, err := l.fetch(ctx, info)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && l.hold:
			l.d.examining.hold(hidden[i : i+1])
			continue
		case err != nil:
			return err
		}
		dis := store.Disagreement{
			Kind: store.Unlisted, Signature: info.Signature, Slot: info.Slot, Node: l.first.Name(), Answer: given,
			Other: l.by.Name(), Said: "lists it" + outcomeText(info.Err), Settled: store.ByStoring,
		}
		if tx == nil { // a name alone proves nothing
			dis.Kind, dis.Settled = store.Withheld, store.LeftOpen
		} else {
			from := l.first
			if alone {
				from = l.by
				l.doubt = append(l.doubt, info.Signature)
			}
			found = append(found, l.d.arriveFrom(from.Name(), *tx, true, time.Time{}))
		}
		all = append(all, dis)
		l.had(info.Signature)
	}
	if err := l.d.save(l.saving, work{arrivals: found, times: timesOf(found)}); err != nil {
		return err
	}
	return l.d.disagree(l.saving, all)
}

// fetch gets a transaction that only the second node lists: from the first, which may
// have a hole in its list, else from the second. It tells what the first one said, and
// whether what it gives rests on the second's word alone. A nil transaction is one that
// none gives.
func (l *listing) fetch(ctx context.Context, info *rpc.SignatureInfo) (tx *rpc.Tx, said string, alone bool, err error) {
	tx, err = l.d.asks(ctx, l.first, info.Signature, info.Slot)
	switch {
	case err != nil:
		said = "does not list it, and failed when it was asked for it"
	case tx == nil:
		said = "does not list it, and does not know it"
	case !tx.StatusMissing:
		return tx, "does not list it, and gives it", false, nil
	}
	if failed := failedTx(info); failed != nil {
		return failed, said, false, nil
	}
	tx, err = l.d.asks(ctx, l.by, info.Signature, info.Slot)
	if err == nil && tx != nil && tx.StatusMissing {
		tx = nil
	}
	return tx, said, tx != nil, err
}

// deny deals with what is in the record and not in the second node's list: a hole in
// it, or a transaction that this node denies. It stays in the record.
func (l *listing) deny(ctx context.Context, unlisted [][64]byte, stored map[[64]byte]store.Known) error {
	var all []store.Disagreement
	for _, s := range unlisted {
		tx, err := l.d.asks(ctx, l.by, s, stored[s].Slot)
		if err != nil {
			return err
		}
		dis := store.Disagreement{
			Kind: store.Unlisted, Signature: s, Slot: stored[s].Slot, Node: l.first.Name(), Answer: "lists it",
			Other: l.by.Name(), Said: "does not list it, and gives it", Settled: store.ByStoring,
		}
		l.doubt = append(l.doubt, s)
		switch {
		case tx == nil:
			dis.Kind, dis.Said = store.Unknown, "does not list it, and does not know it"
		case tx.Slot != stored[s].Slot: // it lists it there
			continue
		}
		all = append(all, dis)
	}
	return l.d.disagree(l.saving, all)
}

func outcomeText(err []byte) string {
	if err != nil {
		return " as failed"
	}
	return " as succeeded"
}

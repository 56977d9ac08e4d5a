package txjson

import (
	"cmp"
	"fmt"
	"slices"

	"minesaudit/internal/decode"
)

// A record is one transaction as its fields come, in any order.
type record struct {
	seen    uint
	problem Problem // the first
	text    string

	signature string
	slot      uint64
	hasSlot   bool
	time      int64
	hasTime   bool
	err       string // JSON, null for none, empty if not told
	logs      []string
	hasLogs   bool

	keys               []string // static, or all if allKeys
	allKeys            bool
	lookups            int // keys that the message takes from tables
	writable, readonly []string
	top                []instruction
	inner              []instruction
	groups             []group
	hasInner           bool
}

// An instruction names its program and first account by index, by name or not
// at all (-1 and empty).
type instruction struct {
	program, account     int
	programID, accountID string
	accounts             int
	data                 string
	bytes                []byte
	noData               bool
	height               int
}

// A group is inner[from:to], caused by the top-level instruction of that index.
type group struct{ index, from, to int }

func (r *record) once(field uint) {
	if r.seen&field != 0 && r.problem.Reason == "" {
		r.problem = Problem{Form, "a field stands twice"}
	}
	r.seen |= field
}

// empty asks that nothing has been read of a field yet.
func (r *record) empty(field string, already int) {
	if already > 0 {
		r.wrong(field, "stands twice")
	}
}

// signed and failed take what may be told in two places.
func (r *record) signed(signature string) {
	if r.signature != "" && r.signature != signature {
		r.wrong("signature", "two of them")
	}
	r.signature = signature
}

func (r *record) failed(err string) {
	if r.err != "" && r.err != err {
		r.wrong("err", "two of them")
	}
	r.err = err
}

func (r *record) wrong(field, text string) {
	if r.problem.Reason == "" {
		r.problem = Problem{Form, fmt.Sprintf("%s: %s", field, clip(text))}
	}
}

// reset makes a record empty and keeps its room.
func (r *record) reset() {
	clear(r.inner)
	clear(r.top)
	*r = record{
		logs: r.logs[:0], keys: r.keys[:0], writable: r.writable[:0], readonly: r.readonly[:0],
		top: r.top[:0], inner: r.inner[:0], groups: r.groups[:0],
	}
}

// tx makes the transaction, which shares nothing with the record.
func (r *record) tx() Tx {
	tx := Tx{
		Signature: r.signature, Slot: r.slot, HasSlot: r.hasSlot, BlockTime: r.time, HasBlockTime: r.hasTime,
		StatusMissing: r.err == "", Text: r.text, Problem: r.problem,
	}
	if r.err != "null" {
		tx.Err = r.err
	}
	if tx.Problem.Reason != "" {
		return tx
	}
	tx.LogsMissing = !r.hasLogs
	tx.Logs = slices.Clone(r.logs)
	tx.Keys, tx.KeysMissing = r.allOfKeys()
	tx.InnerMissing = !r.hasInner
	tx.Instructions = r.flatten(tx.Keys)
	if tx.Problem = r.problem; tx.Problem.Reason != "" { // found while flattening
		tx.Transaction = decode.Transaction{}
	}
	return tx
}

// allOfKeys lists static, loaded writable and loaded read-only keys. A list with
// holes would give indices a false meaning, so loaded ones count only if they
// are as many as the message asks for.
func (r *record) allOfKeys() (keys []string, missing bool) {
	if len(r.keys) == 0 {
		return nil, true
	}
	if r.allKeys {
		return slices.Clone(r.keys), slices.Contains(r.keys, "")
	}
	if r.lookups != len(r.writable)+len(r.readonly) {
		return slices.Clone(r.keys), true
	}
	return slices.Concat(r.keys, r.writable, r.readonly), false
}

// flatten lists the instructions in the order in which they ran. Where the
// top-level ones are not told, an unknown one stands for each group's.
func (r *record) flatten(keys []string) []decode.Instruction {
	slices.SortStableFunc(r.groups, func(a, b group) int { return cmp.Compare(a.index, b.index) })
	list := make([]decode.Instruction, 0, len(r.top)+len(r.inner)+len(r.groups))
	next := 0
	for i := range r.top {
		list = append(list, r.top[i].resolve(keys, i, -1))
		if next < len(r.groups) && r.groups[next].index == i {
			list = r.appendGroup(list, keys, r.groups[next])
			next++
		}
	}
	for last := -1; next < len(r.groups); next++ {
		g := r.groups[next]
		if r.seen&seenInstructions != 0 || g.index == last {
			r.wrong("innerInstructions", fmt.Sprintf("a group of instruction %d, which is not there or has one already", g.index))
			return nil
		}
		last = g.index
		list = append(list, decode.Instruction{Outer: g.index, Inner: -1, NoData: true, Height: 1})
		list = r.appendGroup(list, keys, g)
	}
	return list
}

func (r *record) appendGroup(list []decode.Instruction, keys []string, g group) []decode.Instruction {
	for i := range r.inner[g.from:g.to] {
		list = append(list, r.inner[g.from+i].resolve(keys, g.index, i))
	}
	return list
}

func (in *instruction) resolve(keys []string, outer, inner int) decode.Instruction {
	out := decode.Instruction{
		Outer: outer, Inner: inner, Program: in.programID, Accounts: in.accounts, Account: in.accountID,
		Data: in.data, Bytes: in.bytes, NoData: in.noData, Height: in.height,
	}
	if out.Program == "" && 0 <= in.program && in.program < len(keys) {
		out.Program = keys[in.program]
	}
	if out.Account == "" && 0 <= in.account && in.account < len(keys) {
		out.Account = keys[in.account]
	}
	return out
}

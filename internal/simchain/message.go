package simchain

import "slices"

// unitLimit is the compute budget of every transaction.
const unitLimit = 200_000

// message is a transaction as it is sent: its calls compiled to account indexes.
// An index counts through keys, then loaded writable, then loaded read-only ones.
type message struct {
	version        int8
	signers        uint8
	readonlySigned uint8
	readonlyPlain  uint8
	keys           []Key

	table            Key // where loaded accounts come from
	writable, locked []Key

	blockhash    Key
	calls        []*call // that it was compiled from
	instructions []instruction
	inner        []innerList
}

// instruction is a call by indexes.
type instruction struct {
	program  uint8
	accounts []uint8
	data     []byte
	depth    int
}

// innerList is what the top-level instruction at index called, depth first.
type innerList struct {
	index int
	calls []instruction
}

// message compiles a transaction.
func (c *cast) message(t *tx, blockhash Key) *message {
	m := &message{version: t.version, table: c.table, blockhash: blockhash, calls: c.compose(t)}
	m.place(collect(t.signer, m.calls))
	at := m.indexes()
	for i, call := range m.calls {
		m.instructions = append(m.instructions, compile(call, at, 1))
		if inner := compileInner(call, at, 2); len(inner) > 0 {
			m.inner = append(m.inner, innerList{i, inner})
		}
	}
	return m
}

// writeLog replaces what is in l by the log of a transaction.
func (c *cast) writeLog(l *lines, t *tx, limit int) {
	*l = lines{text: l.text[:0], ends: l.ends[:0], limit: limit}
	l.writeAll(c.compose(t))
}

// use is an account with all that a transaction's calls want of it.
type use struct {
	account
	invoked bool
}

// collect lists the accounts of calls in order of appearance, the fee payer first.
func collect(payer Key, calls []*call) []*use {
	uses := []*use{{account: account{payer, true, true}}}
	note := func(a account, invoked bool) {
		i := slices.IndexFunc(uses, func(u *use) bool { return u.key == a.key })
		if i < 0 {
			uses, i = append(uses, &use{account: account{key: a.key}}), len(uses)
		}
		uses[i].signer = uses[i].signer || a.signer
		uses[i].writable = uses[i].writable || a.writable
		uses[i].invoked = uses[i].invoked || invoked
	}
	var walk func(*call)
	walk = func(c *call) {
		note(account{key: c.program}, true)
		for _, a := range c.accounts {
			note(a, false)
		}
		for _, s := range c.steps {
			if s.call != nil {
				walk(s.call)
			}
		}
	}
	for _, c := range calls {
		walk(c)
	}
	return uses
}

// place puts accounts into the order of the wire: signers before others, writable
// before read-only. Version 0 loads what is neither a signer nor a program from
// its table.
func (m *message) place(uses []*use) {
	for _, want := range []account{{signer: true, writable: true}, {signer: true}, {writable: true}, {}} {
		for _, u := range uses {
			switch {
			case u.signer != want.signer || u.writable != want.writable:
			case m.version == v0 && !u.signer && !u.invoked && u.writable:
				m.writable = append(m.writable, u.key)
			case m.version == v0 && !u.signer && !u.invoked:
				m.locked = append(m.locked, u.key)
			default:
				m.keys = append(m.keys, u.key)
				m.count(u)
			}
		}
	}
}

func (m *message) count(u *use) {
	switch {
	case u.signer && u.writable:
		m.signers++
	case u.signer:
		m.signers++
		m.readonlySigned++
	case !u.writable:
		m.readonlyPlain++
	}
}

func (m *message) indexes() map[Key]uint8 {
	at := map[Key]uint8{}
	for _, list := range [][]Key{m.keys, m.writable, m.locked} {
		for _, k := range list {
			at[k] = uint8(len(at))
		}
	}
	return at
}

func compile(c *call, at map[Key]uint8, depth int) instruction {
	in := instruction{program: at[c.program], accounts: []uint8{}, data: c.data, depth: depth}
	for _, a := range c.accounts {
		in.accounts = append(in.accounts, at[a.key])
	}
	return in
}

func compileInner(c *call, at map[Key]uint8, depth int) []instruction {
	var list []instruction
	for _, s := range c.steps {
		if s.call != nil {
			list = append(list, compile(s.call, at, depth))
			list = append(list, compileInner(s.call, at, depth+1)...)
		}
	}
	return list
}

// wire encodes the transaction with its signature as it goes over the network.
func (m *message) wire(signature [64]byte) []byte {
	b := compact(nil, int(m.signers))
	b = append(b, signature[:]...)
	for n := uint8(1); n < m.signers; n++ {
		b = append(b, make([]byte, 64)...)
	}
	if m.version == v0 {
		b = append(b, 0x80)
	}
	b = append(b, m.signers, m.readonlySigned, m.readonlyPlain)
	b = compact(b, len(m.keys))
	for _, k := range m.keys {
		b = append(b, k[:]...)
	}
	b = append(b, m.blockhash[:]...)
	b = compact(b, len(m.instructions))
	for _, in := range m.instructions {
		b = append(b, in.program)
		b = append(compact(b, len(in.accounts)), in.accounts...)
		b = append(compact(b, len(in.data)), in.data...)
	}
	if m.version == v0 {
		b = m.lookups(b)
	}
	return b
}

// lookups encodes where the loaded accounts stand in the table.
func (m *message) lookups(b []byte) []byte {
	if len(m.writable)+len(m.locked) == 0 {
		return compact(b, 0)
	}
	b = append(compact(b, 1), m.table[:]...)
	writable, readonly := m.tablePlaces()
	for _, list := range [][]uint8{writable, readonly} {
		b = append(compact(b, len(list)), list...)
	}
	return b
}

// tablePlaces are the places of the loaded accounts in their table: the writable
// ones from 0, the others from 100.
func (m *message) tablePlaces() (writable, readonly []uint8) {
	writable, readonly = make([]uint8, len(m.writable)), make([]uint8, len(m.locked))
	for i := range writable {
		writable[i] = uint8(i)
	}
	for i := range readonly {
		readonly[i] = uint8(100 + i)
	}
	return writable, readonly
}

// compact appends a length in the wire's seven bits a byte.
func compact(b []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		b = append(b, byte(n)|0x80)
	}
	return append(b, byte(n))
}

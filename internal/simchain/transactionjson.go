package simchain

import (
	"encoding/base64"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"
)

// writer writes a transaction as JSON.
type writer struct{ text []byte }

func (w *writer) raw(s string) *writer {
	w.text = append(w.text, s...)
	return w
}

func (w *writer) number(n uint64) *writer {
	w.text = strconv.AppendUint(w.text, n, 10)
	return w
}

func (w *writer) signed(n int64) *writer {
	w.text = strconv.AppendInt(w.text, n, 10)
	return w
}

func (w *writer) base64(b []byte) *writer {
	w.text = base64.StdEncoding.AppendEncode(w.text, b)
	return w
}

func (w *writer) base58(b []byte) *writer { return w.raw(base58.Encode(b)) }

// list writes n elements by way of each.
func (w *writer) list(n int, each func(i int)) *writer {
	w.raw("[")
	for i := range n {
		if i > 0 {
			w.raw(",")
		}
		each(i)
	}
	return w.raw("]")
}

func (w *writer) key(k *Key) *writer {
	w.raw(`"`).text = base58.AppendEncode32(w.text, (*[32]byte)(k))
	return w.raw(`"`)
}

func (w *writer) keys(keys []Key) *writer {
	return w.list(len(keys), func(i int) { w.key(&keys[i]) })
}

func (w *writer) places(list []uint8) *writer {
	return w.list(len(list), func(i int) { w.number(uint64(list[i])) })
}

// message writes the json encoding.
func (w *writer) message(m *message, t *tx) *writer {
	w.raw(`{"signatures":["`).raw(t.name()).raw(`"],"message":{"header":{"numRequiredSignatures":`).number(uint64(m.signers))
	w.raw(`,"numReadonlySignedAccounts":`).number(uint64(m.readonlySigned))
	w.raw(`,"numReadonlyUnsignedAccounts":`).number(uint64(m.readonlyPlain))
	w.raw(`},"accountKeys":`).keys(m.keys).raw(`,"recentBlockhash":`).key(&m.blockhash)
	w.raw(`,"instructions":`).instructions(m.instructions)
	if m.version == v0 {
		w.raw(`,"addressTableLookups":`).lookups(m)
	}
	return w.raw("}}")
}

func (w *writer) lookups(m *message) *writer {
	if len(m.writable)+len(m.locked) == 0 {
		return w.raw("[]")
	}
	writable, readonly := m.tablePlaces()
	w.raw(`[{"accountKey":`).key(&m.table)
	return w.raw(`,"writableIndexes":`).places(writable).raw(`,"readonlyIndexes":`).places(readonly).raw("}]")
}

// instructions writes calls; their data is in base58, whatever the encoding.
func (w *writer) instructions(list []instruction) *writer {
	return w.list(len(list), func(i int) {
		in := &list[i]
		w.raw(`{"programIdIndex":`).number(uint64(in.program)).raw(`,"accounts":`).places(in.accounts)
		w.raw(`,"data":"`).base58(in.data).raw(`","stackHeight":`).number(uint64(in.depth)).raw("}")
	})
}

// meta writes what a transaction did, with no more than limit bytes of its log.
func (w *writer) meta(m *message, t *tx, limit int) *writer {
	w.raw(`{"err":`).raw(t.errJSON()).raw(`,"status":`).raw(string(t.statusJSON())).raw(`,"fee":`).number(5000 * uint64(m.signers))
	w.raw(`,"preBalances":`).balances(m).raw(`,"postBalances":`).balances(m)
	w.raw(`,"innerInstructions":`).list(len(m.inner), func(i int) {
		w.raw(`{"index":`).number(uint64(m.inner[i].index)).raw(`,"instructions":`).instructions(m.inner[i].calls).raw("}")
	})
	log := lines{limit: limit}
	log.writeAll(m.calls)
	w.raw(`,"logMessages":`).text = log.appendJSON(w.text)
	w.raw(`,"preTokenBalances":[],"postTokenBalances":[],"rewards":[],"loadedAddresses":{"writable":`).keys(m.writable)
	w.raw(`,"readonly":`).keys(m.locked)
	return w.raw(`},"computeUnitsConsumed":`).number(5_000 + t.salt%20_000).raw("}")
}

// balances writes the same for every account: that of one which holds tokens.
func (w *writer) balances(m *message) *writer {
	return w.list(len(m.keys)+len(m.writable)+len(m.locked), func(int) { w.number(2_039_280) })
}

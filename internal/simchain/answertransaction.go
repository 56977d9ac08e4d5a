package simchain

import (
	"encoding/base64"
	"encoding/json"

	"github.com/gagliardetto/solana-go/base58"
)

// transactionAnswer is a transaction with its message and what it did.
type transactionAnswer struct {
	Slot        uint64     `json:"slot"`
	BlockTime   int64      `json:"blockTime"`
	Version     any        `json:"version,omitempty"` // absent for clients that know no versions
	Transaction any        `json:"transaction"`
	Meta        metaAnswer `json:"meta"`
}

type metaAnswer struct {
	Err               json.RawMessage `json:"err"`
	Status            json.RawMessage `json:"status"`
	Fee               uint64          `json:"fee"`
	PreBalances       []uint64        `json:"preBalances"`
	PostBalances      []uint64        `json:"postBalances"`
	InnerInstructions []innerAnswer   `json:"innerInstructions"`
	LogMessages       json.RawMessage `json:"logMessages"`
	PreTokenBalances  []struct{}      `json:"preTokenBalances"`
	PostTokenBalances []struct{}      `json:"postTokenBalances"`
	Rewards           []struct{}      `json:"rewards"`
	LoadedAddresses   loadedAnswer    `json:"loadedAddresses"`
	ComputeUnits      int             `json:"computeUnitsConsumed"`
}

type loadedAnswer struct {
	Writable []string `json:"writable"`
	Readonly []string `json:"readonly"`
}

type innerAnswer struct {
	Index        int                 `json:"index"`
	Instructions []instructionAnswer `json:"instructions"`
}

type instructionAnswer struct {
	ProgramIDIndex uint8  `json:"programIdIndex"`
	Accounts       []int  `json:"accounts"`
	Data           string `json:"data"` // base58, whatever the encoding
	StackHeight    int    `json:"stackHeight"`
}

func (n *Node) getTransaction(r request) (any, *rpcError) {
	sig, fault := r.signatureAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := n.settledOptions(r, 1)
	if fault != nil {
		return nil, fault
	}
	t, _ := n.known(sig)
	if t != nil && n.Faults.lacks(t) {
		return nil, historyMissing()
	}
	if t == nil || t.slot > n.tipSlot(o.level) || n.Faults.playsDead(t) {
		return nil, nil
	}
	if t.version != legacy && (o.MaxVersion == nil || *o.MaxVersion < int64(t.version)) {
		return nil, versionTooNew(t.version)
	}
	b := n.chain.ledger.block(t.slot)
	m := n.chain.cast.message(t, n.chain.blockhash(b.parent))
	a := transactionAnswer{Slot: t.slot, BlockTime: b.time, Meta: n.meta(t, m)}
	if o.MaxVersion != nil {
		a.Version = versionName(t.version)
	}
	switch o.Encoding {
	case "base64":
		a.Transaction = []string{base64.StdEncoding.EncodeToString(m.wire(t.signature)), "base64"}
	case "base58":
		a.Transaction = []string{base58.Encode(m.wire(t.signature)), "base58"}
	case "", "json", "jsonParsed": // no program here has a parsed form
		a.Transaction = m.answer(t)
	default:
		return nil, invalidParams("unknown encoding %q", o.Encoding)
	}
	return a, nil
}

func versionName(v int8) any {
	if v == legacy {
		return "legacy"
	}
	return v
}

func (n *Node) meta(t *tx, m *message) metaAnswer {
	log := n.chain.cast.logUpTo(t, n.Faults.logLimit(t))
	accounts := len(m.keys) + len(m.writable) + len(m.locked)
	balances := make([]uint64, accounts)
	for i := range balances {
		balances[i] = 2_039_280
	}
	meta := metaAnswer{
		Err: json.RawMessage(t.errJSON()), Status: t.statusJSON(), Fee: 5000 * uint64(m.signers),
		PreBalances: balances, PostBalances: balances, LogMessages: log.appendJSON(nil),
		InnerInstructions: []innerAnswer{}, PreTokenBalances: []struct{}{}, PostTokenBalances: []struct{}{}, Rewards: []struct{}{},
		LoadedAddresses: loadedAnswer{names(m.writable), names(m.locked)}, ComputeUnits: int(5_000 + t.salt%20_000),
	}
	for _, list := range m.inner {
		meta.InnerInstructions = append(meta.InnerInstructions, innerAnswer{list.index, instructionAnswers(list.calls)})
	}
	return meta
}

// answer is the message in the json encoding.
func (m *message) answer(t *tx) any {
	body := map[string]any{
		"header": map[string]any{
			"numRequiredSignatures": m.signers, "numReadonlySignedAccounts": m.readonlySigned, "numReadonlyUnsignedAccounts": m.readonlyPlain,
		},
		"accountKeys": names(m.keys), "recentBlockhash": m.blockhash.String(), "instructions": instructionAnswers(m.instructions),
	}
	if m.version == v0 {
		lookups := []any{}
		if len(m.writable)+len(m.locked) > 0 {
			writable, readonly := m.tablePlaces()
			lookups = append(lookups, map[string]any{"accountKey": m.table.String(), "writableIndexes": writable, "readonlyIndexes": readonly})
		}
		body["addressTableLookups"] = lookups
	}
	return map[string]any{"signatures": []string{t.name()}, "message": body}
}

func instructionAnswers(list []instruction) []instructionAnswer {
	answers := make([]instructionAnswer, len(list))
	for i, in := range list {
		accounts := make([]int, len(in.accounts))
		for j, a := range in.accounts {
			accounts[j] = int(a)
		}
		answers[i] = instructionAnswer{in.program, accounts, base58.Encode(in.data), in.depth}
	}
	return answers
}

func names(keys []Key) []string {
	list := make([]string, len(keys))
	for i, k := range keys {
		list[i] = k.String()
	}
	return list
}

package simchain

// getTransaction answers with the transaction's message and what it did. Who reads a
// history asks for little else, so the answer is written without reflection.
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
	w := writer{make([]byte, 0, answerSize)}
	w.raw(`{"slot":`).number(t.slot).raw(`,"blockTime":`).signed(b.time)
	if o.MaxVersion != nil { // a client that knows no versions is told none
		w.raw(`,"version":`).raw(versionName(t.version))
	}
	w.raw(`,"transaction":`)
	switch o.Encoding {
	case "base64":
		w.raw(`["`).base64(m.wire(t.signature)).raw(`","base64"]`)
	case "base58":
		w.raw(`["`).base58(m.wire(t.signature)).raw(`","base58"]`)
	case "", "json", "jsonParsed": // no program here has a parsed form
		w.message(m, t)
	default:
		return nil, invalidParams("unknown encoding %q", o.Encoding)
	}
	w.raw(`,"meta":`).meta(m, t, n.Faults.logLimit(t)).raw("}")
	return written(w.text), nil
}

// answerSize is about how long an answer is.
const answerSize = 3_000

func versionName(v int8) string {
	if v == legacy {
		return `"legacy"`
	}
	return "0"
}

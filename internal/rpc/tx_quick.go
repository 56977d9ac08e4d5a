package rpc

// readTxQuick decodes the answer of getTransaction for a successful transaction as
// nodes write it, several times as fast as encoding/json. As readQuick does, it gives
// up at the first surprise, and readTxAny decides what that is: where ok is true, the
// two give the same. text is valid JSON: what is not needed is passed over by its
// brackets alone.
//
// The strings of the result share the memory of text.
func readTxQuick(text string) (w wireTx, ok bool) {
	t := txQuick{quick: quick{text: text, tx: &Tx{}}}
	if !t.object(t.field) || t.skipSpace() != len(t.text) || t.seen&hasNeeded != hasNeeded {
		return wireTx{}, false
	}
	t.wire.Slot, t.meta.Logs = &t.tx.Slot, t.tx.Logs
	t.wire.Meta = &t.meta
	return t.wire, true
}

// The fields that are read, each at most once.
const (
	hasSlot = 1 << iota
	hasBlockTime
	hasBody
	hasMeta
	hasErr
	hasLogs
	hasLoaded
	hasWritable
	hasReadonly
	hasNeeded = hasSlot | hasBody | hasMeta | hasErr | hasLogs
)

type txQuick struct {
	quick
	wire wireTx
	meta wireMeta
	time int64
}

func (t *txQuick) field(key string) (ok bool) {
	switch key {
	case "slot":
		t.tx.Slot, ok = t.number()
		return t.first(hasSlot) && ok
	case "blockTime":
		return t.first(hasBlockTime) && t.blockTime()
	case "transaction":
		var raw string
		raw, ok = t.skip()
		t.wire.Transaction = rawText(raw)
		return t.first(hasBody) && ok
	case "meta":
		return t.first(hasMeta) && t.object(t.metaField)
	case "version", "transactionIndex":
		_, ok = t.skip()
		return ok
	}
	return false
}

func (t *txQuick) blockTime() bool {
	if t.word("null") {
		return true
	}
	n, ok := t.number()
	t.time = int64(n)
	t.wire.BlockTime = &t.time
	return ok && t.time >= 0
}

func (t *txQuick) metaField(key string) bool {
	switch key {
	case "err":
		return t.first(hasErr) && t.word("null")
	case "logMessages":
		return t.first(hasLogs) && t.lines()
	case "loadedAddresses":
		return t.first(hasLoaded) && t.object(t.loadedField)
	case "fee", "status", "preBalances", "postBalances", "innerInstructions", "preTokenBalances", "postTokenBalances",
		"rewards", "computeUnitsConsumed", "costUnits", "returnData":
		_, ok := t.skip()
		return ok
	}
	return false
}

func (t *txQuick) loadedField(key string) bool {
	switch key {
	case "writable":
		return t.first(hasWritable) && t.keys(&t.meta.Loaded.Writable)
	case "readonly":
		return t.first(hasReadonly) && t.keys(&t.meta.Loaded.Readonly)
	}
	return false
}

// keys reads an array of plain strings.
func (t *txQuick) keys(into *[]string) bool {
	if !t.byte('[') {
		return false
	}
	*into = []string{}
	if t.byte(']') {
		return true
	}
	for {
		key, ok := t.plain()
		if !ok {
			return false
		}
		*into = append(*into, key)
		if !t.byte(',') {
			return t.byte(']')
		}
	}
}

// skip passes over a value of valid JSON and gives its text.
func (q *quick) skip() (string, bool) {
	start, depth := q.skipSpace(), 0
	for ; q.at < len(q.text); q.at++ {
		switch q.text[q.at] {
		case '"':
			if !q.skipString() {
				return "", false
			}
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return q.text[start:q.at], q.at > start
			}
			continue
		default: // of a number or a word
			continue
		}
		switch {
		case depth == 0 && q.text[q.at] != '{' && q.text[q.at] != '[':
			q.at++
			return q.text[start:q.at], true
		case depth < 0: // the end of what holds the value, a number or a word
			return q.text[start:q.at], q.at > start
		}
	}
	return "", false
}

// skipString goes to the closing quote of a string.
func (q *quick) skipString() bool {
	for q.at++; q.at < len(q.text); q.at++ {
		switch q.text[q.at] {
		case '\\':
			q.at++ // whatever follows does not end the string
		case '"':
			return true
		}
	}
	return false
}

package txjson

// The fields by which forms are told apart, and those that must not stand twice.
const (
	seenResult uint = 1 << iota
	seenError
	seenMethod
	seenParams
	seenBlock
	seenTransaction
	seenMeta
	seenLogs
	seenSignature
	seenSlot
	seenTime
	seenErr
	seenSignatures
	seenMetaErr
	seenMessage
	seenValue
	seenKeys
	seenInstructions
	seenInner
	seenLoaded
	seenLookups
)

const logsMethod = "logsNotification"

// answer reads an object: a reply, a notification, a block, the record of a
// transaction or its log.
func (p *Parser) answer() {
	r := p.takeRecord()
	mark, start := len(p.txs), p.At
	var failure, method, result string
	for w := p.Object(); w.Next(); {
		switch w.Key {
		case "result":
			r.once(seenResult)
			result = p.result()
		case "error":
			if failure = p.Raw(); failure != "null" {
				r.once(seenError)
			}
		case "method":
			r.once(seenMethod)
			method = p.string(r, "method")
		case "params":
			r.once(seenParams)
			p.params(r)
		case "transactions":
			r.once(seenBlock)
			p.block(r)
		default:
			p.field(r, w.Key)
		}
	}
	switch form := r.seen & (seenResult | seenError | seenMethod | seenParams | seenBlock); {
	case p.Err != nil:
	case r.problem.Reason != "" && form != 0:
		p.txs = append(p.txs[:mark], Tx{Problem: r.problem})
	case form == 0 && r.seen&(seenTransaction|seenMeta|seenLogs) != 0:
		r.text = p.Text[start:p.At]
		p.keep(r)
		return
	case form == seenError:
		p.refuse(Error, clip(failure))
	case form == seenResult && result == "null":
		p.refuse(NotFound, "the node did not know the transaction (result null)")
	case form&seenMethod != 0 && method != logsMethod:
		p.txs = p.txs[:mark] // another subscription's
	case form == seenMethod|seenParams && len(p.txs) == mark:
		p.refuse(Form, "a notification without a log")
	case form == seenResult, form == seenMethod|seenParams, form == seenBlock:
	case form == 0:
		p.refuse(NotTx, "an object without transaction, meta, logs, logMessages, transactions or result")
	default:
		p.txs = p.txs[:mark]
		p.refuse(Form, "a reply that is several things at once")
	}
	p.drop(r)
}

// result reads what a reply answers. Numbers and the like acknowledge something
// and hold nothing; their text is given.
func (p *Parser) result() string {
	switch p.Peek() {
	case '{':
		p.answer()
		return ""
	case '[':
		p.Skip()
		p.refuse(NotTx, "the result is a list")
		return ""
	default:
		return p.Raw()
	}
}

// block reads the transactions of a block.
func (p *Parser) block(r *record) {
	if p.Peek() != '[' {
		r.wrong("transactions", p.Raw())
		return
	}
	for w := p.Array(); w.Next(); {
		if p.Peek() != '{' {
			r.wrong("transactions", p.Raw())
			continue
		}
		p.answer()
	}
}

// params reads {"result":{"context":{"slot"},"value":{…}},"subscription"}.
func (p *Parser) params(outer *record) {
	if p.Peek() != '{' {
		outer.wrong("params", p.Raw())
		return
	}
	r := p.takeRecord()
	for w := p.Object(); w.Next(); {
		if w.Key != "result" || p.Peek() != '{' {
			p.Skip()
			continue
		}
		r.once(seenResult)
		p.notice(r)
	}
	if r.seen&seenLogs == 0 {
		p.drop(r)
		return
	}
	p.keep(r)
}

// notice reads the result of a notification.
func (p *Parser) notice(r *record) {
	for w := p.Object(); w.Next(); {
		switch {
		case w.Key == "context" && p.Peek() == '{':
			for w := p.Object(); w.Next(); {
				if w.Key == "slot" {
					p.field(r, w.Key)
				} else {
					p.Skip()
				}
			}
		case w.Key == "value" && p.Peek() == '{':
			r.once(seenValue)
			start := p.At
			for w := p.Object(); w.Next(); {
				p.field(r, w.Key)
			}
			r.text = p.Text[start:p.At]
		default:
			p.Skip()
		}
	}
}

// field reads one member of a transaction's record or log.
func (p *Parser) field(r *record, key string) {
	switch key {
	case "transaction":
		r.once(seenTransaction)
		p.transaction(r)
	case "meta":
		r.once(seenMeta)
		p.meta(r)
	case "logs", "logMessages":
		r.once(seenLogs)
		p.lines(r)
	case "signature":
		r.once(seenSignature)
		r.signed(p.string(r, key))
	case "slot":
		r.once(seenSlot)
		r.slot, r.hasSlot = p.uint(r, key)
	case "blockTime":
		r.once(seenTime)
		r.time, r.hasTime = p.int(r, key)
	case "err":
		r.once(seenErr)
		r.failed(p.Raw())
	default:
		p.Skip()
	}
}

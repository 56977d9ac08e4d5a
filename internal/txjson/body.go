package txjson

// transaction reads the transaction itself: an object, [DATA, ENCODING], or the
// base58 text of old.
func (p *Parser) transaction(r *record) {
	switch p.peek() {
	case '{':
		for w := p.object(); w.next(); {
			switch w.key {
			case "signatures":
				r.once(seenSignatures)
				if list := p.strings(r, w.key, nil); len(list) > 0 {
					r.signed(list[0])
				}
			case "message":
				r.once(seenMessage)
				p.message(r)
			case "accountKeys": // of a block whose details are accounts
				p.keys(r)
			default:
				p.skip()
			}
		}
	case '[':
		pair := p.strings(r, "transaction", nil)
		if len(pair) != 2 {
			r.wrong("transaction", "a list that is not [data, encoding]")
			return
		}
		r.binary(pair[0], pair[1])
	case '"':
		r.binary(p.str(), "base58")
	case 'n':
		p.literal("null")
	default:
		r.wrong("transaction", p.raw())
	}
}

func (p *Parser) message(r *record) {
	if p.peek() != '{' {
		r.wrong("message", p.raw())
		return
	}
	for w := p.object(); w.next(); {
		switch w.key {
		case "accountKeys":
			p.keys(r)
		case "instructions":
			r.once(seenInstructions)
			r.top = p.instructions(r, r.top)
		case "addressTableLookups":
			r.once(seenLookups)
			p.lookups(r)
		default:
			p.skip()
		}
	}
}

// keys reads the account keys: names, or objects with them, which then list the
// loaded ones too.
func (p *Parser) keys(r *record) {
	r.once(seenKeys)
	if p.peek() != '[' {
		r.wrong("accountKeys", p.raw())
		return
	}
	for w := p.array(); w.next(); {
		switch p.peek() {
		case '"':
			r.keys = append(r.keys, p.str())
		case '{':
			r.allKeys = true
			name := ""
			for w := p.object(); w.next(); {
				if w.key == "pubkey" {
					r.empty(w.key, len(name))
					name = p.string(r, w.key)
				} else {
					p.skip()
				}
			}
			r.keys = append(r.keys, name)
		default:
			r.wrong("accountKeys", p.raw())
		}
	}
}

// lookups counts the keys that were to be loaded.
func (p *Parser) lookups(r *record) {
	if p.peek() != '[' {
		if text := p.raw(); text != "null" {
			r.wrong("addressTableLookups", text)
		}
		return
	}
	for w := p.array(); w.next(); {
		if p.peek() != '{' {
			r.wrong("addressTableLookups", p.raw())
			continue
		}
		for w := p.object(); w.next(); {
			if w.key != "writableIndexes" && w.key != "readonlyIndexes" || p.peek() != '[' {
				p.skip()
				continue
			}
			for w := p.array(); w.next(); {
				p.skip()
				r.lookups++
			}
		}
	}
}

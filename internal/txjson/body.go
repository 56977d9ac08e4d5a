package txjson

// transaction reads the transaction itself: an object, [DATA, ENCODING], or the
// base58 text of old.
func (p *Parser) transaction(r *record) {
	switch p.Peek() {
	case '{':
		for w := p.Object(); w.Next(); {
			switch w.Key {
			case "signatures":
				r.once(seenSignatures)
				if list := p.strings(r, w.Key, nil); len(list) > 0 {
					r.signed(list[0])
				}
			case "message":
				r.once(seenMessage)
				p.message(r)
			case "accountKeys": // of a block whose details are accounts
				p.keys(r)
			default:
				p.Skip()
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
		r.binary(p.Str(), "base58")
	case 'n':
		p.Literal("null")
	default:
		r.wrong("transaction", p.Raw())
	}
}

func (p *Parser) message(r *record) {
	if p.Peek() != '{' {
		r.wrong("message", p.Raw())
		return
	}
	for w := p.Object(); w.Next(); {
		switch w.Key {
		case "accountKeys":
			p.keys(r)
		case "instructions":
			r.once(seenInstructions)
			r.top = p.instructions(r, r.top)
		case "addressTableLookups":
			r.once(seenLookups)
			p.lookups(r)
		default:
			p.Skip()
		}
	}
}

// keys reads the account keys: names, or objects with them, which then list the
// loaded ones too.
func (p *Parser) keys(r *record) {
	r.once(seenKeys)
	if p.Peek() != '[' {
		r.wrong("accountKeys", p.Raw())
		return
	}
	for w := p.Array(); w.Next(); {
		switch p.Peek() {
		case '"':
			r.keys = append(r.keys, p.Str())
		case '{':
			r.allKeys = true
			name := ""
			for w := p.Object(); w.Next(); {
				if w.Key == "pubkey" {
					r.empty(w.Key, len(name))
					name = p.string(r, w.Key)
				} else {
					p.Skip()
				}
			}
			r.keys = append(r.keys, name)
		default:
			r.wrong("accountKeys", p.Raw())
		}
	}
}

// lookups counts the keys that were to be loaded.
func (p *Parser) lookups(r *record) {
	if p.Peek() != '[' {
		if text := p.Raw(); text != "null" {
			r.wrong("addressTableLookups", text)
		}
		return
	}
	for w := p.Array(); w.Next(); {
		if p.Peek() != '{' {
			r.wrong("addressTableLookups", p.Raw())
			continue
		}
		for w := p.Object(); w.Next(); {
			if w.Key != "writableIndexes" && w.Key != "readonlyIndexes" || p.Peek() != '[' {
				p.Skip()
				continue
			}
			for w := p.Array(); w.Next(); {
				p.Skip()
				r.lookups++
			}
		}
	}
}

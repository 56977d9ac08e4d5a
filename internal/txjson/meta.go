package txjson

// meta reads what came of a transaction; null where the node kept nothing.
func (p *Parser) meta(r *record) {
	if p.peek() != '{' {
		if text := p.raw(); text != "null" {
			r.wrong("meta", text)
		}
		return
	}
	for w := p.object(); w.next(); {
		switch w.key {
		case "err":
			r.once(seenMetaErr)
			r.failed(p.raw())
		case "logMessages":
			r.once(seenLogs)
			p.lines(r)
		case "innerInstructions":
			r.once(seenInner)
			p.inner(r)
		case "loadedAddresses":
			r.once(seenLoaded)
			p.loaded(r)
		default:
			p.skip()
		}
	}
}

func (p *Parser) loaded(r *record) {
	if p.peek() != '{' {
		if text := p.raw(); text != "null" {
			r.wrong("loadedAddresses", text)
		}
		return
	}
	for w := p.object(); w.next(); {
		switch w.key {
		case "writable":
			r.empty(w.key, len(r.writable))
			r.writable = p.strings(r, w.key, r.writable[:0])
		case "readonly":
			r.empty(w.key, len(r.readonly))
			r.readonly = p.strings(r, w.key, r.readonly[:0])
		default:
			p.skip()
		}
	}
}

// inner reads the inner instructions, in groups by their top-level one.
func (p *Parser) inner(r *record) {
	if p.peek() != '[' {
		if text := p.raw(); text != "null" {
			r.wrong("innerInstructions", text)
		}
		return
	}
	r.hasInner = true
	for w := p.array(); w.next(); {
		if p.peek() != '{' {
			r.wrong("innerInstructions", p.raw())
			continue
		}
		g := group{index: -1, from: len(r.inner)}
		for w := p.object(); w.next(); {
			switch w.key {
			case "index":
				r.empty(w.key, g.index+1)
				g.index = p.index(r, w.key)
			case "instructions":
				r.empty(w.key, len(r.inner)-g.from)
				r.inner = p.instructions(r, r.inner)
			default:
				p.skip()
			}
		}
		g.to = len(r.inner)
		if g.index < 0 {
			r.wrong("innerInstructions", "a group without index")
		}
		r.groups = append(r.groups, g)
	}
}

func (p *Parser) instructions(r *record, list []instruction) []instruction {
	if p.peek() != '[' {
		r.wrong("instructions", p.raw())
		return list
	}
	for w := p.array(); w.next(); {
		if p.peek() != '{' {
			r.wrong("instructions", p.raw())
			continue
		}
		list = append(list, p.instruction(r))
	}
	return list
}

// The fields of an instruction.
const (
	hasProgram uint8 = 1 << iota
	hasProgramID
	hasAccounts
	hasData
	hasHeight
)

func (p *Parser) instruction(r *record) instruction {
	in := instruction{program: -1, account: -1, noData: true}
	var seen uint8
	for w := p.object(); w.next(); {
		var field uint8
		switch w.key {
		case "programIdIndex":
			field = hasProgram
			in.program = p.index(r, w.key)
		case "programId":
			field = hasProgramID
			in.programID = p.string(r, w.key)
		case "accounts":
			field = hasAccounts
			p.accounts(r, &in)
		case "data":
			field = hasData
			if p.peek() == '"' {
				in.data, in.noData = p.str(), false
			} else {
				p.skip()
			}
		case "stackHeight":
			field = hasHeight
			in.height = max(p.index(r, w.key), 0)
		default:
			p.skip()
		}
		r.empty(w.key, int(seen&field))
		seen |= field
	}
	r.empty("programId beside programIdIndex", int(seen&hasProgram&(seen&hasProgramID>>1)))
	return in
}

// accounts counts the accounts of an instruction and keeps the first, by index
// or name.
func (p *Parser) accounts(r *record, in *instruction) {
	in.accounts, in.account, in.accountID = 0, -1, ""
	if p.peek() != '[' {
		r.wrong("accounts", p.raw())
		return
	}
	for w := p.array(); w.next(); {
		switch {
		case in.accounts > 0:
			p.skip()
		case p.peek() == '"':
			in.accountID = p.str()
		default:
			in.account = p.index(r, "accounts")
		}
		in.accounts++
	}
}

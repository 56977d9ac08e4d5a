package txjson

// meta reads what came of a transaction; null where the node kept nothing.
func (p *Parser) meta(r *record) {
	if p.Peek() != '{' {
		if text := p.Raw(); text != "null" {
			r.wrong("meta", text)
		}
		return
	}
	for w := p.Object(); w.Next(); {
		switch w.Key {
		case "err":
			r.once(seenMetaErr)
			r.failed(p.Raw())
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
			p.Skip()
		}
	}
}

func (p *Parser) loaded(r *record) {
	if p.Peek() != '{' {
		if text := p.Raw(); text != "null" {
			r.wrong("loadedAddresses", text)
		}
		return
	}
	for w := p.Object(); w.Next(); {
		switch w.Key {
		case "writable":
			r.empty(w.Key, len(r.writable))
			r.writable = p.strings(r, w.Key, r.writable[:0])
		case "readonly":
			r.empty(w.Key, len(r.readonly))
			r.readonly = p.strings(r, w.Key, r.readonly[:0])
		default:
			p.Skip()
		}
	}
}

// inner reads the inner instructions, in groups by their top-level one.
func (p *Parser) inner(r *record) {
	if p.Peek() != '[' {
		if text := p.Raw(); text != "null" {
			r.wrong("innerInstructions", text)
		}
		return
	}
	r.hasInner = true
	for w := p.Array(); w.Next(); {
		if p.Peek() != '{' {
			r.wrong("innerInstructions", p.Raw())
			continue
		}
		g := group{index: -1, from: len(r.inner)}
		for w := p.Object(); w.Next(); {
			switch w.Key {
			case "index":
				r.empty(w.Key, g.index+1)
				g.index = p.index(r, w.Key)
			case "instructions":
				r.empty(w.Key, len(r.inner)-g.from)
				r.inner = p.instructions(r, r.inner)
			default:
				p.Skip()
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
	if p.Peek() != '[' {
		r.wrong("instructions", p.Raw())
		return list
	}
	for w := p.Array(); w.Next(); {
		if p.Peek() != '{' {
			r.wrong("instructions", p.Raw())
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
	for w := p.Object(); w.Next(); {
		var field uint8
		switch w.Key {
		case "programIdIndex":
			field = hasProgram
			in.program = p.index(r, w.Key)
		case "programId":
			field = hasProgramID
			in.programID = p.string(r, w.Key)
		case "accounts":
			field = hasAccounts
			p.accounts(r, &in)
		case "data":
			field = hasData
			if p.Peek() == '"' {
				in.data, in.noData = p.Str(), false
			} else {
				p.Skip()
			}
		case "stackHeight":
			field = hasHeight
			in.height = max(p.index(r, w.Key), 0)
		default:
			p.Skip()
		}
		r.empty(w.Key, int(seen&field))
		seen |= field
	}
	r.empty("programId beside programIdIndex", int(seen&hasProgram&(seen&hasProgramID>>1)))
	return in
}

// accounts counts the accounts of an instruction and keeps the first, by index
// or name.
func (p *Parser) accounts(r *record, in *instruction) {
	in.accounts, in.account, in.accountID = 0, -1, ""
	if p.Peek() != '[' {
		r.wrong("accounts", p.Raw())
		return
	}
	for w := p.Array(); w.Next(); {
		switch {
		case in.accounts > 0:
			p.Skip()
		case p.Peek() == '"':
			in.accountID = p.Str()
		default:
			in.account = p.index(r, "accounts")
		}
		in.accounts++
	}
}

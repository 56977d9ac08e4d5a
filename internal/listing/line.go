package listing

import (
	"encoding/hex"
	"errors"
	"strconv"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
	"minesaudit/internal/txjson"
)

// payload appends the line of an event, or of what is none.
func (l *Lister) payload(dst []byte, tx *txjson.Tx, p *decode.Payload) []byte {
	if p.Problem != "" {
		return l.malformed(dst, tx, p, nil, "not_one_slice", p.Problem)
	}
	event, ok := l.idl.Match(p.Data)
	switch {
	case p.Source == decode.SourceMessage && !ok:
		return dst // text like any other
	case p.Source == decode.SourceMessage && !l.Options.Messages:
		l.Counts.Messages++
		return dst
	case !ok:
		return l.malformed(dst, tx, p, nil, "unknown_discriminator", "no event of the IDL begins so")
	}
	begin := len(dst)
	dst = append(dst, '{')
	if l.Where {
		dst = l.where(dst, tx)
	}
	dst = l.head(dst, tx, p, event)
	data := len(dst)
	dst = append(dst, `"data":`...)
	dst, err := event.AppendJSON(dst, p.Data[len(event.Discriminator):])
	switch {
	case errors.Is(err, idl.ErrTrailing):
		l.Malformed++
		dst = insert(dst, data, `"malformed":"trailing",`)
	case err != nil:
		return l.malformed(dst[:begin], tx, p, event, reason(err), err.Error())
	}
	l.Events++
	return append(dst, "}\n"...)
}

func insert(dst []byte, at int, text string) []byte {
	dst = append(dst, text...)
	copy(dst[at+len(text):], dst[at:])
	copy(dst[at:], text)
	return dst
}

// head appends what says which payload it is, with a comma after it.
func (l *Lister) head(dst []byte, tx *txjson.Tx, p *decode.Payload, event *idl.Event) []byte {
	dst = append(append(dst, `"program":`...), l.program...)
	if event != nil {
		dst = append(append(dst, `,"name":`...), l.names[event]...)
	}
	dst = append(append(dst, `,"source":"`...), p.Source.String()...)
	dst = strconv.AppendUint(append(dst, `","ordinal":`...), uint64(p.Ordinal), 10)
	if p.Source == decode.SourceCPI {
		dst = appendIx(dst, p.Outer, p.Inner)
	} else {
		dst = strconv.AppendInt(append(dst, `,"log_index":`...), int64(p.Line), 10)
	}
	dst = strconv.AppendInt(append(dst, `,"depth":`...), int64(p.Depth), 10)
	if tx.Err != "" {
		dst = append(dst, `,"failed":true`...)
	}
	return append(dst, ',')
}

func appendIx(dst []byte, outer, inner int) []byte {
	dst = strconv.AppendInt(append(dst, `,"ix":[`...), int64(outer), 10)
	dst = strconv.AppendInt(append(dst, ','), int64(inner), 10)
	return append(dst, ']')
}

// where appends the transaction's signature and slot, as far as they are known,
// with a comma after each.
func (l *Lister) where(dst []byte, tx *txjson.Tx) []byte {
	if tx.Signature != "" {
		dst = append(append(append(dst, `"signature":`...), quote(tx.Signature)...), ',')
	}
	if tx.HasSlot {
		dst = append(strconv.AppendUint(append(dst, `"slot":`...), tx.Slot, 10), ',')
	}
	return dst
}

// end appends where the transaction stands, and ends the line.
func (l *Lister) end(dst []byte, tx *txjson.Tx) []byte {
	dst = l.where(append(dst, ','), tx)
	if l.file != nil {
		dst = append(append(append(dst, `"file":`...), l.file...), ',')
	}
	if tx.Line > 0 {
		dst = append(strconv.AppendInt(append(dst, `"line":`...), int64(tx.Line), 10), ',')
	}
	return append(dst[:len(dst)-1], "}\n"...)
}

// malformed appends the line of a payload that is no event; event is what it
// begins as, if that is known.
func (l *Lister) malformed(dst []byte, tx *txjson.Tx, p *decode.Payload, event *idl.Event, reason, detail string) []byte {
	l.Malformed++
	dst = append(append(dst, `{"malformed":"`...), reason...)
	dst = append(append(append(dst, `","detail":`...), quote(detail)...), ',')
	dst = l.head(dst, tx, p, event)
	if p.Problem != "" {
		dst = append(append(dst, `"text":`...), quote(p.Text)...)
	} else {
		dst = append(hex.AppendEncode(append(dst, `"hex":"`...), p.Data), '"')
	}
	return l.end(dst, tx)
}

func (l *Lister) forged(dst []byte, tx *txjson.Tx, f decode.Forgery) []byte {
	l.Malformed++
	dst = append(append(dst, `{"malformed":"forged","detail":`...), quote(f.Why)...)
	dst = append(append(dst, `,"program":`...), l.program...)
	dst = appendIx(append(dst, `,"source":"cpi"`...), f.Outer, f.Inner)
	return l.end(strconv.AppendInt(append(dst, `,"depth":`...), int64(f.Depth), 10), tx)
}

func (l *Lister) unverifiable(dst []byte, tx *txjson.Tx, reason, detail string) []byte {
	l.Unverifiable++
	dst = append(append(dst, `{"unverifiable":"`...), reason...)
	return l.end(append(append(dst, `","detail":`...), quote(detail)...), tx)
}

// reason is why bytes are not what their event says, in a word.
func reason(err error) string {
	for _, known := range []struct {
		err  error
		word string
	}{
		{idl.ErrShort, "short"},
		{idl.ErrBadBool, "bool"},
		{idl.ErrBadOption, "option"},
		{idl.ErrBadVariant, "variant"},
		{idl.ErrBadString, "string"},
		{idl.ErrTooDeep, "too_deep"},
		{idl.ErrTooManyVoid, "too_many"},
	} {
		if errors.Is(err, known.err) {
			return known.word
		}
	}
	return "type" // the IDL's own fault: Event.Broken
}

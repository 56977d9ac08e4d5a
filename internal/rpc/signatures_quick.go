package rpc

import (
	"strconv"

	"minesaudit/internal/jsonread"
)

// readSignaturesQuick reads a page as nodes write it, several times as fast as
// encoding/json. It gives up at the first surprise: where ok is true, the answer is
// that of readSignaturesAny.
func readSignaturesQuick(text string) (infos []SignatureInfo, ok bool) {
	infos = []SignatureInfo{}
	c := jsonread.Cursor{Text: text}
	for w := c.Array(); w.Next(); {
		var info SignatureInfo
		if !info.read(&c) {
			return nil, false
		}
		infos = append(infos, info)
	}
	c.End()
	return infos, c.Err == nil
}

// The fields of a line, each at most once.
const (
	lineSignature = 1 << iota
	lineSlot
	lineErr
	lineTime
	lineMemo
	lineStatus
	lineNeeded = lineSignature | lineSlot
)

// read reads a line; false is the first surprise.
func (s *SignatureInfo) read(c *jsonread.Cursor) bool {
	seen := 0
	for w := c.Object(); w.Next(); {
		var field int
		var err error
		switch w.Key {
		case "signature":
			field = lineSignature
			s.Signature, err = ParseSignature(c.Str())
		case "slot":
			field = lineSlot
			s.Slot, err = strconv.ParseUint(c.Raw(), 10, 64)
		case "err":
			field = lineErr
			s.Err = txErr([]byte(c.Raw()))
		case "blockTime":
			field = lineTime
			if raw := c.Raw(); raw != "null" {
				s.HasBlockTime = true
				s.BlockTime, err = strconv.ParseInt(raw, 10, 64)
			}
		case "memo":
			field = lineMemo
			c.Skip()
		case "confirmationStatus":
			field = lineStatus
			c.Skip()
		}
		if err != nil || field == 0 || seen&field != 0 {
			return false
		}
		seen |= field
	}
	return c.Err == nil && seen&lineNeeded == lineNeeded
}

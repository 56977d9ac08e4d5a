package simchain

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/gagliardetto/solana-go/base58"
)

// frames writes what a subscription is told of a new block as websocket frames,
// ready to be sent. This is the hot path at rate zero: everything is appended to
// one buffer, without reflection.
func (c *Chain) frames(sub *subscription, b *block, final []*block) []byte {
	if sub.slots {
		return appendFrame(nil, c.slotNote(sub, b))
	}
	if sub.level != finalized {
		return c.logFrames(nil, sub, b)
	}
	var frames []byte
	for _, b := range final {
		frames = c.logFrames(frames, sub, b)
	}
	return frames
}

func (c *Chain) logFrames(frames []byte, sub *subscription, b *block) []byte {
	var scratch lines
	var note []byte
	frames = slices.Grow(frames, noteSize*len(b.txs))
	for _, t := range b.txs {
		if sub.only != nil && !t.mentions(c.cast.program, *sub.only) {
			continue
		}
		copies := c.Faults.copies(t)
		if copies == 0 {
			continue
		}
		note = c.appendLogNote(note[:0], &scratch, sub.id, t)
		for range copies {
			frames = appendFrame(frames, note)
		}
	}
	return frames
}

// noteSize is about how long a notification is.
const noteSize = 1_300

func (c *Chain) appendLogNote(dst []byte, scratch *lines, subscription uint64, t *tx) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":`...)
	dst = strconv.AppendUint(dst, t.slot, 10)
	dst = append(dst, `},"value":{"signature":"`...)
	dst = base58.AppendEncode64(dst, &t.signature)
	dst = append(dst, `","err":`...)
	dst = append(dst, t.errJSON()...)
	dst = append(dst, `,"logs":`...)
	c.cast.writeLog(scratch, t)
	dst = scratch.appendJSON(dst)
	dst = append(dst, `}},"subscription":`...)
	dst = strconv.AppendUint(dst, subscription, 10)
	return append(dst, "}}"...)
}

func (c *Chain) slotNote(sub *subscription, b *block) []byte {
	dst := []byte(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":`)
	dst = strconv.AppendUint(dst, b.parent, 10)
	dst = append(dst, `,"root":`...)
	dst = strconv.AppendUint(dst, c.FinalizedSlot(), 10)
	dst = append(dst, `,"slot":`...)
	dst = strconv.AppendUint(dst, b.slot, 10)
	dst = append(dst, `},"subscription":`...)
	dst = strconv.AppendUint(dst, sub.id, 10)
	return append(dst, "}}"...)
}

// errJSON is the transaction's error as JSON, null if it succeeded.
func (t *tx) errJSON() string {
	if t.err == "" {
		return "null"
	}
	return t.err
}

// appendFrame appends text as one unmasked websocket text frame (RFC 6455, 5.2).
func appendFrame(dst, text []byte) []byte {
	const finText = 0x81
	switch n := len(text); {
	case n < 126:
		dst = append(dst, finText, byte(n))
	case n < 1<<16:
		dst = binary.BigEndian.AppendUint16(append(dst, finText, 126), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, finText, 127), uint64(n))
	}
	return append(dst, text...)
}

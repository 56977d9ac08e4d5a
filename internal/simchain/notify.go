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
func (n *Node) frames(sub *subscription, b *block, final []*block) []byte {
	if sub.slots {
		return appendFrame(nil, n.slotNote(sub, b))
	}
	if sub.level != finalized {
		return n.logFrames(nil, sub, n.told(b))
	}
	var frames []byte
	for _, b := range final {
		frames = n.logFrames(frames, sub, n.shown(b))
	}
	return frames
}

// told lists what is told of a new block: its transactions, or, where they come
// out of order, some of them and those that were kept back from the block before.
func (n *Node) told(b *block) []*tx {
	shown := n.shown(b)
	if !n.Faults.reorders() {
		return shown
	}
	var list []*tx
	for _, t := range shown {
		if !n.Faults.keepsBack(t) {
			list = append(list, t)
		}
	}
	if n.hub.held != nil {
		for _, t := range n.shown(n.hub.held) {
			if n.Faults.keepsBack(t) {
				list = append(list, t)
			}
		}
	}
	n.Faults.shuffle(b.slot, list)
	return list
}

func (n *Node) logFrames(frames []byte, sub *subscription, list []*tx) []byte {
	var scratch lines
	var note []byte
	frames = slices.Grow(frames, noteSize*len(list))
	for _, t := range list {
		if sub.only != nil && !t.mentions(n.chain.cast.program, *sub.only) {
			continue
		}
		copies := n.Faults.copies(t)
		if copies == 0 {
			continue
		}
		note = n.appendLogNote(note[:0], &scratch, sub.id, t)
		for range copies {
			frames = appendFrame(frames, note)
		}
	}
	return frames
}

// noteSize is about how long a notification is.
const noteSize = 1_300

func (n *Node) appendLogNote(dst []byte, scratch *lines, subscription uint64, t *tx) []byte {
	dst = append(dst, `{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":`...)
	dst = strconv.AppendUint(dst, t.slot, 10)
	dst = append(dst, `},"value":{"signature":"`...)
	dst = base58.AppendEncode64(dst, &t.signature)
	dst = append(dst, `","err":`...)
	dst = append(dst, t.errJSON()...)
	dst = append(dst, `,"logs":`...)
	n.chain.cast.writeLog(scratch, t, n.Faults.logLimit(t))
	dst = scratch.appendJSON(dst)
	dst = append(dst, `}},"subscription":`...)
	dst = strconv.AppendUint(dst, subscription, 10)
	return append(dst, "}}"...)
}

func (n *Node) slotNote(sub *subscription, b *block) []byte {
	dst := []byte(`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":`)
	dst = strconv.AppendUint(dst, b.parent, 10)
	dst = append(dst, `,"root":`...)
	dst = strconv.AppendUint(dst, n.root(), 10)
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

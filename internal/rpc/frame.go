package rpc

import (
	"encoding/json"
	"errors"
)

// frameKind sorts what a node sends on a subscription's socket.
type frameKind uint8

const (
	frameOther   frameKind = iota // valid, and nothing that was asked for
	frameAck                      // reply with a subscription id
	frameRefusal                  // reply with an error
	frameLogs
	frameSlot
)

const (
	methodLogsNote = "logsNotification"
	methodSlotNote = "slotNotification"
)

// frame is one decoded text message.
type frame struct {
	kind         frameKind
	id           uint64    // of the request that a reply answers; 0 if it names none
	subscription uint64    // of an ack and of a notification
	refusal      *rpcError // of a refusal
	tx           *Tx       // of frameLogs, without accounts and block time
	slot, root   uint64    // of frameSlot
}

var (
	errNotJSON = errors.New("frame is not JSON-RPC")
	errNote    = errors.New("notification without subscription id, slot or signature")
	errAck     = errors.New("reply without a subscription id")
)

// wireFrame holds every shape at once, so that a frame is decoded in one pass.
type wireFrame struct {
	ID     *uint64         `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
	Method string          `json:"method"`
	Params struct {
		Subscription *uint64 `json:"subscription"`
		Result       struct {
			Context struct {
				Slot *uint64 `json:"slot"`
			} `json:"context"`
			Value struct {
				Signature string          `json:"signature"`
				Err       json.RawMessage `json:"err"`
				Logs      []string        `json:"logs"`
			} `json:"value"`
			Slot *uint64 `json:"slot"`
			Root uint64  `json:"root"`
		} `json:"result"`
	} `json:"params"`
}

// readFrame decodes one message. Nothing in the result points into data.
func readFrame(data []byte) (frame, error) {
	if f, ok := readQuick(string(data)); ok {
		return f, nil
	}
	return readAny(data)
}

// readAny decodes any message and is what readQuick is held against.
func readAny(data []byte) (frame, error) {
	var w wireFrame
	if err := json.Unmarshal(data, &w); err != nil {
		var shape *json.UnmarshalTypeError // the rest has been decoded all the same
		if errors.As(err, &shape) && w.Method != "" && w.Method != methodLogsNote && w.Method != methodSlotNote {
			return frame{}, nil
		}
		return frame{}, errNotJSON
	}
	switch {
	case w.Method == methodLogsNote:
		return w.logs()
	case w.Method == methodSlotNote:
		p := &w.Params
		if p.Subscription == nil || p.Result.Slot == nil {
			return frame{}, errNote
		}
		return frame{kind: frameSlot, subscription: *p.Subscription, slot: *p.Result.Slot, root: p.Result.Root}, nil
	case w.Method != "":
		return frame{}, nil
	}
	return w.reply()
}

func (w *wireFrame) logs() (frame, error) {
	p := &w.Params
	if p.Subscription == nil || p.Result.Context.Slot == nil {
		return frame{}, errNote
	}
	v := &p.Result.Value
	sig, err := ParseSignature(v.Signature)
	if err != nil {
		return frame{}, errNote
	}
	return frame{kind: frameLogs, subscription: *p.Subscription, tx: &Tx{
		Signature: sig, Slot: *p.Result.Context.Slot, Err: txErr(v.Err),
		Logs: v.Logs, LogsMissing: v.Logs == nil,
	}}, nil
}

func (w *wireFrame) reply() (frame, error) {
	var f frame
	if w.ID != nil {
		f.id = *w.ID
	}
	switch {
	case w.Error != nil:
		f.kind, f.refusal = frameRefusal, w.Error
	case w.Result == nil:
		return frame{}, errNotJSON
	case json.Unmarshal(w.Result, &f.subscription) != nil || isNull(w.Result):
		return frame{}, errAck
	default:
		f.kind = frameAck
	}
	return f, nil
}

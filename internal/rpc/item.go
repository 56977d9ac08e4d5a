package rpc

import "time"

// ItemKind tells what an Item is.
type ItemKind uint8

const (
	// Up: the subscription is acknowledged and listens.
	Up ItemKind = iota + 1
	// Note: a transaction was notified.
	Note
	// Down: the subscription that was Up has ended. One for each Up, always.
	Down
)

func (k ItemKind) String() string {
	switch k {
	case Up:
		return "up"
	case Note:
		return "note"
	case Down:
		return "down"
	}
	return "unknown"
}

// Item is one thing that happened on the stream, in order.
type Item struct {
	Kind ItemKind
	At   time.Time // when it was read from the socket or concluded

	// Slot of an Up: what happens in later slots should be notified, that slot itself
	// and those before it must be asked for. 0 if the node refuses slotSubscribe: then
	// nothing is known, and whoever fills the gap asks the node for its slot.
	// Slot of a Down: the highest seen on the connection. At the commitment subscribed
	// to, notifications lag behind it.
	Slot uint64

	// Root of a Down: the highest rooted slot that the connection told of, 0 if none. A
	// validator confirms a slot dozens of slots before it roots it, so what is missing
	// should lie above; a hint for the gap's lower end, to be repaired with an overlap.
	Root uint64

	Tx   *Tx    // of a Note, else nil
	Node string // of a Note: name of the node that told it first
	// Contradicts: another node has told of the same transaction in the same slot
	// with another outcome or log. Which of the two is right this does not say.
	Contradicts bool

	Reason Reason // of a Down, else empty
	Err    error  // of a Down: details, secrets struck out; may be nil
}

// Reason says why a connection ended, as a metric label and in the record of gaps.
type Reason string

// The reasons. Connections that never came up end for one of them too.
const (
	Closed        Reason = "closed"         // by the node or the network, with or without a close frame
	Stalled       Reason = "stalled"        // no slot notification for StallAfter
	AckTimeout    Reason = "ack_timeout"    // a subscribe request was not answered
	Refused       Reason = "refused"        // logsSubscribe was answered with an error
	Malformed     Reason = "malformed"      // a frame that is not what the protocol allows
	Overflow      Reason = "overflow"       // the queue stayed full for QueueWait
	PingTimeout   Reason = "ping_timeout"   // neither a pong nor a frame came in time
	ConnectFailed Reason = "connect_failed" // no websocket was established
	Stopped       Reason = "stopped"        // the context of Run ended
)

func reasons() []Reason {
	return []Reason{Closed, Stalled, AckTimeout, Refused, Malformed, Overflow, PingTimeout, ConnectFailed, Stopped}
}

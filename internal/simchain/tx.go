package simchain

import (
	"encoding/binary"

	"github.com/gagliardetto/solana-go/base58"
)

// layout is what a transaction is made of; compose.go builds each.
type layout uint8

const (
	gamePlain    layout = iota // the program's instruction alone, after compute-budget ones
	gameWrapped                // called by another program, at depth two
	gameSandwich               // calls a foreign program that prints data before the event
	gamePreceded               // after a foreign instruction whose text looks like structure
	gameFollowed               // before a foreign instruction that prints a copy of the event
	gameReturn                 // with return data that reads "success"
	gameLayouts                // how many of these there are

	mentionOnly  layout = iota // a foreign transaction that names the program among its accounts
	foreignOnly                // a foreign transaction that does not
	forged                     // a foreign program prints our event
	failedLater                // our event was printed, then another instruction failed
	failedAtOnce               // our program refused, without an event

	gameCrowded // of a hostile chain: after a thousand foreign lines
	gameSpoofed // after text that holds whole lines of structure, and a forged event
	gameTwin    // the event is printed twice
	forgedCut   // our event is forged behind the cut of a log
)

// truncation is how a game's log is cut.
type truncation uint8

const (
	uncut truncation = iota
	startKept
	startLost
	endKept
	endLost
	lastTruncation = endLost
)

func (c truncation) String() string {
	return [...]string{"", "start_kept", "start_lost", "end_kept", "end_lost"}[c]
}

// legacy and v0 are transaction versions.
const (
	legacy int8 = -1
	v0     int8 = 0
)

// tx is all that is kept of a transaction; the rest follows from it. It does not
// change once it is in a block.
type tx struct {
	signature [64]byte
	slot      uint64
	salt      uint64 // seeds what matters to nobody: compute units, texts, paddings
	event     []byte // of the game that it is about; nil if there is none
	signer    Key
	err       string // JSON of the error, "" if it succeeded
	layout    layout
	cut       truncation
	version   int8
}

func (t *tx) name() string { return base58.Encode64(&t.signature) }

// short is the part of a signature that it is found by.
func (t *tx) short() uint64 { return binary.LittleEndian.Uint64(t.signature[:8]) }

// game and user are the accounts of the event, at their places in its bytes.
func (t *tx) game() Key { return Key(t.event[8:40]) }
func (t *tx) user() Key { return Key(t.event[40:72]) }

// mentions tells whether an account that lists are kept for is among the
// transaction's accounts.
func (t *tx) mentions(program, k Key) bool {
	return k == t.signer || k == program && t.layout != foreignOnly ||
		t.event != nil && (k == t.game() || k == t.user())
}

// The errors of transactions, as JSON. Both failing layouts begin with two
// compute-budget instructions, so the position is known.
const (
	errForeignRefused = `{"InstructionError":[3,{"Custom":6001}]}`
	errTooEarly       = `{"InstructionError":[2,{"Custom":6030}]}`
)

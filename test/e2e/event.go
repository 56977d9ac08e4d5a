//go:build e2e

package e2e

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/gagliardetto/solana-go"
)

// truncationMarker is the line that the node puts where a log passes 10,000 bytes.
const truncationMarker = "Log truncated"

// NoBust is the BustTile of a game that was not lost.
const NoBust = -1

// A GameKey names a game.
type GameKey struct {
	Game, User solana.PublicKey
	Nonce      uint64
}

// Started is the event of that name; its fields are in the order of the wire.
type Started struct {
	GameKey
	Mines         uint8
	Stake         uint64
	Commit        [32]byte
	SlotHash      [32]byte
	EdgeBPS       uint16
	MaxPayout     uint64
	RefundTimeout int64 // seconds
	StartedAt     int64 // Unix seconds
}

// Settled is the event of that name. On the wire the bust tile is an option: 0, or 1 and the tile.
type Settled struct {
	settledHead
	BustTile int // NoBust or a tile
	settledTail
}

type settledHead struct {
	GameKey
	Seed, SlotHash [32]byte
	Mask, Revealed uint32
}

type settledTail struct{ Multiplier, Payout uint64 }

// Voided is the event of that name; its fields are in the order of the wire.
type Voided struct {
	GameKey
	Refund    uint64
	Authority solana.PublicKey
}

// Bytes is the event as a program hands it to the log.
func (s Started) Bytes() []byte { return little(discriminator("MinesGameStarted"), s) }

// Bytes is the event as a program hands it to the log.
func (s Settled) Bytes() []byte {
	bust := []byte{0}
	if s.BustTile != NoBust {
		bust = []byte{1, byte(s.BustTile)}
	}
	return little(discriminator("MinesGameSettled"), s.settledHead, bust, s.settledTail)
}

// Bytes is the event as a program hands it to the log.
func (v Voided) Bytes() []byte { return little(discriminator("MinesGameVoided"), v) }

func discriminator(name string) []byte {
	sum := sha256.Sum256([]byte("event:" + name))
	return sum[:8]
}

// little joins values of fixed size, little-endian.
func little(values ...any) []byte {
	var out []byte
	for _, v := range values {
		var err error
		if out, err = binary.Append(out, binary.LittleEndian, v); err != nil {
			panic(err) // a type without a fixed size: a fault of this driver
		}
	}
	return out
}

// Events reads our events from the data lines of a landed transaction, by discriminator alone: it is
// for the programs M and U, which print nothing else of ours. Each is a Started, Settled or Voided.
func (l *Landed) Events() ([]any, error) {
	lines, err := l.Fields()
	if err != nil {
		return nil, fmt.Errorf("transaction %s: %w", l.Signature, err)
	}
	var events []any
	for _, fields := range lines {
		e, err := parseEvent(fields[0])
		if err != nil {
			return nil, fmt.Errorf("transaction %s: %w", l.Signature, err)
		}
		if e != nil {
			events = append(events, e)
		}
	}
	return events, nil
}

// Fields gives what was printed on `Program data:` lines: for each line its fields.
func (l *Landed) Fields() ([][][]byte, error) {
	var lines [][][]byte
	for _, line := range l.Logs {
		text, ok := strings.CutPrefix(line, "Program data: ")
		if !ok {
			continue
		}
		var fields [][]byte
		for word := range strings.SplitSeq(text, " ") {
			data, err := base64.StdEncoding.DecodeString(word)
			if err != nil {
				return nil, fmt.Errorf("data line %q: %w", line, err)
			}
			fields = append(fields, data)
		}
		lines = append(lines, fields)
	}
	return lines, nil
}

// parseEvent gives nil for what is not ours, and an error for what is but cannot be read.
func parseEvent(data []byte) (any, error) {
	readers := map[string]func(*bytes.Reader) (any, error){
		"MinesGameStarted": func(r *bytes.Reader) (any, error) { return read[Started](r) },
		"MinesGameSettled": func(r *bytes.Reader) (any, error) { return readSettled(r) },
		"MinesGameVoided":  func(r *bytes.Reader) (any, error) { return read[Voided](r) },
	}
	for name, read := range readers {
		body, ok := bytes.CutPrefix(data, discriminator(name))
		if !ok {
			continue
		}
		r := bytes.NewReader(body)
		event, err := read(r)
		if err == nil && r.Len() > 0 {
			err = fmt.Errorf("%d bytes left over", r.Len())
		}
		if err != nil {
			return nil, fmt.Errorf("%s %x: %w", name, data, err)
		}
		return event, nil
	}
	return nil, nil
}

func readSettled(r io.Reader) (s Settled, err error) {
	s.BustTile = NoBust
	if s.settledHead, err = read[settledHead](r); err != nil {
		return s, err
	}
	some, err := read[uint8](r)
	if err == nil && some != 0 {
		var tile uint8
		tile, err = read[uint8](r)
		s.BustTile = int(tile)
	}
	if err == nil {
		s.settledTail, err = read[settledTail](r)
	}
	return s, err
}

func read[T any](r io.Reader) (v T, err error) {
	err = binary.Read(r, binary.LittleEndian, &v)
	return v, err
}

// clockTime takes unix_timestamp from the data of the Clock sysvar.
func clockTime(data []byte) (int64, error) {
	if len(data) < 40 {
		return 0, fmt.Errorf("clock account of %d bytes", len(data))
	}
	return int64(binary.LittleEndian.Uint64(data[32:])), nil
}

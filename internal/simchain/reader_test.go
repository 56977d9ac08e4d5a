package simchain

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
)

// A plain reader of logs, for the tests alone: what an auditor who reads only what
// the node shows would see. It is written apart from the writer.

// seenGame is a game as the logs tell it.
type seenGame struct {
	starts    []started
	ends      []any // settled or voided, in chain order
	endTimes  []int64
	truncated bool
}

type gameID struct {
	game, user Key
	nonce      uint64
}

// readChain reads every event of a chain from its log lines.
func readChain(t testing.TB, c *Chain) map[gameID]*seenGame {
	t.Helper()
	games := map[gameID]*seenGame{}
	for _, b := range c.ledger.blocks {
		for _, tx := range b.txs {
			if tx.err != "" {
				continue
			}
			events, cut := programData(t, c.cast.log(tx).strings(), c.Program())
			for _, data := range events {
				readEvent(t, games, data, b.time, cut)
			}
		}
	}
	return games
}

// programData gives the data lines that a program wrote itself, up to where the
// log was cut.
func programData(t testing.TB, log []string, program string) (events [][]byte, cut bool) {
	t.Helper()
	var stack []string
	for _, line := range log {
		words := strings.Split(line, " ")
		switch {
		case line == "Log truncated":
			return events, true
		case strings.ContainsAny(line, "\n\x00"): // only users write these
		case len(words) == 4 && words[0] == "Program" && words[2] == "invoke" && len(words[1]) > 31:
			stack = append(stack, words[1])
		case len(words) == 3 && words[0] == "Program" && words[2] == "success" && words[1] == stack[len(stack)-1],
			len(words) > 3 && words[0] == "Program" && words[2] == "failed:" && words[1] == stack[len(stack)-1]:
			stack = stack[:len(stack)-1]
		case strings.HasPrefix(line, "Program data: ") && stack[len(stack)-1] == program:
			data, err := base64.StdEncoding.DecodeString(words[2])
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, data)
		}
	}
	if len(stack) != 0 {
		t.Fatalf("the log %q ends inside %v", log, stack)
	}
	return events, false
}

func readEvent(t testing.TB, games map[gameID]*seenGame, data []byte, now int64, cut bool) {
	t.Helper()
	r := reader{bytes.NewReader(data[8:])}
	id := gameID{r.key(), r.key(), r.u64()}
	g := games[id]
	if g == nil {
		g = &seenGame{}
		games[id] = g
	}
	g.truncated = g.truncated || cut
	switch kind := string(data[:8]); kind {
	case "\xe6\x28\x22\x93\x31\x99\xf4\xe0":
		g.starts = append(g.starts, started{
			id.game, id.user, id.nonce, r.u8(), r.u64(), r.key(), r.key(), r.u16(), r.u64(), int64(r.u64()), int64(r.u64()),
		})
	case "\xee\x31\x82\x63\xf9\xc8\x6f\x72":
		e := settled{id.game, id.user, id.nonce, r.key(), r.key(), r.u32(), r.u32(), noBust, 0, 0}
		if r.u8() == 1 {
			e.bust = int(r.u8())
		}
		e.multiplier, e.payout = r.u64(), r.u64()
		g.ends, g.endTimes = append(g.ends, e), append(g.endTimes, now)
	case "\xe8\x98\x10\x9a\x4d\x90\xa5\x3b":
		g.ends, g.endTimes = append(g.ends, voided{id.game, id.user, id.nonce, r.u64(), r.key()}), append(g.endTimes, now)
	default:
		t.Fatalf("an event of the program with discriminator %x", kind)
	}
	if r.Len() != 0 {
		t.Fatalf("%d bytes after an event", r.Len())
	}
}

// reader reads Borsh. A short event shows as zeroes, and fails the checks.
type reader struct{ *bytes.Reader }

func (r reader) take(n int) []byte {
	b := make([]byte, n)
	_, _ = r.Read(b)
	return b
}

func (r reader) u8() uint8   { return r.take(1)[0] }
func (r reader) u16() uint16 { return binary.LittleEndian.Uint16(r.take(2)) }
func (r reader) u32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r reader) u64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }
func (r reader) key() Key    { return Key(r.take(32)) }

package simchain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newChain(t testing.TB, config Config) *Chain {
	t.Helper()
	c, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// playOut steps a chain until every game is final.
func playOut(t testing.TB, c *Chain) *Chain {
	t.Helper()
	for {
		select {
		case <-c.Done():
			return c
		default:
			if err := c.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// dump writes everything that a client could see of a chain's blocks.
func dump(c *Chain, w io.Writer) {
	for _, b := range c.ledger.blocks {
		fmt.Fprintln(w, b.slot, b.parent, b.time, c.blockhash(b.slot))
		for _, t := range b.txs {
			m := c.cast.message(t, c.blockhash(b.parent))
			fmt.Fprintf(w, "%s %q %x\n", t.errJSON(), c.cast.log(t).strings(), m.wire(t.signature))
		}
	}
}

// digest is a short form of dump, up to the end of the games.
func digest(c *Chain) string {
	h := sha256.New()
	dump(c, h)
	return hex.EncodeToString(h.Sum(nil))
}

func TestSameSeedSameChain(t *testing.T) {
	config := Config{Seed: 7, Games: 300, Cheats: Cheats(), TruncateEvery: 10}
	first, second := digest(playOut(t, newChain(t, config))), digest(playOut(t, newChain(t, config)))
	if first != second {
		t.Fatal("two chains of one seed differ")
	}
	config.Seed = 8
	if digest(playOut(t, newChain(t, config))) == first {
		t.Fatal("two seeds give one chain")
	}
}

func TestPaceChangesNothing(t *testing.T) {
	config := Config{Seed: 3, Games: 40, Rate: 2000, SlotTime: time.Millisecond, FinalitySlots: 3, Cheats: Cheats()}
	stepped := playOut(t, newChain(t, config))

	ran := newChain(t, config)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ran.Run(ctx) }()
	select {
	case <-ran.Done():
	case <-time.After(30 * time.Second):
		t.Error("the games do not end")
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	ran.ledger.blocks = ran.ledger.blocks[:len(stepped.ledger.blocks)] // it went on with empty ones
	if digest(ran) != digest(stepped) {
		t.Fatal("a chain by the clock differs from the same one stepped by hand")
	}
}

func BenchmarkFrames(b *testing.B) {
	c := newChain(b, Config{Seed: 1})
	program := c.cast.program
	sub := &subscription{only: &program, level: confirmed}
	notes, bytes := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		block, final, err := c.append()
		if err != nil {
			b.Fatal(err)
		}
		notes += len(block.txs)
		bytes += len(c.Node(0).frames(sub, block, final))
	}
	b.ReportMetric(float64(notes)/b.Elapsed().Seconds(), "notes/s")
	b.ReportMetric(float64(bytes)/float64(notes), "B/note")
}

// log is the log of a transaction, as a node without faults keeps it.
func (c *cast) log(t *tx) *lines {
	var l lines
	c.writeLog(&l, t, logLimit)
	return &l
}

package simchain

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// output is a writer that a test can look into while it is written to.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// await waits until the output holds a text.
func (o *output) await(t *testing.T, text string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !strings.Contains(o.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%q is never said; said was:\n%s", text, o)
		}
	}
}

func TestRun(t *testing.T) {
	file := filepath.Join(t.TempDir(), "truth.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out output
	ended := make(chan error, 1)
	go func() {
		ended <- Run(ctx, Options{
			Listen: "127.0.0.1:0", Seed: 7, Games: 30, Rate: 3000, SlotTime: 2 * time.Millisecond, FinalitySlots: 4,
			Cheat: "wrong-mask", TruthFile: file,
		}, &out)
	}()
	out.await(t, "every game has ended")
	c := newChain(t, Config{Seed: 7})
	for _, want := range []string{"program    " + c.Program(), "genesis    " + c.Genesis(), "indexer run --rpc-url http://127.0.0.1:", "--program " + c.Program(), "30 of 30 games started, 30 ended"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not said; said was:\n%s", want, out.String())
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 30 || !strings.Contains(string(text), `"cheat":"wrong-mask","verdict":"fail","fails":["board"]`) {
		t.Fatalf("%d lines of truth:\n%s", n, text)
	}
}

// TestRunWaitsAtRateZero wants no game to be missed by whoever comes late.
func TestRunWaitsAtRateZero(t *testing.T) {
	c := newChain(t, Config{Seed: 7, Games: 200, WaitForSubscriber: true})
	s := serve(t, c)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	conn := dial(t, s.WSURL)
	subscribe(t, conn, "slotSubscribe", "[]") // is not enough
	if started, _ := c.Progress(); started != 0 {
		t.Fatal("games started before anybody subscribed to logs")
	}
	logs := dial(t, s.WSURL)
	subscribe(t, logs, "logsSubscribe", c.mentions("confirmed"))
	_ = conn.CloseNow()
	told := map[string]bool{}
	for len(told) < 400 {
		told[mustReceive(t, logs).Params.Result.Value.Signature] = true
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	for _, is := range c.Truth() {
		if !told[is.StartSignature] {
			t.Fatalf("the start of a game was not told: %+v", is)
		}
	}
}

func TestWrongOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"cheat":    {Cheat: "wrong"},
		"games":    {Games: -1},
		"rate":     {Rate: -1},
		"slot":     {SlotTime: time.Microsecond},
		"finality": {FinalitySlots: -1},
		"truth":    {TruthFile: filepath.Join(t.TempDir(), "no", "such", "folder")},
	} {
		o.Listen = "127.0.0.1:0"
		if err := Run(t.Context(), o, &output{}); !errors.Is(err, ErrConfig) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Run(t.Context(), Options{Listen: "127.0.0.1:99999"}, &output{}); err == nil {
		t.Error("a port that cannot be is accepted")
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestTruthThatCannotBeWritten(t *testing.T) {
	c := newChain(t, Config{Seed: 7, Games: 5, FinalitySlots: 2, Truth: brokenWriter{}})
	if err := c.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "disk full") {
		t.Fatalf("the run ends with %v", err)
	}
}

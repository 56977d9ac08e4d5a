package rpc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/coder/websocket"
)

// typicalNote is a notification of 10 log lines and about 1.1 KB, as a game's
// settlement makes.
func typicalNote() []byte {
	var logs []string
	line := func(format string, args ...any) { logs = append(logs, `"`+fmt.Sprintf(format, args...)+`"`) }
	const p = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
	line("Program ComputeBudget111111111111111111111111111111 invoke [1]")
	line("Program ComputeBudget111111111111111111111111111111 success")
	line("Program %s invoke [1]", p)
	line("Program log: Instruction: Settle")
	line("Program 11111111111111111111111111111111 invoke [2]")
	line("Program 11111111111111111111111111111111 success")
	line("Program data: %s", strings.Repeat("3q2+7wE/", 30))
	line("Program log: transferred 1000000 to the player, game closed")
	line("Program %s consumed 24411 of 200000 compute units", p)
	line("Program %s success", p)
	return []byte(`{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":423118809},"value":{"signature":"64RkQZXLGXXwTHJvrq3req8n61egsNjn9bo5GkJHynAp7XwkKVh8VEGtjQRrqdXFGP8uVKVqJEhJYRz4AcXSA4tK","err":null,"logs":[` +
		strings.Join(logs, ",") + `]}},"subscription":24040}}`)
}

// Both readers, so that the quick one has to justify itself.
func BenchmarkReadFrame(b *testing.B) {
	for name, read := range map[string]func([]byte) (frame, error){"quick": readFrame, "encoding-json": readAny} {
		b.Run(name, func(b *testing.B) {
			note := typicalNote()
			b.SetBytes(int64(len(note)))
			b.ReportAllocs()
			for b.Loop() {
				if f, err := read(note); err != nil || f.kind != frameLogs {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// BenchmarkStream takes notifications through a loopback websocket; the node's own
// cost is in the figure.
func BenchmarkStream(b *testing.B) {
	note := typicalNote()
	url := newWSNode(b, func(c *wsConn) {
		logs, slot := c.requests()
		c.send(`{"jsonrpc":"2.0","result":24040,"id":%s}`, logs.ID)
		c.send(`{"jsonrpc":"2.0","result":0,"id":%s}`, slot.ID)
		for range b.N {
			_ = c.conn.Write(c.ctx, websocket.MessageText, note)
		}
		hold(c)
	})
	b.SetBytes(int64(len(note)))
	b.ReportAllocs()
	b.ResetTimer()
	r := start(b, url)
	r.wantUp(423118809)
	for range b.N {
		if it := r.next(); it.Kind != Note {
			b.Fatalf("%+v", it)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "notes/s")
}

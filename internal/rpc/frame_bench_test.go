package rpc

import (
	"fmt"
	"strings"
	"testing"
)

// typicalNote is a notification of 11 log lines and about 1.1 KB, as a game's
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

func BenchmarkReadFrame(b *testing.B) {
	note := typicalNote()
	b.SetBytes(int64(len(note)))
	b.ReportAllocs()
	for b.Loop() {
		if f, err := readFrame(note); err != nil || f.kind != frameLogs {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "frames/s")
}

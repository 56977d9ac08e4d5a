package decode

import "testing"

func BenchmarkLogs(b *testing.B) {
	log := lines(
		"Program B invoke [1]", "Program B success", "Program B invoke [1]", "Program B success",
		"Program P invoke [1]", "Program S invoke [2]", "Program S success",
		"Program log: settled", dataLine(encodeSettled(sampleKey(), Settled{HasBust: true})),
		"Program P consumed 5947 of 399850 compute units", "Program P success")
	d := builtin(program)
	b.ReportAllocs()
	for b.Loop() {
		if got := d.Logs(0, log, false); len(got.Events) != 1 {
			b.Fatalf("%+v", got)
		}
	}
}

// A transaction that only mentions the program, as most do under a filter by
// account.
func BenchmarkForeignLogs(b *testing.B) {
	log := lines("Program A invoke [1]")
	for range 1000 {
		log = append(log, lines("Program S invoke [2]", "Program data: E", "Program S success")...)
	}
	log = append(log, lines("Program A success")...)
	d := builtin(program)
	b.ReportAllocs()
	for b.Loop() {
		if got := d.Logs(0, log, false); got.State != LogComplete || len(got.Events) != 0 {
			b.Fatalf("%+v", got)
		}
	}
}

//go:build !race

package decode

import "testing"

// Counting means nothing where memory is instrumented.
func TestForeignLinesCostNoAllocation(t *testing.T) {
	log := lines("Program A invoke [1]", "Program log: E", "Program data: E", "Program S invoke [2]", "Program S success",
		"Program P invoke [2]", "Program log: nothing", "Program P success", "Program A consumed 1 of 2 compute units", "Program A success")
	d := New(program).WithMessages()
	if n := testing.AllocsPerRun(100, func() {
		if d.Payloads(log, false).Invocations != 1 {
			t.Error("not invoked")
		}
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

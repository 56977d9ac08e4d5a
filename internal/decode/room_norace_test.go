//go:build !race

package decode

import "testing"

// Counting means nothing where memory is instrumented.
func TestParseIntoCostsNoAllocation(t *testing.T) {
	r := round{key: sampleKey(), settled: Settled{HasBust: true, MinesMask: 1}}
	file := tilesIDL(t)
	events := map[*Layout][][]byte{
		BuiltinLayout(): {encodeStarted(r.key, r.started), encodeSettled(r.key, r.settled), encodeVoided(r.key, r.voided)},
	}
	tiles := tilesLayout(t)
	for _, event := range []func() (string, object){r.opened, r.ended, r.closed} {
		name, value := event()
		events[tiles] = append(events[tiles], encodeBy(t, file, name, value))
	}
	var room Room
	for layout, list := range events {
		if n := testing.AllocsPerRun(100, func() {
			for _, data := range list {
				if e := layout.ParseInto(&room, 0, data); e.Problem != "" {
					t.Error(e.Problem)
				}
			}
		}); n > 0 {
			t.Errorf("built-in is %v: %v allocations", layout.IsBuiltin(), n)
		}
	}
}

package decode

import "testing"

// benchEvents are the three events of one game, as each program writes them.
func benchEvents(b *testing.B) (builtin, tiles [3][]byte) {
	r := round{key: sampleKey()}
	r.settled = Settled{HasBust: true, BustTile: 3, MinesMask: 0b1001, RevealedMask: 0b110}
	file := tilesIDL(b)
	builtin = [3][]byte{encodeStarted(r.key, r.started), encodeSettled(r.key, r.settled), encodeVoided(r.key, r.voided)}
	for i, event := range []func() (string, object){r.opened, r.ended, r.closed} {
		name, value := event()
		tiles[i] = encodeBy(b, file, name, value)
	}
	return builtin, tiles
}

// The built-in events against the same ones by an IDL, into room that is used
// again.
func BenchmarkParseInto(b *testing.B) {
	builtin, tiles := benchEvents(b)
	for _, bench := range []struct {
		name   string
		layout *Layout
		events [3][]byte
	}{
		{"builtin", BuiltinLayout(), builtin},
		{"mapped-same", sameLayout(b), builtin},
		{"mapped-tiles", tilesLayout(b), tiles},
	} {
		b.Run(bench.name, func(b *testing.B) {
			var room Room
			b.ReportAllocs()
			for b.Loop() {
				for _, data := range bench.events {
					if e := bench.layout.ParseInto(&room, 1, data); e.Problem != "" {
						b.Fatal(e.Problem)
					}
				}
			}
		})
	}
}

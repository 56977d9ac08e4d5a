package reaudit

import (
	"testing"

	"minesaudit/internal/simchain"
	"minesaudit/internal/store"
)

// BenchmarkJudge judges games that are in memory, rows compared.
func BenchmarkJudge(b *testing.B) {
	var games []*store.RecordedGame
	r := play(b, simchain.Config{Games: 200}, "")
	reading, err := r.OpenReading(bounded(b))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = reading.Close(bounded(b)) }()
	err = reading.Games(bounded(b), store.Part{Of: 1}, 0, func(g *store.RecordedGame) error {
		games = append(games, g)
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	judging := &run{Options: Options{Standard: standard()}}
	found := newPart()
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		judging.judge(games[n%len(games)], found)
	}
	if found.same != found.games {
		b.Errorf("%d of %d games are as they stand", found.same, found.games)
	}
}

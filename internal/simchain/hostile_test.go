package simchain

import (
	"slices"
	"strings"
	"testing"
)

// Every kind of attack has to be there, and to be what it says.
func TestHostileChainHasEveryAttack(t *testing.T) {
	c := playOut(t, newChain(t, Config{Seed: 10, Games: 400, Hostile: true}))
	seen := map[layout]int{}
	behindCut, structure := 0, 0 // forged events, and lost lines of structure, behind a marker
	for _, b := range c.ledger.blocks {
		for _, tx := range b.txs {
			seen[tx.layout]++
			log := c.cast.log(tx).strings()
			switch tx.layout {
			case gameCrowded:
				if foreign := slices.DeleteFunc(log, func(line string) bool { return strings.HasPrefix(line, "Program ") }); len(foreign) < 1_000 {
					t.Fatalf("%d foreign lines", len(foreign))
				}
			case gameSpoofed:
				if !strings.Contains(strings.Join(log, "|"), "success\x00\nProgram "+c.Program()+" invoke [1]\x00\nProgram data: ") {
					t.Fatalf("no lines within a line: %q", log)
				}
			case forgedCut:
				at := slices.Index(log, "Log truncated")
				if at < 0 {
					t.Fatalf("a log that is not cut: %q", log)
				}
				if slices.ContainsFunc(log[at:], func(line string) bool { return strings.HasPrefix(line, "Program data: ") }) {
					behindCut++
				}
				if !slices.Contains(log[at:], "Program "+c.Program()+" success") {
					structure++
				}
			}
		}
	}
	for _, l := range []layout{gameCrowded, gameSpoofed, gameTwin, forgedCut, failedLater, forged} {
		if seen[l] < 5 {
			t.Errorf("layout %d is there %d times", l, seen[l])
		}
	}
	if behindCut < 5 || structure < 1 {
		t.Errorf("behind the cut %d forged events were kept and %d ends of our program lost", behindCut, structure)
	}
}

// What a hostile chain adds must not change the one that is not.
func TestHostileIsOptIn(t *testing.T) {
	calm := playOut(t, newChain(t, Config{Seed: 10, Games: 50}))
	for _, b := range calm.ledger.blocks {
		for _, tx := range b.txs {
			if tx.layout >= gameCrowded {
				t.Fatalf("layout %d in a chain that is not hostile", tx.layout)
			}
		}
	}
}

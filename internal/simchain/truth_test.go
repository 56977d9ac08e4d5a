package simchain

import (
	"bytes"
	"encoding/json"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// judge is a perfect auditor in the fewest words: the checks that fail of a game
// as the logs tell it.
func judge(c *Chain, g *seenGame) []string {
	start := g.starts[0]
	var fails []string
	fail := func(is bool, name check) {
		if is {
			fails = append(fails, string(name))
		}
	}
	switch e := g.ends[0].(type) {
	case settled:
		b := deriveBoard(e.serverSeed, start.slothash, start.user, start.nonce, int(start.mines))
		bust := uint32(0)
		if e.bust != noBust {
			bust = 1 << e.bust
		}
		fail(hashOf(e.serverSeed) != start.commit, checkCommit)
		fail(e.slothash != start.slothash, checkSlothash)
		fail(e.mines != b.mask, checkBoard)
		fail(bits.OnesCount32(e.mines) != int(start.mines), checkMineCount)
		fail((e.mines|e.revealed)>>tiles != 0, checkMaskRange)
		fail(e.revealed&b.mask != 0, checkReveals)
		fail(bust&^b.mask != 0, checkBust)
		fail(bust&e.revealed != 0, checkBustHidden)
		var factor, lamports uint64
		if e.bust == noBust {
			m := multiplier(start.edgeBPS, int(start.mines), bits.OnesCount32(e.revealed))
			factor, lamports = scaled(m), payout(start.stake, m, start.maxPayout)
		}
		fail((e.bust != noBust) != (e.multiplier == 0 && e.payout == 0), "outcome")
		fail(e.multiplier != factor, checkMultiplier)
		fail(e.payout != lamports, checkPayout)
	case voided:
		early := g.endTimes[0] < start.startedAt+start.refundTimeout
		fail(e.refund != start.stake, checkRefund)
		fail(early && e.authority != c.cast.operator, "void_right")
	}
	fail(len(g.starts) != 1 || len(g.ends) != 1, checkLifecycle)
	return fails
}

// TestTruthIsWhatTheLogsShow judges every game of a large run from its log lines
// alone and wants the truth's verdict, check by check.
func TestTruthIsWhatTheLogsShow(t *testing.T) {
	for _, config := range []Config{
		{Seed: 7, Games: 2000, Cheats: Cheats()},
		{Seed: 8, Games: 2000},
		{Seed: 9, Games: 300, GamesPerSlot: 1, Cheats: Cheats(), TruncateEvery: 5},
		{Seed: 10, Games: 1000, Cheats: Cheats(), TruncateEvery: 9, Hostile: true},
	} {
		c := playOut(t, newChain(t, config))
		seen := readChain(t, c)
		cheats := map[Cheat]int{}
		truth := c.Truth()
		if len(truth) != config.Games {
			t.Fatalf("seed %d: truth of %d games, %d were played", config.Seed, len(truth), config.Games)
		}
		for _, is := range truth {
			g := seen[idOf(t, is)]
			delete(seen, idOf(t, is))
			cheats[is.Cheat]++
			compare(t, c, is, g)
		}
		if len(seen) != 0 {
			t.Fatalf("seed %d: the logs show %d games that are not in the truth", config.Seed, len(seen))
		}
		for _, kind := range config.Cheats {
			if cheats[kind] < config.Games/700+1 {
				t.Errorf("seed %d: %s was done %d times in %d games", config.Seed, kind, cheats[kind], config.Games)
			}
		}
		if config.Hostile && cheats[twinEvents] < 10 {
			t.Errorf("seed %d: %d games were ended twice at once", config.Seed, cheats[twinEvents])
		}
		if config.Cheats == nil && cheats[honest] != config.Games {
			t.Errorf("seed %d: cheats in an honest run: %v", config.Seed, cheats)
		}
	}
}

func compare(t *testing.T, c *Chain, is Truth, g *seenGame) {
	t.Helper()
	if is.Truncated != "" {
		lost := strings.HasSuffix(is.Truncated, "_lost")
		if is.Verdict != "inconclusive" || lost == g.truncated || (len(g.starts) == 1) == (is.Truncated == "start_lost") || (len(g.ends) == 1) == (is.Truncated == "end_lost") {
			t.Fatalf("cut log: truth %+v, seen %+v", is, g)
		}
		return
	}
	fails := judge(c, g)
	slices.Sort(fails)
	want := slices.Sorted(slices.Values(is.Fails))
	if !slices.Equal(fails, want) || (is.Verdict == "fail") != (len(fails) > 0) || (is.Verdict == "fail") != (is.Cheat != honest) {
		t.Fatalf("%q: the logs fail %v, the truth says %s with %v", is.Cheat, fails, is.Verdict, want)
	}
	_, void := g.ends[0].(voided)
	late := g.endTimes[0] >= g.starts[0].startedAt+g.starts[0].refundTimeout
	when := ""
	if void {
		when = map[bool]string{true: "after_timeout", false: "before_timeout"}[late]
	}
	if is.Voided != void || is.VoidWhen != when || (late && !void) {
		t.Fatalf("truth %+v, but the logs show a void: %v, late: %v", is, void, late)
	}
}

func idOf(t *testing.T, is Truth) gameID {
	t.Helper()
	game, err1 := parseKey(is.Game)
	user, err2 := parseKey(is.User)
	nonce, err3 := strconv.ParseUint(is.Nonce, 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		t.Fatal(err1, err2, err3)
	}
	return gameID{game, user, nonce}
}

// TestARunHasEverything wants each kind of end, layout and edge case in a run of
// ordinary size, so that nothing in this package is tested by nobody.
func TestARunHasEverything(t *testing.T) {
	c := playOut(t, newChain(t, Config{Seed: 7, Games: 2000}))
	has := map[string]int{}
	layouts := map[layout]int{}
	for _, b := range c.ledger.blocks {
		for _, tx := range b.txs {
			layouts[tx.layout]++
			if tx.version == v0 {
				has["version 0"]++
			}
		}
		if b.slot > b.parent+1 {
			has["skipped slot"]++
		}
	}
	for _, g := range readChain(t, c) {
		start := g.starts[0]
		if start.stake == 0 {
			has["no stake"]++
		}
		if start.stake > 1<<63 {
			has["stake beyond int64"]++
		}
		switch e := g.ends[0].(type) {
		case settled:
			k := bits.OnesCount32(e.revealed)
			if e.bust != noBust {
				has["lost"]++
			} else {
				has["won"]++
			}
			if e.bust == noBust && k == 0 {
				has["untouched"]++
			}
			if k == tiles-int(start.mines) {
				has["cleared"]++
			}
			if e.payout == start.maxPayout {
				has["capped"]++
			}
		case voided:
			if e.authority == c.cast.operator {
				has["void by the operator"]++
			} else {
				has["void by anyone"]++
			}
		}
	}
	for _, want := range []string{
		"version 0", "skipped slot", "no stake", "stake beyond int64", "lost", "won", "untouched", "cleared", "capped",
		"void by the operator", "void by anyone",
	} {
		if has[want] == 0 {
			t.Errorf("no game or slot of this kind: %s", want)
		}
	}
	for _, l := range []layout{
		gamePlain, gameWrapped, gameSandwich, gamePreceded, gameFollowed, gameReturn,
		mentionOnly, foreignOnly, forged, failedLater, failedAtOnce,
	} {
		if layouts[l] == 0 {
			t.Errorf("no transaction of layout %d", l)
		}
	}
}

func TestTruthFile(t *testing.T) {
	var out bytes.Buffer
	c := playOut(t, newChain(t, Config{Seed: 7, Games: 60, Cheats: Cheats(), Truth: &out}))
	byGame := map[string]Truth{}
	for line := range strings.Lines(out.String()) {
		var is Truth
		if err := json.Unmarshal([]byte(line), &is); err != nil {
			t.Fatal(err)
		}
		byGame[is.Game] = is
	}
	if len(byGame) != 60 {
		t.Fatalf("%d games in the file, want 60", len(byGame))
	}
	for _, want := range c.Truth() {
		if got := byGame[want.Game]; got.Verdict != want.Verdict || got.EndSignature != want.EndSignature || !slices.Equal(got.Fails, want.Fails) {
			t.Fatalf("the file says %+v, Truth says %+v", got, want)
		}
	}
}

// TestTruthWaitsForFinality wants no line of the file, and no end of the run, before
// the games that they speak of are final.
func TestTruthWaitsForFinality(t *testing.T) {
	var out bytes.Buffer
	c := newChain(t, Config{Seed: 7, Games: 60, FinalitySlots: 6, Truth: &out})
	written := 0
	for done := false; !done; {
		advance(t, c, 1)
		for line := range strings.Lines(out.String()) {
			var is Truth
			if err := json.Unmarshal([]byte(line), &is); err != nil {
				t.Fatal(err)
			}
			if is.EndSlot > c.FinalizedSlot() {
				t.Fatalf("a game that ended in slot %d is written at finalized slot %d", is.EndSlot, c.FinalizedSlot())
			}
			written++
		}
		out.Reset()
		select {
		case <-c.Done():
			done = true
		default:
		}
	}
	if written != 60 {
		t.Fatalf("done with %d games of 60 written", written)
	}
}

func TestParseCheats(t *testing.T) {
	if list, err := ParseCheats(" wrong-seed,fake-bust, wrong-seed"); err != nil || !slices.Equal(list, []Cheat{wrongSeed, fakeBust}) {
		t.Fatalf("got %v, %v", list, err)
	}
	if list, err := ParseCheats("all"); err != nil || len(list) != 13 {
		t.Fatalf("all: got %v, %v", list, err)
	}
	if list, err := ParseCheats(""); err != nil || list != nil {
		t.Fatalf("none: got %v, %v", list, err)
	}
	_, err := ParseCheats("wrong-sed")
	if err == nil || !strings.Contains(err.Error(), "wrong-sed") || !strings.Contains(err.Error(), "settled-and-voided") {
		t.Fatalf("the error %q does not say what is wrong and what is right", err)
	}
}

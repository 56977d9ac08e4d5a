package bets

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"minesaudit/internal/verify"
)

// The known answers, as bets.
func TestKnownAnswers(t *testing.T) {
	type known struct {
		ServerSeed string `json:"server_seed"`
		ClientSeed string `json:"client_seed"`
		Nonce      string
		GameSeed   string `json:"game_seed"`
		DiceSeed   string `json:"dice_seed"`
		Seed       string
		Selected   []int64
		Face       int
		Win        bool
		Mines      int
		Tiles      []int
		Error      *string
	}
	read := func(name string) []known {
		raw, err := os.ReadFile("../../verify/testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		var file struct{ Cases []known }
		if err := json.Unmarshal(raw, &file); err != nil {
			t.Fatal(err)
		}
		return file.Cases
	}
	var lines []line
	for _, c := range read("dice.json") {
		if c.Error == nil && c.ServerSeed != "" && c.Nonce != "" && c.DiceSeed == c.GameSeed {
			lines = append(lines, line{"game": "dice", "server_seed": c.ServerSeed, "server_seed_hash": hashOf(c.ServerSeed), "client_seed": c.ClientSeed, "nonce": c.Nonce, "game_seed": c.GameSeed, "selected": c.Selected, "face": c.Face, "win": c.Win})
		}
	}
	for _, c := range read("offchain_mines.json") {
		if c.Error == nil && c.ServerSeed != "" && c.Nonce != "" && c.Seed == strings.ToLower(c.Seed) {
			lines = append(lines, line{"game": "mines", "server_seed": c.ServerSeed, "server_seed_hash": hashOf(c.ServerSeed), "client_seed": c.ClientSeed, "nonce": c.Nonce, "game_seed": c.Seed, "mines": c.Mines, "tiles": append([]int{}, c.Tiles...)})
		}
	}
	r := auditText(t, Options{}, asJSON(t, lines...))
	if len(lines) < 100 || r.Records != len(lines) || r.Verdicts[verify.VerdictFail] > 0 || r.Counts[CheckOutcome][verify.ResultPass] != r.Bets || r.Bad.Count > 0 {
		t.Errorf("%d lines: %v %q %+v", len(lines), r.Verdicts, found(r), r.Bad)
	}
}

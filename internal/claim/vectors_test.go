package claim

import (
	"encoding/json"
	"os"
	"slices"
	"strconv"
	"testing"

	"minesaudit/internal/verify"
)

type object = map[string]any

// readCases reads one of the files of known answers of verify.
func readCases(t testing.TB, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile("../verify/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// ask encodes a request, has it answered as a line and decodes the answer.
func ask(t testing.TB, request object) object {
	t.Helper()
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return askLine(t, string(line))
}

func askLine(t testing.TB, line string) object {
	t.Helper()
	rules := verify.DefaultRules()
	a := answerLine([]byte(line), &rules)
	var answer object
	if err := json.Unmarshal(a.AppendJSON(nil), &answer); err != nil {
		t.Fatalf("%s: answer %s: %v", line, a.AppendJSON(nil), err)
	}
	return answer
}

func numbers(t testing.TB, v any) []int {
	t.Helper()
	list, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is no list", v)
	}
	var out []int
	for _, n := range list {
		out = append(out, int(n.(float64)))
	}
	return out
}

func TestOnChainVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			ServerSeed     string `json:"server_seed"`
			Commit         string
			Slothash, User string
			Slothash58     string `json:"slothash_base58"`
			User58         string `json:"user_base58"`
			Nonce          string
			MinesCount     int     `json:"mines_count"`
			MineMask       float64 `json:"mine_mask"`
			TileOrder      []int   `json:"tile_order"`
			Blocks         float64 `json:"sha256_blocks"`
		}
	}
	readCases(t, "onchain_mines.json", &file)
	if len(file.Cases) != 300 {
		t.Fatalf("%d boards, want 300", len(file.Cases))
	}
	for i, v := range file.Cases {
		request := object{
			"game": "mines", "server_seed": v.ServerSeed, "slothash": v.Slothash, "user": v.User, "nonce": v.Nonce,
			"mines_count": v.MinesCount, "commit_hash": v.Commit, "mines_mask": v.MineMask,
		}
		a := ask(t, request)
		if a["mines_mask"] != v.MineMask || a["blocks"] != v.Blocks || !slices.Equal(numbers(t, a["tiles"]), v.TileOrder) || a["error"] != nil {
			t.Errorf("case %d: %v", i, a)
		}
		for _, check := range []string{"commit", "board", "mine_count"} {
			if got := resultOf(a, check); got != "pass" {
				t.Errorf("case %d: %s is %s", i, check, got)
			}
		}
		request["slothash"], request["user"] = v.Slothash58, v.User58
		if b := ask(t, request); b["mines_mask"] != v.MineMask {
			t.Errorf("case %d, in base58: %v", i, b)
		}
	}
}

// resultOf gives the result of a check, "" if it was not made.
func resultOf(a object, check string) string {
	f := checkOf(a, check)
	if f == nil {
		return ""
	}
	return f["result"].(string)
}

func checkOf(a object, check string) object {
	list, _ := a["checks"].([]any)
	for _, c := range list {
		if f := c.(object); f["name"] == check {
			return f
		}
	}
	return nil
}

func TestSettlementVectors(t *testing.T) {
	names := map[string]string{
		"commit_mismatch": "commit", "revealed_tile_is_mine": "reveals_safe", "bust_tile_not_mine": "bust_is_mine",
		"bust_tile_also_revealed": "bust_not_revealed", "revealed_out_of_range": "mask_range",
	}
	var file struct {
		Cases []struct {
			Commit, Slothash, User string
			ServerSeed             string `json:"server_seed"`
			Nonce                  string
			MinesCount             int      `json:"mines_count"`
			MinesMask              int64    `json:"mines_mask"`
			RevealedMask           int64    `json:"revealed_mask"`
			BustTile               *int     `json:"bust_tile"`
			RejectedFor            []string `json:"rejected_for"`
			EdgeBPS                int      `json:"edge_bps"`
			Stake                  uint64
			CapPayout              *uint64 `json:"cap_payout"`
			Multiplier             *string
			PayoutFloor            *uint64 `json:"payout_floor"`
		}
	}
	readCases(t, "settlements.json", &file)
	if len(file.Cases) != 120 {
		t.Fatalf("%d settlements, want 120", len(file.Cases))
	}
	for i, v := range file.Cases {
		limit := uint64(1<<64 - 1)
		if v.CapPayout != nil {
			limit = *v.CapPayout
		}
		a := ask(t, object{
			"game": "mines", "server_seed": v.ServerSeed, "slothash": v.Slothash, "user": v.User, "nonce": v.Nonce, "mines_count": v.MinesCount,
			"commit_hash": v.Commit, "mines_mask": v.MinesMask, "revealed_mask": v.RevealedMask, "bust_tile": v.BustTile, "house_edge_bps": v.EdgeBPS,
			"stake": strconv.FormatUint(v.Stake, 10), "max_payout": strconv.FormatUint(limit, 10),
		})
		var want, got []string
		for _, rule := range v.RejectedFor {
			want = append(want, names[rule])
		}
		for _, check := range minesChecks() {
			if resultOf(a, check.String()) == "fail" {
				got = append(got, check.String())
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("case %d fails %v, want %v: %v", i, got, want, a)
		}
		// Without the multiplier and the payout that were claimed a game that
		// breaks no rule is open.
		if verdict := a["verdict"]; (verdict == "fail") != (len(want) > 0) || verdict == "pass" {
			t.Errorf("case %d: verdict %v", i, verdict)
		}
		if v.PayoutFloor != nil && v.BustTile == nil {
			if a["payout"] != strconv.FormatUint(*v.PayoutFloor, 10) || a["exact_multiplier"] != *v.Multiplier {
				t.Errorf("case %d: payout %v of %v, want %d of %s", i, a["payout"], a["exact_multiplier"], *v.PayoutFloor, *v.Multiplier)
			}
		}
	}
}

func TestOffChainVectors(t *testing.T) {
	for _, test := range []struct {
		file    string
		fields  map[string]string // of a request, by the name in the file
		game    string
		answers map[string]string // likewise
	}{
		{"dice.json", map[string]string{"dice_seed": "game_seed", "selected": "selected"}, "dice", map[string]string{"face": "face", "win": "win"}},
		{"dice.json", map[string]string{"server_seed": "server_seed", "client_seed": "client_seed", "nonce": "nonce"}, "hmac-mines", map[string]string{"game_seed": "game_seed"}},
		{"offchain_mines.json", map[string]string{"seed": "game_seed", "mines": "mines"}, "hmac-mines", map[string]string{"tiles": "tiles"}},
		{"platforms.json", map[string]string{"hash": "hash"}, "platforms", map[string]string{"platform": "platform"}},
		{"rocket.json", map[string]string{"hash": "hash"}, "rocket", map[string]string{"result_bits": "bits"}},
		{"battle.json", map[string]string{"hash": "hash", "chances": "chances"}, "battle", map[string]string{"winner": "winner", "random_bits": "random_bits"}},
	} {
		var file struct{ Cases []object }
		readCases(t, test.file, &file)
		for i, v := range file.Cases {
			request := object{"game": test.game}
			for from, to := range test.fields {
				request[to] = v[from]
			}
			derivesSeed := request["game_seed"] == nil && test.game == "hmac-mines"
			if derivesSeed {
				request["mines"] = 3
			}
			a := ask(t, request)
			if (a["error"] != nil) != (v["error"] != nil) && !derivesSeed {
				t.Errorf("%s %d: error %v, want %v", test.file, i, a["error"], v["error"])
			}
			if v["error"] != nil && test.game != "battle" && !derivesSeed {
				continue
			}
			for from, to := range test.answers {
				got, want := a[to], v[from]
				if list, ok := got.([]any); ok && len(list) == 0 && want == nil { // no mines: an empty list here
					continue
				}
				if !equal(got, want) {
					t.Errorf("%s %d: %s is %v, want %v", test.file, i, to, got, want)
				}
			}
		}
	}
}

func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func TestRocketHasTwoDecimals(t *testing.T) {
	var file struct {
		Cases []struct {
			Hash   string
			Result *string
			Error  *string
		}
	}
	readCases(t, "rocket.json", &file)
	for i, v := range file.Cases {
		if v.Error != nil {
			continue
		}
		want, err := strconv.ParseFloat(*v.Result, 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, object{"game": "rocket", "hash": v.Hash})["multiplier"]; got != strconv.FormatFloat(want, 'f', 2, 64) {
			t.Errorf("case %d: %v, want %s", i, got, *v.Result)
		}
	}
}

func TestChainVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			N         float64
			Last      string
			Published string `json:"published_sha256_of_last"`
			Rounds    []struct {
				Round float64
				Hash  string
			}
		}
	}
	readCases(t, "hashchain.json", &file)
	for i, v := range file.Cases {
		if v.N > 1000 {
			continue
		}
		for _, round := range v.Rounds {
			for terminal, steps := range map[string]float64{v.Published: round.Round, v.Last: round.Round - 1} {
				a := ask(t, object{"game": "chain", "hash": round.Hash, "round": round.Round, "terminal": terminal})
				if a["verdict"] != "pass" || a["steps"] != steps {
					t.Errorf("chain %d, round %v: %v", i, round.Round, a)
				}
			}
		}
	}
}

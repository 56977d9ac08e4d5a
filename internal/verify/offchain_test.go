package verify

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func parseI64(t testing.TB, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func bitsOf(f float64) string { return fmt.Sprintf("%016x", math.Float64bits(f)) }

func TestDiceVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			ServerSeed string `json:"server_seed"`
			ClientSeed string `json:"client_seed"`
			Nonce      string
			KeyLen     int    `json:"hmac_key_len"`
			GameSeed   string `json:"game_seed"`
			DiceSeed   string `json:"dice_seed"`
			Selected   []int64
			Face       int64
			Win        bool
			Error      *string
		}
	}
	readVectors(t, "dice.json", &file)
	if len(file.Cases) != 80 {
		t.Fatalf("%d rolls, want 80", len(file.Cases))
	}
	for i, v := range file.Cases {
		nonce := parseI64(t, v.Nonce)
		if got := GameSeed(v.ServerSeed, v.ClientSeed, nonce).String(); got != v.GameSeed {
			t.Errorf("case %d: seed %s, want %s", i, got, v.GameSeed)
		}
		if n := len(GameSeedKey(v.ServerSeed, v.ClientSeed, nonce)); n != v.KeyLen {
			t.Errorf("case %d: key of %d bytes, want %d", i, n, v.KeyLen)
		}
		face, win, err := Dice(v.DiceSeed, v.Selected)
		if face != v.Face || win != v.Win || (err != nil) != (v.Error != nil) {
			t.Errorf("case %d: %d, %v, %v; want %d, %v", i, face, win, err, v.Face, v.Win)
		}
	}
}

func TestDice(t *testing.T) {
	// The texts' code compares and does not look at the range.
	if face, win, err := Dice("ff", []int64{7, -1, 0}); face != 4 || win || err != nil {
		t.Errorf("%d, %v, %v", face, win, err)
	}
	if face, win, err := Dice("ff", []int64{4, 4}); face != 4 || !win || err != nil {
		t.Errorf("%d, %v, %v", face, win, err)
	}
	// −1 mod 6 is 5, as Euclid has it.
	if face, _, err := Dice("-1", []int64{1}); face != 6 || err != nil {
		t.Errorf("%d, %v", face, err)
	}
	if face, _, err := Dice("-6", []int64{1}); face != 1 || err != nil {
		t.Errorf("-6: %d, %v", face, err)
	}
	for _, n := range []int{0, 6} {
		if _, _, err := Dice("0", make([]int64, n)); err == nil || !strings.Contains(err.Error(), "1..5") {
			t.Errorf("%d selected: %v", n, err)
		}
	}
}

func TestHMACMinesVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			ServerSeed string `json:"server_seed"`
			ClientSeed string `json:"client_seed"`
			Nonce      string
			Seed       string
			Mines      int
			Tiles      []int
			Calls      int `json:"hmac_calls"`
			Error      *string
		}
	}
	readVectors(t, "offchain_mines.json", &file)
	if len(file.Cases) != 120 {
		t.Fatalf("%d boards, want 120", len(file.Cases))
	}
	for i, v := range file.Cases {
		if got := GameSeed(v.ServerSeed, v.ClientSeed, parseI64(t, v.Nonce)).String(); got != strings.ToLower(v.Seed) {
			t.Errorf("case %d: seed %s, want %s", i, got, v.Seed)
		}
		tiles, err := HMACMines(v.Seed, v.Mines)
		if !slices.Equal(tiles, v.Tiles) || (tiles == nil) != (v.Tiles == nil) || (err != nil) != (v.Error != nil) {
			t.Errorf("case %d: %v, %v; want %v", i, tiles, err, v.Tiles)
		}
		picks, err := ExplainHMACMines(v.Seed, v.Mines)
		if len(picks) != v.Calls || (err != nil) != (v.Error != nil) {
			t.Errorf("case %d: %d steps, %v; want %d", i, len(picks), err, v.Calls)
		}
	}
}

func TestExplainHMACMines(t *testing.T) {
	const seed = "43d2abf74e259e33d1c24e20d74dd81dc257a499109ba9db06e1c8657c96183d"
	tiles, err := HMACMines(seed, Tiles)
	if err != nil {
		t.Fatal(err)
	}
	picks, err := ExplainHMACMines(seed, Tiles)
	if err != nil {
		t.Fatal(err)
	}
	var placed []int
	for i, p := range picks {
		if want := fmt.Sprintf("mine-%d", i); p.Message != want {
			t.Errorf("step %d is of %q", i, p.Message)
		}
		if want := new(big.Int).SetBytes(p.MAC[:4]).Uint64(); uint64(p.Word) != want || p.Tile != int(want%25)+1 {
			t.Errorf("step %d: word %d, tile %d of %x", i, p.Word, p.Tile, p.MAC)
		}
		if p.Taken != slices.Contains(placed, p.Tile) {
			t.Errorf("step %d: tile %d taken: %v", i, p.Tile, p.Taken)
		}
		if !p.Taken {
			placed = append(placed, p.Tile)
		}
	}
	if !slices.Equal(placed, tiles) {
		t.Errorf("the steps place %v, want %v", placed, tiles)
	}
}

func TestPlatformsVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Hash     string
			Platform int
			Error    *string
		}
	}
	readVectors(t, "platforms.json", &file)
	if len(file.Cases) != 90 {
		t.Fatalf("%d rounds, want 90", len(file.Cases))
	}
	for i, v := range file.Cases {
		platform, err := LastPlatform(v.Hash)
		if platform != v.Platform || (err != nil) != (v.Error != nil) {
			t.Errorf("case %d: %d, %v; want %d", i, platform, err, v.Platform)
		}
	}
}

func TestRocketVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			Kind, Hash string
			Instant    *bool
			H13        *string
			FloatFloor *string `json:"float_floor"`
			ExactFloor *string `json:"exact_floor"`
			ResultBits *string `json:"result_bits"`
			Error      *string
		}
	}
	readVectors(t, "rocket.json", &file)
	if len(file.Cases) != 128 {
		t.Fatalf("%d rounds, want 128", len(file.Cases))
	}
	differ := 0
	for i, v := range file.Cases {
		r, err := NewRocket(v.Hash)
		if (err != nil) != (v.Error != nil) {
			t.Errorf("case %d (%s): error %v", i, v.Kind, err)
		}
		if v.Error != nil {
			continue
		}
		if bitsOf(r.Multiplier) != *v.ResultBits || r.Instant != *v.Instant {
			t.Errorf("case %d (%s): %+v, want bits %s", i, v.Kind, r, *v.ResultBits)
		}
		if v.H13 == nil {
			continue
		}
		floor := strconv.FormatFloat(r.Hundredth, 'f', 0, 64)
		if decimalOf(r.H) != *v.H13 || floor != *v.FloatFloor || decimalOf(r.Exact) != *v.ExactFloor {
			t.Errorf("case %d (%s): %+v, want %s, %s, %s", i, v.Kind, r, *v.H13, *v.FloatFloor, *v.ExactFloor)
		}
		if *v.FloatFloor != *v.ExactFloor {
			differ++
		}
	}
	if differ < 15 {
		t.Errorf("the floors differ in %d cases", differ)
	}
}

func decimalOf(n int64) string { return strconv.FormatInt(n, 10) }

type battleVector struct {
	Kind, Hash string
	Bits       []string `json:"chances_bits"`
	Chances    []float64
	RandomBits *string `json:"random_bits"`
	Winner     int
	Error      *string
}

func battleVectors(t testing.TB) []battleVector {
	t.Helper()
	var file struct{ Cases []battleVector }
	readVectors(t, "battle.json", &file)
	if len(file.Cases) != 95 {
		t.Fatalf("%d rounds, want 95", len(file.Cases))
	}
	return file.Cases
}

func TestBattleVectors(t *testing.T) {
	for i, v := range battleVectors(t) {
		for j, want := range v.Bits {
			if bitsOf(v.Chances[j]) != want {
				t.Fatalf("case %d: chance %d was read as %v", i, j, v.Chances[j])
			}
		}
		winner, err := BattleWinner(v.Hash, v.Chances)
		if winner != v.Winner || (err != nil) != (v.Error != nil) {
			t.Errorf("case %d (%s): %d, %v; want %d", i, v.Kind, winner, err, v.Winner)
		}
		random, err := BattleRandom(v.Hash)
		if (err != nil) != (v.RandomBits == nil) || err == nil && bitsOf(random) != *v.RandomBits {
			t.Errorf("case %d (%s): random %v, %v", i, v.Kind, random, err)
		}
	}
}

func TestBattleRefuses(t *testing.T) {
	hash := strings.Repeat("0", 64)
	for name, chances := range map[string][]float64{
		"not a number":          {50, math.NaN(), 50},
		"not a number, alone":   {math.NaN()},
		"infinite":              {math.Inf(1)},
		"infinite and negative": {math.Inf(1), math.Inf(-1)},
		"negative":              {-1, 101},
		"none":                  nil,
		"below":                 {99.98},
		"above":                 {100.02},
	} {
		if winner, err := BattleWinner(hash, chances); winner != -1 || err == nil {
			t.Errorf("%s: %d, %v", name, winner, err)
		}
	}
	for _, total := range []float64{99.99, 100.01} { // just taken
		if winner, err := BattleWinner(hash, []float64{total}); winner != 0 || err != nil {
			t.Errorf("a chance of %v: %d, %v", total, winner, err)
		}
	}
	if winner, err := BattleWinner(hash, []float64{math.Copysign(0, -1), 100}); winner != 1 || err != nil {
		t.Errorf("a chance of -0: %d, %v", winner, err)
	}
}

// What the texts' code panics at is an error that shows the input.
func TestOffChainErrors(t *testing.T) {
	long := strings.Repeat("z", 1000)
	for name, err := range map[string]error{
		"platforms, no hash":     errorOf(LastPlatform("")),
		"platforms, seven bytes": errorOf(LastPlatform("518db76172a00a")),
		"platforms, long":        errorOf(LastPlatform(long)),
		"rocket, long":           errorOf(NewRocket(long)),
		"rocket, short":          errorOf(NewRocket("123456789abc")),
		"battle, short":          errorOf(BattleRandom("00ff")),
		"mines":                  errorOf(HMACMines("", 26)),
	} {
		if err == nil || len(err.Error()) > 300 {
			t.Errorf("%s: %v", name, err)
		}
	}
	err := errorOf(LastPlatform("518db76172a00a"))
	if !strings.Contains(err.Error(), `"518db76172a00a": 7 bytes: want 8 or more`) {
		t.Errorf("%v", err)
	}
	if err := errorOf(HMACMines("", 26)); err.Error() != "mines: 26 is out of range: want 0..25" {
		t.Errorf("%v", err)
	}
}

func errorOf[T any](_ T, err error) error { return err }

// A hash of 13 digits is long enough, also with a sign among them; one of 40s
// may be of any length.
func TestRocketShortHash(t *testing.T) {
	for hash, want := range map[string]int64{"0000000000001": 1, "+000000000002": 2, "-000000000003": -3} {
		if r, err := NewRocket(hash); err != nil || r.H != want || r.Instant {
			t.Errorf("%s: %+v, %v", hash, r, err)
		}
	}
	for _, hash := range []string{"0", "28", "-28", "+50"} {
		if r, err := NewRocket(hash); err != nil || !r.Instant || r.Multiplier != 1 {
			t.Errorf("%s: %+v, %v", hash, r, err)
		}
	}
}

// The number of a hash's 13 digits is found at each place that it could stand.
func TestRocketDigits(t *testing.T) {
	for digit := range rocketDigits {
		hash := []byte(strings.Repeat("0", 63) + "1")
		hash[digit] = '1'
		r, err := NewRocket(string(hash))
		if want := int64(1) << (4 * (rocketDigits - 1 - digit)); err != nil || r.H != want {
			t.Errorf("digit %d: %d, %v, want %d", digit, r.H, err, want)
		}
	}
}

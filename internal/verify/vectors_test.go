package verify

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"testing"
)

// readVectors reads one of our own files of known answers.
func readVectors(t testing.TB, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// A hash is 32 bytes, in hex in the vectors.
type hash [32]byte

func (h *hash) UnmarshalText(text []byte) error {
	n, err := hex.Decode(h[:], text)
	if err == nil && (n != len(h) || len(text) != 2*len(h)) {
		err = fmt.Errorf("%d hex digits", len(text))
	}
	return err
}

// A boardVector is an input of the derivation and what comes of it.
type boardVector struct {
	Kind                   string
	ServerSeed             hash `json:"server_seed"`
	Commit, Slothash, User hash
	Nonce                  string
	MinesCount             int    `json:"mines_count"`
	MineMask               uint32 `json:"mine_mask"`
	TileOrder              []int  `json:"tile_order"`
	SHA256Blocks           int    `json:"sha256_blocks"`
	WordsUsed              int    `json:"words_used"`
	Rejected               []struct{ Draw, Bound, Zone, Value uint32 }
}

func boardVectors(t testing.TB) []boardVector {
	t.Helper()
	var file struct{ Cases []boardVector }
	readVectors(t, "onchain_mines.json", &file)
	if len(file.Cases) != 300 {
		t.Fatalf("%d boards, want 300", len(file.Cases))
	}
	return file.Cases
}

func parseU64(t testing.TB, s string) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestBoardVectors(t *testing.T) {
	rejecting := 0
	for i, v := range boardVectors(t) {
		board, err := Derive(v.ServerSeed, v.Slothash, v.User, parseU64(t, v.Nonce), v.MinesCount)
		if err != nil {
			t.Fatalf("case %d: %v", i, err)
		}
		var order []int
		for _, tile := range board.Order[:board.N] {
			order = append(order, int(tile))
		}
		if board.Mask != v.MineMask || !slices.Equal(order, v.TileOrder) {
			t.Errorf("case %d (%s): mines %07x in order %v, want %07x in %v", i, v.Kind, board.Mask, order, v.MineMask, v.TileOrder)
		}
		if board.Blocks != v.SHA256Blocks || board.Words != v.WordsUsed {
			t.Errorf("case %d (%s): %d blocks, %d words, want %d, %d", i, v.Kind, board.Blocks, board.Words, v.SHA256Blocks, v.WordsUsed)
		}
		var rejected []uint32
		for _, r := range v.Rejected {
			rejected = append(rejected, r.Value)
		}
		if !slices.Equal(board.Rejected, rejected) {
			t.Errorf("case %d (%s): rejected %v, want %v", i, v.Kind, board.Rejected, rejected)
		}
		if len(rejected) > 0 {
			rejecting++
		}
		if Commitment(v.ServerSeed) != v.Commit {
			t.Errorf("case %d (%s): the commit is not the seed's hash", i, v.Kind)
		}
	}
	if rejecting != 105 {
		t.Errorf("%d cases reject a word, want 105", rejecting)
	}
}

func TestMultiplierVectors(t *testing.T) {
	var file struct {
		Cases []struct {
			EdgeBPS  uint16 `json:"edge_bps"`
			Mines, K int
			Num, Den string
			Floor1e4 string `json:"floor_1e4"`
			Floor1e9 string `json:"floor_1e9"`
		}
	}
	readVectors(t, "multipliers.json", &file)
	if len(file.Cases) != 3240 {
		t.Fatalf("%d multipliers, want 3240", len(file.Cases))
	}
	rules := DefaultRules()
	for _, v := range file.Cases {
		ratio, err := rules.Multiplier(uint32(v.EdgeBPS), v.Mines, v.K)
		if err != nil {
			t.Fatalf("%+v: %v", v, err)
		}
		if got := ratio.String(); got != v.Num+"/"+v.Den {
			t.Errorf("%+v: got %s", v, got)
		}
		for scale, want := range map[uint64]string{10_000: v.Floor1e4, 1_000_000_000: v.Floor1e9} {
			if got, ok := ratio.Floor(scale); !ok || got != parseU64(t, want) {
				t.Errorf("%+v: floor at %d is %d, %v", v, scale, got, ok)
			}
		}
	}
}

// Every edge up to 10 %, every board and every number of tiles, by the hash of
// all their multipliers in lowest terms.
func TestMultiplierDomain(t *testing.T) {
	const (
		wantLines = 324_324
		wantHash  = "3feac8db04cb166c284cef9fa27cbdde86cb972a9c07f4b9d3c9d7d2585b2715"
	)
	sum := sha256.New()
	lines, rules := 0, DefaultRules()
	for edge := uint32(0); edge <= 1000; edge++ {
		for mines := 1; mines <= MaxMines; mines++ {
			for k := 0; k <= Tiles-mines; k++ {
				ratio, err := rules.Multiplier(edge, mines, k)
				if err != nil {
					t.Fatal(err)
				}
				low := ratio.Lowest()
				fmt.Fprintf(sum, "%d,%d,%d,%d,%d\n", edge, mines, k, low.Num, low.Den)
				lines++
			}
		}
	}
	if got := hex.EncodeToString(sum.Sum(nil)); lines != wantLines || got != wantHash {
		t.Errorf("%d lines with hash %s, want %d with %s", lines, got, wantLines, wantHash)
	}
}

// A settlementVector is a settlement and every rule that it breaks.
type settlementVector struct {
	Kind                   string
	Commit, Slothash, User hash
	ServerSeed             hash `json:"server_seed"`
	Nonce                  string
	MinesCount             uint8    `json:"mines_count"`
	MinesMask              uint32   `json:"mines_mask"`
	RevealedMask           uint32   `json:"revealed_mask"`
	BustTile               *uint8   `json:"bust_tile"`
	RejectedFor            []string `json:"rejected_for"`
	K                      int
	EdgeBPS                uint16 `json:"edge_bps"`
	Stake                  uint64
	CapPayout              *uint64 `json:"cap_payout"`
	Multiplier             *string
	PayoutFloor            *uint64 `json:"payout_floor"`
}

func (v *settlementVector) game(t *testing.T) Game {
	start := Start{
		MinesCount: v.MinesCount, Stake: v.Stake, CommitHash: v.Commit, Slothash: v.Slothash,
		HouseEdge: uint32(v.EdgeBPS), MaxPayout: 1<<64 - 1, Slot: 5,
	}
	if v.CapPayout != nil {
		start.MaxPayout = *v.CapPayout
	}
	settled := Settled{ServerSeed: v.ServerSeed, Slothash: v.Slothash, MinesMask: v.MinesMask, RevealedMask: v.RevealedMask}
	if v.BustTile != nil {
		settled.HasBust, settled.BustTile = true, *v.BustTile
	} else if v.Multiplier != nil {
		exact, ok := new(big.Rat).SetString(*v.Multiplier)
		if !ok {
			t.Fatalf("multiplier %q", *v.Multiplier)
		}
		settled.Multiplier = ratFloor(new(big.Rat).Mul(exact, big.NewRat(10_000, 1))).Uint64()
		settled.Payout = *v.PayoutFloor
	}
	return Game{
		User: v.User, Nonce: parseU64(t, v.Nonce), Starts: []Start{start},
		Ends: []End{{Kind: EndSettled, Slot: 6, Settled: settled}},
	}
}

func TestSettlementVectors(t *testing.T) {
	checks := map[string]Check{
		"commit_mismatch":         CheckCommit,
		"revealed_tile_is_mine":   CheckRevealsSafe,
		"bust_tile_not_mine":      CheckBustIsMine,
		"bust_tile_also_revealed": CheckBustNotRevealed,
		"revealed_out_of_range":   CheckMaskRange,
	}
	var file struct{ Cases []settlementVector }
	readVectors(t, "settlements.json", &file)
	if len(file.Cases) != 120 {
		t.Fatalf("%d settlements, want 120", len(file.Cases))
	}
	rules := DefaultRules()
	for i, v := range file.Cases {
		t.Run(fmt.Sprintf("%d %s", i, v.Kind), func(t *testing.T) {
			g := v.game(t)
			report := Judge(&g, &rules)
			var want []Check
			for _, rule := range v.RejectedFor {
				c, ok := checks[rule]
				if !ok {
					t.Fatalf("unknown rule %q", rule)
				}
				want = append(want, c)
			}
			slices.Sort(want)
			got := failed(&report)
			if v.PayoutFloor == nil { // what it would pay is not in the vectors
				got = slices.DeleteFunc(got, func(c Check) bool {
					return c == CheckOutcome || c == CheckMultiplier || c == CheckPayout
				})
			}
			if !slices.Equal(got, want) {
				t.Errorf("fails %v, want %v\n%+v", got, want, report.Findings)
			}
			if len(want) == 0 && report.Verdict != VerdictPass {
				t.Errorf("verdict %v\n%+v", report.Verdict, report.Findings)
			}
			// The vectors count bits that are no tile too.
			if k := v.K - bits.OnesCount32(v.RevealedMask>>Tiles); report.Revealed != k {
				t.Errorf("k %d, want %d", report.Revealed, k)
			}
		})
	}
}

// failed lists the checks that a report says fail, in their order.
func failed(r *Report) []Check {
	var checks []Check
	for c, result := range r.Results {
		if result == ResultFail {
			checks = append(checks, Check(c))
		}
	}
	return checks
}

func ratFloor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

package verify_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// A recorded game is one that a program without checks let through on a local
// node: the logs of its transactions, and what a watcher must find.
type recorded struct {
	Name       string
	Fails, May []string
	Txs        []struct {
		Slot      uint64
		BlockTime int64 `json:"block_time"`
		Logs      []string
	}
}

type recording struct {
	Program  string
	Operator string // hex
	Cheats   []recorded
}

func readRecording(t *testing.T) (recording, verify.Rules) {
	t.Helper()
	raw, err := os.ReadFile("testdata/cheats.json")
	if err != nil {
		t.Fatal(err)
	}
	var r recording
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	key, err := hex.DecodeString(r.Operator)
	if err != nil {
		t.Fatal(err)
	}
	rules := verify.DefaultRules()
	rules.Operators = [][32]byte{[32]byte(key)}
	return r, rules
}

// game assembles the events of its transactions in their order.
func (x *recorded) game(t *testing.T, program string) verify.Game {
	t.Helper()
	var g verify.Game
	reader, err := decode.NewReader(program, decode.BuiltinLayout(), decode.InLogs, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, tx := range x.Txs {
		log := reader.Logs(0, tx.Logs, false)
		if log.State != decode.LogComplete || len(log.Events) != 1 {
			t.Fatalf("log is %v with %d events", log.State, len(log.Events))
		}
		e := log.Events[0]
		g.Address, g.User, g.Nonce = e.Key.Game, e.Key.User, e.Key.Nonce
		end := verify.End{Slot: tx.Slot, BlockTime: tx.BlockTime, HasBlockTime: true}
		switch e.Kind {
		case decode.KindStarted:
			s := e.Started
			g.Starts = append(g.Starts, verify.Start{
				MinesCount: s.MinesCount, Stake: s.Stake, CommitHash: s.CommitHash, Slothash: s.Slothash, HouseEdge: s.HouseEdge,
				MaxPayout: s.MaxPayout, RefundTimeout: s.RefundTimeout, StartedAt: s.StartedAt, Slot: tx.Slot,
			})
		case decode.KindSettled:
			end.Kind, end.Settled = verify.EndSettled, verify.Settled{
				ServerSeed: e.Settled.ServerSeed, Slothash: e.Settled.Slothash, MinesMask: e.Settled.MinesMask, RevealedMask: e.Settled.RevealedMask,
				BustTile: e.Settled.BustTile, HasBust: e.Settled.HasBust, Multiplier: e.Settled.Multiplier, Payout: e.Settled.Payout,
			}
			g.Ends = append(g.Ends, end)
		case decode.KindVoided:
			end.Kind, end.Voided = verify.EndVoided, verify.Voided{Refund: e.Voided.Refund, Authority: e.Voided.Authority}
			g.Ends = append(g.Ends, end)
		default:
			t.Fatalf("event is %v: %s", e.Kind, e.Problem)
		}
	}
	return g
}

// What the recording does not say: checks that had no name when it was made, and
// what follows from judging by the first start alone, whose slot hash and commit
// count even where the rest was played on others.
var (
	alsoFails = map[string][]string{
		"mines-count-0":          {"mine_count"},
		"mines-count-25":         {"mine_count"},
		"void-by-stranger-early": {"void_right"},
	}
	alsoMay = map[string][]string{
		"restarted-other-commit": {"slothash_kept", "board", "reveals_safe"},
		// The tiles were picked on the board of the false slot hash.
		"slothash-changed": {"reveals_safe"},
	}
)

func TestRecordedCheats(t *testing.T) {
	r, rules := readRecording(t)
	if len(r.Cheats) != 36 {
		t.Fatalf("%d games, want 36", len(r.Cheats))
	}
	for _, x := range r.Cheats {
		t.Run(x.Name, func(t *testing.T) {
			g := x.game(t, r.Program)
			report := verify.Judge(&g, &rules)
			must := append(slices.Clone(x.Fails), alsoFails[x.Name]...)
			may := append(slices.Clone(x.May), alsoMay[x.Name]...)
			for c, result := range report.Results {
				name := verify.Check(c).String()
				switch {
				case slices.Contains(must, name) && result != verify.ResultFail:
					t.Errorf("%s is %v, want fail", name, result)
				case result == verify.ResultFail && !slices.Contains(must, name) && !slices.Contains(may, name):
					t.Errorf("%s fails", name)
				}
			}
			want := verify.VerdictPass
			if len(must) > 0 {
				want = verify.VerdictFail
			}
			if report.Verdict != want {
				t.Errorf("verdict %v, want %v", report.Verdict, want)
			}
			if t.Failed() {
				t.Logf("findings %+v", report.Findings)
			}
		})
	}
}

// Without the operator's keys a stranger's early void cannot be told.
func TestRecordedCheatsWithoutOperators(t *testing.T) {
	r, _ := readRecording(t)
	rules := verify.DefaultRules()
	for _, x := range r.Cheats {
		if x.Name == "void-by-stranger-early" {
			g := x.game(t, r.Program)
			report := verify.Judge(&g, &rules)
			if got := report.Results[verify.CheckVoidRight]; got != verify.ResultNA || report.Verdict != verify.VerdictPass || report.VoidWhen != verify.BeforeTimeout {
				t.Errorf("void_right %v, verdict %v, %v", got, report.Verdict, report.VoidWhen)
			}
			return
		}
	}
	t.Fatal("no such game")
}

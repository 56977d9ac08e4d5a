package inspect

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/decode"
	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

// Games that a real node recorded, honest and rigged, in any order of files.
func TestCapturedGames(t *testing.T) {
	for _, test := range []struct {
		files   []string
		verdict verify.Verdict
		fails   []string
	}{
		{[]string{"none-won", "none-won-start"}, verify.VerdictPass, nil},
		{[]string{"none-lost-start", "none-lost"}, verify.VerdictPass, nil},
		{[]string{"none-voided", "none-voided-start"}, verify.VerdictPass, nil},
		{[]string{"extra-mine", "extra-mine-start"}, verify.VerdictFail, []string{"board", "mine_count"}},
		{[]string{"mask-bit-25-start", "mask-bit-25"}, verify.VerdictFail, []string{"board", "mine_count", "mask_range"}},
		{[]string{"mine-moved-under-pick-start", "mine-moved-under-pick"}, verify.VerdictFail, []string{"board", "bust_is_mine"}},
		{[]string{"settled-twice-2", "settled-twice-start", "settled-twice"}, verify.VerdictFail, []string{"lifecycle"}},
		{[]string{"none-won-start"}, verify.VerdictInconclusive, nil},
		{[]string{"none-won"}, verify.VerdictInconclusive, nil},
		{[]string{"none-won", "none-won-start", "none-lost"}, verify.VerdictInconclusive, nil},
		{[]string{"none-lost", "none-won", "none-won-start", "extra-mine", "extra-mine-start"}, verify.VerdictFail, []string{"board", "mine_count"}},
	} {
		r := inspectFiles(t, "", captured(t, test.files...)...)
		var fails []string
		for i := range r.Cases {
			fails = append(fails, failing(&r.Cases[i])...)
		}
		if r.Verdict() != test.verdict || !slices.Equal(fails, test.fails) {
			t.Errorf("%v: %v, failed %v; want %v, %v", test.files, r.Verdict(), fails, test.verdict, test.fails)
		}
		if r.Program != minesProgram || r.ProgramFrom == "" {
			t.Errorf("%v: program %q, found as %q", test.files, r.Program, r.ProgramFrom)
		}
	}
}

func TestFilesWithoutAGame(t *testing.T) {
	for _, test := range []struct{ file, program, want string }{
		{"failed", minesProgram, "failed on chain"},
		{"failed", "", "1 transactions, 1 of them failed on chain: no program's frames hold an event"},
		{"mention-only", minesProgram, "failed on chain"},
		{"truncated", emitter, "truncated"},
		{"none-won", emitter, "nothing to do with the program"},
		{"none-won", "BBUTLAnpyZCPPHmyFjMg6KttCcm3nvEfRnZigpa36eRD", "mentions the program, but does not run it"},
	} {
		r := inspectFiles(t, test.program, captured(t, test.file)...)
		if len(r.Cases) > 0 || r.Verdict() != verify.VerdictInconclusive || !strings.Contains(r.Nothing, test.want) {
			t.Errorf("%s of %q: %d games, %q; want %q", test.file, test.program, len(r.Cases), r.Nothing, test.want)
		}
	}
}

// A transaction that is in the files twice counts once: else every second
// download would look like a double settlement.
func TestEachTransactionCountsOnce(t *testing.T) {
	txs := captured(t, "none-won-start", "none-won", "none-won", "none-won-start")
	if r := inspectFiles(t, minesProgram, txs...); r.Verdict() != verify.VerdictPass || len(r.Cases[0].Events) != 2 {
		t.Errorf("%v, %d events", r.Verdict(), len(r.Cases[0].Events))
	}
}

func TestTheLongerLogCounts(t *testing.T) {
	short := captured(t, "none-won")[0]
	short.Logs = []string{short.Logs[0], "Log truncated"}
	for _, txs := range [][]*rpc.Tx{
		append(captured(t, "none-won-start", "none-won"), short),
		append([]*rpc.Tx{short}, captured(t, "none-won-start", "none-won")...),
	} {
		if r := inspectFiles(t, minesProgram, txs...); r.Verdict() != verify.VerdictPass || len(r.Cases[0].Notes) > 0 {
			t.Errorf("%v, notes %q", r.Verdict(), r.Cases[0].Notes)
		}
	}
}

func TestFilesThatContradict(t *testing.T) {
	moved, failed := captured(t, "none-won")[0], captured(t, "none-won")[0]
	moved.Slot++
	failed.Err = []byte(`"AccountInUse"`)
	for name, other := range map[string]*rpc.Tx{"moved": moved, "failed": failed} {
		if _, err := InspectFiles(append(captured(t, "none-won"), other), audit("")); !errors.Is(err, ErrInput) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// Two events in one transaction are two, word for word the same or not.
func TestTwinEvents(t *testing.T) {
	for _, name := range []string{"none-won", "none-voided"} {
		txs := captured(t, name+"-start", name)
		logs := txs[1].Logs
		at := slices.IndexFunc(logs, func(line string) bool { return strings.HasPrefix(line, "Program data: ") })
		txs[1].Logs = slices.Insert(slices.Clone(logs), at, logs[at])
		r := inspectFiles(t, "", txs...)
		if got := failing(&r.Cases[0]); !slices.Equal(got, []string{"lifecycle"}) || len(r.Cases[0].Events) != 3 {
			t.Errorf("%s: %v failed of %d events", name, got, len(r.Cases[0].Events))
		}
	}
}

// An address that serves another game, of the next nonce, makes two games.
func TestGamesAreToldApartByNonce(t *testing.T) {
	txs := captured(t, "none-won-start", "none-won", "none-won-start", "none-won")
	for i, tx := range txs[2:] {
		tx.Signature[0] ^= 0xff
		tx.Slot += uint64(10 + i)
		at := slices.IndexFunc(tx.Logs, func(line string) bool { return strings.HasPrefix(line, "Program data: ") })
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(tx.Logs[at], "Program data: "))
		if err != nil {
			t.Fatal(err)
		}
		raw[8+32+32]++ // the nonce's lowest byte
		tx.Logs[at] = "Program data: " + base64.StdEncoding.EncodeToString(raw)
	}
	r := inspectFiles(t, "", txs...)
	if len(r.Cases) != 2 || r.Cases[0].Game.Address != r.Cases[1].Game.Address {
		t.Fatalf("%d games", len(r.Cases))
	}
	first, second := &r.Cases[0], &r.Cases[1]
	if first.Game.Nonce != 0 || first.Report.Verdict != verify.VerdictPass || second.Game.Nonce != 1 || second.Report.Verdict != verify.VerdictFail {
		t.Errorf("nonce %d %v, nonce %d %v", first.Game.Nonce, first.Report.Verdict, second.Game.Nonce, second.Report.Verdict)
	}
	if second.Checks[verify.CheckLifecycle].Result != verify.ResultPass {
		t.Errorf("%+v", second.Checks[verify.CheckLifecycle])
	}
}

// Lines of the program that cannot be read are told of beside the games.
func TestUnreadableEventsAreToldOf(t *testing.T) {
	txs := captured(t, "none-won-start", "none-won")
	last := len(txs[1].Logs) - 1
	txs[1].Logs = slices.Insert(slices.Clone(txs[1].Logs), last, "Program data: AAAA", "Program data: !")
	if r := inspectFiles(t, "", txs...); len(r.Notes) != 1 || !strings.HasPrefix(r.Notes[0], "2 events of the program are of no known form") {
		t.Errorf("notes %q", r.Notes)
	}
}

// Somebody else's program that prints our events makes no game, and with one
// that does the files do not say which is audited.
func TestSeveralPrograms(t *testing.T) {
	forged := captured(t, "extra-mine-start", "extra-mine")
	for _, tx := range forged {
		for i := range tx.Logs {
			tx.Logs[i] = strings.ReplaceAll(tx.Logs[i], minesProgram, emitter)
		}
	}
	both := append(forged, captured(t, "none-won-start", "none-won")...)
	_, err := InspectFiles(both, audit(""))
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), emitter+", "+minesProgram) {
		t.Errorf("error %v", err)
	}
	if r := inspectFiles(t, minesProgram, both...); r.Verdict() != verify.VerdictPass || len(r.Cases) != 1 {
		t.Errorf("%v of %d games", r.Verdict(), len(r.Cases))
	}
	forged[0].Err, forged[1].Err = []byte(`"x"`), []byte(`"x"`)
	if r := inspectFiles(t, "", both...); r.Program != minesProgram {
		t.Errorf("program %s", r.Program)
	}
}

// A game whose start could be in a log that is cut short is not told to have
// none.
func TestTruncatedTransactionOfTheAddress(t *testing.T) {
	end := captured(t, "none-won")[0]
	cut := captured(t, "none-lost")[0]
	cut.Logs = []string{"Log truncated"}
	lifecycle := func(txs ...*rpc.Tx) verify.Finding {
		return inspectFiles(t, minesProgram, txs...).Cases[0].Checks[verify.CheckLifecycle]
	}
	if f := lifecycle(end, cut); f.Reason != verify.ReasonStartNotSeen {
		t.Errorf("a cut log that does not name the game: %+v", f)
	}
	reader, err := decode.NewReader(minesProgram, decode.BuiltinLayout(), decode.InLogs, false)
	if err != nil {
		t.Fatal(err)
	}
	cut.Accounts = append(cut.Accounts, reader.Logs(0, end.Logs, false).Events[0].Key.Game)
	if f := lifecycle(end, cut); f.Reason != verify.ReasonLogTruncated {
		t.Errorf("a cut log that names the game: %+v", f)
	}
	cut.Accounts = nil
	if f := lifecycle(end, cut); f.Reason != verify.ReasonLogTruncated {
		t.Errorf("a cut log that may name the game: %+v", f)
	}
}

// Games come in the order of the chain, whatever order the files have.
func TestOrderOfGames(t *testing.T) {
	r := inspectFiles(t, "", captured(t, "settled-twice-start", "none-lost", "extra-mine", "none-won", "none-voided")...)
	var slots []uint64
	for i := range r.Cases {
		slots = append(slots, r.Cases[i].Events[0].Slot)
	}
	if len(slots) != 5 || !slices.IsSorted(slots) {
		t.Errorf("slots %v", slots)
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := inspectFiles(t, "", captured(t, "none-lost-start", "none-lost", "none-voided")...).WriteJSON(&b, true); err != nil {
		t.Fatal(err)
	}
	if bytes.Count(b.Bytes(), []byte("\n")) != 1 {
		t.Error("not one line")
	}
	var got struct {
		Verdict   string
		Program   string
		NotProved []string `json:"not_proved"`
		Games     []struct {
			Game, Nonce, Verdict string
			Events               []struct{ Kind, Signature, Slot string }
			Terms                *struct {
				Stake      string
				MinesCount int    `json:"mines_count"`
				MaxPayout  string `json:"max_payout"`
			}
			Settlement *struct {
				ServerSeed string `json:"server_seed"`
				BustTile   *int   `json:"bust_tile"`
				Payout     string
			}
			Void    *struct{ Refund, Authority, When string }
			Derived *struct{ Mines []int } `json:"derived_board"`
			Checks  []struct{ Check, Result, Reason, Expected, Observed string }
			Explain struct {
				Blocks []struct {
					Preimage []struct{ Name, Hex string }
					SHA256   string
				}
				Draws []struct{ Mine int }
				Pay   *struct{ Exact, Multiplier, Payout string }
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Verdict != "inconclusive" || got.Program != minesProgram || len(got.NotProved) == 0 || len(got.Games) != 2 {
		t.Fatalf("%+v", got)
	}
	lost, voided := got.Games[0], got.Games[1]
	if lost.Game != "5eoJ1cgizevfe6rPmVv1hKCrnu5wNU2tek4WKecmmHNZ" || lost.Nonce != "1" || lost.Verdict != "pass" || lost.Events[0].Slot != "263" {
		t.Errorf("lost: %+v", lost)
	}
	if lost.Terms.Stake != "123456789" || lost.Terms.MinesCount != 5 || lost.Terms.MaxPayout != "18446744073709551615" {
		t.Errorf("terms: %+v", lost.Terms)
	}
	if *lost.Settlement.BustTile != 4 || lost.Settlement.Payout != "0" || !slices.Equal(lost.Derived.Mines, []int{4, 5, 13, 15, 24}) || lost.Void != nil {
		t.Errorf("settlement: %+v, board %+v", lost.Settlement, lost.Derived)
	}
	if len(lost.Checks) != verify.NumChecks || lost.Checks[0].Observed != "cdb6a0fe66134de001d08d6c4998802105ddd0ecd289d0f1fdbcdb09c89e8d8a" {
		t.Errorf("checks: %+v", lost.Checks)
	}
	if len(lost.Explain.Blocks) != 1 || len(lost.Explain.Blocks[0].Preimage) != 6 || len(lost.Explain.Draws) != 5 || lost.Explain.Pay.Multiplier != "0" {
		t.Errorf("explain: %+v", lost.Explain)
	}
	if voided.Verdict != "inconclusive" || voided.Terms != nil || voided.Settlement != nil || voided.Void.Refund != "123456789" || voided.Void.When != "unknown" {
		t.Errorf("voided: %+v", voided)
	}
	if c := voided.Checks[verify.CheckRefund]; c.Result != "inconclusive" || c.Reason != "start_not_seen" {
		t.Errorf("refund: %+v", c)
	}
}

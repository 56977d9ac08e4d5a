package claim

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"minesaudit/internal/verify"
)

// A cashed out game and a lost one, of the vectors, with everything given.
func won(t testing.TB) object {
	t.Helper()
	var request object
	if err := json.Unmarshal([]byte(benchLines()[gameMines]), &request); err != nil {
		t.Fatal(err)
	}
	return request
}

func lost(t testing.TB) object {
	t.Helper()
	r := won(t)
	r["bust_tile"], r["multiplier"], r["payout"] = 1, "0", "0"
	return r
}

func without(request object, fields ...string) object {
	r := maps.Clone(request)
	for _, field := range fields {
		delete(r, field)
	}
	return r
}

func with(request object, field string, value any) object {
	r := maps.Clone(request)
	r[field] = value
	return r
}

func TestEverythingGiven(t *testing.T) {
	a := ask(t, won(t))
	if a["verdict"] != "pass" || a["payout"] != "1901041666" || a["exact_multiplier"] != "365/192" || a["error"] != nil {
		t.Errorf("won: %v", a)
	}
	for _, check := range minesChecks() {
		want := "pass"
		if check == verify.CheckBustIsMine || check == verify.CheckBustNotRevealed {
			want = "n/a"
		}
		if got := resultOf(a, check.String()); got != want {
			t.Errorf("won: %v is %s, want %s", check, got, want)
		}
	}
	a = ask(t, lost(t))
	if a["verdict"] != "pass" || a["payout"] != "0" || a["exact_multiplier"] != "365/192" {
		t.Errorf("lost: %v", a)
	}
}

// For want of each field exactly the checks that rest on it are open, and say so.
func TestEachFieldMissing(t *testing.T) {
	for _, test := range []struct {
		request object
		field   string
		open    string
	}{
		{won(t), "commit_hash", "commit"},
		{won(t), "mines_mask", "board mine_count mask_range"},
		{won(t), "revealed_mask", "mask_range reveals_safe multiplier payout"},
		{won(t), "bust_tile", "bust_is_mine bust_not_revealed outcome multiplier payout"},
		{won(t), "house_edge_bps", "multiplier payout"},
		{won(t), "stake", "payout"},
		{won(t), "max_payout", "payout"},
		{won(t), "multiplier", "outcome multiplier"},
		{won(t), "payout", "outcome payout"},
		{lost(t), "revealed_mask", "mask_range reveals_safe bust_not_revealed"},
		{lost(t), "bust_tile", "bust_is_mine bust_not_revealed outcome multiplier payout"},
		{lost(t), "house_edge_bps", ""},
		{lost(t), "stake", ""},
		{lost(t), "max_payout", ""},
		{lost(t), "multiplier", "outcome multiplier"},
		{lost(t), "payout", "outcome payout"},
	} {
		a := ask(t, without(test.request, test.field))
		open := strings.Fields(test.open)
		for _, check := range minesChecks() {
			name := check.String()
			isOpen := false
			for _, o := range open {
				isOpen = isOpen || o == name
			}
			f := checkOf(a, name)
			if isOpen != (f["result"] == "inconclusive") || isOpen && f["reason"] != test.field+"_not_given" {
				t.Errorf("without %s: %v", test.field, f)
			}
			if f["result"] == "fail" {
				t.Errorf("without %s %s fails", test.field, name)
			}
		}
		want := "pass"
		if len(open) > 0 {
			want = "inconclusive"
		}
		if a["verdict"] != want {
			t.Errorf("without %s: verdict %v", test.field, a["verdict"])
		}
	}
}

// A false claim fails also where other fields are missing, as far as it is
// proved without them.
func TestFailsForWantOfNothing(t *testing.T) {
	board := without(won(t), "commit_hash", "mines_mask", "revealed_mask", "bust_tile", "house_edge_bps", "stake", "max_payout", "multiplier", "payout")
	for _, test := range []struct {
		name    string
		request object
		fails   string // all that fails
	}{
		{"nothing claimed", board, ""},
		{"commit", with(board, "commit_hash", strings.Repeat("0", 64)), "commit"},
		{"mask", with(board, "mines_mask", 4), "board"},
		{"a mine too many", with(board, "mines_mask", 6), "board mine_count"},
		{"a mine off the board", with(board, "mines_mask", 1<<25|2), "board mine_count mask_range"},
		{"a tile off the board", with(board, "revealed_mask", 1<<31), "mask_range"},
		{"a mine revealed", with(board, "revealed_mask", 2), "reveals_safe"},
		{"a safe bust tile", with(board, "bust_tile", 5), "bust_is_mine"},
		{"a revealed bust tile", with(with(board, "bust_tile", 5), "revealed_mask", 1<<5), "bust_is_mine bust_not_revealed"},
		{"a loss that paid", with(with(board, "bust_tile", 1), "payout", "1"), "outcome payout"},
		{"a loss with a multiplier", with(with(board, "bust_tile", 1), "multiplier", "1"), "outcome multiplier"},
		{"a win that paid nothing, terms unknown", with(with(with(board, "bust_tile", nil), "payout", "0"), "multiplier", "0"), ""},
		{"a win that paid nothing", with(with(won(t), "payout", "0"), "multiplier", "0"), "outcome multiplier payout"},
		{"payout", with(won(t), "payout", "1901041667"), "payout"},
		{"multiplier", with(won(t), "multiplier", "19011"), "multiplier"},
		{"multiplier, payout not given", without(with(won(t), "multiplier", "19011"), "payout"), "multiplier"},
		{"all revealed", with(won(t), "revealed_mask", 1<<25-1), "reveals_safe"},
	} {
		a := ask(t, test.request)
		var fails []string
		for _, check := range minesChecks() {
			if resultOf(a, check.String()) == "fail" {
				fails = append(fails, check.String())
			}
		}
		if got := strings.Join(fails, " "); got != test.fails || (a["verdict"] == "fail") != (got != "") {
			t.Errorf("%s: %q fails, want %q; verdict %v", test.name, got, test.fails, a["verdict"])
		}
	}
}

func TestRulesOfTheProfile(t *testing.T) {
	request := won(t)
	request["max_payout"] = "15000" // 1.5 times, by a cap on the multiplier
	request["multiplier"], request["payout"] = "15000", "1500000000"
	line, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	rules := verify.DefaultRules()
	rules.Cap = verify.CapMultiplier
	if a := answerLine(line, &rules); a.Verdict != verify.VerdictPass {
		t.Errorf("cap on the multiplier: %s", a.AppendJSON(nil))
	}
	delete(request, "max_payout")
	if line, err = json.Marshal(request); err != nil {
		t.Fatal(err)
	}
	a := answerLine(line, &rules)
	if out := string(a.AppendJSON(nil)); strings.Count(out, "max_payout_not_given") != 2 {
		t.Errorf("without the cap: %s", out)
	}
}

// Where a lost game has the multiplier of its tiles, that rests on them.
func TestLostMultiplierAtBust(t *testing.T) {
	rules := verify.DefaultRules()
	rules.LostMultiplier = verify.LostAtBust
	request := with(lost(t), "multiplier", "19010")
	for _, field := range []string{"", "revealed_mask", "house_edge_bps"} {
		line, err := json.Marshal(without(request, field))
		if err != nil {
			t.Fatal(err)
		}
		a := answerLine(line, &rules)
		out := string(a.AppendJSON(nil))
		if open := strings.Contains(out, `{"name":"multiplier","result":"inconclusive","reason":"`+field+`_not_given"`); open != (field != "") {
			t.Errorf("without %q: %s", field, out)
		}
	}
}

func TestChain(t *testing.T) {
	first := verify.HashText("a secret")
	second := first.Next()
	last := second.Next() // of round 1; first is of round 3
	published := last.Next()
	for _, test := range []struct {
		request object
		verdict string
		steps   any
		reason  string
		form    string
	}{
		{object{"round": 3, "terminal": published}, "pass", 3.0, "", "sha256_of_final_hash"},
		{object{"round": "3", "terminal": last}, "pass", 2.0, "", "final_hash"},
		{object{"round": 2, "terminal": published}, "fail", nil, "terminal_not_reached", "either"},
		{object{"round": 5, "terminal": published}, "fail", 3.0, "hash_of_another_round", "either"},
		{object{"round": 4, "terminal": published}, "pass", 3.0, "", "final_hash"},
		{object{"round": 4, "terminal": published, "terminal_form": "sha256"}, "fail", 3.0, "hash_of_another_round", "sha256_of_final_hash"},
		{object{"round": 3, "terminal": last, "terminal_form": "final"}, "pass", 2.0, "", "final_hash"},
		{object{"round": 10, "terminal": "crash"}, "fail", nil, "terminal_not_reached", "sha256_of_final_hash"},
		{object{"terminal": published}, "inconclusive", 3.0, "round_not_given", "either"},
		{object{"round": 3}, "inconclusive", nil, "terminal_not_given", "either"},
	} {
		test.request["game"], test.request["hash"] = "chain", first.String()
		if h, ok := test.request["terminal"].(verify.ChainHash); ok {
			test.request["terminal"] = h.String()
		}
		a := ask(t, test.request)
		if a["verdict"] != test.verdict || a["steps"] != test.steps || a["reason"] != test.reason || a["terminal_form"] != test.form || a["error"] != nil {
			t.Errorf("%v: %v", test.request, a)
		}
	}
}

func TestGameSeedOfBoth(t *testing.T) {
	seed := verify.GameSeed("s", "c", 7).String()
	request := object{"game": "dice", "server_seed": "s", "client_seed": "c", "nonce": "7", "selected": []int{1}}
	for given, wants := range map[string]bool{seed: true, strings.Repeat("0", 64): false} {
		a := ask(t, with(request, "game_seed", given))
		if (a["error"] == nil) != wants || wants && a["game_seed"] != seed {
			t.Errorf("%s: %v", given, a)
		}
	}
}

// Every error names the field, and says what it wants.
func TestErrors(t *testing.T) {
	mines := won(t)
	encode := func(r object) string {
		line, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		return string(line)
	}
	for line, want := range map[string]string{
		"":                            "empty line",
		" \t\r":                       "empty line",
		"{":                           "ends in the middle",
		"nonsense":                    "not JSON",
		"[]":                          "a JSON array: want an object",
		"7":                           "a JSON number: want an object",
		`{} {}`:                       "more than one",
		`{"game":"dice"} x`:           "more than one",
		`{}`:                          "game: not given: want one of mines, dice",
		`{"game":"roulette"}`:         `game: "roulette": want one of mines`,
		`{"game":7}`:                  "game: a JSON number: want a string",
		`{"game":"dice","seed":"x"}`:  `unknown field "seed"`,
		`{"game":"dice","Nonce":"x"}`: `unknown field "Nonce"`,
		`{"game":"dice","nonce":"1","nonce":"2"}`:              `field "nonce" is given twice`,
		`{"game":"dice","game_seed":"\\\"","nonce":"1","x":2}`: `unknown field "x"`,
		`null`: "game: not given",
		"{\"game\":\"dice\",\"client_seed\":\"\xff\"}": "not UTF-8",
		`{"game":"mines"}`:                                                                                     "server_seed: not given",
		encode(with(mines, "server_seed", "00")):                                                               "server_seed: \"00\": 2 characters: want 64 hex digits",
		encode(with(mines, "server_seed", strings.Repeat("g", 64))):                                            "want 64 hex digits",
		encode(with(mines, "slothash", strings.Repeat("0", 40))):                                               "slothash: ",
		encode(with(mines, "user", strings.Repeat("l", 44))):                                                   "user: ",
		encode(with(mines, "user", strings.Repeat("1", 100_000))):                                              "user: ",
		encode(with(mines, "commit_hash", "")):                                                                 "commit_hash: ",
		encode(with(mines, "nonce", "")):                                                                       `nonce: "\"\""`,
		encode(with(mines, "nonce", "-1")):                                                                     `nonce: "-1"`,
		encode(with(mines, "nonce", "18446744073709551616")):                                                   "nonce: ",
		encode(with(mines, "nonce", json.Number("9007199254740993"))):                                          "nonce: 9007199254740993: above 2^53",
		encode(with(mines, "nonce", 1.5)):                                                                      "nonce: ",
		encode(with(mines, "nonce", json.Number("1e3"))):                                                       "nonce: ",
		encode(with(mines, "nonce", true)):                                                                     "nonce: ",
		encode(without(mines, "nonce")):                                                                        "nonce: not given",
		encode(with(mines, "nonce", nil)):                                                                      "nonce: not given",
		encode(with(mines, "mines_count", 0)):                                                                  "mines_count: 0 is out of range: want 1..24",
		encode(with(mines, "mines_count", 25)):                                                                 "mines_count: 25 is out of range: want 1..24",
		encode(with(mines, "bust_tile", 25)):                                                                   "bust_tile: 25 is out of range: want 0..24",
		encode(with(mines, "house_edge_bps", 10_001)):                                                          "house_edge_bps: 10001 is out of range: want 0..10000",
		encode(with(mines, "mines_mask", 1<<32)):                                                               "mines_mask: 4294967296 is out of range: want 0..4294967295",
		encode(with(mines, "revealed_mask", -1)):                                                               "revealed_mask: -1 is out of range",
		encode(with(mines, "stake", "1.0")):                                                                    "stake: ",
		`{"game":"dice","selected":[1]}`:                                                                       "game_seed: not given",
		`{"game":"dice","server_seed":"s","nonce":"1","selected":[1]}`:                                         "client_seed: not given",
		`{"game":"dice","client_seed":"s","nonce":"1","selected":[1]}`:                                         "server_seed: not given",
		`{"game":"dice","server_seed":"s","client_seed":"c","selected":[1]}`:                                   "nonce: not given",
		`{"game":"dice","game_seed":"0"}`:                                                                      "numbers selected: 0 is out of range: want 1..5",
		`{"game":"dice","game_seed":"0","selected":["1"]}`:                                                     "selected: a JSON string: want a whole number",
		`{"game":"dice","game_seed":"0","selected":[1.5]}`:                                                     "selected: a JSON number 1.5: want a whole number",
		`{"game":"hmac-mines","game_seed":"0"}`:                                                                "mines: not given",
		`{"game":"hmac-mines","game_seed":"0","mines":26}`:                                                     "mines: 26 is out of range: want 0..25",
		`{"game":"platforms"}`:                                                                                 "hash: not given",
		`{"game":"rocket","hash":"x"}`:                                                                         "want a hexadecimal number",
		`{"game":"battle","hash":"0000000000000000"}`:                                                          "chances: none",
		`{"game":"battle","hash":"0000000000000000","chances":50}`:                                             "chances: a JSON number: want a list",
		`{"game":"battle","hash":"0000000000000000","chances":[1e999]}`:                                        "chances: a JSON number 1e999: want a number",
		`{"game":"chain","hash":"0"}`:                                                                          "hash of 1 characters",
		`{"game":"chain","hash":"` + strings.Repeat("A", 64) + `"}`:                                            "lower case",
		`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","round":0}`:                                  "round: 0 is out of range: want 1..10000000",
		`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","terminal":"x"}`:                             `terminal: "x": want platform, crash, battle or 64`,
		`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","terminal":"crash","terminal_form":"final"}`: "terminal_form: final: ",
		`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","terminal":"crash","terminal_form":"` + "x\u001b[31m" + `"}`: "not JSON",
		`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","terminal":"crash","terminal_form":"\u001b[31m"}`:            `terminal_form: "\x1b[31m": want`,
	} {
		a := askLine(t, line)
		got, _ := a["error"].(string)
		if !strings.Contains(got, want) || len(got) > 400 {
			t.Errorf("%.200s: error %q, want %q", line, got, want)
		}
		if winner, ok := a["winner"]; ok && winner != -1.0 {
			t.Errorf("%s: winner %v with an error", line, winner)
		}
	}
}

func TestNumbersAreExact(t *testing.T) {
	for _, nonce := range []any{"18446744073709551615", json.Number("9007199254740992"), "007"} {
		if a := ask(t, with(won(t), "nonce", nonce)); a["error"] != nil {
			t.Errorf("nonce %v: %v", nonce, a["error"])
		}
	}
	many := with(won(t), "mines_count", 20)
	a, b := ask(t, with(many, "nonce", "9007199254740992")), ask(t, with(many, "nonce", "9007199254740993"))
	if fmt.Sprint(a["tiles"]) == fmt.Sprint(b["tiles"]) {
		t.Error("two nonces above 2^53 are one")
	}
}

// Strings of any kind come out as JSON that means the same.
func TestAppendString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"\"\\\x00\x7f\u2028😀", "\xff\xfe", ""})).Draw(t, "s")
		var back string
		if err := json.Unmarshal(appendString(nil, s), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && len(s) > 2 {
			t.Fatalf("%q became %s: %v", s, appendString(nil, s), err)
		}
	})
}

// Every field is known by its name, and only once.
func TestCheckKeys(t *testing.T) {
	for name := range fieldNumbers() {
		line := fmt.Sprintf(`{ "x\\\"{[,": [{"a":1,"a":2},"]"] , "%s" : "\\\\" }`, name)
		if err := checkKeys([]byte(line)); err == nil || !strings.Contains(err.Error(), "unknown field") {
			t.Errorf("%s: %v", line, err)
		}
		line = fmt.Sprintf(`{ "%s" : [{"a":1,"a":2},"]\\\""] }`, name)
		if err := checkKeys([]byte(line)); err != nil {
			t.Errorf("%s: %v", line, err)
		}
		line = fmt.Sprintf(`{"%s":"\\\\","%s":null}`, name, name)
		if err := checkKeys([]byte(line)); err == nil || !strings.Contains(err.Error(), "twice") {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, name := range Fields() {
		if _, ok := fieldNumbers()[name]; !ok {
			t.Errorf("there is no field %s", name)
		}
	}
	if n := len(fieldNumbers()); n != len(Fields())+3 || n > 64 { // game, and the two lists, whose errors are of another form
		t.Errorf("%d fields", n)
	}
}

// FuzzLine asks for an answer in JSON to anything.
func FuzzLine(f *testing.F) {
	for _, line := range benchLines() {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"game":"chain","hash":"` + strings.Repeat("a", 64) + `","round":3,"terminal":"crash"}`))
	rules := verify.DefaultRules()
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := ParseRequest(line)
		if err == nil && r.Game == gameChain && len(r.Round.text()) != 1 {
			t.Skip("takes seconds")
		}
		a := answerLine(line, &rules)
		var answer object
		if err := json.Unmarshal(a.AppendJSON(nil), &answer); err != nil {
			t.Fatalf("%q: %s: %v", line, a.AppendJSON(nil), err)
		}
		if _, ok := answer["error"]; !ok || (answer["error"] != nil) != (a.Err != nil) {
			t.Fatalf("%q: %v", line, answer)
		}
		if a.outcome == nil {
			return
		}
		var text strings.Builder
		if err := a.WriteJSON(&text, r, &rules, true); err != nil || !json.Valid([]byte(text.String())) {
			t.Fatalf("%q: %s, %v", line, text.String(), err)
		}
	})
}

package simchain

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

// someChain is a chain of a few hundred transactions, the newest not yet final.
func someChain(t testing.TB) *Chain {
	t.Helper()
	c := newChain(t, Config{Seed: 5, Games: 0, GamesPerSlot: 5, FinalitySlots: 8})
	advance(t, c, 60)
	return c
}

func TestSimpleMethods(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	if got := get[string](t, s, "getHealth", ""); got != "ok" {
		t.Errorf("health %q", got)
	}
	if got := get[string](t, s, "getGenesisHash", ""); got != c.Genesis() {
		t.Errorf("genesis %q", got)
	}
	if got := get[map[string]any](t, s, "getVersion", ""); got["solana-core"] == nil {
		t.Errorf("version %v", got)
	}
	tip, final := c.Slot(), c.FinalizedSlot()
	if tip <= final {
		t.Fatalf("confirmed slot %d, finalized slot %d", tip, final)
	}
	for level, want := range map[string]uint64{"processed": tip, "confirmed": tip, "finalized": final} {
		if got := get[uint64](t, s, "getSlot", fmt.Sprintf(`[{"commitment":%q}]`, level)); got != want {
			t.Errorf("getSlot %s: %d, want %d", level, got, want)
		}
	}
	if got := get[uint64](t, s, "getSlot", ""); got != final {
		t.Errorf("getSlot without commitment: %d, want the finalized %d", got, final)
	}
	high, low := get[uint64](t, s, "getBlockHeight", `[{"commitment":"confirmed"}]`), get[uint64](t, s, "getBlockHeight", "")
	if between := c.ledger.tip(confirmed) - c.ledger.tip(finalized); high-low != uint64(between) {
		t.Errorf("heights %d and %d, but %d blocks lie between", high, low, between)
	}
	if got := get[uint64](t, s, "getFirstAvailableBlock", ""); got != firstSlot {
		t.Errorf("first available block %d", got)
	}
}

func TestProtocolErrors(t *testing.T) {
	s := serve(t, someChain(t))
	for _, tt := range []struct{ body, want string }{
		{`{"jsonrpc":"2.0","id":1,"method":"getSlot"`, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`},
		{``, `{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null}`},
		{`[]`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}`},
		{`{"id":7,"method":"getHealth"}`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":7}`},
		{`"getHealth"`, `{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null}`},
		{`{"jsonrpc":"2.0","id":"x","method":"getHealt"}`, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":"x"}`},
		{`{"jsonrpc":"2.0","id":1,"method":"logsSubscribe","params":["all"]}`, `{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":1}`},
		{`{"jsonrpc":"2.0","id":18446744073709551615,"method":"getHealth"}`, `{"jsonrpc":"2.0","result":"ok","id":18446744073709551615}`},
		{`{"jsonrpc":"2.0","method":"getHealth"}`, ``}, // a notification has no answer
		{
			` [{"jsonrpc":"2.0","id":1,"method":"getHealth"},5,{"jsonrpc":"2.0","id":2,"method":"no"}]`,
			`[{"jsonrpc":"2.0","result":"ok","id":1},{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"},"id":null},` +
				`{"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":2}]`,
		},
	} {
		if status, got := post(t, s, tt.body); status != http.StatusOK || got != tt.want {
			t.Errorf("%s\nanswers %d %s\nwant    %s", tt.body, status, got, tt.want)
		}
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for path, want := range map[string]int{"/": http.StatusMethodNotAllowed, "/health": http.StatusOK} {
		resp, err := client.Get(s.RPCURL + path)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("GET %s: %d, want %d", path, resp.StatusCode, want)
		}
	}
}

func TestBadParameters(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	program := c.Program()
	for _, tt := range [][2]string{
		{"getSlot", `[{"commitment":"certain"}]`},
		{"getSlot", `{"commitment":"confirmed"}`},
		{"getBlock", `["x"]`},
		{"getBlock", `[250000001,{"transactionDetails":"full"}]`},
		{"getBlock", `[250000001,{"transactionDetails":"signatures","commitment":"processed"}]`},
		{"getSignaturesForAddress", `[]`},
		{"getSignaturesForAddress", `["abc"]`},
		{"getSignaturesForAddress", `["` + program + `",{"limit":0}]`},
		{"getSignaturesForAddress", `["` + program + `",{"limit":1001}]`},
		{"getSignaturesForAddress", `["` + program + `",{"commitment":"processed"}]`},
		{"getSignaturesForAddress", `["` + program + `",{"before":"abc"}]`},
		{"getTransaction", `["` + program + `"]`},
		{"getTransaction", `[]`},
		{"getSignatureStatuses", `["x"]`},
		{"getAccountInfo", `["0"]`},
	} {
		mustFail(t, s, -32602, tt[0], tt[1])
	}
}

func TestMinContextSlot(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	params := fmt.Sprintf(`[%q,{"minContextSlot":%d}]`, c.Program(), c.FinalizedSlot()+1)
	a := mustFail(t, s, -32016, "getSignaturesForAddress", params)
	if want := fmt.Sprintf(`{"contextSlot":%d}`, c.FinalizedSlot()); string(a.Error.Data) != want {
		t.Errorf("data %s, want %s", a.Error.Data, want)
	}
	for c.FinalizedSlot() <= firstSlot+60 {
		advance(t, c, 1)
	}
	if a := ask(t, s, "getSignaturesForAddress", params); a.Error != nil {
		t.Errorf("the slot is reached, and still %+v", a.Error)
	}
}

func TestBlocks(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	skipped := 0
	for slot := uint64(firstSlot + 1); slot <= c.FinalizedSlot(); slot++ {
		params := fmt.Sprintf(`[%d,{"transactionDetails":"signatures","rewards":false}]`, slot)
		b := c.ledger.block(slot)
		if b == nil {
			skipped++
			mustFail(t, s, -32007, "getBlock", params)
			mustFail(t, s, -32007, "getBlockTime", fmt.Sprintf(`[%d]`, slot))
			continue
		}
		got := get[blockAnswer](t, s, "getBlock", params)
		if got.ParentSlot != b.parent || got.BlockTime != b.time || len(*got.Signatures) != len(b.txs) {
			t.Fatalf("slot %d: %+v", slot, got)
		}
		if at := get[int64](t, s, "getBlockTime", fmt.Sprintf(`[%d]`, slot)); at != b.time {
			t.Fatalf("slot %d: time %d, want %d", slot, at, b.time)
		}
	}
	if skipped == 0 {
		t.Fatal("no slot was skipped")
	}
	mustFail(t, s, -32001, "getBlock", fmt.Sprintf(`[%d]`, firstSlot-1))
	newest := c.Slot()
	mustFail(t, s, -32004, "getBlock", fmt.Sprintf(`[%d,{"transactionDetails":"none"}]`, newest))
	get[blockAnswer](t, s, "getBlock", fmt.Sprintf(`[%d,{"transactionDetails":"none","commitment":"confirmed"}]`, newest))
	mustFail(t, s, -32004, "getBlockTime", fmt.Sprintf(`[%d]`, newest+1))
}

// list pages through an account's signatures, newest first.
func list(t testing.TB, s *Server, address, level string, limit int) []signatureInfo {
	t.Helper()
	var all []signatureInfo
	for {
		before := ""
		if len(all) > 0 {
			before = `,"before":"` + all[len(all)-1].Signature + `"`
		}
		page := get[[]signatureInfo](t, s, "getSignaturesForAddress",
			fmt.Sprintf(`[%q,{"commitment":%q,"limit":%d%s}]`, address, level, limit, before))
		all = append(all, page...)
		if len(page) < limit {
			return all
		}
	}
}

func TestSignatureLists(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	for level, tip := range map[string]uint64{"confirmed": c.Slot(), "finalized": c.FinalizedSlot()} {
		var want []string
		for _, b := range c.ledger.blocks {
			for _, tx := range b.txs {
				if tx.slot <= tip && tx.layout != foreignOnly {
					want = append(want, tx.name())
				}
			}
		}
		slices.Reverse(want)
		for _, limit := range []int{1000, 7} {
			var got []string
			for _, info := range list(t, s, c.Program(), level, limit) {
				got = append(got, info.Signature)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%s, pages of %d: %d signatures, want %d, or another order", level, limit, len(got), len(want))
			}
		}
	}
}

func TestSignatureListEntries(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	failed := 0
	for _, info := range list(t, s, c.Program(), "confirmed", 1000) {
		sig, _ := parseSignature(info.Signature)
		tx, _ := c.ledger.find(sig)
		wantStatus := "confirmed"
		if tx.slot <= c.FinalizedSlot() {
			wantStatus = "finalized"
		}
		if info.Slot != tx.slot || info.BlockTime != c.ledger.block(tx.slot).time || info.ConfirmationStatus != wantStatus || string(info.Err) != tx.errJSON() {
			t.Fatalf("entry %+v of transaction in slot %d, error %s", info, tx.slot, tx.errJSON())
		}
		if string(info.Err) != "null" {
			failed++
		}
	}
	if failed == 0 {
		t.Fatal("no failed transaction in the list")
	}
}

func TestSignatureListBounds(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	all := list(t, s, c.Program(), "finalized", 1000)
	page := func(bounds string) []signatureInfo {
		return get[[]signatureInfo](t, s, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"limit":20%s}]`, c.Program(), bounds))
	}
	if got := page(fmt.Sprintf(`,"until":%q`, all[5].Signature)); len(got) != 5 || got[4].Signature != all[4].Signature {
		t.Errorf("until the sixth: %d entries", len(got))
	}
	if got := page(fmt.Sprintf(`,"before":%q,"until":%q`, all[2].Signature, all[5].Signature)); len(got) != 2 || got[0].Signature != all[3].Signature {
		t.Errorf("between the third and the sixth: %d entries", len(got))
	}
	unknown := solana.Signature{1, 2, 3}.String()
	if got := page(fmt.Sprintf(`,"until":%q`, unknown)); len(got) != 20 || got[0].Signature != all[0].Signature {
		t.Errorf("an unknown until bounds the list: %d entries", len(got))
	}
	mustFail(t, s, -32020, "getSignaturesForAddress", fmt.Sprintf(`[%q,{"before":%q}]`, c.Program(), unknown))
}

func TestListsOfOtherAccounts(t *testing.T) {
	c := playOut(t, newChain(t, Config{Seed: 2, Games: 30, FinalitySlots: 2}))
	s := serve(t, c)
	for _, is := range c.Truth() {
		var names []string
		for _, info := range list(t, s, is.Game, "finalized", 1000) {
			names = append(names, info.Signature)
		}
		if !slices.Contains(names, is.StartSignature) || !slices.Contains(names, is.EndSignature) {
			t.Fatalf("the list of game %s lacks its start or its end", is.Game)
		}
	}
	if len(list(t, s, c.Operator(), "finalized", 1000)) < 50 {
		t.Error("the operator's list is short")
	}
	if got := list(t, s, solana.SystemProgramID.String(), "finalized", 1000); len(got) != 0 {
		t.Error("lists are kept for builtins")
	}
}

// TestTransactions wants the two encodings, decoded by a library, and the list of
// accounts to say the same.
func TestTransactions(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	versions, loaded := map[string]int{}, 0
	for _, b := range c.ledger.blocks {
		for _, tx := range b.txs {
			params := func(encoding string) string {
				return fmt.Sprintf(`[%q,{"commitment":"confirmed","encoding":%q,"maxSupportedTransactionVersion":1}]`, tx.name(), encoding)
			}
			got := get[struct {
				Slot        uint64
				BlockTime   int64
				Version     json.RawMessage
				Transaction []string
				Meta        struct {
					Err             json.RawMessage
					LogMessages     []string
					LoadedAddresses struct{ Writable, Readonly []string }
				}
			}](t, s, "getTransaction", params("base64"))
			if got.Slot != tx.slot || got.BlockTime != b.time || string(got.Meta.Err) != tx.errJSON() ||
				!slices.Equal(got.Meta.LogMessages, c.cast.log(tx).strings()) {
				t.Fatalf("transaction %s: %+v", tx.name(), got)
			}
			versions[string(got.Version)]++
			keys := checkWire(t, tx, got.Transaction[0])
			all := slices.Concat(keys, got.Meta.LoadedAddresses.Writable, got.Meta.LoadedAddresses.Readonly)
			checkMentions(t, c, tx, all)
			checkJSON(t, c, tx, get[jsonTransaction](t, s, "getTransaction", params("json")), keys, all)
			if tx.event != nil && slices.Contains(got.Meta.LoadedAddresses.Writable, tx.game().String()) {
				loaded++
			}
		}
	}
	if loaded == 0 {
		t.Error("no transaction loads its game's account from a table")
	}
	if versions["0"] == 0 || versions[`"legacy"`] < versions["0"] || len(versions) != 2 {
		t.Errorf("versions: %v", versions)
	}
}

// checkWire decodes a transaction with a library and gives its static keys.
func checkWire(t *testing.T, tx *tx, text string) []string {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > 1232 {
		t.Fatalf("a transaction of %d bytes does not fit a packet", len(raw))
	}
	decoded, err := solana.TransactionFromBytes(raw)
	if err != nil {
		t.Fatalf("transaction %s: %v", tx.name(), err)
	}
	again, err := decoded.MarshalBinary()
	if err != nil || string(again) != string(raw) {
		t.Fatalf("transaction %s does not survive a library's round trip: %v", tx.name(), err)
	}
	if decoded.Signatures[0] != solana.Signature(tx.signature) || decoded.Message.AccountKeys[0] != solana.PublicKey(tx.signer) ||
		decoded.Message.IsVersioned() != (tx.version == v0) {
		t.Fatalf("transaction %s: signature, payer or version differ", tx.name())
	}
	var keys []string
	for _, k := range decoded.Message.AccountKeys {
		keys = append(keys, k.String())
	}
	return keys
}

// checkMentions wants the accounts to hold what lists say of the transaction.
func checkMentions(t *testing.T, c *Chain, tx *tx, accounts []string) {
	t.Helper()
	for _, k := range c.ledger.listed(tx) {
		if !slices.Contains(accounts, k.String()) {
			t.Fatalf("transaction %s (layout %d) is listed under %s, which is not among %v", tx.name(), tx.layout, k, accounts)
		}
		if !tx.mentions(c.cast.program, k) {
			t.Fatalf("transaction %s is listed under %s and does not mention it", tx.name(), k)
		}
	}
	if slices.Contains(accounts, c.Program()) != tx.mentions(c.cast.program, c.cast.program) {
		t.Fatalf("transaction %s: the program is among the accounts, or not, unlike what its layout says", tx.name())
	}
}

// jsonTransaction is a transaction in the json encoding.
type jsonTransaction struct {
	Transaction struct {
		Message struct {
			AccountKeys  []string
			Instructions []jsonInstruction
		}
	}
	Meta struct {
		InnerInstructions []struct{ Instructions []jsonInstruction }
	}
}

type jsonInstruction struct {
	ProgramIDIndex int `json:"programIdIndex"`
	Accounts       []int
}

// checkJSON wants the json encoding to have the same accounts, and the program's
// instruction, top-level or inner, to begin with the accounts of its game.
func checkJSON(t *testing.T, c *Chain, tx *tx, answer jsonTransaction, keys, all []string) {
	t.Helper()
	message := answer.Transaction.Message
	if !slices.Equal(message.AccountKeys, keys) {
		t.Fatalf("the json encoding has accounts %v, the base64 encoding %v", message.AccountKeys, keys)
	}
	if tx.layout > gameLayouts {
		return
	}
	list := message.Instructions
	for _, inner := range answer.Meta.InnerInstructions {
		list = append(list, inner.Instructions...)
	}
	for _, in := range list {
		if all[in.ProgramIDIndex] != c.Program() {
			continue
		}
		if all[in.Accounts[0]] != tx.game().String() || all[in.Accounts[1]] != tx.user().String() || all[in.Accounts[2]] != tx.signer.String() {
			t.Fatalf("transaction %s: the program's instruction has accounts %v of %v", tx.name(), in.Accounts, all)
		}
		return
	}
	t.Fatalf("transaction %s (layout %d) does not call the program", tx.name(), tx.layout)
}

func TestTransactionVisibility(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	newest := c.ledger.blocks[c.ledger.tip(confirmed)].txs[0]
	if a := ask(t, s, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, newest.name())); string(a.Result) != "null" {
		t.Errorf("a transaction that is not final is shown as such: %s", a.Result)
	}
	if a := ask(t, s, "getTransaction", fmt.Sprintf(`[%q]`, solana.Signature{9}.String())); string(a.Result) != "null" || a.Error != nil {
		t.Errorf("an unknown transaction: %+v", a)
	}
	mustFail(t, s, -32602, "getTransaction", fmt.Sprintf(`[%q,{"commitment":"processed"}]`, newest.name()))
	for _, b := range c.ledger.blocks {
		for _, tx := range b.txs {
			if tx.version == v0 && tx.slot <= c.FinalizedSlot() {
				mustFail(t, s, -32015, "getTransaction", fmt.Sprintf(`[%q]`, tx.name()))
				get[map[string]any](t, s, "getTransaction", fmt.Sprintf(`[%q,{"maxSupportedTransactionVersion":0}]`, tx.name()))
				return
			}
		}
	}
	t.Fatal("no version-0 transaction")
}

func TestSignatureStatuses(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	newest := c.ledger.blocks[c.ledger.tip(confirmed)].txs[0].name()
	old := c.ledger.blocks[2].txs[0].name()
	got := get[struct {
		Context struct{ Slot uint64 }
		Value   []*statusAnswer
	}](t, s, "getSignatureStatuses", fmt.Sprintf(`[[%q,%q,%q]]`, newest, old, solana.Signature{1}.String()))
	v := got.Value
	if got.Context.Slot != c.Slot() || len(v) != 3 || v[2] != nil {
		t.Fatalf("statuses %+v", got)
	}
	if v[0].ConfirmationStatus != "confirmed" || *v[0].Confirmations != 0 || v[1].ConfirmationStatus != "finalized" || v[1].Confirmations != nil {
		t.Fatalf("statuses %+v and %+v", v[0], v[1])
	}
	advance(t, c, recentBlocks)
	for search, known := range map[string]bool{"false": false, "true": true} {
		a := get[struct{ Value []*statusAnswer }](t, s, "getSignatureStatuses", fmt.Sprintf(`[[%q],{"searchTransactionHistory":%s}]`, old, search))
		if (a.Value[0] != nil) != known {
			t.Errorf("an old signature, search %s: %+v", search, a.Value[0])
		}
	}
	mustFail(t, s, -32602, "getSignatureStatuses", `[[`+strings.TrimSuffix(strings.Repeat(`"`+old+`",`, 257), ",")+`]]`)
}

func TestAccounts(t *testing.T) {
	c := someChain(t)
	s := serve(t, c)
	got := get[struct{ Value *accountAnswer }](t, s, "getAccountInfo", fmt.Sprintf(`[%q,{"encoding":"base64"}]`, c.Program()))
	if got.Value == nil || !got.Value.Executable {
		t.Errorf("the program's account: %+v", got.Value)
	}
	got = get[struct{ Value *accountAnswer }](t, s, "getAccountInfo", fmt.Sprintf(`[%q,{"encoding":"base64"}]`, c.Operator()))
	if got.Value != nil {
		t.Errorf("the operator's wallet: %+v", got.Value)
	}
}

package txjson

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"

	"minesaudit/internal/decode"
)

// The program of the captured answers of testdata, which came from a local node.
const emitter = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"

func captured(t testing.TB, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// one reads a document of one readable transaction.
func one(t testing.TB, text string) Tx {
	t.Helper()
	var p Parser
	txs := p.Parse(text)
	if len(txs) != 1 || txs[0].Problem.Reason != "" {
		t.Fatalf("%.200s gives %+v", text, txs)
	}
	return txs[0]
}

const sample = `{"slot":7,"blockTime":1700000000,"version":"legacy",
 "transaction":{"signatures":["sig","other"],"message":{"header":{},"accountKeys":["a","b","c"],"recentBlockhash":"h",
  "instructions":[{"programIdIndex":1,"accounts":[0,2],"data":"2Z","stackHeight":null},{"programIdIndex":2,"accounts":[],"data":"","stackHeight":1}]}},
 "meta":{"err":null,"status":{"Ok":null},"fee":5000,"logMessages":["one","tw\u006f\n"],"loadedAddresses":{"writable":[],"readonly":[]},
  "innerInstructions":[{"index":1,"instructions":[{"programIdIndex":0,"accounts":[2],"data":"3","stackHeight":2},{"programIdIndex":1,"accounts":[1,1,1],"data":"4","stackHeight":3}]}]}}`

func recorded() Tx {
	return Tx{
		Signature: "sig", Slot: 7, HasSlot: true, BlockTime: 1_700_000_000, HasBlockTime: true,
		Transaction: decode.Transaction{
			Logs: []string{"one", "two\n"}, Keys: []string{"a", "b", "c"},
			Instructions: []decode.Instruction{
				{Outer: 0, Inner: -1, Program: "b", Accounts: 2, Account: "a", Data: "2Z"},
				{Outer: 1, Inner: -1, Program: "c", Height: 1},
				{Outer: 1, Inner: 0, Program: "a", Accounts: 1, Account: "c", Data: "3", Height: 2},
				{Outer: 1, Inner: 1, Program: "b", Accounts: 3, Account: "b", Data: "4", Height: 3},
			},
		},
	}
}

// Every form that holds the record gives the same transaction.
func TestForms(t *testing.T) {
	noSlot := recorded()
	noSlot.HasSlot, noSlot.Slot = false, 0
	logs := Tx{Signature: "sig", Slot: 7, HasSlot: true, Transaction: decode.Transaction{Logs: []string{"x", "y"}, KeysMissing: true, InnerMissing: true}}
	bare := logs
	bare.Signature, bare.Slot, bare.HasSlot = "", 0, false
	failed := logs
	failed.Err = `{"InstructionError":[0,{"Custom":6001}]}`
	bare.StatusMissing = true
	empty, missing := bare, bare
	empty.Logs = nil
	missing.Logs, missing.LogsMissing = nil, true
	frame := func(value string) string {
		return `{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":7},"value":` + value + `},"subscription":14}}`
	}
	const value = `{"signature":"sig","err":null,"logs":["x","y"]}`
	const failure = `{"signature":"sig","err":{"InstructionError":[0,{"Custom":6001}]},"logs":["x","y"]}`
	for name, test := range map[string]struct {
		text string
		want []Tx
	}{
		"result":               {sample, []Tx{recorded()}},
		"numbers as strings":   {strings.NewReplacer(`1700000000`, `"1700000000"`, `:7,`, `:"7",`).Replace(sample), []Tx{recorded()}},
		"reply":                {`{"jsonrpc":"2.0","result":` + sample + `,"id":1}`, []Tx{recorded()}},
		"reply, error null":    {`{"error":null,"result":` + sample + `}`, []Tx{recorded()}},
		"array":                {"[" + sample + "," + value + "]", []Tx{recorded(), with(logs, func(x *Tx) { x.HasSlot, x.Slot = false, 0 })}},
		"batch":                {`[{"id":1,"result":` + sample + `},{"id":2,"result":` + sample + `}]`, []Tx{recorded(), recorded()}},
		"block":                {`{"result":{"blockhash":"h","transactions":[` + strings.Replace(sample, `"slot":7,`, "", 1) + "," + sample + `],"parentSlot":1}}`, []Tx{noSlot, recorded()}},
		"empty block":          {`{"blockhash":"h","transactions":[]}`, nil},
		"notification":         {frame(value), []Tx{logs}},
		"notification, failed": {frame(failure), []Tx{failed}},
		"method last":          {`{"params":{"result":{"value":` + value + `,"context":{"slot":7}}},"method":"logsNotification"}`, []Tx{logs}},
		"logs":                 {`{"logs":["x","y"]}`, []Tx{bare}},
		"logMessages":          {`{"logMessages":["x","y"]}`, []Tx{bare}},
		"lines":                {` [ "x" , "y" ] `, []Tx{bare}},
		"lists of lines":       {`[["x","y"],["x","y"]]`, []Tx{bare, bare}},
		"nothing":              {` [ ] `, nil},
		"lists without lines":  {`[["x","y"],[]]`, []Tx{bare, empty}},
		"logs null":            {`{"logs":null}`, []Tx{missing}},
		"an acknowledgement":   {`{"jsonrpc":"2.0","result":24040,"id":1}`, nil},
		"an unsubscription":    {`{"jsonrpc":"2.0","result":true,"id":1}`, nil},
		"another subscription": {`{"jsonrpc":"2.0","method":"slotNotification","params":{"result":{"parent":1,"root":0,"slot":2},"subscription":1}}`, nil},
		"a ping":               {`{"jsonrpc":"2.0","method":"ping"}`, nil},
	} {
		var p Parser
		for again := range 2 { // the parser's room is used again
			if got := p.Parse(test.text); !equal(got, test.want) {
				t.Errorf("%s, time %d:\n%+v, want\n%+v", name, again, got, test.want)
			}
		}
	}
}

func with(tx Tx, change func(*Tx)) Tx {
	change(&tx)
	return tx
}

func equal(a, b []Tx) bool {
	return slices.EqualFunc(a, b, func(a, b Tx) bool {
		for _, tx := range []*Tx{&a, &b} { // nil or empty is the same
			tx.Text = ""
			tx.Logs = slices.Clip(append([]string{}, tx.Logs...))
			tx.Keys = slices.Clip(append([]string{}, tx.Keys...))
			tx.Instructions = slices.Clip(append([]decode.Instruction{}, tx.Instructions...))
		}
		return reflect.DeepEqual(a, b)
	})
}

// A transaction brings the text that it was read from, alone.
func TestTextOfATransaction(t *testing.T) {
	const log = `{"logs":["x"]}`
	var p Parser
	for text, want := range map[string]string{
		" " + sample + "\n":                              sample,
		`{"result": ` + sample + `}`:                     sample,
		`{"transactions":[{"meta":{}},` + sample + ` ]}`: sample,
		`[ ["a"], ["b" ]]`:                               `["b" ]`,
		`{"method":"logsNotification","params":{"result":{"context":{"slot":7},"value":` + log + ` }}}`: log,
	} {
		if txs := p.Parse(text); len(txs) == 0 || txs[len(txs)-1].Text != want {
			t.Errorf("%s gives %+v, want the text %s", text, txs, want)
		}
	}
}

// What the encodings tell of one transaction of a node is the same.
func TestEncodingsOfANode(t *testing.T) {
	asJSON := one(t, captured(t, "rpc.getTransaction.finalized"))
	if len(asJSON.Logs) != 4 || len(asJSON.Keys) != 2 || len(asJSON.Instructions) != 1 || asJSON.KeysMissing || asJSON.InnerMissing || asJSON.LogsMissing {
		t.Fatalf("%+v", asJSON)
	}
	for _, name := range []string{"rpc.getTransaction.jsonParsed", "rpc.getTransaction.base64"} {
		got := one(t, captured(t, name))
		if got.Signature != asJSON.Signature || got.Slot != asJSON.Slot || !slices.Equal(got.Logs, asJSON.Logs) || !slices.Equal(got.Keys, asJSON.Keys) || got.KeysMissing || got.InnerMissing {
			t.Errorf("%s: %+v\nwant %+v", name, got, asJSON)
		}
		for i, in := range got.Instructions {
			if in.Program != asJSON.Instructions[i].Program || in.Outer != asJSON.Instructions[i].Outer || in.Inner != -1 || in.NoData {
				t.Errorf("%s: instruction %d is %+v, want %+v", name, i, in, asJSON.Instructions[i])
			}
		}
	}
}

func TestCapturedAnswers(t *testing.T) {
	cpi := one(t, captured(t, "emit-cpi.getTransaction"))
	want := decode.Instruction{
		Inner: 0, Program: emitter, Accounts: 1, Account: "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9", Height: 2,
		Data: "wo3Lze1RfWXW8ymMMjyKhG5bwiNcXxmqxph9nJAN1tzrFVPMWyFRHJt6HPWuS8Jsh1KUzH5",
	}
	if len(cpi.Instructions) != 2 || !reflect.DeepEqual(cpi.Instructions[1], want) {
		t.Errorf("%+v", cpi.Instructions)
	}
	finder, err := decode.NewFinder(emitter)
	if err != nil {
		t.Fatal(err)
	}
	// The program called itself with the tag, and not with the account.
	if found := finder.Find(&cpi.Transaction); len(found.Doubts) > 0 || len(found.Calls.List) > 0 || len(found.Calls.Forged) != 1 || !strings.HasPrefix(found.Calls.Forged[0].Why, "signed by AKnL4NNf") {
		t.Errorf("%+v", found)
	}
	if tx := one(t, captured(t, "fail-after-event.getTransaction")); !strings.HasPrefix(tx.Err, `{"InstructionError":`) && !strings.HasPrefix(tx.Err, "{\n") {
		t.Errorf("error %q", tx.Err)
	}
	if tx := one(t, captured(t, "spoof-newline.getTransaction")); !strings.Contains(strings.Join(tx.Logs, ""), "\n") {
		t.Error("the newline inside a line is gone")
	}
	var p Parser
	if txs := p.Parse(captured(t, "rpc.getBlock")); len(txs) != 1 || len(txs[0].Logs) != 4 || txs[0].Signature == "" {
		t.Errorf("a block: %+v", txs)
	}
	for name, reason := range map[string]Reason{
		"rpc.getTransaction.unknown": NotFound, "rpc.unknownMethod": Error, "rpc.getBlock.signatures": NotTx, "rpc.getSignaturesForAddress": NotTx,
	} {
		if txs := p.Parse(captured(t, name)); len(txs) != 1 || txs[0].Problem.Reason != reason {
			t.Errorf("%s: %+v, want %s", name, txs, reason)
		}
	}
}

func TestBinaryOfEveryVersion(t *testing.T) {
	program := solana.MustPublicKeyFromBase58(emitter)
	payer, table, w, ro := solana.PublicKey{9}, solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{3}
	build := func(v solana.MessageVersion, opts ...solana.TransactionOption) string {
		ix := solana.NewInstruction(program, solana.AccountMetaSlice{solana.Meta(w).WRITE(), solana.Meta(ro)}, []byte{1, 2})
		tx, err := solana.NewTransaction([]solana.Instruction{ix}, solana.Hash{}, append(opts, solana.TransactionPayer(payer), solana.TransactionMessageVersion(v))...)
		if err != nil {
			t.Fatal(err)
		}
		tx.Signatures = []solana.Signature{{5}}
		data, err := tx.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	v0 := build(solana.MessageVersionV0, solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {ro, w}}))
	both := fmt.Sprintf(`{"writable":[%q],"readonly":[%q]}`, w, ro)
	for name, test := range map[string]struct {
		body, loaded string
		keys         int
		missing      bool
		account      string
	}{
		"legacy":         {build(solana.MessageVersionLegacy), `null`, 4, false, w.String()},
		"v0":             {v0, both, 4, false, w.String()},
		"v0, not loaded": {v0, `null`, 2, true, ""},
		"v0, half":       {v0, fmt.Sprintf(`{"writable":[%q],"readonly":[]}`, w), 2, true, ""},
		"v1":             {build(solana.MessageVersionV1), `null`, 4, false, w.String()},
	} {
		tx := one(t, `{"slot":7,"meta":{"loadedAddresses":`+test.loaded+`},"transaction":["`+test.body+`","base64"]}`)
		if len(tx.Keys) != test.keys || tx.KeysMissing != test.missing || tx.Signature != (solana.Signature{5}).String() {
			t.Errorf("%s: %+v", name, tx)
		}
		want := decode.Instruction{Inner: -1, Program: emitter, Accounts: 2, Account: test.account, Bytes: []byte{1, 2}}
		if len(tx.Instructions) != 1 || !reflect.DeepEqual(tx.Instructions[0], want) {
			t.Errorf("%s: %+v, want %+v", name, tx.Instructions, want)
		}
	}
}

// Loaded keys count as jsonParsed lists them, and as json does only if there are
// as many as the message asks for.
func TestLoadedKeys(t *testing.T) {
	body := func(keys, lookups, loaded string) string {
		return `{"transaction":{"message":{"accountKeys":` + keys + `,"addressTableLookups":` + lookups +
			`,"instructions":[{"programIdIndex":3,"accounts":[2],"data":"2"}]}},"meta":{"loadedAddresses":` + loaded + `}}`
	}
	const lookups = `[{"accountKey":"t","writableIndexes":[7],"readonlyIndexes":[8]}]`
	for name, test := range map[string]struct {
		text    string
		missing bool
		program string
	}{
		"json":               {body(`["a","b"]`, lookups, `{"writable":["c"],"readonly":["d"]}`), false, "d"},
		"json, none loaded":  {body(`["a","b"]`, lookups, `null`), true, ""},
		"json, one too many": {body(`["a","b"]`, lookups, `{"writable":["c","x"],"readonly":["d"]}`), true, ""},
		"json, unasked":      {body(`["a","b"]`, `null`, `{"writable":["c"],"readonly":["d"]}`), true, ""},
		"jsonParsed":         {body(`[{"pubkey":"a"},{"pubkey":"b"},{"pubkey":"c","source":"lookupTable"},{"signer":false,"pubkey":"d"}]`, lookups, `{"writable":["c"],"readonly":["d"]}`), false, "d"},
		"jsonParsed, a hole": {body(`[{"pubkey":"a"},{"pubkey":"b"},{},{"pubkey":"d"}]`, lookups, `null`), true, "d"},
	} {
		tx := one(t, test.text)
		if tx.KeysMissing != test.missing || tx.Instructions[0].Program != test.program {
			t.Errorf("%s: %+v", name, tx)
		}
	}
}

// Inner instructions without the transaction stand below an unknown one each.
func TestMetaAlone(t *testing.T) {
	tx := one(t, `{"meta":{"logMessages":[],"innerInstructions":[{"index":2,"instructions":[{"programIdIndex":1,"accounts":[],"data":"2","stackHeight":2}]},{"index":0,"instructions":[{"programId":"x","parsed":{},"program":"p","stackHeight":2}]}]}}`)
	want := []decode.Instruction{
		{Outer: 0, Inner: -1, NoData: true, Height: 1},
		{Outer: 0, Inner: 0, Program: "x", NoData: true, Height: 2},
		{Outer: 2, Inner: -1, NoData: true, Height: 1},
		{Outer: 2, Inner: 0, Data: "2", Height: 2},
	}
	if !reflect.DeepEqual(tx.Instructions, want) || !tx.KeysMissing {
		t.Errorf("%+v", tx)
	}
}

func TestProblems(t *testing.T) {
	swap := func(old, with string) string { return strings.Replace(sample, old, with, 1) }
	for text, want := range map[string]Reason{
		``: NotJSON, ` `: NotJSON, `{`: NotJSON, `{}}`: NotJSON, `{} {}`: NotJSON, `nul`: NotJSON, `<html>`: NotJSON, sample[:len(sample)-1]: NotJSON, sample + "]": NotJSON,
		`{"logs":["a` + "\n" + `"]}`: NotJSON, `{"logs":["\x"]}`: NotJSON, `["` + "0123456\t89abcdef" + `"]`: NotJSON, `["` + "0123456789\x00bcdef" + `"]`: NotJSON, `["a",]`: NotJSON, `{"a":1,}`: NotJSON, `{"logs":[1,]}`: NotJSON, `{"a":01}`: NotJSON, `{"a":1.}`: NotJSON, `{"a":+1}`: NotJSON, `{,}`: NotJSON, `{"a"}`: NotJSON,
		strings.Repeat("[", 100): NotJSON, strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100): NotJSON,
		`{}`: NotTx, `17`: NotTx, `null`: NotTx, `"x"`: NotTx, `{"slot":1}`: NotTx, `[[{}]]`: NotTx, `[[[]]]`: NotTx, `{"result":[{"signature":"x"}]}`: NotTx, `{"result":{"context":{"slot":1},"value":{"logs":["simulated"]}}}`: NotTx,
		`{"params":{"result":{"value":{"logs":[]}}}}`: Form, `{"method":"logsNotification","params":{"result":{}}}`: Form, `{"method":"logsNotification","params":7}`: Form,
		`{"result":null}`: NotFound, `{"error":{"code":-32015,"message":"no"},"id":1}`: Error,
		`{"result":` + sample + `,"result":` + sample + `}`: Form, `{"result":` + sample + `,"error":{}}`: Form, `{"result":` + sample + `,"transactions":[]}`: Form,
		swap(`"slot":7`, `"slot":-1`): Form, swap(`"slot":7`, `"slot":{}`): Form, swap(`1700000000`, `1.5`): Form, swap(`1700000000`, `""`): Form, swap(`1700000000`, `1,"blockTime":2`): Form, swap(`"slot":7`, `"slot":7,"slot":7`): Form, swap(`"slot":7`, `"slot":18446744073709551616`): Form,
		swap(`"logMessages":[`, `"logMessages":[1,`): Form, swap(`"logMessages":[`, `"logMessages":["forged"],"logMessages":[`): Form, swap(`["one","tw\u006f\n"]`, `"x"`): Form,
		swap(`"err":null`, `"err":null,"err":{}`): Form, swap(`{"slot":7`, `{"err":"x","slot":7`): Form, swap(`{"slot":7`, `{"signature":"x","slot":7`): Form, swap(`{"slot":7`, `{"logs":[],"slot":7`): Form,
		swap(`"programIdIndex":1`, `"programIdIndex":1,"programIdIndex":2`): Form, swap(`"programIdIndex":1`, `"programIdIndex":1,"programId":"x"`): Form, swap(`"programIdIndex":1`, `"programIdIndex":70000`): Form,
		swap(`"index":1`, `"index":2`): Form, swap(`"index":1`, `"index":0,"index":1`): Form, swap(`"index":1,`, ``): Form, swap(`"accountKeys"`, `"accountKeys":[],"accountKeys"`): Form, swap(`["a","b"`, `["a",1`): Form,
		swap(`"stackHeight":2`, `"stackHeight":"x"`): Form, swap(`"accounts":[2]`, `"accounts":[-1]`): Form, swap(`"message":`, `"message":{},"message":`): Form, swap(`"innerInstructions":`, `"innerInstructions":[],"innerInstructions":`): Form,
		swap(`"meta":{`, `"meta":{},"meta":{`): Form, `{"meta":7}`: Form, `{"transaction":7}`: Form, `{"transaction":["a"]}`: Form, `{"transactions":{}}`: Form, `{"transactions":[7]}`: Form,
	} {
		var p Parser
		txs := p.Parse(text)
		if len(txs) != 1 || txs[0].Problem.Reason != want || txs[0].Problem.Detail == "" {
			t.Errorf("%.100s gives %+v, want %s", text, txs, want)
			continue
		}
		if txs[0].Logs != nil || txs[0].Instructions != nil {
			t.Errorf("%.100s: %+v beside its problem", text, txs[0])
		}
	}
}

// One transaction of a block that cannot be read costs no other.
func TestProblemInABlock(t *testing.T) {
	var p Parser
	txs := p.Parse(`{"transactions":[{"meta":{"logMessages":["a"]}},{"meta":{"logMessages":7},"transaction":{"signatures":["sig"]}},{"meta":{"logMessages":["b"]}}]}`)
	if len(txs) != 3 || txs[0].Logs[0] != "a" || txs[1].Problem.Reason != Form || txs[1].Signature != "sig" || txs[2].Logs[0] != "b" {
		t.Errorf("%+v", txs)
	}
}

// Bodies that cannot be read leave the log as it is.
func TestUnreadableBodies(t *testing.T) {
	for _, body := range []string{
		`null`, `"x"`, `["","base64"]`, `["!","base64"]`, `["AQ==","base64"]`, `["gQ==","base64"]`, `["/////w==","base64"]`, `["KLUv","base64+zstd"]`, `["` + strings.Repeat("z", 100_000) + `","base58"]`, `{}`, `{"signatures":[]}`,
	} {
		tx := one(t, `{"slot":7,"transaction":`+body+`,"meta":{"logMessages":["x"],"innerInstructions":[]}}`)
		if !tx.KeysMissing || len(tx.Logs) != 1 || tx.Signature != "" {
			t.Errorf("%.50s: %+v", body, tx)
		}
	}
}

// Whether text is JSON, and what its strings are, is what encoding/json says.
func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add(`{"logs":["a\u0000\ud83e\udd80\ud83e\"\\\/\b\f\n\r\t","é"],"x":[-1.5e+7,0,true,false,null,{}]}`)
	f.Add("[\"0123456789\x1fabcdef\",]")
	f.Add(`["\ud800\u0041","\udc00"]`)
	f.Add(`{"result":{"transactions":[{"transaction":["AQ==","base64"],"meta":null}]}}`)
	f.Add(`{"method":"logsNotification","params":{"result":{"context":{"slot":1},"value":{"signature":"x","err":null,"logs":[]}}}}`)
	for _, name := range []string{"emit-cpi.getTransaction", "rpc.getBlock", "rpc.getTransaction.base64", "rpc.getTransaction.jsonParsed"} {
		f.Add(captured(f, name))
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p Parser
		txs := p.Parse(text)
		broken := len(txs) == 1 && txs[0].Problem.Reason == NotJSON
		if deep := broken && strings.Contains(txs[0].Problem.Detail, "nested"); broken == json.Valid([]byte(text)) && !deep {
			t.Fatalf("%q is taken for JSON: %v", text, !broken)
		}
		if strings.ToValidUTF8(text, "") == text {
			compareLines(t, text, txs)
		}
		first := slices.Clone(txs)
		if again := p.Parse(text); !equal(first, again) {
			t.Fatalf("%q gives %+v, then %+v", text, first, again)
		}
		if !broken {
			compareStream(t, text, first)
		}
	})
}

func compareLines(t *testing.T, text string, txs []Tx) {
	var want []string
	if json.Unmarshal([]byte(text), &want) != nil || len(want) == 0 || strings.Contains(text, "null") {
		return
	}
	if len(txs) != 1 || !slices.Equal(txs[0].Logs, want) {
		t.Fatalf("%q gives %+v, want %q", text, txs, want)
	}
}

// compareStream asks that a reader gives what the parser does.
func compareStream(t *testing.T, text string, want []Tx) {
	var got []Tx
	r := NewReader(strings.NewReader(text))
	for {
		txs, err := r.Next()
		if err != nil {
			break
		}
		for _, tx := range txs {
			tx.Line = 0
			got = append(got, tx)
		}
	}
	if !equal(got, want) {
		t.Fatalf("%q gives a reader %+v, want %+v", text, got, want)
	}
}

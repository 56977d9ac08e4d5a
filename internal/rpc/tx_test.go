package rpc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
)

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// captured serves one captured JSON-RPC answer.
func captured(t *testing.T, file string) *Client {
	t.Helper()
	node := newFakeNode(t, scripted{body: string(readFile(t, filepath.Join("testdata", file)))})
	return newTestClient(t, node.URL)
}

func key(t *testing.T, text string) [32]byte {
	t.Helper()
	k, err := ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestCapturedAnswers(t *testing.T) {
	ctx := t.Context()
	if hash, err := captured(t, "rpc.getGenesisHash.json").GenesisHash(ctx); err != nil || KeyString(hash) != strings.Repeat("1", 32) {
		t.Errorf("genesis %x, %v", hash, err)
	}
	if slot, err := captured(t, "rpc.getSlot.json").Slot(ctx, Confirmed); err != nil || slot != 132 {
		t.Errorf("slot %d, %v", slot, err)
	}
	if v, err := captured(t, "rpc.getVersion.json").Version(ctx); err != nil || v != "4.0.0" {
		t.Errorf("version %s, %v", v, err)
	}
	if slot, err := captured(t, "rpc.getFirstAvailableBlock.json").FirstAvailableBlock(ctx); err != nil || slot != 0 {
		t.Errorf("first block %d, %v", slot, err)
	}
	if p, err := captured(t, "rpc.getAccountInfo.program.json").ProgramExists(ctx, testProgram); err != nil || p != (Program{true, true, 135}) {
		t.Errorf("program %+v, %v", p, err)
	}
	if _, err := captured(t, "rpc.getTransaction.unknown.json").Transaction(ctx, testSig(1), Finalized); !errors.Is(err, NotFound) {
		t.Errorf("unknown transaction: %v", err)
	}
	if _, err := captured(t, "rpc.unknownMethod.json").Slot(ctx, Confirmed); !errors.Is(err, Invalid) {
		t.Errorf("unknown method: %v", err)
	}
	page, err := captured(t, "rpc.getSignaturesForAddress.json").Signatures(ctx, testProgram, SignaturesOpts{})
	if err != nil || len(page) != 22 {
		t.Fatalf("%d signatures, %v", len(page), err)
	}
	failed := 0
	for i, s := range page {
		if !s.HasBlockTime || s.BlockTime < 1795976000 || i > 0 && s.Slot > page[i-1].Slot {
			t.Errorf("line %d: %+v", i, s)
		}
		if s.Err != nil {
			failed++
		}
	}
	if failed == 0 || failed == len(page) {
		t.Errorf("%d of %d failed", failed, len(page))
	}
}

// The three encodings of one transaction differ only in how its body is written.
func TestEncodingsAgree(t *testing.T) {
	var all []*Tx
	for _, file := range []string{"rpc.getTransaction.base64.json", "rpc.getTransaction.jsonParsed.json", "ok.getTransaction.json"} {
		var a struct{ Result json.RawMessage }
		if err := json.Unmarshal(readFile(t, filepath.Join("testdata", file)), &a); err != nil {
			t.Fatal(err)
		}
		tx, err := ParseTransaction(a.Result)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		tx.BlockTime, tx.HasBlockTime = 0, false // the first answer came before the block's time was known
		all = append(all, tx)
	}
	want := [][32]byte{key(t, "AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9"), key(t, testProgram)}
	for i, tx := range all {
		if !reflect.DeepEqual(tx, all[0]) {
			t.Errorf("%d: %+v\nwant %+v", i, tx, all[0])
		}
	}
	if !reflect.DeepEqual(all[0].Accounts, want) || all[0].Slot != 81 || len(all[0].Logs) != 4 {
		t.Errorf("%+v", all[0])
	}
	sig := SignatureString(all[0].Signature)
	if sig != "vcWkMaCu5zBDhdYQMRbpZa36kEEgrzqfKNJxa913MJxa78MfbJtUfgyCuE5BCDdC9Kcfpq48gHrs9qEoL83SnaE" {
		t.Errorf("signature %s", sig)
	}
	tx, err := captured(t, "rpc.getTransaction.base64.json").Transaction(t.Context(), all[0].Signature, Finalized)
	if err != nil || tx.BlockTime != 1795976182 || !tx.HasBlockTime {
		t.Errorf("%+v, %v", tx, err)
	}
}

// A notification and the record tell the same of one transaction.
func TestCapturedNotificationsEqualTheRecord(t *testing.T) {
	for _, name := range []string{"ok", "ok-v0", "fail-plain", "truncated-midway", "spoof-newline", "multi-field"} {
		var frames []json.RawMessage
		if err := json.Unmarshal(readFile(t, "testdata/"+name+".logsNotification.json"), &frames); err != nil {
			t.Fatal(err)
		}
		var record struct{ Result json.RawMessage }
		if err := json.Unmarshal(readFile(t, "testdata/"+name+".getTransaction.json"), &record); err != nil {
			t.Fatal(err)
		}
		want, err := ParseTransaction(record.Result)
		if err != nil {
			t.Fatal(err)
		}
		want.Accounts, want.BlockTime, want.HasBlockTime = nil, 0, false
		for _, raw := range frames {
			f, err := readFrame(raw)
			if err != nil || f.kind != frameLogs || !reflect.DeepEqual(f.tx, want) {
				t.Errorf("%s: %+v, %v\nwant %+v", name, f.tx, err, want)
			}
		}
		if failed := name == "fail-plain"; failed != (want.Err != nil) {
			t.Errorf("%s: err %s", name, want.Err)
		}
		if name == "spoof-newline" && !strings.Contains(strings.Join(want.Logs, ""), "\n") {
			t.Error("the newline inside a line is gone")
		}
	}
}

func TestTransactionVersionsAndTables(t *testing.T) {
	program := solana.MustPublicKeyFromBase58(testProgram)
	payer := solana.PublicKeyFromBytes([]byte(strings.Repeat("p", 32)))
	table, w, ro := solana.PublicKey{1}, solana.PublicKey{2}, solana.PublicKey{3}
	build := func(v solana.MessageVersion, opts ...solana.TransactionOption) string {
		ix := solana.NewInstruction(program, solana.AccountMetaSlice{solana.Meta(w).WRITE(), solana.Meta(ro)}, []byte{1})
		tx, err := solana.NewTransaction([]solana.Instruction{ix}, solana.Hash{}, append(opts, solana.TransactionPayer(payer), solana.TransactionMessageVersion(v))...)
		if err != nil {
			t.Fatal(err)
		}
		tx.Signatures = []solana.Signature{testSig(3)}
		data, err := tx.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		return base64.StdEncoding.EncodeToString(data)
	}
	tables := solana.TransactionAddressTables(map[solana.PublicKey]solana.PublicKeySlice{table: {ro, w}})
	legacy := build(solana.MessageVersionLegacy)
	v0 := build(solana.MessageVersionV0, tables)
	v1 := build(solana.MessageVersionV1)
	loadedBoth := fmt.Sprintf(`{"writable":[%q],"readonly":[%q]}`, w, ro)
	cases := map[string]struct {
		body, version, loaded string
		want                  [][32]byte
	}{
		"legacy":                {legacy, `"legacy"`, `{"writable":[],"readonly":[]}`, [][32]byte{payer, w, ro, program}},
		"legacy, older node":    {legacy, `"legacy"`, `null`, [][32]byte{payer, w, ro, program}},
		"v0 with tables":        {v0, `0`, loadedBoth, [][32]byte{payer, program, w, ro}},
		"v0 without their keys": {v0, `0`, `null`, nil},
		"v0, key unreadable":    {v0, `0`, `{"writable":["x"],"readonly":["y"]}`, nil},
		"v1":                    {v1, `1`, `null`, [][32]byte{payer, w, ro, program}},
		"v1, version not told":  {v1, `null`, `null`, [][32]byte{payer, w, ro, program}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			node := newFakeNode(t, result(fmt.Sprintf(
				`{"slot":7,"blockTime":null,"version":%s,"transaction":[%q,"base64"],"meta":{"err":null,"logMessages":null,"loadedAddresses":%s}}`,
				tc.version, tc.body, tc.loaded)))
			tx, err := newTestClient(t, node.URL).Transaction(t.Context(), testSig(3), Finalized)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(tx.Accounts, tc.want) {
				t.Errorf("accounts %v\nwant %v", tx.Accounts, tc.want)
			}
			if !tx.LogsMissing || tx.Logs != nil || tx.StatusMissing {
				t.Errorf("null logs: %+v", tx)
			}
		})
	}
}

func TestUnreadableBodyKeepsTheRest(t *testing.T) {
	for _, body := range []string{
		`null`, `"x"`, `["","base64"]`, `["!","base64"]`, `["AQ==","base64"]`, `["gQ==","base64"]`, `["/////w==","base64"]`,
		`["KLUv","base64+zstd"]`, `["abc"]`, `{"signatures":[]}`, `{"signatures":["x"]}`, `[1,2]`,
	} {
		answer := `{"slot":7,"blockTime":8,"transaction":` + body + `,"meta":{"err":{"InstructionError": [0, "X"]},"logMessages":[]}}`
		node := newFakeNode(t, result(answer))
		tx, err := newTestClient(t, node.URL).Transaction(t.Context(), testSig(3), Finalized)
		want := &Tx{
			Signature: testSig(3), Slot: 7, BlockTime: 8, HasBlockTime: true,
			Err: []byte(`{"InstructionError":[0,"X"]}`), Logs: []string{}, Answer: answer,
		}
		if err != nil || !reflect.DeepEqual(tx, want) {
			t.Errorf("%s: %+v, %v", body, tx, err)
		}
	}
}

func TestMissingMetaIsNotSuccess(t *testing.T) {
	tx, err := ParseTransaction([]byte(`{"slot":7,"meta":null,"transaction":null}`))
	if !errors.Is(err, ErrNoSignature) || !tx.StatusMissing || !tx.LogsMissing {
		t.Errorf("%+v, %v", tx, err)
	}
}

const fixtures = "../../../shared/fixtures"

func TestRealTransactions(t *testing.T) {
	var manifest struct {
		Txs []struct{ ID, Form, File string }
	}
	data, err := os.ReadFile(fixtures + "/manifest.json")
	if err != nil {
		t.Skip("no real transactions here (../shared/fixtures): ", err)
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, entry := range manifest.Txs {
		raw := readFile(t, filepath.Join(fixtures, entry.File))
		switch entry.Form {
		case "getTransaction":
			if strings.Contains(string(raw[:40]), `"blockTime":"`) {
				continue // a converter wrote its numbers as text: no node does
			}
			tx, err := ParseTransaction(raw)
			if err != nil || len(tx.Logs) == 0 || !tx.HasBlockTime || len(tx.Accounts) == 0 {
				t.Errorf("%s: %v, %d accounts", entry.ID, err, len(tx.Accounts))
			}
			read++
		case "logsNotification":
			f, err := readFrame(raw)
			if err != nil || f.kind != frameLogs || len(f.tx.Logs) == 0 {
				t.Errorf("%s: %v", entry.ID, err)
			}
			read++
		}
	}
	if read < 20 {
		t.Errorf("only %d read", read)
	}
}

func TestRealSignaturePages(t *testing.T) {
	data, err := os.ReadFile(fixtures + "/rpc-extras/getSignaturesForAddress.json")
	if err != nil {
		t.Skip("no real answers here (../shared/fixtures): ", err)
	}
	var pages []struct{ Response json.RawMessage }
	if err := json.Unmarshal(data, &pages); err != nil {
		t.Fatal(err)
	}
	for i, p := range pages {
		node := newFakeNode(t, scripted{body: string(p.Response)})
		infos, err := newTestClient(t, node.URL).Signatures(t.Context(), testProgram, SignaturesOpts{})
		if err != nil {
			t.Errorf("page %d: %v", i, err)
		}
		for _, info := range infos {
			if info.Slot == 0 || info.Signature == ([64]byte{}) {
				t.Errorf("page %d: %+v", i, info)
			}
		}
	}
}

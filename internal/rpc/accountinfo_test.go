package rpc

import (
	"encoding/base64"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestAccountInfo(t *testing.T) {
	owner, err := ParseKey(testProgram)
	if err != nil {
		t.Fatal(err)
	}
	node := newFakeNode(t,
		result(`{"context":{"slot":9},"value":null}`),
		result(`{"context":{"slot":10},"value":{"owner":"`+testProgram+`","data":["AQID","base64"],"lamports":1,"executable":false,"rentEpoch":18446744073709551615}}`),
		result(`{"context":{"slot":11},"value":{"owner":"`+testProgram+`","data":["","base64"]}}`))
	c := newTestClient(t, node.URL)
	for i, want := range []Account{
		{Slot: 9},
		{Exists: true, Owner: owner, Data: []byte{1, 2, 3}, Slot: 10},
		{Exists: true, Owner: owner, Data: []byte{}, Slot: 11},
	} {
		if got, err := c.AccountInfo(t.Context(), owner, Confirmed); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("answer %d: %+v, %v", i, got, err)
		}
	}
	asked := node.asked()[0]
	if got := string(asked.Params[0]) + string(asked.Params[1]); asked.Method != "getAccountInfo" ||
		got != `"`+testProgram+`"{"commitment":"confirmed","encoding":"base64"}` {
		t.Errorf("asked %s %s", asked.Method, got)
	}
}

func TestAccountInfoMalformed(t *testing.T) {
	account := func(owner, data string) string {
		return `{"context":{"slot":9},"value":{"owner":"` + owner + `","data":` + data + `}}`
	}
	for name, test := range map[string]struct{ answer, want string }{
		"no data":          {account(testProgram, "null"), "not in base64"},
		"another encoding": {account(testProgram, `["1111","base58"]`), "not in base64"},
		"parsed":           {`{"context":{"slot":9},"value":{"owner":"x","data":{"parsed":{}}}}`, "not of the documented form"},
		"damaged":          {account(testProgram, `["AQI","base64"]`), "damaged base64"},
		"no owner":         {account("x", `["","base64"]`), "owner is no key"},
		"too long":         {account(testProgram, `["`+base64.StdEncoding.EncodeToString(make([]byte, maxAccount+3))+`","base64"]`), "longer than accounts"},
	} {
		c := newTestClient(t, newFakeNode(t, result(test.answer)).URL)
		if _, err := c.AccountInfo(t.Context(), [32]byte{}, Finalized); !errors.Is(err, Unavailable) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	long := account(testProgram, `["`+base64.StdEncoding.EncodeToString(make([]byte, maxAccount))+`","base64"]`)
	c := newTestClient(t, newFakeNode(t, result(long)).URL)
	if got, err := c.AccountInfo(t.Context(), [32]byte{}, Finalized); err != nil || len(got.Data) != maxAccount {
		t.Errorf("the longest account: %d bytes, %v", len(got.Data), err)
	}
}

package rpc

import (
	"reflect"
	"strings"
	"testing"
)

const someSignature = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"

// A page that is read quickly is what encoding/json makes of it.
func FuzzSignatures(f *testing.F) {
	line := `{"signature":"` + someSignature + `","slot":5,"err":null,"memo":"[3] a\"b","blockTime":7,"confirmationStatus":"finalized"}`
	for _, text := range []string{
		"[]", "[" + line + "," + line + "]", "[" + strings.Replace(line, "null", `{"InstructionError":[0, {"Custom":1}]}`, 1) + "]",
		"[" + strings.Replace(line, "7", "null", 1) + "]", "[" + strings.Replace(line, `"slot":5`, `"slot":18446744073709551615`, 1) + "]",
		"[" + strings.Replace(line, `"slot":5`, `"slot":5,"slot":6`, 1) + "]", "[" + strings.Replace(line, "slot", "Slot", 1) + "]",
		"[" + strings.Replace(line, `"memo"`, `"other":1,"memo"`, 1) + "]", `[{"signature":"x","slot":1}]`, `[{}]`, `[null]`, `{}`, "[" + line, "null", "[" + line + "] ",
		"[" + strings.Replace(line, "7", "-7", 1) + "]", "[" + strings.Replace(line, "7", "7.0", 1) + "]", "[" + strings.Replace(line, "7", `"7"`, 1) + "]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		quick, ok := readSignaturesQuick(text)
		if !ok {
			return
		}
		whole, err := readSignaturesAny([]byte(text))
		if err != nil || !reflect.DeepEqual(quick, whole) {
			t.Errorf("%q\nis read quickly as %+v\nand else as       %+v (%v)", text, quick, whole, err)
		}
	})
}

// What nodes write is read quickly.
func TestSignaturesAreReadQuickly(t *testing.T) {
	t.Parallel()
	text := `[{"blockTime":1700000000,"confirmationStatus":"finalized","err":null,"memo":null,"signature":"` + someSignature + `","slot":9},` +
		`{"signature":"` + someSignature + `","slot":8,"err":{"InstructionError":[2,{"Custom":6001}]},"memo":null,"blockTime":null,"confirmationStatus":"confirmed"}]`
	infos, ok := readSignaturesQuick(text)
	if !ok || len(infos) != 2 || infos[0].Slot != 9 || !infos[0].HasBlockTime || infos[1].HasBlockTime || string(infos[1].Err) != `{"InstructionError":[2,{"Custom":6001}]}` {
		t.Errorf("%+v, %v", infos, ok)
	}
}

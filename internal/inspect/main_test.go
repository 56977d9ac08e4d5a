package inspect

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"minesaudit/internal/decode"
	"minesaudit/internal/emitted"
	"minesaudit/internal/rpc"
	"minesaudit/internal/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the golden files anew")

// The Mines program and the two emitters of the captured answers in testdata.
const (
	minesProgram = "AKkzLhjhyFtM9j7WAhbaqYpFe49cXeJBg2kzLRC2PnNa"
	emitter      = "9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu"
)

func audit(program string) Audit {
	return Audit{Program: program, Profile: "builtin:mines", Rules: verify.DefaultRules(), Events: emitted.Form{Layout: decode.BuiltinLayout()}}
}

// captured reads answers of a real node from testdata.
func captured(t testing.TB, names ...string) []*rpc.Tx {
	t.Helper()
	var txs []*rpc.Tx
	for _, name := range names {
		txs = append(txs, answers1(t, read(t, name+".json"))...)
	}
	return txs
}

func answers1(t testing.TB, text []byte) []*rpc.Tx {
	t.Helper()
	txs, err := ReadAnswers(bytes.NewReader(text), "test")
	if err != nil {
		t.Fatal(err)
	}
	return txs
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func inspectFiles(t testing.TB, program string, txs ...*rpc.Tx) *Result {
	t.Helper()
	r, err := InspectFiles(txs, audit(program))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t testing.TB, r *Result, o TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// failing lists the checks of a case that failed.
func failing(c *Case) []string {
	names := []string{}
	for _, f := range c.Checks {
		if f.Result == verify.ResultFail {
			names = append(names, f.Check.String())
		}
	}
	return names
}

package decode

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Real mainnet transactions, kept outside the repository because they are other
// people's data. Their events are of other programs: attribution is what is
// tested.
const fixtures = "../../../shared/fixtures"

func readFixture(t *testing.T, name string, into any) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(fixtures, name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func needFixtures(t *testing.T) {
	t.Helper()
	if _, err := os.Stat(fixtures); err != nil {
		t.Skipf("the mainnet transactions are not here (../shared/fixtures beside the repository): %v", err)
	}
}

// A judgedEvent is an event that a person found in a log.
type judgedEvent struct {
	Program  string
	Source   string
	LogIndex *int
}

type transaction struct {
	LogMessages []string
	Meta        struct{ LogMessages []string }
	Params      struct {
		Result struct{ Value struct{ Logs []string } }
	}
}

func (x *transaction) logs() []string {
	return slices.Concat(x.LogMessages, x.Meta.LogMessages, x.Params.Result.Value.Logs)
}

func TestMainnetTransactions(t *testing.T) {
	needFixtures(t)
	var manifest struct {
		Txs []struct{ ID, File, Expected string }
	}
	readFixture(t, "manifest.json", &manifest)
	events := 0
	for _, tx := range manifest.Txs {
		t.Run(tx.ID, func(t *testing.T) {
			var x transaction
			readFixture(t, tx.File, &x)
			var expected struct {
				AttributionNotes []string
				Judged           struct{ LogEvents []judgedEvent }
			}
			readFixture(t, tx.Expected, &expected)
			state := LogComplete
			for _, note := range expected.AttributionNotes {
				switch {
				case note == "truncated":
					state = LogTruncated
				case strings.Contains(note, "stack"):
					state = LogUnattributable
				}
			}
			log := x.logs()
			for _, program := range programs(log) {
				got := compare(t, program, log)
				if got.State != state {
					t.Errorf("%s: state %v (%s), want %v", program, got.State, got.Problem, state)
				}
				at := linesOf(got)
				for _, e := range expected.Judged.LogEvents {
					if e.Source != "log-data" {
						continue
					}
					if mine := e.Program == program; slices.Contains(at, *e.LogIndex) != mine {
						t.Errorf("%s: line %d is %s's: taken %v", program, *e.LogIndex, e.Program, !mine)
					}
					events++
				}
			}
		})
	}
	if events == 0 {
		t.Error("no event was compared")
	}
}

func TestDerivedLogs(t *testing.T) {
	needFixtures(t)
	var derived []struct {
		ID, Program string
		Logs        []string
		Judged      []judgedEvent
	}
	readFixture(t, "derived-logs.json", &derived)
	if len(derived) == 0 {
		t.Fatal("no logs")
	}
	// Data lines that are the program's but hold no event that its owner would
	// read: they are taken, and counted as such.
	unreadable := map[string][]int{
		"d-short-payload": {1},
		"d-odd-lines":     {1, 2, 3, 5},
	}
	states := map[string]LogState{"d-trunc-middle": LogTruncated}
	for _, test := range derived {
		t.Run(test.ID, func(t *testing.T) {
			got := compare(t, test.Program, test.Logs)
			want := unreadable[test.ID]
			for _, e := range test.Judged {
				want = append(slices.Clone(want), *e.LogIndex)
			}
			slices.Sort(want)
			if at := linesOf(got); !slices.Equal(at, want) || got.State != states[test.ID] {
				t.Errorf("%v with events at lines %v, want %v at %v", got.State, at, states[test.ID], want)
			}
			for _, e := range got.Events {
				text := strings.TrimPrefix(test.Logs[e.Line], "Program data: ")
				if raw, err := base64.StdEncoding.DecodeString(text); err == nil && string(raw) != string(e.Data) {
					t.Errorf("line %d: data %x, want %x", e.Line, e.Data, raw)
				}
			}
		})
	}
}

func linesOf(log Log) []int {
	var at []int
	for _, e := range log.Events {
		at = append(at, e.Line)
	}
	return at
}

// programs lists every program that a log names in an invocation.
func programs(log []string) []string {
	var ids []string
	for _, text := range log {
		if m := invokePattern.FindStringSubmatch(text); m != nil {
			ids = append(ids, m[1])
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

package claim

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"minesaudit/internal/verify"
)

func runBatch(t *testing.T, in io.Reader) ([]object, Summary) {
	t.Helper()
	rules := verify.DefaultRules()
	var out bytes.Buffer
	summary, err := Batch(in, &out, &rules)
	if err != nil {
		t.Fatal(err)
	}
	var answers []object
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var a object
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		answers = append(answers, a)
	}
	return answers, summary
}

// Answers come in the order of the lines, however long each takes, and errors
// name theirs.
func TestBatchKeepsOrder(t *testing.T) {
	var in strings.Builder
	const lines = 3000
	for i := range lines {
		switch i % 5 {
		case 0:
			fmt.Fprintf(&in, `{"game":"chain","hash":"%s","round":%d,"terminal":"crash"}`, verify.HashText(fmt.Sprint(i)), 1+i%997)
		case 1:
			in.WriteString("broken")
		default:
			fmt.Fprintf(&in, `{"game":"dice","server_seed":"s","client_seed":"c","nonce":"%d","selected":[1]}`, i)
		}
		in.WriteByte('\n')
	}
	for name, reader := range map[string]io.Reader{
		"at once":           strings.NewReader(in.String()),
		"a byte at a time":  iotest.OneByteReader(strings.NewReader(in.String())),
		"without a newline": strings.NewReader(strings.TrimSuffix(in.String(), "\n")),
		"with CR LF":        strings.NewReader(strings.ReplaceAll(in.String(), "\n", "\r\n")),
	} {
		answers, summary := runBatch(t, reader)
		if want := (Summary{Lines: lines, Worked: 1800, Fail: 600, Errors: 600}); len(answers) != lines || summary != want {
			t.Fatalf("%s: %d answers, %+v", name, len(answers), summary)
		}
		for i, a := range answers {
			switch i % 5 {
			case 0:
				if a["game"] != "chain" || a["verdict"] != "fail" {
					t.Fatalf("%s: line %d: %v", name, i+1, a)
				}
			case 1:
				if a["line"] != float64(i+1) || a["error"] == nil {
					t.Fatalf("%s: line %d: %v", name, i+1, a)
				}
			default:
				if a["game_seed"] != verify.GameSeed("s", "c", int64(i)).String() {
					t.Fatalf("%s: line %d: %v", name, i+1, a)
				}
			}
		}
	}
}

func TestBatchOfNothing(t *testing.T) {
	rules := verify.DefaultRules()
	var out bytes.Buffer
	if summary, err := Batch(strings.NewReader(""), &out, &rules); err != nil || summary != (Summary{}) || out.Len() != 0 {
		t.Errorf("%+v, %v, %q", summary, err, out.String())
	}
}

func TestBatchCounts(t *testing.T) {
	line := benchLines()[gameMines]
	_, summary := runBatch(t, strings.NewReader(strings.Join([]string{
		line, line, strings.Replace(line, `"payout":"1`, `"payout":"2`, 1), strings.Replace(line, `,"payout":"1901041666"`, "", 1),
		`{"game":"platforms","hash":"0000000000000000"}`, "",
		`{"game":"battle","hash":"ffffffffffffffff","chances":[100]}`,
	}, "\n")+"\n"))
	if want := (Summary{Lines: 7, Pass: 2, Fail: 1, Inconclusive: 1, Worked: 1, Errors: 2}); summary != want {
		t.Errorf("%+v, want %+v", summary, want)
	}
}

// A line of any length is one line, and only its beginning is held.
func TestBatchLongLines(t *testing.T) {
	filler := strings.Repeat(" ", maxLine-2)
	answers, summary := runBatch(t, io.MultiReader(
		strings.NewReader("{}"+filler+"\n"), // just fits
		strings.NewReader("{} "+filler+"\n"),
		io.LimitReader(zeros{}, 30<<20), strings.NewReader("\n"),
		strings.NewReader(`{"game":"platforms","hash":"0000000000000000"}`+"\n"),
	))
	if summary.Lines != 4 || summary.Errors != 3 {
		t.Fatalf("%+v", summary)
	}
	for i, want := range []string{"game: not given", "line of more than", "line of more than"} {
		if got, _ := answers[i]["error"].(string); !strings.HasPrefix(got, want) || answers[i]["line"] != float64(i+1) {
			t.Errorf("line %d: %v", i+1, answers[i])
		}
	}
	if answers[3]["platform"] == nil {
		t.Errorf("line 4: %v", answers[3])
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// Whoever waits for an answer before the next question gets it.
func TestBatchAnswersAtOnce(t *testing.T) {
	questions, ask := io.Pipe()
	answer, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		rules := verify.DefaultRules()
		_, err := Batch(questions, answers, &rules)
		done <- errors.Join(err, answers.Close())
	}()
	lines := bufio.NewScanner(answer)
	for i := range 50 {
		if _, err := fmt.Fprintf(ask, `{"game":"dice","server_seed":"s","client_seed":"c","nonce":"%d","selected":[1]}`+"\n", i); err != nil {
			t.Fatal(err)
		}
		if !lines.Scan() || !strings.Contains(lines.Text(), verify.GameSeed("s", "c", int64(i)).String()) {
			t.Fatalf("question %d: %q", i, lines.Text())
		}
	}
	if err := ask.Close(); err != nil {
		t.Fatal(err)
	}
	if lines.Scan() {
		t.Errorf("another answer: %q", lines.Text())
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestBatchReadError(t *testing.T) {
	broken := errors.New("broken")
	rules := verify.DefaultRules()
	var out bytes.Buffer
	in := io.MultiReader(strings.NewReader("{}\n{}\n{\"half"), iotest.ErrReader(broken))
	summary, err := Batch(in, &out, &rules)
	if !errors.Is(err, broken) || summary.Lines != 2 || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%v, %+v, %q", err, summary, out.String())
	}
}

// When nobody takes the answers any more, nothing more is read than was on its
// way.
func TestBatchWriteError(t *testing.T) {
	full := errors.New("disk full")
	rules := verify.DefaultRules()
	if _, err := Batch(endless{}, failing{full}, &rules); !errors.Is(err, full) {
		t.Errorf("%v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// endless is a stream of lines.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return copy(p, "{}\n"), nil }

// A writer that takes no answers stops the reader: what is on its way is
// bounded.
func TestBatchHoldsLittle(t *testing.T) {
	const long = 1 << 12 // bytes a line, so that few lines fill what there is
	line := `{"game":"platforms","hash":"0000000000000000"}` + strings.Repeat(" ", long) + "\n"
	questions, ask := io.Pipe()
	answer, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		rules := verify.DefaultRules()
		_, err := Batch(questions, answers, &rules)
		done <- errors.Join(err, answers.Close())
	}()
	// A write to a pipe returns when it was read. None can be read once all is
	// full; how many are until then is what is measured.
	const most = 10_000
	taken := make(chan int, most)
	go func() {
		defer close(taken)
		for i := range most {
			if _, err := io.WriteString(ask, line); err != nil {
				return
			}
			taken <- i
		}
		_ = ask.Close()
	}()
	held, moving := 0, true
	for moving {
		select {
		case _, moving = <-taken:
			held++
		case <-time.After(time.Second): // nothing moves any more
			moving = false
		}
	}
	if limit := (2*runtime.GOMAXPROCS(0) + runtime.GOMAXPROCS(0) + 8) * chunkLines; held > limit {
		t.Errorf("%d lines were read while no answer was taken, want at most %d", held, limit)
	}
	if _, err := io.Copy(io.Discard, answer); err != nil {
		t.Error(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

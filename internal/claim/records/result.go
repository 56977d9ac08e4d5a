package records

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"minesaudit/internal/verify"
)

// Verdicts counts what was audited by verdict.
type Verdicts [verify.VerdictInconclusive + 1]int

// Verdict is that of all together: of nothing it is open, and of lines that could
// not be read too.
func (v *Verdicts) Verdict(bad int) verify.Verdict {
	switch {
	case v[verify.VerdictFail] > 0:
		return verify.VerdictFail
	case v[verify.VerdictInconclusive]+bad > 0 || v[verify.VerdictPass] == 0:
		return verify.VerdictInconclusive
	default:
		return verify.VerdictPass
	}
}

// Counts counts the results of a check.
type Counts [verify.ResultInconclusive + 1]int

func (c *Counts) String() string {
	return fmt.Sprintf("%d pass, %d fail, %d inconclusive, %d n/a", c[verify.ResultPass], c[verify.ResultFail], c[verify.ResultInconclusive], c[verify.ResultNA])
}

// JSON gives the counts by the names of results.
func (c *Counts) JSON() map[string]int {
	named := map[string]int{}
	for result, n := range c {
		named[verify.Result(result).String()] = n
	}
	return named
}

// WriteLine writes a line of a table of two columns.
func WriteLine(to *strings.Builder, name, format string, args ...any) {
	fmt.Fprintf(to, "%-14s  %s\n", name, fmt.Sprintf(format, args...))
}

// WriteFinding writes a finding; what is empty is left out.
func WriteFinding(to *strings.Builder, head, expected, observed string) {
	fmt.Fprintf(to, "  %s\n", head)
	if expected != "" {
		fmt.Fprintf(to, "    expected  %s\n", expected)
	}
	if observed != "" {
		fmt.Fprintf(to, "    observed  %s\n", observed)
	}
}

// WriteUnproved ends a result with what it does not prove.
func WriteUnproved(to *strings.Builder, list []string) {
	to.WriteString("\nWhat this does not prove\n")
	for _, text := range list {
		to.WriteString("  - " + text + "\n")
	}
}

// WriteJSON writes a result as one object on a line.
func WriteJSON(w io.Writer, result any) error {
	b, err := json.Marshal(result)
	if err != nil {
		return fmt.Errorf("encode the result: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

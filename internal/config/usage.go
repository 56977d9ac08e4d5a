package config

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUsage marks what only the operator can mend: a malformed or contradictory
// configuration. Trying again without a change cannot help.
var ErrUsage = errors.New("bad configuration")

// problems collects everything wrong with a configuration, in the order found.
type problems []error

func (p *problems) addf(format string, args ...any) {
	*p = append(*p, fmt.Errorf(format, args...))
}

// add appends err, or its parts where it is a list of problems itself.
func (p *problems) add(err error) {
	if list := (*usageError)(nil); errors.As(err, &list) {
		*p = append(*p, list.problems...)
	} else if err != nil {
		*p = append(*p, err)
	}
}

// within returns the problems, each prefixed with where it was found.
func (p problems) within(place string) problems {
	out := make(problems, 0, len(p))
	for _, err := range p {
		out.addf("%s: %w", place, err)
	}
	return out
}

// err is nil if there is no problem, else one error that matches ErrUsage and
// every problem.
func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	return &usageError{problems: p}
}

type usageError struct{ problems problems }

func (e *usageError) Error() string {
	if len(e.problems) == 1 {
		return e.problems[0].Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d problems:", len(e.problems))
	for _, err := range e.problems {
		b.WriteString("\n  - ")
		b.WriteString(err.Error())
	}
	return b.String()
}

func (e *usageError) Unwrap() []error { return append([]error{ErrUsage}, e.problems...) }

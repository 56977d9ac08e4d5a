package records

import (
	"fmt"
	"strings"
)

// In names a place by the names of the sources.
func (p Place) In(names []string) string {
	return fmt.Sprintf("line %d of %s", p.Line, names[p.Source])
}

// maxBad is how many bad lines are kept.
const maxBad = 1000

// BadLines are the lines that could not be read: the first of them, and how many.
type BadLines struct {
	Count int
	List  []BadLine
}

// A BadLine is one that could not be read.
type BadLine struct {
	At  Place
	Err error
}

// Add takes one more.
func (b *BadLines) Add(at Place, err error) {
	if b.Count++; len(b.List) < maxBad {
		b.List = append(b.List, BadLine{at, err})
	}
}

// WriteText writes the first of them for people.
func (b *BadLines) WriteText(to *strings.Builder, names []string, most int) {
	if b.Count == 0 {
		return
	}
	to.WriteString("\nLines that could not be read\n")
	shown := b.List[:min(most, len(b.List))]
	for _, line := range shown {
		fmt.Fprintf(to, "  %s: %s\n", line.At.In(names), ascii(line.Err.Error()))
	}
	WriteMore(to, b.Count-len(shown))
}

// WriteMore ends a list of which so many are not shown.
func WriteMore(to *strings.Builder, n int) {
	if n > 0 {
		fmt.Fprintf(to, "  and %d more\n", n)
	}
}

// A JSONBadLine is a bad line as results give it.
type JSONBadLine struct {
	File  string `json:"file"`
	Line  int    `json:"line"`
	Error string `json:"error"`
}

// JSON gives the first of them.
func (b *BadLines) JSON(names []string, most int) []JSONBadLine {
	list := []JSONBadLine{}
	for _, line := range b.List[:min(most, len(b.List))] {
		list = append(list, JSONBadLine{names[line.At.Source], line.At.Line, line.Err.Error()})
	}
	return list
}

// ascii makes an error's text fit for a terminal: a decoder's may quote the line.
func ascii(s string) string {
	quoted := fmt.Sprintf("%+q", s)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

package inspect

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxText bounds what is printed of a stranger's text, in bytes.
const maxText = 300

// Printable makes a stranger's text fit for a terminal: one line of printable
// ASCII, everything else escaped as Go does, cut where it is long.
func Printable(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); {
		if b.Len() >= maxText {
			b.WriteString("...")
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r >= ' ' && r <= '~':
			b.WriteRune(r)
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		i += size
	}
	return b.String()
}

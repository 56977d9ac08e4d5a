package fit

import (
	"fmt"
	"strconv"
	"strings"
)

// scalarText is a text in YAML, in quotes wherever it could be taken for anything
// else.
func scalarText(text string) string {
	plain := text != ""
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' || r == '/' || r == '.' && i > 0
		plain = plain && (letter || i > 0 && (r >= '0' && r <= '9' || r == '-'))
	}
	switch strings.ToLower(text) {
	case "true", "false", "yes", "no", "on", "off", "null", "y", "n":
		plain = false
	}
	if plain || isAddress(text) {
		return text
	}
	return strconv.QuoteToASCII(text)
}

// isAddress tells base58 text that may begin with a digit and is no number.
func isAddress(text string) bool {
	letters := 0
	for _, r := range text {
		if r >= 'a' && r <= 'z' && r != 'e' && r != 'x' || r >= 'A' && r <= 'Z' && r != 'E' && r != 'X' {
			letters++
		} else if r > '9' && (r < 'A' || r > 'z') || r < '0' {
			return false
		}
	}
	return len(text) >= 32 && letters > 2
}

// comment is a stranger's text fit for a comment: one line of printable ASCII.
func comment(text string) string {
	const most = 120
	quoted := strconv.QuoteToASCII(text)
	quoted = quoted[1 : len(quoted)-1]
	if len(quoted) > most {
		quoted = quoted[:most] + "..."
	}
	return quoted
}

// listed names some things in a comment: an IDL may have thousands.
func listed(names []string) string {
	const most = 40
	list := make([]string, 0, most+1)
	for i, name := range names {
		if i == most {
			list = append(list, fmt.Sprintf("and %d more", len(names)-most))
			break
		}
		list = append(list, comment(name))
	}
	return strings.Join(list, ", ")
}

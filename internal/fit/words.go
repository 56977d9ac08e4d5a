package fit

import (
	"slices"
	"strings"
	"unicode"
)

// words splits a name at case, before digits, and at underscores and whatever else
// is no letter or digit, in lower case: seedHash, seed_hash and SeedHash are seed,
// hash.
func words(name string) []string {
	var list []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			list, word = append(list, strings.ToLower(string(word))), nil
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsDigit(r) && i > 0 && unicode.IsLetter(runes[i-1]):
			flush()
		case unicode.IsUpper(r) && i > 0:
			nextIsLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if !unicode.IsUpper(runes[i-1]) || nextIsLower {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return list
}

// likeness is how well a name fits one of some phrases, the likeliest first: the
// same words, or the words of the phrase among others. 0 is not at all.
func likeness(name []string, phrases []string) int {
	const same, within = 1000, 500
	best := 0
	for i, phrase := range phrases {
		want := strings.Fields(phrase)
		at := indexOf(name, want)
		switch {
		case at < 0:
		case len(name) == len(want):
			best = max(best, same-10*i)
		default:
			best = max(best, within-10*i-20*(len(name)-len(want)))
		}
	}
	return best
}

// indexOf finds words one after another in a list.
func indexOf(list, want []string) int {
	for i := 0; i+len(want) <= len(list); i++ {
		if slices.Equal(list[i:i+len(want)], want) {
			return i
		}
	}
	return -1
}

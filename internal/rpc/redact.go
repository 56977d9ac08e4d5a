package rpc

import (
	"encoding/base64"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	minSecret  = 4   // shorter parts of a URL ("v2", "rpc") are no keys
	maxMessage = 300 // bytes of a node's own words that are kept
)

// scrubber strikes the parts of one URL that may hold a key out of foreign text: user
// info, path segments and query, both as they are written and as they are read.
type scrubber struct{ replacer *strings.Replacer }

func newScrubber(u *url.URL) scrubber {
	parts := []string{u.RawQuery, u.Path, u.EscapedPath()}
	parts = append(parts, strings.Split(u.Path, "/")...)
	parts = append(parts, strings.Split(u.EscapedPath(), "/")...)
	if u.User != nil {
		password, _ := u.User.Password()
		basic := u.User.Username() + ":" + password // as the Authorization header has it
		parts = append(parts, u.User.String(), basic, base64.StdEncoding.EncodeToString([]byte(basic)))
		parts = append(parts, u.User.Username(), password)
	}
	for name, values := range u.Query() { // a key may stand alone, as a name without value
		for _, v := range append(values, name) {
			parts = append(parts, v, url.QueryEscape(v))
		}
	}
	var pairs []string
	for _, p := range parts {
		if len(p) >= minSecret {
			pairs = append(pairs, p, "[redacted]")
		}
	}
	return scrubber{strings.NewReplacer(pairs...)}
}

// clean returns text fit for a log line: secrets struck out, one line, cut short.
func (s scrubber) clean(text string) string {
	text = s.replacer.Replace(text) // before cutting: half a key is one too many
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
	if len(text) > maxMessage {
		cut := maxMessage
		for !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut] + "..."
	}
	return text
}

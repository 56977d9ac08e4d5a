package config

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Redactor takes secrets out of text. It knows whole secrets and their telling
// pieces, in the encodings that errors show them in, and two general shapes:
// user info in a URL and password settings. The scheme and host of an address
// stay readable, and so do the names of the database and its user in a driver's
// messages: an operator needs them.
//
// A Redactor is immutable and safe for concurrent use. A nil one knows no
// secrets but the general shapes still apply.
type Redactor struct {
	known *strings.Replacer
}

// NewRedactor learns secrets: URLs, database addresses in either form, or plain
// texts. Empty ones are skipped.
func NewRedactor(secrets ...string) *Redactor {
	l := lesson{}
	for _, secret := range secrets {
		l.learn(secret)
	}
	return &Redactor{known: l.replacer()}
}

// General shapes of secrets, never written to: for addresses that nobody configured: of a proxy,
// of a redirect, or with a password too short to be searched for alone.
var (
	userInfo = regexp.MustCompile(`(://)[^\s/?#"']+@`)
	setting  = regexp.MustCompile(`(?i)\b((?:ssl)?password|passwd|api[-_]?key|access[-_]?token|auth[-_]?token)(\s*[=:]\s*|%3[dD])(\[redacted\]|'(?:[^'\\]|\\.)*'|[^\s&"',;)\]}` + "`" + `]+)`)
)

// String returns s without secrets.
func (r *Redactor) String(s string) string {
	if r != nil {
		s = r.known.Replace(s)
	}
	if strings.Contains(s, "://") {
		s = userInfo.ReplaceAllString(s, "${1}"+redacted+"@")
	}
	return setting.ReplaceAllString(s, "${1}${2}"+redacted)
}

// Error returns err with its text redacted. errors.Is and errors.As see through
// it; what they take out prints as it always did. nil stays nil.
func (r *Redactor) Error(err error) error {
	if err == nil {
		return nil
	}
	return &redactedError{err: err, redactor: r}
}

// redactedError implements no fmt.Formatter, so that %+v shows no more than %v.
type redactedError struct {
	err      error
	redactor *Redactor
}

func (e *redactedError) Error() string { return e.redactor.String(e.err.Error()) }
func (e *redactedError) Unwrap() error { return e.err }

// RedactURL shows of an address its scheme and host only; of what is not one, a
// mark.
func RedactURL(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme == "" || u.Host == "" {
		if address == "" {
			return ""
		}
		return redacted
	}
	// Where an unescaped password holds a slash, the parser takes its beginning
	// for the host.
	if _, rest, _ := strings.Cut(address, "://"); strings.Contains(rest, "@") {
		authority, _ := splitAuthority(rest)
		if at := strings.LastIndexByte(authority, '@'); authority[at+1:] != u.Host {
			return redacted
		}
	}
	return u.Scheme + "://" + u.Host
}

// lesson maps each text to hide to what is shown instead.
type lesson map[string]string

// replacer hides the longest text first, so that a piece never leaves the rest
// of a whole behind.
func (l lesson) replacer() *strings.Replacer {
	texts := make([]string, 0, len(l))
	for text := range l {
		texts = append(texts, text)
	}
	slices.SortFunc(texts, func(a, b string) int {
		if d := len(b) - len(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	pairs := make([]string, 0, 2*len(texts))
	for _, text := range texts {
		pairs = append(pairs, text, l[text])
	}
	return strings.NewReplacer(pairs...)
}

package config

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// A piece shorter than this is hidden only inside its whole: hiding "v2" or "1"
// wherever they occur would make every message unreadable.
const (
	minPiece    = 6 // of a URL: path segments, query values
	minPassword = 4
)

// learn takes in one secret, whatever its form.
func (l lesson) learn(secret string) {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return
	}
	scheme, rest, isURL := strings.Cut(secret, "://")
	switch {
	case isURL && (scheme == "postgres" || scheme == "postgresql"):
		l.dsnURL(secret, rest)
	case isURL && !strings.ContainsAny(scheme, " ="):
		l.nodeURL(secret, rest)
	case dsnPassword.MatchString(secret):
		l.dsnSettings(secret)
	default:
		l.hide(secret, redacted)
	}
}

// nodeURL learns a node's address: everything but scheme and host may be a key.
func (l lesson) nodeURL(address, rest string) {
	l.hide(address, RedactURL(address))
	authority, tail := splitAuthority(rest)
	if user, ok := userInfoOf(authority); ok {
		l.userInfo(user, minPiece)
	}
	tail, fragment, _ := strings.Cut(tail, "#")
	path, query, _ := strings.Cut(tail, "?")
	if len(strings.Trim(path, "/")) >= minPiece {
		l.hide(strings.TrimRight(path, "/"), "/"+redacted)
	}
	for segment := range strings.SplitSeq(path, "/") {
		l.piece(segment, minPiece)
	}
	l.piece(query, minPiece)
	for setting := range strings.SplitSeq(query, "&") {
		name, value, hasValue := strings.Cut(setting, "=")
		if !hasValue {
			value = name // ?KEY
		}
		l.piece(value, minPiece)
	}
	l.piece(fragment, minPiece)
}

// dsnURL learns a database's address, where only passwords are secret: the user
// and the database bear names that messages are full of.
func (l lesson) dsnURL(address, rest string) {
	l.hide(address, RedactURL(address))
	authority, tail := splitAuthority(rest)
	if user, ok := userInfoOf(authority); ok {
		if _, password, ok := strings.Cut(user, ":"); ok {
			l.piece(password, minPassword)
		}
	}
	_, query, _ := strings.Cut(tail, "?")
	for setting := range strings.SplitSeq(query, "&") {
		if name, value, _ := strings.Cut(setting, "="); strings.Contains(name, "password") {
			l.piece(value, minPassword)
		}
	}
}

// dsnPassword finds passwords in libpq's key=value form: plain, or in single
// quotes with backslash escapes.
var dsnPassword = regexp.MustCompile(`(?:^|\s)(?:ssl)?password\s*=\s*(?:'((?:[^'\\]|\\.)*)'?|((?:[^\s\\]|\\.)+))`)

var dsnEscape = regexp.MustCompile(`\\(.)`)

func (l lesson) dsnSettings(dsn string) {
	l.hide(dsn, redacted)
	for _, m := range dsnPassword.FindAllStringSubmatch(dsn, -1) {
		written := m[1] + m[2]
		l.piece(written, minPassword)
		l.piece(dsnEscape.ReplaceAllString(written, "$1"), minPassword)
	}
}

// userInfo learns user:password, or a key in place of the user, also as the
// header of basic authentication carries it.
func (l lesson) userInfo(info string, least int) {
	name, password, _ := strings.Cut(info, ":")
	l.piece(name, least)
	l.piece(password, minPassword)
	plain := unescape(name) + ":" + unescape(password)
	l.hide(base64.StdEncoding.EncodeToString([]byte(plain)), redacted)
}

// piece learns a part of a secret if it is long enough to be told apart.
func (l lesson) piece(text string, least int) {
	if len(text) >= least {
		l.hide(text, redacted)
	}
}

// hide learns a text, its unescaped form, and both as URLs, %q and JSON write
// them.
func (l lesson) hide(text, shown string) {
	for _, form := range []string{text, unescape(text)} {
		quoted := strconv.Quote(form)
		inJSON, _ := json.Marshal(form) // a string always marshals
		for _, written := range []string{
			form, url.QueryEscape(form), url.PathEscape(form),
			quoted[1 : len(quoted)-1], string(inJSON[1 : len(inJSON)-1]),
		} {
			if _, known := l[written]; !known && written != "" {
				l[written] = shown
			}
		}
	}
}

// splitAuthority cuts what follows :// before the path, query or fragment. It
// is done by hand because a malformed address, which url.Parse refuses, is just
// what an error quotes. An @ after a / belongs to the authority all the same if
// nothing before has one: an unescaped password may hold a slash.
func splitAuthority(rest string) (authority, tail string) {
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		return rest, ""
	}
	if at := strings.LastIndexByte(rest, '@'); at > end && strings.Contains(rest[:end], ":") {
		if next := strings.IndexAny(rest[at:], "/?#"); next >= 0 {
			return rest[:at+next], rest[at+next:]
		}
		return rest, ""
	}
	return rest[:end], rest[end:]
}

func userInfoOf(authority string) (string, bool) {
	at := strings.LastIndexByte(authority, '@')
	if at < 0 {
		return "", false
	}
	return authority[:at], true
}

// unescape undoes percent-encoding as far as it is well-formed.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

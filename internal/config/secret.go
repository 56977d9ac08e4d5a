package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// redacted stands where a secret was.
const redacted = "[redacted]"

// Secret is a text that must not be printed: an address with a key in it, a
// connection string with a password. Formatting, JSON and zap show a mark only.
type Secret string

// Reveal returns the text itself, for the one place that dials with it.
func (s Secret) Reveal() string { return string(s) }

// String is the mark, or empty if there is no secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// Format keeps every verb, %#v and %x too, from printing the text.
func (s Secret) Format(f fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprintf(f, "%q", s.String())
		return
	}
	fmt.Fprint(f, s.String())
}

// MarshalText keeps encoders from printing the text.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// fileSuffix makes the variable that names a file with the secret out of the
// variable that holds it.
const fileSuffix = "_FILE"

// secretFromFile returns the trimmed content of the file that variable names.
// Its errors name the variable only: by mistake it may hold the secret itself.
func secretFromFile(variable, path string) (Secret, error) {
	secret, err := secretIn(path)
	if err != nil {
		return "", fmt.Errorf("$%s %w", variable, err)
	}
	return secret, nil
}

// secretIn reads a secret. Its errors do not name the file.
func secretIn(path string) (Secret, error) {
	data, err := readFile(path)
	if perr := (*fs.PathError)(nil); errors.As(err, &perr) {
		err = perr.Err
	}
	if err != nil {
		return "", fmt.Errorf("must name a readable file that holds the value: %w", err)
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "", errors.New("names an empty file: write the value into it")
	}
	return Secret(text), nil
}

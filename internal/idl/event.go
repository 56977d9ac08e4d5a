package idl

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// event compiles an entry of "events". Only one without a name is an error:
// anything else breaks the event.
func (c *compiler) event(entry map[string]any) (*Event, error) {
	named, err := name(entry["name"])
	if err == nil && named == "" {
		err = fmt.Errorf("%w: it has no name", ErrNotAnchor)
	}
	if err != nil {
		return nil, err
	}
	e := &Event{Name: named}
	if e.Discriminator, e.Broken = discriminator(named, entry["discriminator"]); e.Broken != nil {
		return e, nil
	}
	if fields, inPlace := entry["fields"]; inPlace {
		if e.Type, e.Broken = c.members(fields, nil, 0); e.Broken == nil {
			e.Type.Name = named
		}
	} else {
		e.Type, e.Broken = c.instance(named, nil, 0)
	}
	return e, nil
}

// discriminator takes what the file has, or the hash of the name as it is there.
func discriminator(named string, given any) ([]byte, error) {
	if given != nil {
		raw, ok := byteList(given)
		if !ok || len(raw) == 0 || len(raw) > maxName {
			return nil, fmt.Errorf("%w: that of %q is no list of 1 to %d bytes", ErrDiscriminator, named, maxName)
		}
		return raw, nil
	}
	if first, _ := utf8.DecodeRuneInString(named); unicode.IsLower(first) {
		return nil, fmt.Errorf("%w: %q is in camel case, as in files made for TypeScript, and the file has no discriminator: "+
			"take the JSON file that Anchor built, or add the discriminator", ErrDiscriminator, named)
	}
	sum := sha256.Sum256([]byte("event:" + named))
	return sum[:8], nil
}

// byteList reads a list of numbers.
func byteList(value any) ([]byte, bool) {
	var raw []byte
	for _, entry := range list(value) {
		number, _ := entry.(json.Number)
		b, err := strconv.ParseUint(number.String(), 10, 8)
		if err != nil {
			return nil, false
		}
		raw = append(raw, byte(b))
	}
	return raw, true
}

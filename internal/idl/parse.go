package idl

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"
)

// The bounds of a file. The largest IDLs of mainnet programs have about 500 KB,
// 120 types and 60 events.
const (
	maxFile   = 4 << 20 // bytes
	maxEvents = 4096
	maxTypes  = 16384 // definitions
	maxName   = 256   // bytes of one name
)

// document is the file as far as it is needed.
type document struct {
	Address      word          `json:"address"`
	Name         word          `json:"name"`
	Version      word          `json:"version"`
	Kind         word          `json:"kind"`
	Metadata     metadata      `json:"metadata"`
	Instructions []instruction `json:"instructions"`
	Events       []eventEntry  `json:"events"`
	Types        []definition  `json:"types"`
	Accounts     []definition  `json:"accounts"` // of the legacy form: types as well
}

type eventEntry struct {
	Name          string          `json:"name"`
	Fields        json.RawMessage `json:"fields"`
	Discriminator json.RawMessage `json:"discriminator"`
}

// Parse reads an IDL of either form. It refuses what is no Anchor IDL
// ([ErrNotAnchor]), two events of one discriminator ([ErrAmbiguous]) and a file
// beyond the bounds ([ErrBounds]). What is wrong with a type is the trouble of
// the events that use it alone.
func Parse(data []byte) (*IDL, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("idl: %d bytes: %w: at most %d", len(data), ErrBounds, maxFile)
	}
	doc, err := readDocument(data)
	if err != nil {
		return nil, fmt.Errorf("idl: %w", err)
	}
	i := &IDL{
		Address:        string(cmp.Or(doc.Address, doc.Metadata.Address)),
		Name:           string(cmp.Or(doc.Metadata.Name, doc.Name)),
		Version:        string(cmp.Or(doc.Metadata.Version, doc.Version)),
		Legacy:         doc.legacy(),
		EventAuthority: slices.ContainsFunc(doc.Instructions, instruction.takesEventAuthority),
	}
	c := newCompiler(doc)
	for _, entry := range doc.Events {
		i.Events = append(i.Events, entry.compile(c))
	}
	settle(i.Events)
	if err := i.index(doc.Events); err != nil {
		return nil, fmt.Errorf("idl: %w", err)
	}
	return i, nil
}

func readDocument(data []byte) (*document, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(data, &keys); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAnchor, err)
	}
	doc := new(document)
	if err := json.Unmarshal(data, doc); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotAnchor, err)
	}
	switch {
	case doc.Kind == "rootNode":
		return nil, fmt.Errorf("%w: it is one of Codama", ErrNotAnchor)
	case keys["instructions"] == nil && keys["events"] == nil:
		return nil, fmt.Errorf("%w: it has neither instructions nor events", ErrNotAnchor)
	case len(doc.Events) > maxEvents:
		return nil, fmt.Errorf("%d events: %w: at most %d", len(doc.Events), ErrBounds, maxEvents)
	case len(doc.Types)+len(doc.Accounts) > maxTypes:
		return nil, fmt.Errorf("%d types: %w: at most %d", len(doc.Types)+len(doc.Accounts), ErrBounds, maxTypes)
	}
	for n, entry := range doc.Events {
		if entry.Name == "" {
			return nil, fmt.Errorf("%w: event %d has no name", ErrNotAnchor, n)
		}
		if len(entry.Name) > maxName {
			return nil, fmt.Errorf("the name of event %d: %w: at most %d bytes", n, ErrBounds, maxName)
		}
	}
	return doc, nil
}

// legacy tells the forms apart by what only one of them has.
func (d *document) legacy() bool {
	if d.Address != "" {
		return false
	}
	for _, x := range d.Instructions {
		if x.Discriminator != nil {
			return false
		}
	}
	for _, e := range d.Events {
		if e.Discriminator != nil {
			return false
		}
	}
	return true
}

func (e *eventEntry) compile(c *compiler) *Event {
	event := &Event{Name: e.Name}
	event.Discriminator, event.Broken = e.discriminator()
	if event.Broken != nil {
		return event
	}
	if e.Fields != nil {
		event.Type, event.Broken = c.event(e.Name, e.Fields)
	} else {
		event.Type, event.Broken = c.instance(e.Name, nil, 0)
	}
	return event
}

// discriminator takes what the file has, or the hash of the name as it is there.
func (e *eventEntry) discriminator() ([]byte, error) {
	if e.Discriminator != nil && !bytes.Equal(e.Discriminator, []byte("null")) {
		var list []uint8OfList
		if err := json.Unmarshal(e.Discriminator, &list); err != nil || len(list) == 0 || len(list) > maxName {
			return nil, fmt.Errorf("%w: %.40q is no list of bytes", ErrDiscriminator, e.Discriminator)
		}
		raw := make([]byte, len(list))
		for i, b := range list {
			raw[i] = byte(b)
		}
		return raw, nil
	}
	sum := sha256.Sum256([]byte("event:" + e.Name))
	if first, _ := utf8.DecodeRuneInString(e.Name); unicode.IsLower(first) {
		return nil, fmt.Errorf("%w: %q is in camel case, as in files made for TypeScript, and the file has no discriminator: "+
			"take the JSON file that Anchor built, or add the discriminator", ErrDiscriminator, e.Name)
	}
	return sum[:8], nil
}

// uint8OfList is a byte that JSON has as a number: a []byte would be base64.
type uint8OfList uint8

// index prepares Match. Events that the file lists twice in the same words are
// one.
func (i *IDL) index(entries []eventEntry) error {
	i.discriminators = map[string]*Event{}
	first := map[string]eventEntry{}
	lengths := map[int]bool{}
	for n, e := range i.Events {
		key := string(e.Discriminator)
		if key == "" {
			continue
		}
		if other, taken := first[key]; taken {
			if other.Name == entries[n].Name && bytes.Equal(other.Fields, entries[n].Fields) {
				continue
			}
			return fmt.Errorf("events %q and %q: %w %x", other.Name, e.Name, ErrAmbiguous, e.Discriminator)
		}
		first[key], i.discriminators[key] = entries[n], e
		lengths[len(key)] = true
	}
	i.lengths = slices.Sorted(maps.Keys(lengths))
	slices.Reverse(i.lengths)
	return nil
}

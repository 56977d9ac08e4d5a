package idl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// The bounds of a file. The largest IDLs of mainnet programs have about 500 KB,
// 120 types and 60 events.
const (
	maxFile   = 4 << 20 // bytes
	maxEvents = 4096
	maxTypes  = 16384 // definitions
	maxName   = 256   // bytes of one name
)

// Parse reads an IDL of either form. It refuses what is no Anchor IDL
// ([ErrNotAnchor]), two events of one discriminator ([ErrAmbiguous]) and a file
// beyond the bounds ([ErrBounds]). What is wrong with a type is the trouble of
// the events that use it alone.
func Parse(data []byte) (*IDL, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("idl: %d bytes: %w: at most %d", len(data), ErrBounds, maxFile)
	}
	root, err := readTree(data)
	if err != nil {
		return nil, fmt.Errorf("idl: %w: %w", ErrNotAnchor, err)
	}
	if err := checkForm(root); err != nil {
		return nil, fmt.Errorf("idl: %w", err)
	}
	metadata := object(root["metadata"])
	i := &IDL{
		Address:        cmp.Or(text(root["address"]), text(metadata["address"])),
		Name:           cmp.Or(text(metadata["name"]), text(root["name"])),
		Version:        cmp.Or(text(metadata["version"]), text(root["version"])),
		Legacy:         isLegacy(root),
		EventAuthority: takesEventAuthority(list(root["instructions"])),
	}
	c := newCompiler(root)
	entries := list(root["events"])
	for n, entry := range entries {
		e, err := c.event(object(entry))
		if err != nil {
			return nil, fmt.Errorf("idl: event %d: %w", n, err)
		}
		i.Events = append(i.Events, e)
	}
	settle(i.Events)
	if err := i.index(entries); err != nil {
		return nil, fmt.Errorf("idl: %w", err)
	}
	return i, nil
}

// checkForm refuses what has not the form of an Anchor IDL, or has too much.
func checkForm(root map[string]any) error {
	_, instructions := root["instructions"].([]any)
	_, events := root["events"].([]any)
	switch {
	case text(root["kind"]) == "rootNode":
		return fmt.Errorf("%w: it is one of Codama", ErrNotAnchor)
	case !instructions && !events:
		return fmt.Errorf("%w: it has neither instructions nor events", ErrNotAnchor)
	case !events && root["events"] != nil:
		return fmt.Errorf("%w: its events are no list", ErrNotAnchor)
	}
	if n := len(list(root["events"])); n > maxEvents {
		return fmt.Errorf("%d events: %w: at most %d", n, ErrBounds, maxEvents)
	}
	if n := len(list(root["types"])) + len(list(root["accounts"])); n > maxTypes {
		return fmt.Errorf("%d types: %w: at most %d", n, ErrBounds, maxTypes)
	}
	return nil
}

// isLegacy tells the forms apart by what only one of them has.
func isLegacy(root map[string]any) bool {
	if text(root["address"]) != "" {
		return false
	}
	hasDiscriminator := func(entry any) bool { return object(entry)["discriminator"] != nil }
	return !slices.ContainsFunc(list(root["instructions"]), hasDiscriminator) &&
		!slices.ContainsFunc(list(root["events"]), hasDiscriminator)
}

// takesEventAuthority looks for the account that emit_cpi! signs with, which
// Anchor adds to an instruction under a fixed name.
func takesEventAuthority(instructions []any) bool {
	return slices.ContainsFunc(instructions, func(entry any) bool {
		x := object(entry)
		switch text(x["name"]) {
		case "event_authority", "eventAuthority":
			return x["accounts"] == nil // an account, and no instruction of that name
		}
		return takesEventAuthority(list(x["accounts"])) // of an instruction, or of a group of accounts
	})
}

// index prepares Match. Events that the file lists twice in the same words are
// one.
func (i *IDL) index(entries []any) error {
	i.discriminators = map[string]*Event{}
	first := map[string]int{}
	lengths := map[int]bool{}
	for n, e := range i.Events {
		key := string(e.Discriminator)
		if key == "" {
			continue
		}
		if other, taken := first[key]; taken {
			if same(entries[other], entries[n]) {
				continue
			}
			return fmt.Errorf("events %q and %q: %w %x", i.Events[other].Name, e.Name, ErrAmbiguous, e.Discriminator)
		}
		first[key], i.discriminators[key] = n, e
		lengths[len(key)] = true
	}
	i.lengths = slices.Sorted(maps.Keys(lengths))
	slices.Reverse(i.lengths)
	return nil
}

package idl

import (
	"encoding/json"
	"fmt"
)

// A definition is an entry of "types" whose body is not read before an event
// needs it.
type definition struct {
	name     string
	generics []string
	packing  packing
	body     json.RawMessage
	problem  error // it cannot be read
}

// UnmarshalJSON keeps what is wrong for the events that use the type.
func (d *definition) UnmarshalJSON(data []byte) error {
	var raw struct {
		Name          string          `json:"name"`
		Generics      []genericEntry  `json:"generics"`
		Serialization json.RawMessage `json:"serialization"`
		Repr          *representation `json:"repr"`
		Type          json.RawMessage `json:"type"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		d.problem = fmt.Errorf("%w: %w", ErrUnknownType, err)
	}
	d.name, d.body = raw.Name, raw.Type
	for _, g := range raw.Generics {
		d.generics = append(d.generics, g.Name)
	}
	if d.problem == nil {
		d.packing, d.problem = readPacking(raw.Serialization, raw.Repr)
	}
	return nil
}

// A genericEntry is a parameter: an object with a name, a mere name in the
// legacy form. What it stands for shows where it is used.
type genericEntry struct{ Name string }

func (g *genericEntry) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, &g.Name) == nil {
		return nil
	}
	var entry struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(data, &entry)
	g.Name = entry.Name
	return err
}

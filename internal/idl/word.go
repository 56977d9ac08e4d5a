package idl

import "encoding/json"

// word is text that the package passes on without needing it: anything else in
// its place is as good as none.
type word string

func (w *word) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*w = word(text)
	}
	return nil
}

// metadata is the object of that name, in both forms.
type metadata struct{ Address, Name, Version word }

func (m *metadata) UnmarshalJSON(data []byte) error {
	var body struct {
		Address word `json:"address"`
		Name    word `json:"name"`
		Version word `json:"version"`
	}
	if json.Unmarshal(data, &body) == nil {
		*m = metadata(body)
	}
	return nil
}

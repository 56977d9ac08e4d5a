package idl

import "encoding/json"

// An instruction is read for two things only: whether it has a discriminator and
// the names of its accounts. Anything else about it is not our trouble.
type instruction struct {
	Discriminator json.RawMessage
	accounts      []accountEntry
}

type accountEntry struct {
	Name     string         `json:"name"`
	Accounts []accountEntry `json:"accounts"` // of a group
}

func (x *instruction) UnmarshalJSON(data []byte) error {
	var body struct {
		Discriminator json.RawMessage `json:"discriminator"`
		Accounts      json.RawMessage `json:"accounts"`
	}
	if json.Unmarshal(data, &body) != nil {
		return nil
	}
	x.Discriminator = body.Discriminator
	if json.Unmarshal(body.Accounts, &x.accounts) != nil {
		x.accounts = nil
	}
	return nil
}

// takesEventAuthority looks for the account that emit_cpi! signs with, which
// Anchor adds to an instruction under a fixed name.
func (x instruction) takesEventAuthority() bool { return namesEventAuthority(x.accounts) }

func namesEventAuthority(accounts []accountEntry) bool {
	for _, a := range accounts {
		if a.Name == "event_authority" || a.Name == "eventAuthority" || namesEventAuthority(a.Accounts) {
			return true
		}
	}
	return false
}

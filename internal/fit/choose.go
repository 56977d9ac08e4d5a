package fit

import (
	"cmp"
	"slices"
	"strings"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
)

// A candidate is an event that may be a start, a settlement or a void.
type candidate struct {
	kind    decode.Kind
	event   *idl.Event
	when    string // path of a variant
	says    decode.Outcome
	choices []choice
	score   int
}

// has finds the choice for a role.
func (c *candidate) has(role decode.Role) *choice {
	at := slices.IndexFunc(c.choices, func(x choice) bool { return x.Role == role })
	if at < 0 {
		return nil
	}
	return &c.choices[at]
}

// candidates looks at an event in every way.
func candidates(event *idl.Event) []candidate {
	if event.Broken != nil {
		return nil
	}
	var list []candidate
	for _, kind := range []decode.Kind{decode.KindStarted, decode.KindSettled, decode.KindVoided} {
		if c := consider(event, kind); c.score > 0 {
			list = append(list, c)
		}
	}
	for _, leaf := range event.Leaves() { // an end of several kinds
		if !isVariant(leaf) {
			continue
		}
		name := words(leaf.Path[strings.LastIndexByte(leaf.Path, '.')+1:])
		if likeness(name, eventPhrases(decode.KindVoided)) > 0 {
			c := consider(event, decode.KindVoided)
			c.when = leaf.Path
			c.score = rating(decode.KindVoided, name, c.choices)
			list = append(list, c)
		}
	}
	return list
}

func consider(event *idl.Event, kind decode.Kind) candidate {
	c := candidate{kind: kind, event: event, choices: find(event, kind)}
	name := words(event.Name)
	c.score = rating(kind, name, c.choices)
	if kind == decode.KindSettled {
		won, lost := likeness(name, wonPhrases()), likeness(name, lostPhrases())
		switch {
		case won > lost:
			c.says = decode.OutcomeWon
		case lost > won:
			c.says = decode.OutcomeLost
		}
		if c.says != decode.OutcomeUnsaid {
			c.choices = slices.DeleteFunc(c.choices, func(x choice) bool { return x.Role == decode.RoleLost })
		}
		if c.says == decode.OutcomeWon {
			c.choices = slices.DeleteFunc(c.choices, func(x choice) bool { return x.Role == decode.RoleBustTile })
		}
	}
	return c
}

// rating is how much speaks for an event: its name, and what only events of the
// kind have. 0: nothing that would be enough.
func rating(kind decode.Kind, name []string, choices []choice) int {
	const telling = 400 // for a field that only Mines has
	total := likeness(name, eventPhrases(kind))
	own := 0
	for _, c := range choices {
		switch c.Role {
		case decode.RoleGame, decode.RoleUser, decode.RoleNonce:
			continue
		case decode.RoleServerSeed, decode.RoleMinesMask, decode.RoleRevealedMask, decode.RoleMinesCount, decode.RoleCommitHash:
			own += telling
		}
		total += c.score / 10
	}
	if likeness(name, eventPhrases(kind)) == 0 && own < 2*telling {
		return 0
	}
	return total + own
}

// best orders the candidates of a kind, each event once in each way, best first.
func best(all []candidate, kind decode.Kind) []candidate {
	list := slices.DeleteFunc(slices.Clone(all), func(c candidate) bool { return c.kind != kind })
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list
}

// chosen picks the starts, settlements and voids; others are the names of events
// that look like one and were not taken.
func chosen(file *idl.IDL) (picked []candidate, others map[decode.Kind][]string) {
	var all []candidate
	for _, event := range file.Events {
		all = append(all, candidates(event)...)
	}
	others = map[decode.Kind][]string{}
	used := map[string]decode.Kind{} // events without a condition
	for _, kind := range []decode.Kind{decode.KindSettled, decode.KindStarted, decode.KindVoided} {
		list := best(all, kind)
		for _, c := range list {
			other, taken := used[c.event.Name]
			taken = taken && (c.when == "" || other == kind)
			if !taken && wanted(picked, c) {
				picked = append(picked, c)
				if c.when == "" {
					used[c.event.Name] = kind
				}
				continue
			}
			if !taken && !slices.Contains(others[kind], c.event.Name) && likeness(words(c.event.Name), eventPhrases(kind)) > 0 {
				others[kind] = append(others[kind], c.event.Name)
			}
		}
	}
	return picked, others
}

// wanted takes the first of a kind, and of settlements one each for the games
// won and lost.
func wanted(picked []candidate, c candidate) bool {
	for _, p := range picked {
		if p.kind != c.kind {
			continue
		}
		if c.kind != decode.KindSettled || c.says == decode.OutcomeUnsaid || p.says == decode.OutcomeUnsaid || p.says == c.says {
			return false
		}
	}
	return true
}

// isMines reports whether anything of a game of Mines was found: without a seed or
// a board there is nothing to audit.
func isMines(picked []candidate) bool {
	for _, c := range picked {
		if c.kind == decode.KindSettled && (c.has(decode.RoleServerSeed) != nil || c.has(decode.RoleMinesMask) != nil) {
			return true
		}
	}
	return false
}

// keyOf is every part of a key that all events have.
func keyOf(picked []candidate) []decode.Role {
	var key []decode.Role
	for _, part := range []decode.Role{decode.RoleGame, decode.RoleUser, decode.RoleNonce} {
		if !slices.ContainsFunc(picked, func(c candidate) bool { return c.has(part) == nil }) {
			key = append(key, part)
		}
	}
	return key
}

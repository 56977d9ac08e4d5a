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
		if c := consider(event, kind, ""); c.score > 0 {
			list = append(list, c)
		}
	}
	var won, lost []candidate
	for _, leaf := range event.Leaves() { // an end of several kinds
		if !isVariant(leaf) || !strings.Contains(leaf.Path, ".") {
			continue
		}
		if c := consider(event, decode.KindVoided, leaf.Path); c.score > 0 {
			list = append(list, c)
		}
		switch c := consider(event, decode.KindSettled, leaf.Path); {
		case c.score > 0 && c.says == decode.OutcomeWon:
			won = append(won, c)
		case c.score > 0 && c.says == decode.OutcomeLost:
			lost = append(lost, c)
		}
	}
	if len(won) == 1 && len(lost) == 1 { // by halves there is more to say than of the whole
		const halves = 200
		won[0].score += halves
		lost[0].score += halves
		list = append(list, won[0], lost[0])
	}
	return list
}

// consider looks at an event as one of a kind, or at those of its payloads that
// have a variant.
func consider(event *idl.Event, kind decode.Kind, variant string) candidate {
	name := words(event.Name)
	if variant != "" {
		name = words(variant[strings.LastIndexByte(variant, '.')+1:])
		if likeness(name, eventPhrases(kind)) == 0 {
			return candidate{}
		}
	}
	c := candidate{kind: kind, event: event, when: variant, choices: find(event, kind, variant)}
	c.score = rating(kind, name, c.choices)
	if kind != decode.KindSettled {
		return c
	}
	won, lost := likeness(name, wonPhrases()), likeness(name, lostPhrases())
	switch {
	case won > lost:
		c.says = decode.OutcomeWon
	case lost > won:
		c.says = decode.OutcomeLost
	}
	c.choices = slices.DeleteFunc(c.choices, func(x choice) bool {
		return x.Role == decode.RoleLost && c.says != decode.OutcomeUnsaid ||
			x.Role == decode.RoleBustTile && c.says == decode.OutcomeWon && variant == "" // another tile
	})
	return c
}

// rating is how much speaks for an event: its name, and what only events of the
// kind have. 0: nothing that would be enough.
func rating(kind decode.Kind, name []string, choices []choice) int {
	const telling = 400 // for a field that only Mines has
	named := likeness(name, eventPhrases(kind))
	total, own, others := named/2, 0, 0
	for _, c := range choices {
		switch c.Role {
		case decode.RoleGame, decode.RoleUser, decode.RoleNonce:
		case decode.RoleServerSeed, decode.RoleMinesMask, decode.RoleRevealedMask, decode.RoleMinesCount, decode.RoleCommitHash:
			own += telling
		default:
			others++
		}
		total += c.score / 10
	}
	if len(choices) == 0 || named == 0 && own < 2*telling && (own == 0 || others < 3) {
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
	for kind, names := range others {
		others[kind] = slices.DeleteFunc(names, func(name string) bool {
			return slices.ContainsFunc(picked, func(c candidate) bool { return c.event.Name == name })
		})
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

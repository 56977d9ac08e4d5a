package fit

import (
	"cmp"
	"slices"
	"strings"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
)

// A choice is a field that was found for a role.
type choice struct {
	decode.FieldMapping
	leaf   idl.Leaf
	score  int
	others []string // paths that might have been meant
}

// find chooses fields of an event for the roles of a kind. Each leaf serves once.
// Where only events with a variant are meant, what the others of its enum hold is
// left out.
func find(event *idl.Event, kind decode.Kind, variant string) []choice {
	var all []choice
	for _, leaf := range event.Leaves() {
		if isBeside(leaf.Path, variant) {
			continue
		}
		for _, role := range decode.Roles(kind) {
			if c, ok := match(role, leaf); ok {
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b choice) int { return cmp.Compare(b.score, a.score) })
	taken := map[string]bool{}
	var chosen []choice
	for _, c := range all {
		at := slices.IndexFunc(chosen, func(other choice) bool { return other.Role == c.Role })
		switch {
		case taken[c.Path]:
		case at < 0:
			taken[c.Path] = true
			chosen = append(chosen, c)
		case len(chosen[at].others) < mostOthers:
			chosen[at].others = append(chosen[at].others, c.Path)
		}
	}
	for i := range chosen { // what another role has was hardly meant
		chosen[i].others = slices.DeleteFunc(chosen[i].others, func(path string) bool { return taken[path] })
	}
	slices.SortFunc(chosen, func(a, b choice) int { return cmp.Compare(a.Role, b.Role) })
	return chosen
}

// isBeside reports whether a path is in the enum of a variant, and not in it.
func isBeside(path, variant string) bool {
	if variant == "" || path == variant || strings.HasPrefix(path, variant+".") {
		return false
	}
	enum := variant[:strings.LastIndexByte(variant, '.')+1]
	return enum != "" && strings.HasPrefix(path, enum)
}

const (
	mostOthers = 4
	leastScore = 440 // a phrase among three words of another meaning is chance
)

// match says how well a leaf fits a role by name, if it does by type.
func match(role decode.Role, leaf idl.Leaf) (choice, bool) {
	c := choice{FieldMapping: decode.FieldMapping{Role: role, Path: leaf.Path}, leaf: leaf}
	if role == decode.RoleLost {
		c.score, c.Unit = lostScore(leaf)
	} else {
		c.score = score(role, leaf)
		c.Unit, c.Decimals = unitOf(role, leaf)
	}
	return c, c.score >= leastScore && c.Fits(leaf) == nil
}

// score is the best likeness of the names that a leaf goes by.
func score(role decode.Role, leaf idl.Leaf) int {
	path := strings.Split(leaf.Path, ".")
	last := words(path[len(path)-1])
	for _, word := range unlike(role) {
		if slices.Contains(last, word) {
			return 0
		}
	}
	best := likeness(last, phrases(role))
	if len(path) > 1 {
		parent := words(path[len(path)-2])
		whole := append(slices.Clone(parent), last...)
		if len(last) == 1 && slices.Contains(generic(), last[0]) {
			best = max(best, likeness(parent, phrases(role))-1)
		}
		best = max(best, likeness(whole, phrases(role))-2)
	}
	return max(best-len(path), 0)
}

// lostScore looks for a bool or a variant that tells the outcome.
func lostScore(leaf idl.Leaf) (int, decode.Unit) {
	path := strings.Split(leaf.Path, ".")
	name := slices.DeleteFunc(words(path[len(path)-1]), func(word string) bool { return word == "is" || word == "was" })
	lost, won := likeness(name, lostPhrases()), likeness(name, wonPhrases())
	if leaf.Type.Kind != idl.Bool && !isVariant(leaf) {
		return 0, ""
	}
	if won > lost {
		return won, decode.UnitWon
	}
	return lost, ""
}

// isVariant tells the body of a variant from other fields: those that hold
// others have no value of their own otherwise.
func isVariant(leaf idl.Leaf) bool {
	return leaf.Optional && (leaf.Type.Kind == idl.Struct || leaf.Type.Kind == idl.Tuple)
}

// unitOf guesses the unit where the type leaves it open.
func unitOf(role decode.Role, leaf idl.Leaf) (decode.Unit, int) {
	t := leaf.Type
	switch role {
	case decode.RoleHouseEdge:
		name := words(leaf.Path)
		if slices.Contains(name, "ppb") || slices.Contains(name, "billionths") {
			return decode.UnitPPB, 0
		}
		return decode.UnitBPS, 0
	case decode.RoleMultiplier, decode.RoleStake, decode.RoleMaxPayout, decode.RolePayout, decode.RoleRefund:
		if t.Kind == idl.F64 || t.Kind == idl.F32 {
			const ofSOL, ofMultiplier = 9, 4
			if role == decode.RoleMultiplier {
				return decode.UnitTokens, ofMultiplier
			}
			return decode.UnitTokens, ofSOL
		}
	case decode.RoleMinesMask, decode.RoleRevealedMask:
		isNumbers := (t.Kind == idl.Vec || t.Kind == idl.Array) && t.Elem.Kind != idl.Bool
		switch {
		case t.Kind == idl.Array && isNumbers && t.Len >= 25:
			return decode.UnitFlags, 0
		case t.Kind == idl.Bytes || isNumbers:
			return decode.UnitTiles, 0
		}
	}
	return "", 0
}

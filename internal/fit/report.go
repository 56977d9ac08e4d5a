package fit

import (
	"fmt"
	"slices"

	"minesaudit/internal/config"
	"minesaudit/internal/decode"
	"minesaudit/internal/verify"
)

// A Report says what a profile makes of a program's events.
type Report struct {
	Profile     string   `json:"profile"`
	Program     string   `json:"program,omitempty"`
	Hash        string   `json:"hash"` // what a database remembers
	IDLs        []IDL    `json:"idls,omitempty"`
	EventsIn    string   `json:"events_in"`
	LogMessages bool     `json:"log_messages,omitempty"`
	Balance     string   `json:"payout_from_balance,omitempty"` // lamports or token
	Key         []string `json:"key"`
	Events      []Event  `json:"events"`
	Ends        []End    `json:"ends"`
	Warnings    []string `json:"warnings"`

	// Checkable says that at least one check of a board, payout or refund can be
	// made of some game.
	Checkable bool `json:"checkable"`
}

// An IDL is a file that the profile names.
type IDL struct {
	File     string `json:"file"`
	FromSlot uint64 `json:"from_slot"`
	Events   int    `json:"events"`
}

// An Event is one that starts or ends games.
type Event struct {
	Kind     string   `json:"kind"`
	Event    string   `json:"event"`
	FromSlot uint64   `json:"from_slot"`
	When     string   `json:"when,omitempty"`
	Says     string   `json:"says,omitempty"`
	Fields   []Field  `json:"fields"`
	Missing  []string `json:"missing"`
}

// A Field is where a role's value comes from.
type Field struct {
	Role     string `json:"role"`
	Path     string `json:"path,omitempty"`
	Type     string `json:"type,omitempty"`
	As       string `json:"as,omitempty"`
	Optional bool   `json:"optional,omitempty"` // may be absent in an event
	Value    string `json:"value,omitempty"`    // vouched for by the profile, not published
}

// Check reports on a profile.
func Check(p *config.Profile) Report {
	r := Report{
		Profile: p.Name, Program: p.Program, Hash: p.Hash(), EventsIn: p.EventsIn.String(), LogMessages: p.LogMessages,
		Events: []Event{}, Warnings: []string{},
	}
	if p.PayoutFromBalance != decode.BalanceNone {
		r.Balance = p.PayoutFromBalance.String()
	}
	for _, part := range p.Layout.Key() {
		r.Key = append(r.Key, part.String())
	}
	for _, file := range p.IDLs {
		r.IDLs = append(r.IDLs, IDL{File: file.File, FromSlot: file.FromSlot, Events: len(file.IDL.Events)})
	}
	bounds := p.Layout.Bounds()
	for _, b := range bounds {
		r.Events = append(r.Events, event(&b))
	}
	r.Ends, r.Checkable = costs(p, bounds)
	r.warn(p, bounds)
	return r
}

func event(b *decode.Bound) Event {
	e := Event{Kind: b.Kind.String(), Event: b.Event, FromSlot: b.FromSlot, When: b.When, Missing: b.Missing.Names()}
	if e.Missing == nil {
		e.Missing = []string{}
	}
	if b.Says != decode.OutcomeUnsaid {
		e.Says = b.Says.String()
	}
	for _, f := range b.Fields {
		e.Fields = append(e.Fields, Field{
			Role: f.Role.String(), Path: f.Path, Type: f.Type, As: f.As, Optional: f.Optional, Value: f.Constant,
		})
	}
	return e
}

func (r *Report) warn(p *config.Profile, bounds []decode.Bound) {
	warn := func(format string, args ...any) { r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...)) }
	if !r.Checkable {
		warn("nothing can be checked: no event that ends a game publishes what any check of its board, payout or refund needs")
	}
	r.warnOfBoards(warn)
	if p.Program == "" {
		warn("names no program: --program will have to")
	}
	if len(p.Operators) == 0 {
		warn("names no operators: void_right is not checked")
	}
	if p.Layout.IsBuiltin() {
		return
	}
	for _, kind := range []decode.Kind{decode.KindStarted, decode.KindSettled, decode.KindVoided} {
		if !slices.ContainsFunc(bounds, func(b decode.Bound) bool { return b.Kind == kind }) {
			warn("no event is %s: %s", kind, withoutKind(kind))
		}
	}
	for _, file := range p.IDLs {
		if file.IDL.Address != "" && p.Program != "" && file.IDL.Address != p.Program {
			warn("%s is of program %s, the profile of %s", file.File, comment(file.IDL.Address), p.Program)
		}
		if file.IDL.EventAuthority && p.EventsIn == decode.InLogs {
			warn("%s has instructions that emit by CPI, and the profile looks for events in logs only", file.File)
		}
		r.overlooked(file, bounds, warn)
	}
}

// warnOfBoards says where the heart of the matter cannot be checked.
func (r *Report) warnOfBoards(warn func(string, ...any)) {
	var told []string
	for _, e := range r.Ends {
		open := slices.ContainsFunc(e.Open, func(o Open) bool { return o.Check == verify.CheckBoard.String() })
		if open && !slices.Contains(told, e.Event) {
			told = append(told, e.Event)
			warn("no board of a game that ends by %s can be checked", comment(e.Event))
		}
	}
}

func withoutKind(kind decode.Kind) string {
	switch kind {
	case decode.KindStarted:
		return "no game has terms to be held against"
	case decode.KindSettled:
		return "only voids are seen"
	default:
		return "games that are cancelled stay open"
	}
}

// overlooked warns of events that look like an end and are none to the profile.
func (r *Report) overlooked(file config.IDLFile, bounds []decode.Bound, warn func(string, ...any)) {
	for _, e := range file.IDL.Events {
		if slices.ContainsFunc(bounds, func(b decode.Bound) bool { return b.Event == e.Name }) {
			continue
		}
		if e.Broken != nil {
			if likeness(words(e.Name), eventPhrases(decode.KindSettled))+likeness(words(e.Name), eventPhrases(decode.KindVoided)) > 0 {
				warn("%s: event %s looks like an end by its name, and cannot be read: %v", file.File, comment(e.Name), e.Broken)
			}
			continue
		}
		for _, c := range candidates(e) {
			if c.kind != decode.KindStarted && slices.ContainsFunc(c.choices, func(x choice) bool { return slices.Contains(keyParts(), x.Role) }) {
				warn("%s: event %s looks like a game that is %s, and is not mapped: games that end so would stay open", file.File, comment(e.Name), c.kind)
				break
			}
		}
	}
}

func keyParts() []decode.Role {
	return []decode.Role{decode.RoleGame, decode.RoleUser, decode.RoleNonce}
}

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"minesaudit/internal/claim"
	"minesaudit/internal/config"
	"minesaudit/internal/inspect"
	"minesaudit/internal/verify"
)

// claimOutput is how a game that was written down is shown.
type claimOutput struct {
	JSON    bool `name:"json" help:"One JSON object in place of text: the answer that verify batch gives."`
	Explain bool `name:"explain" help:"Show every hash, draw, rejected word and step too."`
}

// check works a request out and writes the answer; its verdict is the error.
func (o *claimOutput) check(s *streams, r *claim.Request, rules *verify.Rules) error {
	a := claim.Check(r, rules)
	noWinner := errors.Is(a.Err, verify.ErrNoWinner)
	if a.Err != nil && !noWinner {
		return usage(flagError(a.Err))
	}
	var err error
	if o.JSON {
		err = a.WriteJSON(s.Out, r, rules, o.Explain)
	} else {
		err = a.WriteText(s.Out, r, rules, inspect.TextOptions{Colour: coloured(s.Out), Explain: o.Explain})
	}
	if err != nil {
		return fmt.Errorf("write the answer: %w", err)
	}
	switch {
	case noWinner:
		return &exitError{exitInconclusive, a.Err}
	case a.Verdict == verify.VerdictFail:
		return &exitError{code: exitMismatch}
	case a.Verdict == verify.VerdictInconclusive:
		return &exitError{code: exitInconclusive}
	default: // a pass, or an outcome that has no verdict
		return nil
	}
}

// flagError names the flag where an error names the field of a request.
func flagError(err error) error {
	field, rest, ok := strings.Cut(err.Error(), ": ")
	if !ok || !slices.Contains(claim.Fields(), field) {
		return err
	}
	return fmt.Errorf("--%s: %s", strings.ReplaceAll(field, "_", "-"), rest)
}

// defaultRules is for games that have no payout convention.
func defaultRules() *verify.Rules {
	rules := verify.DefaultRules()
	return &rules
}

// profileRules reads the payout convention of a profile.
func profileRules(name string) (*verify.Rules, error) {
	profile, err := config.LoadProfile(name)
	if err != nil {
		return nil, usage(fmt.Errorf("--profile: %w", err))
	}
	rules := profile.Rules()
	return &rules, nil
}

package claim

import (
	"errors"
	"fmt"
	"strconv"

	"minesaudit/internal/verify"
)

// Why a hash is not that of its round, or is not known to be.
const (
	reasonNotReached    = "terminal_not_reached" // in as many steps as the round asks for
	reasonOtherRound    = "hash_of_another_round"
	reasonRoundNotGiven = "round_not_given"
	reasonNoTerminal    = "terminal_not_given"
)

type chainOutcome struct {
	verdict verify.Verdict
	place   verify.Place
	reason  string // empty for a pass
	round   uint64 // 0 where not given
	from    verify.ChainHash
	to      verify.ChainHash
}

func (a *Answer) chain(r *Request) {
	o, err := checkChain(r)
	if err != nil {
		a.Err = err
		return
	}
	a.Verdict, a.outcome = o.verdict, o
}

func checkChain(r *Request) (*chainOutcome, error) {
	text, err := hashOf(r)
	if err != nil {
		return nil, err
	}
	o := &chainOutcome{verdict: verify.VerdictInconclusive}
	if o.from, err = verify.ParseChainHash(text); err != nil {
		return nil, err
	}
	if r.Round.given() {
		round, err := r.Round.within("round", 1, verify.ChainLength)
		if err != nil {
			return nil, err
		}
		o.round = uint64(round)
	}
	if r.Terminal == nil {
		o.reason = reasonNoTerminal
		return o, nil
	}
	form, err := o.terminal(*r.Terminal, r.TerminalForm)
	if err != nil {
		return nil, err
	}
	return o, o.locate(form)
}

// terminal reads a name or a hash, and the form that it has.
func (o *chainOutcome) terminal(text string, form *string) (verify.TerminalForm, error) {
	known, isName := verify.FindTerminal(text)
	if isName {
		o.to = known.Hash
	} else {
		hash, err := verify.ParseChainHash(text)
		if err != nil {
			return 0, fmt.Errorf("terminal: %s: want platform, crash, battle or 64 hex digits in lower case", clipped(text))
		}
		o.to = hash
	}
	switch {
	case form == nil && isName:
		return verify.FinalSHA256, nil
	case form == nil:
		return verify.EitherForm, nil
	case *form == "sha256":
		return verify.FinalSHA256, nil
	case *form == "final" && isName:
		return 0, errors.New("terminal_form: final: what was published for this chain is a SHA-256")
	case *form == "final":
		return verify.FinalHash, nil
	default:
		return 0, fmt.Errorf("terminal_form: %s: want sha256 or final", clipped(*form))
	}
}

// locate looks for the hash in the chain.
func (o *chainOutcome) locate(form verify.TerminalForm) error {
	if o.round == 0 {
		steps, ok := verify.Distance(o.from, o.to, verify.ChainLength)
		o.place, o.reason = verify.Place{OnChain: ok, Steps: steps, Form: form}, reasonRoundNotGiven
		if !ok {
			o.verdict, o.reason = verify.VerdictFail, reasonNotReached
		}
		return nil
	}
	result, place, err := verify.CheckRound(o.from, o.round, o.to, form)
	if err != nil {
		return err
	}
	o.place = place
	switch {
	case result == verify.ResultPass:
		o.verdict = verify.VerdictPass
	case place.OnChain:
		o.verdict, o.reason = verify.VerdictFail, reasonOtherRound
	default:
		o.verdict, o.reason = verify.VerdictFail, reasonNotReached
	}
	return nil
}

func (o *chainOutcome) appendFields(b []byte) []byte {
	b = appendString(appendKey(b, "verdict"), o.verdict.String())
	b = appendKey(b, "steps")
	if o.place.OnChain {
		b = strconv.AppendUint(b, o.place.Steps, 10)
	} else {
		b = append(b, "null"...)
	}
	b = appendString(appendKey(b, "terminal_form"), o.place.Form.String())
	return appendString(appendKey(b, "reason"), o.reason)
}

func (o *chainOutcome) lines() [][2]string {
	list := [][2]string{{"verdict", o.verdict.String()}}
	if o.reason != "" {
		list = append(list, [2]string{"why", o.reason})
	}
	if o.place.OnChain {
		list = append(list, [2]string{"steps", fmt.Sprintf("%d to the terminal, which is taken for: %s", o.place.Steps, o.place.Form)})
	}
	return list
}

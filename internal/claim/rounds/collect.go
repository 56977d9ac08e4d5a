package rounds

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// A claimed round is one record.
type claimed struct {
	round   uint32
	hash    [32]byte
	outcome outcome
}

func (g Game) parse(r *records.Record) (c claimed, err error) {
	round, err := r.Int(fieldRound)
	switch {
	case err != nil:
		return c, err
	case round < 1 || round > verify.ChainLength:
		return c, fmt.Errorf("round: %d: want 1..%d", round, verify.ChainLength)
	}
	text, err := r.Text(fieldHash)
	if err != nil {
		return c, err
	}
	hash, err := verify.ParseChainHash(text)
	if err != nil {
		return c, err
	}
	c.round = uint32(round)
	if _, err := hex.Decode(c.hash[:], hash[:]); err != nil {
		return c, fmt.Errorf("hash: %w", err)
	}
	c.outcome, err = g.outcome(r, hash)
	return c, err
}

// collect takes what a record came to.
func (a *audit) collect(at records.Place, c claimed, err error) error {
	switch {
	case errors.Is(err, ErrNoGame):
		return fmt.Errorf("%s line %d: %w", a.result.Names[at.Source], at.Line, err)
	case err != nil:
		a.result.Bad.Add(at, err)
		return nil
	}
	a.result.Records++
	e := a.table.at(c.round)
	if e.line != 0 {
		a.again(e, at, &c)
		return nil
	}
	*e = entry{hash: c.hash, claim: c.outcome.claim, line: uint32(at.Line), source: uint16(at.Source)}
	e.setResult(CheckUnique, verify.ResultPass)
	a.setOutcome(e, c.round, &c.outcome)
	return nil
}

func (a *audit) setOutcome(e *entry, round uint32, o *outcome) {
	e.claim = o.claim
	e.setResult(CheckOutcome, o.result)
	if o.result == verify.ResultFail || o.result == verify.ResultInconclusive {
		a.result.find(Finding{round, e.place(), CheckOutcome, o.result, o.reason, o.expected, claimText(o.claim)})
	}
}

// again takes a further claim about a round. One that only adds an outcome to
// the same hash is the rest of the first.
func (a *audit) again(e *entry, at records.Place, c *claimed) {
	first, second := math.IsNaN(e.claim), math.IsNaN(c.outcome.claim)
	switch {
	case e.hash != c.hash:
		a.apart(e, at, c, e.chainHash().String(), hex.EncodeToString(c.hash[:]))
	case first && !second:
		a.result.Repeated++
		a.setOutcome(e, c.round, &c.outcome)
	case second:
		a.result.Repeated++
	case e.claim != c.outcome.claim || e.result(CheckOutcome) != c.outcome.result:
		a.apart(e, at, c, claimText(e.claim), claimText(c.outcome.claim))
	default:
		a.result.Repeated++
	}
}

func (a *audit) apart(e *entry, at records.Place, c *claimed, first, second string) {
	a.result.Contradicting++
	e.setResult(CheckUnique, verify.ResultFail)
	a.result.find(Finding{
		c.round, at, CheckUnique, verify.ResultFail, reasonClaimsApart,
		fmt.Sprintf("%s, as on line %d of %s", first, e.line, a.result.Names[e.source]), second,
	})
}

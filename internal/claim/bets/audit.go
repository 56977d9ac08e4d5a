package bets

import (
	"fmt"
	"slices"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// Options say how bets are read and who gets them.
type Options struct {
	Game     string           // of records that name none; empty: each must
	Ignore   []string         // fields of the files to be passed over
	Each     func(*Bet) error // gets each bet with its results, in order; nil for nobody
	Progress func(bytes int)  // is told of what was read; nil for nobody
}

// An audit is one under way.
type audit struct {
	options Options
	seen    map[[16]byte]sighting // by the game seed, which is made of seeds and nonce
	pairs   map[[16]byte]*counter // by both seeds
	result  *Result
}

// A sighting is where a nonce was used, and what else that record said.
type sighting struct {
	content [8]byte
	line    uint32
	source  uint16
}

// Audit reads bets and checks them.
func Audit(sources []records.Source, o Options) (*Result, error) {
	a := &audit{options: o, seen: map[[16]byte]sighting{}, pairs: map[[16]byte]*counter{}, result: &Result{}}
	for _, s := range sources {
		a.result.Names = append(a.result.Names, s.Name)
	}
	format := records.Format{Fields: Fields(), Ignore: o.Ignore}
	work := func(r *records.Record) (*Bet, error) { return parse(r, o.Game) }
	if err := records.Read(sources, format, work, a.take, o.Progress); err != nil {
		return nil, err
	}
	a.result.findGaps(a.pairs)
	return a.result, nil
}

// take takes what a record came to.
func (a *audit) take(at records.Place, b *Bet, err error) error {
	if err != nil {
		a.result.Bad.Add(at, err)
		return nil
	}
	a.result.Records++
	key := [16]byte(digest(b.GameSeed.String()))
	earlier, used := a.seen[key]
	switch {
	case used && earlier.content == [8]byte(b.content[:8]):
		a.result.Repeated++
		return nil
	case used:
		b.ID = digest(string(b.ID[:]), string(b.content[:])) // not the first one's
		place := records.Place{Source: int(earlier.source), Line: int(earlier.line)}
		b.find(CheckNonceUnique, verify.ResultFail, reasonReused, "a nonce of its own", "that of "+place.In(a.result.Names))
	default:
		a.seen[key] = sighting{[8]byte(b.content[:8]), uint32(at.Line), uint16(at.Source)}
		a.countNonce(b)
	}
	b.At = at
	for i := range b.Findings {
		b.Findings[i].At = at
	}
	b.judge()
	a.result.count(b)
	if a.options.Each == nil {
		return nil
	}
	if err := a.options.Each(b); err != nil {
		return fmt.Errorf("%s: %w", at.In(a.result.Names), err)
	}
	return nil
}

// leastTime is the least nonce that is taken for a time: a day in 2001, in
// milliseconds.
const leastTime = 1_000_000_000_000

// A counter is the nonces of a pair of seeds, as long as they may be a counter's.
type counter struct {
	server, client string
	nonces         []int64
	times          bool
}

func (a *audit) countNonce(b *Bet) {
	key := digest(b.ServerSeed, b.ClientSeed)
	c := a.pairs[key]
	if c == nil {
		c = &counter{server: records.Clipped(b.ServerSeed), client: records.Clipped(b.ClientSeed)}
		a.pairs[key] = c
	}
	if c.times = c.times || b.Nonce >= leastTime; c.times {
		c.nonces = nil
		return
	}
	c.nonces = append(c.nonces, b.Nonce)
}

// A Gap is nonces of a pair of seeds that no bet has, between two that have one.
type Gap struct {
	ServerSeed, ClientSeed string // quoted, and cut where they are long
	From, To               int64
}

// maxListed is how many gaps are kept.
const maxListed = 1000

func (r *Result) findGaps(pairs map[[16]byte]*counter) {
	r.Pairs = len(pairs)
	for _, c := range pairs {
		slices.Sort(c.nonces)
		for i := 1; i < len(c.nonces); i++ {
			from, to := c.nonces[i-1]+1, c.nonces[i]-1
			if from > to {
				continue
			}
			r.Gaps++
			r.Missing += uint64(to) - uint64(from) + 1
			r.GapList = append(r.GapList, Gap{c.server, c.client, from, to})
		}
	}
	slices.SortFunc(r.GapList, compareGaps)
	r.GapList = r.GapList[:min(len(r.GapList), maxListed)]
}

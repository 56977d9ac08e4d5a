package rounds

import (
	"encoding/hex"
	"iter"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// An entry is a round as it was first claimed: 48 bytes.
type entry struct {
	hash    [32]byte
	claim   float64 // NaN where there is none
	line    uint32  // 0: the round was not given
	source  uint16
	results uint8 // 2 bits a check
	link    link
}

func (e *entry) result(c Check) verify.Result { return verify.Result(e.results >> (2 * c) & 3) }

func (e *entry) setResult(c Check, r verify.Result) {
	e.results = e.results&^(3<<(2*c)) | uint8(r)<<(2*c)
}

func (e *entry) chainHash() (h verify.ChainHash) {
	hex.Encode(h[:], e.hash[:])
	return h
}

func (e *entry) place() records.Place { return records.Place{Source: int(e.source), Line: int(e.line)} }

// pageRounds is how many rounds share an allocation: rounds that are far apart
// cost a page each.
const pageRounds = 256

type page [pageRounds]entry

// A table holds an entry a round, by its number.
type table struct {
	pages [verify.ChainLength/pageRounds + 1]*page
	end   int // the number of pages up to the last one in use
}

// at gives the place of a round, 1 to verify.ChainLength.
func (t *table) at(round uint32) *entry {
	p := &t.pages[round/pageRounds]
	if *p == nil {
		*p = new(page)
		t.end = max(t.end, int(round/pageRounds)+1)
	}
	return &(*p)[round%pageRounds]
}

// all gives the rounds that were given, from the lowest on.
func (t *table) all() iter.Seq2[uint32, *entry] {
	return func(yield func(uint32, *entry) bool) {
		for p := range t.end {
			for round, e := range t.page(p) {
				if !yield(round, e) {
					return
				}
			}
		}
	}
}

// page gives the rounds of one page.
func (t *table) page(p int) iter.Seq2[uint32, *entry] {
	return func(yield func(uint32, *entry) bool) {
		if t.pages[p] == nil {
			return
		}
		for i := range t.pages[p] {
			if e := &t.pages[p][i]; e.line != 0 && !yield(uint32(p*pageRounds+i), e) {
				return
			}
		}
	}
}

// before gives for each page the last round that was given below it; 0 where
// there is none.
func (t *table) before() []uint32 {
	list := make([]uint32, t.end)
	last := uint32(0)
	for p := range t.end {
		list[p] = last
		for round := range t.page(p) {
			last = round
		}
	}
	return list
}

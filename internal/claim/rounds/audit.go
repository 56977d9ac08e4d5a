package rounds

import (
	"errors"

	"minesaudit/internal/claim/checkpoint"
	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// ErrNoTerminal means that the chain of a checkpoint file does not end at the
// terminal that rounds are held against.
var ErrNoTerminal = errors.New("the checkpoints do not end at the chain's terminal")

// Options say what rounds are held against.
type Options struct {
	Chain       Chain
	Checkpoints *checkpoint.Lookup // nil for none
	Ignore      []string           // fields of the files to be passed over
	Progress    Progress
}

// Progress is told of work as it is done, from several goroutines. A function
// that is nil is not called.
type Progress struct {
	Read   func(bytes int)
	Hashes func(most uint64) // all records are read, and so many hashes are to come at most
	Hashed func(n uint64)
}

// An audit is one under way: first the files are read and the outcomes checked,
// then the links hashed, then each round's place in the chain is judged.
type audit struct {
	chain    Chain
	points   *checkpoint.Lookup
	progress Progress
	table    *table
	before   []uint32 // the last round below each page
	far      farFinds
	extra    uint64 // hashes that may be taken to get past false ones
	result   *Result
}

// Audit reads rounds and checks them.
func Audit(sources []records.Source, o Options) (*Result, error) {
	return run(sources, o, extraHashes)
}

func run(sources []records.Source, o Options, extra uint64) (*Result, error) {
	if o.Checkpoints != nil && o.Checkpoints.Chain().End().Hash != o.Chain.Terminal {
		return nil, ErrNoTerminal
	}
	a := &audit{chain: o.Chain, points: o.Checkpoints, progress: o.Progress, extra: extra, table: new(table)}
	a.result = &Result{Chain: o.Chain, FromPoints: o.Checkpoints != nil, table: a.table}
	for _, s := range sources {
		a.result.Names = append(a.result.Names, s.Name)
	}
	format := records.Format{Fields: Fields(), Ignore: o.Ignore}
	if err := records.Read(sources, format, o.Chain.Game.parse, a.collect, o.Progress.Read); err != nil {
		return nil, err
	}
	a.before = a.table.before()
	a.result.measure()
	if o.Progress.Hashes != nil {
		most := uint64(a.result.Highest)
		if o.Chain.Form == verify.EitherForm {
			most += uint64(a.result.Lowest) // which is walked once more to find out
		}
		o.Progress.Hashes(most)
	}
	if err := a.settleForm(); err != nil {
		return nil, err
	}
	if err := a.linkAll(); err != nil {
		return nil, err
	}
	if err := a.judgeAll(); err != nil {
		return nil, err
	}
	return a.result, nil
}

func (a *audit) hashed(n uint64) {
	if a.progress.Hashed != nil && n > 0 {
		a.progress.Hashed(n)
	}
}

// formTries is how many of the lowest rounds are asked for the form of a
// terminal of which it is not known.
const formTries = 16

// settleForm finds out which form the terminal has, where nothing says so: the
// lowest rounds that lead to it tell. If none does, no form would help them.
func (a *audit) settleForm() error {
	a.result.Assumed = a.chain.Form == verify.EitherForm
	if !a.result.Assumed {
		return nil
	}
	a.chain.Form = verify.FinalSHA256
	tries := 0
	for round, e := range a.table.all() {
		if tries++; tries > formTries {
			break
		}
		// What lies below the round in either form.
		to, err := a.fixedBelow(uint64(round) - 1)
		if err != nil {
			return err
		}
		gap := uint64(round) - to.position
		steps, found := a.walk(e.chainHash(), to.hash, gap)
		if found && steps+1 == gap {
			a.chain.Form = verify.FinalHash
		}
		if found && steps+1 >= gap {
			break
		}
	}
	a.result.Chain.Form = a.chain.Form
	return nil
}

// position is how many steps a round is from the terminal.
func (a *audit) position(round uint32) uint64 {
	if a.chain.Form == verify.FinalHash {
		return uint64(round) - 1
	}
	return uint64(round)
}

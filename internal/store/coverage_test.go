package store

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// ranges writes the coverage as [from,to] complete and (from,to) lacking.
func ranges(t testing.TB, r *record) string {
	t.Helper()
	list, err := r.Coverage(bounded(t))
	if err != nil {
		t.Fatal(err)
	}
	var parts []string
	for i := range list {
		c := &list[i]
		if c.Complete() {
			parts = append(parts, fmt.Sprintf("[%d,%d]", c.From, c.To))
		} else {
			parts = append(parts, fmt.Sprintf("(%d,%d)%s", c.From, c.To, c.Reason))
		}
	}
	return strings.Join(parts, " ")
}

func whole(from, to int64) *Batch {
	return &Batch{Covers: []Covered{{From: from, To: to, Source: SourceBackfill}}}
}

func lacking(from, to int64, why string) *Batch {
	return &Batch{Covers: []Covered{{From: from, To: to, Source: SourceBackfill, Reason: why}}}
}

// Ranges grow together as what lies between them is closed; what could not be had
// says so until it is. The audit begins where completeness does.
func TestCoverageGrowsTogether(t *testing.T) {
	t.Parallel()
	r := migrated(t)
	r.reopen(t)
	if _, err := r.w.Bind(bounded(t), Watch{ProfileHash: "test", AuditedFrom: 1000, Frontier: 999}); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		batch *Batch
		want  string
		from  int64
	}{
		{&Batch{Advance: &Advance{Was: 999, Becomes: 1049, Head: 1060}}, "[1000,1049]", 1000},
		{whole(800, 899), "[800,899] [1000,1049]", 1000},
		{lacking(880, 950, "pruned"), "[800,899] (900,950)pruned [1000,1049]", 1000},
		{lacking(700, 790, "null"), "(700,790)null [800,899] (900,950)pruned [1000,1049]", 1000},
		{whole(940, 999), "(700,790)null [800,899] (900,939)pruned [940,1049]", 940},
		{whole(900, 939), "(700,790)null [800,1049]", 800},
		{whole(900, 939), "(700,790)null [800,1049]", 800}, // again
		{lacking(850, 860, "late"), "(700,790)null [800,1049]", 800},
		{lacking(720, 750, "other"), "(700,719)null (720,750)other (751,790)null [800,1049]", 800},
		{whole(0, 720), "[0,720] (721,750)other (751,790)null [800,1049]", 800},
		{whole(600, 799), "[0,1049]", 0},
		{&Batch{Advance: &Advance{Was: 1049, Becomes: 1050, Head: 1060}}, "[0,1050]", 0},
	} {
		r.commit(t, step.batch)
		if got := ranges(t, r); got != step.want {
			t.Errorf("after %+v %+v:\n%s, want\n%s", step.batch.Covers, step.batch.Advance, got, step.want)
		}
		if got := scan[int64](t, r, `select audited_from from audit.watch`); got != step.from {
			t.Errorf("after %+v the audit begins at %d, want %d", step.batch.Covers, got, step.from)
		}
		r.consistent(t)
	}
}

// In whatever order ranges come, a slot is complete once one said so.
func TestCoverageDoesNotDependOnTheWay(t *testing.T) {
	t.Parallel()
	r := fresh(t)
	rapid.Check(t, func(outer *rapid.T) {
		r.exec(t, `truncate audit.coverage`)
		var complete [40]bool
		for range rapid.IntRange(1, 12).Draw(outer, "n") {
			from := rapid.Int64Range(5000, 5039).Draw(outer, "from")
			to := rapid.Int64Range(from, 5039).Draw(outer, "to")
			if rapid.Bool().Draw(outer, "complete") {
				r.commit(t, whole(from, to))
				for i := from; i <= to; i++ {
					complete[i-5000] = true
				}
			} else {
				r.commit(t, lacking(from, to, "why"))
			}
		}
		list, err := r.Coverage(bounded(t))
		if err != nil {
			outer.Fatal(err)
		}
		for i, want := range complete {
			got := false
			for _, c := range list {
				got = got || c.Complete() && c.From <= int64(i+5000) && int64(i+5000) <= c.To
			}
			if got != want {
				outer.Fatalf("slot %d complete: %v, want %v, in %s", i+5000, got, want, ranges(t, r))
			}
		}
		for i := 1; i < len(list); i++ {
			if list[i-1].Complete() && list[i].Complete() && list[i-1].To+1 == list[i].From {
				outer.Fatalf("ranges that touch have not grown together: %s", ranges(t, r))
			}
		}
	})
}

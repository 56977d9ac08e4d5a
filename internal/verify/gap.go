package verify

// A gap is why a value is not known. The zero gap is none: the value is known.
type gap struct {
	reason Reason
	lacks  Fields // of ReasonNotPublished
}

func because(reason Reason) gap { return gap{reason: reason} }

// unpublished is the gap that fields leave; none if there are none.
func unpublished(lacks Fields) gap {
	if lacks == 0 {
		return gap{}
	}
	return gap{ReasonNotPublished, lacks}
}

// unknown leaves a check open for a gap. What is lacking is named in place of
// what was observed.
func (j *judgement) unknown(c Check, why gap, observed string) {
	if why.reason == ReasonNotPublished {
		observed = "not published: " + why.lacks.String()
		j.report.spared[c] = why.lacks&^j.spares(c) == 0
	}
	j.open(c, why.reason, observed)
}

// spares are the fields without which the verdict does without a check: others
// say as much.
func (j *judgement) spares(c Check) Fields {
	switch c {
	case CheckSlothashKept:
		if j.start != nil && !j.start.Missing.Has(FieldSlothash) {
			return FieldSlothash // the settlement's
		}
	case CheckBoard, CheckMineCount, CheckMaskRange:
		return FieldMinesMask
	case CheckOutcome, CheckMultiplier:
		return FieldMultiplier
	case CheckVoidRight:
		return FieldStartedAt | FieldRefundTimeout | FieldAuthority
	}
	return 0
}

// lacks is the part of some fields that a start does not publish; none of a start
// that was not seen, which is a reason of its own.
func (s *Start) lacks(of Fields) Fields {
	if s == nil {
		return 0
	}
	return s.Missing & of
}

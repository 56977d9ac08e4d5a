package assemble

// tied counts the first starts or ends that share a slot where their order is
// the signatures' and not the chain's: those in several transactions. pieces
// are sorted; 0 means that the first is known.
func tied(pieces []Piece, wanted func(Piece) bool) int {
	var first *Piece
	n, several := 0, false
	for i := range pieces {
		p := &pieces[i]
		if !wanted(*p) {
			continue
		}
		if first == nil {
			first = p
		}
		if p.Slot != first.Slot {
			break
		}
		n++
		several = several || p.Signature != first.Signature
	}
	if !several {
		return 0
	}
	return n
}

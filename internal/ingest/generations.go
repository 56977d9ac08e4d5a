package ingest

// generations remembers between lateMost and twice as many signatures: when the
// younger generation is full the older one is forgotten. Zero is empty.
type generations[T any] struct{ now, old map[[64]byte]T }

func (g *generations[T]) set(signature [64]byte, v T) {
	if len(g.now) >= lateMost || g.now == nil {
		g.now, g.old = make(map[[64]byte]T), g.now
	}
	g.now[signature] = v
}

// get gives zero for what is not remembered.
func (g *generations[T]) get(signature [64]byte) T {
	if v, ok := g.now[signature]; ok {
		return v
	}
	return g.old[signature]
}

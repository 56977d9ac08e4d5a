package idl

import "fmt"

// maxExtent bounds the bytes of one value and the length of an array: no
// transaction holds as much, and sums of it stay far from overflow.
const maxExtent = 1 << 30

// extent is how many bytes the values of a type take.
type extent struct {
	size  int  // where all take as many; else -1
	min   int  // at least
	plain bool // size is fixed and any bytes of it are a value

	progress progress
}

type progress uint8

const (
	unmeasured progress = iota
	measuring
	measured
)

// measure finds the extent of a type and of what lies within it, and breaks it
// if it lies within itself. Behind a tag or a count the bytes bound the nesting,
// so nothing is measured through one.
func measure(t *Type) {
	switch t.progress {
	case measured:
		return
	case measuring:
		t.breaks(fmt.Errorf("type %q: %w", t.Name, ErrEndless))
		return
	}
	t.progress = measuring
	switch t.Kind {
	case Option, Enum:
		t.extent = extent{size: -1, min: 1}
	case COption, Vec, String, Bytes:
		t.extent = extent{size: -1, min: 4}
	case Array:
		measure(t.Elem)
		t.repeat(t.Elem, t.Len)
	case Struct, Tuple:
		t.sum()
	default:
		size := t.Kind.fixedSize()
		t.extent = extent{size: size, min: size, plain: t.Kind != Bool}
	}
	t.progress = measured
	if t.broken == nil {
		if t.min > maxExtent {
			t.breaks(fmt.Errorf("%s: %w: more than %d bytes", t, ErrBounds, maxExtent))
		} else if err := provePacking(t); err != nil {
			t.breaks(fmt.Errorf("type %q: %w", t.Name, err))
		}
	}
}

func (t *Type) breaks(why error) {
	if t.broken == nil {
		t.broken = why
	}
}

func (t *Type) sum() {
	e := extent{plain: true, progress: measuring}
	for _, f := range t.Fields {
		measure(f.Type)
		e.min = min(e.min+f.Type.min, maxExtent+1)
		e.plain = e.plain && f.Type.plain
		if f.Type.size < 0 || e.size < 0 {
			e.size = -1
		} else {
			e.size = min(e.size+f.Type.size, maxExtent+1)
		}
	}
	t.extent = e
}

// repeat makes t's extent that of n values of elem; both factors are bounded.
func (t *Type) repeat(elem *Type, n int) {
	t.extent = extent{size: -1, min: min(elem.min*n, maxExtent+1), plain: elem.plain, progress: measuring}
	if elem.size >= 0 {
		t.size = min(elem.size*n, maxExtent+1)
	}
}

package idl

// visit reads a value with what a step wants of it.
func (c *cursor) visit(t *Type, s *step, dst []Value, depth int) *DecodeError {
	if s == nil {
		return c.skip(t, depth)
	}
	for t.Kind == Option || t.Kind == COption {
		there, err := c.option(t)
		if err != nil || !there {
			return err
		}
		if err := c.enter(t, depth); err != nil {
			return err
		}
		t = t.Elem
		depth++
	}
	v := Value{Kind: t.Kind, of: t, full: c.full}
	start := c.at
	var err *DecodeError
	switch {
	case s.below == nil:
		err = c.skip(t, depth)
	case t.Kind == Enum:
		err = c.visitEnum(t, s, dst, depth)
	default:
		err = c.visitFields(t, s, dst, depth)
	}
	if err != nil {
		return err
	}
	v.Raw = c.data[start:c.at:c.at]
	if t.Kind == Enum {
		v.tag = int(v.Raw[0])
	}
	for _, slot := range s.slots {
		dst[slot] = v
	}
	return nil
}

func (c *cursor) visitFields(t *Type, s *step, dst []Value, depth int) *DecodeError {
	if err := c.enter(t, depth); err != nil {
		return err
	}
	for i := range t.Fields {
		if err := c.visit(t.Fields[i].Type, s.below[i], dst, depth+1); err != nil {
			return err.in(t.Fields[i].Name)
		}
	}
	return nil
}

func (c *cursor) visitEnum(t *Type, s *step, dst []Value, depth int) *DecodeError {
	if err := c.enter(t, depth); err != nil {
		return err
	}
	tag, err := c.variant(t)
	if err != nil {
		return err
	}
	if err := c.visit(t.Variants[tag].Body, s.below[tag], dst, depth+1); err != nil {
		return err.in(t.Variants[tag].Name)
	}
	return nil
}

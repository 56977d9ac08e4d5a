package decode

import "strconv"

// frames are the programs that run at one point of a log, outermost first. The
// methods take and give values and put messages together without fmt: otherwise
// every stack would move to the heap.
type frames []string

// running is the program that runs, or empty.
func (f frames) running() string {
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1]
}

// named is running, for a message.
func (f frames) named() string {
	if len(f) == 0 {
		return "nothing"
	}
	return f.running()
}

// step follows a line of structure; where it does not fit what runs, lines are
// missing, and problem says what was seen.
func (f frames) step(at int, l line) (next frames, problem string) {
	switch l.kind {
	case invoke:
		if l.arg != strconv.Itoa(len(f)+1) {
			return f, "line " + strconv.Itoa(at) + ": " + l.id + " invoked at depth " + l.arg[:min(len(l.arg), 8)] +
				" while " + strconv.Itoa(len(f)) + " run"
		}
		return append(f, l.id), ""
	case exit:
		if len(f) == 0 || f.running() != l.id {
			return f, "line " + strconv.Itoa(at) + ": " + l.id + " ended while " + f.named() + " was running"
		}
		return f[:len(f)-1], ""
	}
	return f, ""
}

// end says what is wrong with a log that has no further line.
func (f frames) end() (problem string) {
	if len(f) == 0 {
		return ""
	}
	return "the log ended while " + f.named() + " was running"
}

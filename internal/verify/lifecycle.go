package verify

import "fmt"

// lifecycle asks for one start and one end in this order. It has nothing to say
// yet of a running game.
func (j *judgement) lifecycle() {
	g := j.game
	starts, ends := len(g.Starts), len(g.Ends)
	switch {
	case starts > 1 || ends > 1:
		j.fail(CheckLifecycle, ReasonSeveral, "1 start, 1 end", fmt.Sprintf("%d started, %d ended", starts, ends))
	case starts == 1 && ends == 1 && g.Ends[0].Slot < g.Starts[0].Slot:
		j.fail(CheckLifecycle, ReasonEndFirst, fmt.Sprintf("end at slot %d or later", g.Starts[0].Slot),
			fmt.Sprintf("end at slot %d", g.Ends[0].Slot))
	case ends == 0 && g.HiddenIn > 0:
		j.open(CheckLifecycle, ReasonLogTruncated, fmt.Sprintf("the end may lie in slot %d, in a log that is cut short", g.HiddenIn))
	case g.Truncated:
		j.open(CheckLifecycle, ReasonLogTruncated, "")
	case ends == 0: // n/a
	case starts == 0:
		j.open(CheckLifecycle, ReasonStartNotSeen, "")
	case g.Ends[0].Kind != EndSettled && g.Ends[0].Kind != EndVoided:
		j.open(CheckLifecycle, ReasonUnknownEnd, g.Ends[0].Kind.String())
	default:
		j.pass(CheckLifecycle)
	}
}

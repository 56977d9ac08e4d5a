package verify

import (
	"fmt"
	"math/bits"
)

func (j *judgement) commit(s *Settled) {
	lacks := s.Missing&FieldServerSeed | j.start.lacks(FieldCommitHash)
	sum := Commitment(s.ServerSeed)
	switch {
	case lacks != 0:
		j.unknown(CheckCommit, unpublished(lacks), "")
	case j.start == nil:
		j.open(CheckCommit, ReasonStartNotSeen, hashText(sum))
	case sum == j.start.CommitHash:
		j.pass(CheckCommit)
	default:
		j.fail(CheckCommit, ReasonMismatch, hashText(j.start.CommitHash), hashText(sum))
	}
}

func (j *judgement) slothashKept(s *Settled) {
	lacks := s.Missing&FieldSlothash | j.start.lacks(FieldSlothash)
	switch {
	case lacks != 0:
		j.unknown(CheckSlothashKept, unpublished(lacks), "")
	case j.start == nil:
		j.open(CheckSlothashKept, ReasonStartNotSeen, hashText(s.Slothash))
	case s.Slothash == j.start.Slothash:
		j.pass(CheckSlothashKept)
	default:
		j.fail(CheckSlothashKept, ReasonMismatch, hashText(j.start.Slothash), hashText(s.Slothash))
	}
}

func (j *judgement) board(s *Settled, board *Board, unknown gap) {
	switch {
	case !s.publishes(FieldMinesMask):
		j.unknown(CheckBoard, unpublished(FieldMinesMask), "")
	case unknown.reason != "":
		j.unknown(CheckBoard, unknown, maskText(s.MinesMask))
	case s.MinesMask == board.Mask:
		j.pass(CheckBoard)
	default:
		j.fail(CheckBoard, ReasonMismatch, maskText(board.Mask), maskText(s.MinesMask))
	}
}

// mineCount counts all 32 bits, those of no tile too. Where one of the two
// numbers is not known, the other can still be one that no game allows.
func (j *judgement) mineCount(s *Settled) {
	mines := bits.OnesCount32(s.MinesMask)
	masked, counted := s.publishes(FieldMinesMask), j.report.MinesCount >= 0
	inRange := func(n int) bool { return n >= 1 && n <= MaxMines }
	switch want := j.report.MinesCount; {
	case counted && !inRange(want):
		j.fail(CheckMineCount, ReasonMinesCountRange, "mines_count in 1..24", fmt.Sprintf("mines_count %d", want))
	case masked && !counted && !inRange(mines):
		j.fail(CheckMineCount, ReasonMinesCountRange, "1..24 mines", fmt.Sprintf("%d mines", mines))
	case !masked || j.start.lacks(FieldMinesCount) != 0:
		j.unknown(CheckMineCount, unpublished(s.Missing&FieldMinesMask|j.start.lacks(FieldMinesCount)), "")
	case j.start == nil:
		j.open(CheckMineCount, ReasonStartNotSeen, fmt.Sprintf("%d mines", mines))
	case mines == want:
		j.pass(CheckMineCount)
	default:
		j.fail(CheckMineCount, ReasonMismatch, fmt.Sprintf("%d mines", want), fmt.Sprintf("%d mines", mines))
	}
}

// maskRange can find a tile out of range in one mask alone.
func (j *judgement) maskRange(s *Settled) {
	out := func(mask uint32, f Fields) bool { return s.publishes(f) && mask&^tilesMask != 0 }
	switch lacks := s.Missing & (FieldMinesMask | FieldRevealedMask); {
	case out(s.MinesMask, FieldMinesMask), out(s.RevealedMask, FieldRevealedMask):
		j.fail(CheckMaskRange, ReasonTileRange, "no tile above 24", s.masksText())
	case lacks != 0:
		j.unknown(CheckMaskRange, unpublished(lacks), "")
	default:
		j.pass(CheckMaskRange)
	}
}

// revealsSafe shows as observed the mines among the revealed tiles.
func (j *judgement) revealsSafe(s *Settled, board *Board, unknown gap) {
	hit := s.RevealedMask & board.Mask
	switch {
	case !s.publishes(FieldRevealedMask):
		j.unknown(CheckRevealsSafe, unpublished(FieldRevealedMask), "")
	case unknown.reason != "":
		j.unknown(CheckRevealsSafe, unknown, maskText(s.RevealedMask))
	case hit == 0:
		j.pass(CheckRevealsSafe)
	default:
		j.fail(CheckRevealsSafe, ReasonMineRevealed, maskText(0), maskText(hit))
	}
}

func (j *judgement) bustIsMine(s *Settled, board *Board, unknown gap) {
	tile := func() string { return fmt.Sprintf("tile %d", s.BustTile) }
	switch {
	case !s.publishes(FieldBustTile):
		j.unknown(CheckBustIsMine, unpublished(FieldBustTile), "")
	case s.BustTile >= Tiles:
		j.fail(CheckBustIsMine, ReasonTileRange, "a tile of 0..24", tile())
	case unknown.reason != "":
		j.unknown(CheckBustIsMine, unknown, tile())
	case board.Mask>>s.BustTile&1 == 1:
		j.pass(CheckBustIsMine)
	default:
		j.fail(CheckBustIsMine, ReasonNotAMine, "one of "+maskText(board.Mask), tile())
	}
}

// bustNotRevealed follows from reveals_safe and bust_is_mine; it stands on its
// own because it needs no board.
func (j *judgement) bustNotRevealed(s *Settled) {
	switch lacks := s.Missing & (FieldBustTile | FieldRevealedMask); {
	case lacks != 0:
		j.unknown(CheckBustNotRevealed, unpublished(lacks), "")
	case s.RevealedMask>>s.BustTile&1 == 0:
		j.pass(CheckBustNotRevealed)
	default:
		j.fail(CheckBustNotRevealed, ReasonAlsoRevealed,
			fmt.Sprintf("tile %d not revealed", s.BustTile), maskText(s.RevealedMask))
	}
}

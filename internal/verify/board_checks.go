package verify

import (
	"fmt"
	"math/bits"
)

func (j *judgement) commit(s *Settled) {
	sum := Commitment(s.ServerSeed)
	switch {
	case j.start == nil:
		j.open(CheckCommit, ReasonStartNotSeen, hashText(sum))
	case sum == j.start.CommitHash:
		j.pass(CheckCommit)
	default:
		j.fail(CheckCommit, ReasonMismatch, hashText(j.start.CommitHash), hashText(sum))
	}
}

func (j *judgement) slothashKept(s *Settled) {
	switch {
	case j.start == nil:
		j.open(CheckSlothashKept, ReasonStartNotSeen, hashText(s.Slothash))
	case s.Slothash == j.start.Slothash:
		j.pass(CheckSlothashKept)
	default:
		j.fail(CheckSlothashKept, ReasonMismatch, hashText(j.start.Slothash), hashText(s.Slothash))
	}
}

func (j *judgement) board(s *Settled, board *Board, unknown Reason) {
	switch {
	case unknown != "":
		j.open(CheckBoard, unknown, maskText(s.MinesMask))
	case s.MinesMask == board.Mask:
		j.pass(CheckBoard)
	default:
		j.fail(CheckBoard, ReasonMismatch, maskText(board.Mask), maskText(s.MinesMask))
	}
}

// mineCount counts all 32 bits, those of no tile too. Without a start it can
// still tell a number that no start allows.
func (j *judgement) mineCount(s *Settled) {
	mines := bits.OnesCount32(s.MinesMask)
	inRange := func(n int) bool { return n >= 1 && n <= MaxMines }
	switch want := j.report.MinesCount; {
	case j.start == nil && inRange(mines):
		j.open(CheckMineCount, ReasonStartNotSeen, fmt.Sprintf("%d mines", mines))
	case j.start == nil:
		j.fail(CheckMineCount, ReasonMinesCountRange, "1..24 mines", fmt.Sprintf("%d mines", mines))
	case !inRange(want):
		j.fail(CheckMineCount, ReasonMinesCountRange, "mines_count in 1..24", fmt.Sprintf("mines_count %d", want))
	case mines == want:
		j.pass(CheckMineCount)
	default:
		j.fail(CheckMineCount, ReasonMismatch, fmt.Sprintf("%d mines", want), fmt.Sprintf("%d mines", mines))
	}
}

func (j *judgement) maskRange(s *Settled) {
	if (s.MinesMask|s.RevealedMask)&^tilesMask == 0 {
		j.pass(CheckMaskRange)
		return
	}
	j.fail(CheckMaskRange, ReasonTileRange, "no tile above 24",
		"mines "+maskText(s.MinesMask)+", revealed "+maskText(s.RevealedMask))
}

// revealsSafe shows as observed the mines among the revealed tiles.
func (j *judgement) revealsSafe(s *Settled, board *Board, unknown Reason) {
	hit := s.RevealedMask & board.Mask
	switch {
	case unknown != "":
		j.open(CheckRevealsSafe, unknown, maskText(s.RevealedMask))
	case hit == 0:
		j.pass(CheckRevealsSafe)
	default:
		j.fail(CheckRevealsSafe, ReasonMineRevealed, maskText(0), maskText(hit))
	}
}

func (j *judgement) bustIsMine(s *Settled, board *Board, unknown Reason) {
	tile := func() string { return fmt.Sprintf("tile %d", s.BustTile) }
	switch {
	case s.BustTile >= Tiles:
		j.fail(CheckBustIsMine, ReasonTileRange, "a tile of 0..24", tile())
	case unknown != "":
		j.open(CheckBustIsMine, unknown, tile())
	case board.Mask>>s.BustTile&1 == 1:
		j.pass(CheckBustIsMine)
	default:
		j.fail(CheckBustIsMine, ReasonNotAMine, "one of "+maskText(board.Mask), tile())
	}
}

// bustNotRevealed follows from reveals_safe and bust_is_mine; it stands on its
// own because it needs no board.
func (j *judgement) bustNotRevealed(s *Settled) {
	if s.RevealedMask>>s.BustTile&1 == 0 {
		j.pass(CheckBustNotRevealed)
		return
	}
	j.fail(CheckBustNotRevealed, ReasonAlsoRevealed,
		fmt.Sprintf("tile %d not revealed", s.BustTile), maskText(s.RevealedMask))
}

package verify

import "slices"

// DiceFaces is the number of faces, MaxSelected the most numbers that a bet may
// name.
const (
	DiceFaces   = 6
	MaxSelected = DiceFaces - 1
)

// Dice rolls the die of a game seed, a hexadecimal number of any length that may
// have a sign, and tells whether one of the selected numbers is the face. The
// range of the numbers is not checked: one that is on no face never wins.
func Dice(gameSeed string, selected []int64) (face int64, win bool, err error) {
	if n := len(selected); n < 1 || n > MaxSelected {
		return 0, false, &RangeError{Name: "numbers selected", Value: int64(n), Min: 1, Max: MaxSelected}
	}
	rest, err := hexMod("game seed", gameSeed, DiceFaces)
	if err != nil {
		return 0, false, err
	}
	face = int64(rest) + 1
	return face, slices.Contains(selected, face), nil
}

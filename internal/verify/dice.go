package verify

import (
	"fmt"
	"math/big"
)

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
	number, err := hexNumber("game seed", gameSeed)
	if err != nil {
		return 0, false, err
	}
	face = number.Mod(number, big.NewInt(DiceFaces)).Int64() + 1
	for _, n := range selected {
		win = win || n == face
	}
	return face, win, nil
}

// hexNumber reads a number as the texts' code does: hexadecimal digits of either
// case, with a sign or without.
func hexNumber(what, s string) (*big.Int, error) {
	number, ok := new(big.Int).SetString(s, 16)
	if !ok {
		return nil, fmt.Errorf("%s %s: want a hexadecimal number", what, quoted(s))
	}
	return number, nil
}

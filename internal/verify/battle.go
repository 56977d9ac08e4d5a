package verify

import (
	"errors"
	"fmt"
	"math"
)

// ErrNoWinner is what a round of Battle ends in whose random number lies in no
// participant's part: it is 1, or the chances leave a gap below 100.
var ErrNoWinner = errors.New("no winner: the chances do not cover the random number")

// The sums of chances, in percent, that are taken for 100.
const (
	minChances = 99.99
	maxChances = 100.01
)

// BattleRandom is the random number of a round, in [0, 1], both ends included:
// the first eight bytes of the hash over 2^64 − 1, as float64.
func BattleRandom(hash string) (float64, error) {
	number, err := leadingUint64(hash)
	if err != nil {
		return 0, err
	}
	return float64(number) / float64(math.MaxUint64), nil
}

// BattleWinner is the index of the winner among the participants with these
// chances, in percent: the first for whom the sum of the chances up to his own
// exceeds the random number. With an error it is −1.
func BattleWinner(hash string, chances []float64) (int, error) {
	if err := checkChances(chances); err != nil {
		return -1, err
	}
	random, err := BattleRandom(hash)
	if err != nil {
		return -1, err
	}
	for i, sum := range BattleSums(chances) {
		if random < sum {
			return i, nil
		}
	}
	return -1, ErrNoWinner
}

// BattleSums gives for each participant where his part of [0, 1) ends. Each
// chance is divided before it is added, so that no platform may fuse the two.
func BattleSums(chances []float64) []float64 {
	sums := make([]float64, len(chances))
	sum := 0.0
	for i, chance := range chances {
		sum += chance / 100
		sums[i] = sum
	}
	return sums
}

func checkChances(chances []float64) error {
	if len(chances) == 0 {
		return errors.New("chances: none: want one a participant")
	}
	total := 0.0
	for i, chance := range chances {
		if math.IsNaN(chance) || chance < 0 {
			return fmt.Errorf("chance %v of participant %d: want 0 or more", chance, i)
		}
		total += chance
	}
	if total < minChances || total > maxChances {
		return fmt.Errorf("chances of %.4f %% together: want %v..%v", total, minChances, maxChances)
	}
	return nil
}

package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"runtime"
	"sync"
	"testing"
)

// tileCounts holds how often each tile was a mine, by number of mines, and the
// number of boards.
type tileCounts struct {
	mines  [MaxMines + 1][Tiles]int
	boards [MaxMines + 1]int
}

func (c *tileCounts) add(b *Board) {
	c.boards[b.N]++
	for _, tile := range b.Order[:b.N] {
		c.mines[b.N][tile]++
	}
}

func (c *tileCounts) merge(other *tileCounts) {
	for m := range c.mines {
		c.boards[m] += other.boards[m]
		for tile := range c.mines[m] {
			c.mines[m][tile] += other.mines[m][tile]
		}
	}
}

// chiSquare is that of boards with from to to mines against even tiles, with 24
// degrees of freedom. On a board of M mines two tiles are not independent: each
// has the variance M(25 − M)/625, and their covariance is that over −24, so the
// sum of squares is divided by the total of M(25 − M)/600.
func (c *tileCounts) chiSquare(from, to int) float64 {
	var observed [Tiles]float64
	var expected, variance float64
	for m := from; m <= to; m++ {
		n := float64(c.boards[m])
		expected += n * float64(m) / Tiles
		variance += n * float64(m*(Tiles-m)) / 600
		for tile, count := range c.mines[m] {
			observed[tile] += float64(count)
		}
	}
	q := 0.0
	for _, o := range observed {
		q += (o - expected) * (o - expected) / variance
	}
	return q
}

// upperTail is the chance of a chi-square of 24 degrees of freedom above q.
func upperTail(q float64) float64 {
	term, sum := 1.0, 0.0
	for j := range 12 {
		if j > 0 {
			term *= q / 2 / float64(j)
		}
		sum += term
	}
	return math.Exp(-q/2) * sum
}

func TestUpperTail(t *testing.T) {
	// From tables: the 5 %, 1 % and 0.1 % points.
	for q, want := range map[float64]float64{36.415: 0.05, 42.980: 0.01, 51.179: 0.001} {
		if got := upperTail(q); math.Abs(got/want-1) > 1e-3 {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
}

// deriveMany derives boards of 1 to 24 mines in turn, by seeds that count up.
func deriveMany(t *testing.T, boards int) *tileCounts {
	workers := runtime.GOMAXPROCS(0)
	counts := make([]tileCounts, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for i := w; i < boards; i += workers {
				var seed, slothash, user [32]byte
				binary.LittleEndian.PutUint64(seed[:], uint64(i))
				slothash[0], user[0] = byte(i%7), byte(i%11)
				board, err := Derive(seed, slothash, user, uint64(i/3), i%MaxMines+1)
				if err != nil {
					t.Error(err)
					return
				}
				counts[w].add(&board)
			}
		})
	}
	wait.Wait()
	for w := 1; w < workers; w++ {
		counts[0].merge(&counts[w])
	}
	return &counts[0]
}

// Every tile is a mine as often as any other. The inputs are fixed, so that this
// passes always or never; an even board fails by chance once in 20,000 sets of
// inputs.
func TestBoardsAreUniform(t *testing.T) {
	if testing.Short() {
		t.Skip("derives millions of boards")
	}
	counts := deriveMany(t, uniformBoards)
	check := func(from, to int) {
		q := counts.chiSquare(from, to)
		if p := upperTail(q); p < 1e-6 || p > 1-1e-6 {
			t.Errorf("%d to %d mines: chi-square %.1f, p %g", from, to, q, p)
		}
	}
	check(1, MaxMines)
	for m := 1; m <= MaxMines; m++ {
		check(m, m)
	}
	t.Logf("%d boards, chi-square %.1f", uniformBoards, counts.chiSquare(1, MaxMines))
}

// The measure finds a source of words that leans, the first word of a block
// one time in seven.
func TestLeaningBoardsAreFound(t *testing.T) {
	var leaning, even tileCounts
	for i := range 240_000 {
		var hasher blockHasher
		hasher.init(&[32]byte{}, &[32]byte{}, &[32]byte{}, uint64(i), i%MaxMines+1)
		board := shuffle(i%MaxMines+1, hasher.next, nil)
		even.add(&board)
		board = shuffle(i%MaxMines+1, func() [sha256.Size]byte {
			block := hasher.next()
			if word := binary.BigEndian.Uint32(block[:]); word%7 == 0 {
				// With 25 tiles left this takes the first of them.
				binary.BigEndian.PutUint32(block[:], word-word%Tiles)
			}
			return block
		}, nil)
		leaning.add(&board)
	}
	if q := leaning.chiSquare(1, MaxMines); q < 150 {
		t.Errorf("chi-square %.1f of a source that leans", q)
	}
	if q := even.chiSquare(1, MaxMines); q > 60 {
		t.Errorf("chi-square %.1f of one that does not", q)
	}
}

package claim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"minesaudit/internal/verify"
)

// seedOf gives the game seed: derived from three parts, as given, or, given
// both, as derived where they agree.
func seedOf(r *Request) (string, error) {
	parts := r.ServerSeed != nil || r.ClientSeed != nil || r.Nonce.given()
	switch {
	case !parts && r.GameSeed == nil:
		return "", errors.New("game_seed: not given, nor server_seed, client_seed and nonce")
	case !parts:
		return *r.GameSeed, nil
	case r.ServerSeed == nil:
		return "", notGiven("server_seed")
	case r.ClientSeed == nil:
		return "", notGiven("client_seed")
	}
	nonce, err := r.Nonce.i64("nonce")
	if err != nil {
		return "", err
	}
	seed := verify.GameSeed(*r.ServerSeed, *r.ClientSeed, nonce).String()
	if r.GameSeed != nil && *r.GameSeed != seed {
		return "", errors.New("game_seed: " + clipped(*r.GameSeed) + " is not that of the seeds and the nonce, " + seed)
	}
	return seed, nil
}

type diceOutcome struct {
	seed string
	face int64
	win  bool
}

func checkDice(r *Request) (outcome, error) {
	seed, err := seedOf(r)
	if err != nil {
		return nil, err
	}
	face, win, err := verify.Dice(seed, r.Selected)
	if err != nil {
		return nil, err
	}
	return &diceOutcome{seed, face, win}, nil
}

func (o *diceOutcome) appendFields(b []byte) []byte {
	b = appendString(appendKey(b, "game_seed"), o.seed)
	b = appendInt(appendKey(b, "face"), int(o.face))
	return strconv.AppendBool(appendKey(b, "win"), o.win)
}

func (o *diceOutcome) lines() [][2]string {
	result := "lost: the face is not among the numbers selected"
	if o.win {
		result = "won: the face is among the numbers selected"
	}
	return [][2]string{{"game seed", o.seed}, {"face", strconv.FormatInt(o.face, 10)}, {"bet", result}}
}

type hmacMinesOutcome struct {
	seed  string
	tiles []int
}

func checkHMACMines(r *Request) (outcome, error) {
	seed, err := seedOf(r)
	if err != nil {
		return nil, err
	}
	mines, err := r.Mines.i64("mines")
	if err != nil {
		return nil, err
	}
	tiles, err := verify.HMACMines(seed, int(min(max(mines, 0), math.MaxInt32))) // below 0 is as good as 0
	if err != nil {
		return nil, err
	}
	return &hmacMinesOutcome{seed, tiles}, nil
}

func (o *hmacMinesOutcome) appendFields(b []byte) []byte {
	b = appendString(appendKey(b, "game_seed"), o.seed)
	return appendInts(appendKey(b, "tiles"), o.tiles)
}

func (o *hmacMinesOutcome) lines() [][2]string {
	return [][2]string{{"game seed", o.seed}, {"mines", strings.Trim(fmt.Sprint(o.tiles), "[]")}, {"", "tiles from 1 to 25, in the order in which they were placed"}}
}

// draw draws the board: number and mark of each tile, rows of five.
func (o *hmacMinesOutcome) draw(b *strings.Builder) {
	const side = 5
	for tile := 1; tile <= verify.Tiles; tile++ {
		mark := '.'
		if slices.Contains(o.tiles, tile) {
			mark = '*'
		}
		fmt.Fprintf(b, "%3d %c", tile, mark)
		if tile%side == 0 {
			b.WriteByte('\n')
		}
	}
	b.WriteString("  * mine\n")
}

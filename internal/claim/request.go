package claim

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A Request is what somebody gives of one game. Nil, or an empty [Number], is
// what was not given.
type Request struct {
	Game string `json:"game"`

	ServerSeed *string `json:"server_seed"`
	ClientSeed *string `json:"client_seed"`
	Nonce      Number  `json:"nonce"`
	GameSeed   *string `json:"game_seed"`

	// On-chain Mines.
	Slothash     *string `json:"slothash"`
	User         *string `json:"user"`
	MinesCount   Number  `json:"mines_count"`
	CommitHash   *string `json:"commit_hash"`
	MinesMask    Number  `json:"mines_mask"`
	RevealedMask Number  `json:"revealed_mask"`
	BustTile     Tile    `json:"bust_tile"`
	HouseEdgeBPS Number  `json:"house_edge_bps"`
	Stake        Number  `json:"stake"`
	MaxPayout    Number  `json:"max_payout"`
	Multiplier   Number  `json:"multiplier"`
	Payout       Number  `json:"payout"`

	// Off the chain.
	Selected     []int64   `json:"selected"`
	Mines        Number    `json:"mines"`
	Hash         *string   `json:"hash"`
	Chances      []float64 `json:"chances"`
	Round        Number    `json:"round"`
	Terminal     *string   `json:"terminal"`
	TerminalForm *string   `json:"terminal_form"`
}

// Games lists the games that a request can be of.
func Games() []string {
	return []string{gameMines, gameDice, gameHMACMines, gamePlatforms, gameRocket, gameBattle, gameChain}
}

// Fields lists the fields of a request that errors name.
func Fields() []string {
	return []string{
		"server_seed", "client_seed", "nonce", "game_seed", "slothash", "user", "mines_count", fieldCommit, fieldMines, fieldRevealed, fieldBust,
		fieldEdge, fieldStake, fieldMaxPayout, fieldMultiplier, fieldPayout, "mines", "hash", "round", "terminal", "terminal_form",
	}
}

const (
	gameMines     = "mines"
	gameDice      = "dice"
	gameHMACMines = "hmac-mines"
	gamePlatforms = "platforms"
	gameRocket    = "rocket"
	gameBattle    = "battle"
	gameChain     = "chain"
)

// ParseRequest reads one line. With an error the request still holds what was
// read until then.
func ParseRequest(line []byte) (*Request, error) {
	var r Request
	if len(bytes.TrimSpace(line)) == 0 {
		return &r, errors.New("empty line: want a JSON object")
	}
	// The decoder would take other bytes for U+FFFD, and a seed for another one.
	if !utf8.Valid(line) {
		return &r, errors.New("not UTF-8")
	}
	if err := json.Unmarshal(line, &r); err != nil {
		return &r, readable(err)
	}
	return &r, checkKeys(line)
}

// readable says a decoder's error without the names of Go.
func readable(err error) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType) && wrongType.Field == "":
		return fmt.Errorf("a JSON %s: want an object", wrongType.Value)
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s: a JSON %s: want %s", wrongType.Field, wrongType.Value, kindName(wrongType))
	case strings.Contains(err.Error(), "unexpected end of JSON input"):
		return errors.New("not JSON: it ends in the middle")
	case strings.Contains(err.Error(), "after top-level value"):
		return errors.New("more than one JSON object in a line")
	default:
		return fmt.Errorf("not JSON: %w", err)
	}
}

func kindName(err *json.UnmarshalTypeError) string {
	switch kind := err.Type.Kind().String(); kind {
	case "int64":
		return "a whole number"
	case "float64":
		return "a number"
	case "slice":
		return "a list"
	default:
		return "a " + kind
	}
}

package bets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"minesaudit/internal/claim/records"
	"minesaudit/internal/verify"
)

// The games, and the fields of a bet.
const (
	dice      = "dice"
	hmacMines = "hmac-mines"

	fieldGame       = "game"
	fieldServerSeed = "server_seed"
	fieldSeedHash   = "server_seed_hash"
	fieldClientSeed = "client_seed"
	fieldNonce      = "nonce"
	fieldGameSeed   = "game_seed"
	fieldSelected   = "selected"
	fieldFace       = "face"
	fieldWin        = "win"
	fieldMines      = "mines"
	fieldTiles      = "tiles"
)

// Fields lists the fields of a bet in a file.
func Fields() []string {
	return []string{
		fieldGame, fieldServerSeed, fieldSeedHash, fieldClientSeed, fieldNonce, fieldGameSeed,
		fieldSelected, fieldFace, fieldWin, fieldMines, fieldTiles,
	}
}

// ParseGame gives the name of a game that bets are of.
func ParseGame(name string) (string, error) {
	switch name {
	case dice, hmacMines:
		return name, nil
	case "mines":
		return hmacMines, nil
	default:
		return "", fmt.Errorf("game: %s: want dice or hmac-mines", records.Clipped(name))
	}
}

// parse works a record out. The default game is for those that name none.
func parse(r *records.Record, defaultGame string) (b *Bet, err error) {
	b = &Bet{Game: defaultGame}
	if r.Has(fieldGame) || defaultGame == "" {
		name, err := r.Text(fieldGame)
		if err != nil {
			return nil, err
		}
		if b.Game, err = ParseGame(name); err != nil {
			return nil, err
		}
	}
	if err := b.readSeeds(r); err != nil {
		return nil, err
	}
	if b.Game == dice {
		err = b.dice(r)
	} else {
		err = b.hmacMines(r)
	}
	if err != nil {
		return nil, err
	}
	b.content = digest(string(b.ID[:]), b.ServerSeedHash, b.claimedSeed, b.Claimed)
	b.Results[CheckNonceUnique] = verify.ResultPass
	return b, nil
}

func (b *Bet) readSeeds(r *records.Record) (err error) {
	if b.ServerSeed, err = r.Text(fieldServerSeed); err != nil {
		return err
	}
	if b.ClientSeed, err = r.Text(fieldClientSeed); err != nil {
		return err
	}
	if b.Nonce, err = r.Int(fieldNonce); err != nil {
		return err
	}
	b.GameSeed = verify.GameSeed(b.ServerSeed, b.ClientSeed, b.Nonce)
	if r.Has(fieldGameSeed) {
		if b.claimedSeed, err = r.Text(fieldGameSeed); err != nil {
			return err
		}
		b.Results[CheckGameSeed] = verify.ResultPass
		if b.claimedSeed != b.GameSeed.String() {
			b.find(CheckGameSeed, verify.ResultFail, reasonMismatch, b.GameSeed.String(), records.Clipped(b.claimedSeed))
		}
	}
	if !r.Has(fieldSeedHash) {
		b.find(CheckSeedHash, verify.ResultInconclusive, reasonNoSeedHash, "", "")
		return nil
	}
	if b.ServerSeedHash, err = r.Text(fieldSeedHash); err != nil {
		return err
	}
	return b.checkSeedHash()
}

// checkSeedHash holds the server seed against its hash as text, then as bytes.
func (b *Bet) checkSeedHash() error {
	shown, err := hex.DecodeString(b.ServerSeedHash)
	if err != nil || len(shown) != sha256.Size {
		return fmt.Errorf("server_seed_hash: %s: want 64 hex digits", records.Clipped(b.ServerSeedHash))
	}
	asText := sha256.Sum256([]byte(b.ServerSeed))
	if string(shown) == string(asText[:]) {
		b.Results[CheckSeedHash] = verify.ResultPass
		return nil
	}
	if raw, err := hex.DecodeString(b.ServerSeed); err == nil {
		if asBytes := sha256.Sum256(raw); string(shown) == string(asBytes[:]) {
			if b.ServerSeed != strings.ToLower(b.ServerSeed) {
				b.find(CheckSeedHash, verify.ResultInconclusive, reasonUpperCase, hex.EncodeToString(asText[:])+", of the text", b.ServerSeedHash)
				return nil
			}
			b.Results[CheckSeedHash], b.ofBytes = verify.ResultPass, true
			return nil
		}
	}
	b.find(CheckSeedHash, verify.ResultFail, reasonMismatch, hex.EncodeToString(asText[:]), b.ServerSeedHash)
	return nil
}

// digest names texts, each with its length so that none runs into the next.
func digest(texts ...string) [16]byte {
	b := make([]byte, 0, 512)
	for _, text := range texts {
		b = strconv.AppendInt(b, int64(len(text)), 10)
		b = append(append(b, ':'), text...)
	}
	sum := sha256.Sum256(b)
	return [16]byte(sum[:])
}

package decode

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"strings"
)

// The test's own encoder: discriminators by hash, fields one by one.

func encode(name string, fields ...any) []byte {
	sum := sha256.Sum256([]byte("event:" + name))
	out := bytes.NewBuffer(sum[:8])
	for _, field := range fields {
		if err := binary.Write(out, binary.LittleEndian, field); err != nil {
			panic(err)
		}
	}
	return out.Bytes()
}

func encodeStarted(k GameKey, s Started) []byte {
	return encode("MinesGameStarted", k.Game, k.User, k.Nonce, s.MinesCount, s.Stake, s.CommitHash, s.Slothash,
		uint16(s.HouseEdge), s.MaxPayout, s.RefundTimeout, s.StartedAt)
}

func encodeSettled(k GameKey, s Settled) []byte {
	bust := []byte{0}
	if s.HasBust {
		bust = []byte{1, s.BustTile}
	}
	return encode("MinesGameSettled", k.Game, k.User, k.Nonce, s.ServerSeed, s.Slothash, s.MinesMask, s.RevealedMask,
		bust, s.Multiplier, s.Payout)
}

func encodeVoided(k GameKey, v Voided) []byte {
	return encode("MinesGameVoided", k.Game, k.User, k.Nonce, v.Refund, v.Authority)
}

// Addresses for made-up logs: program is the audited one.
const (
	program  = "8SFqwqnq4whPhs8icwHA2hQg3hUoN1qrCLK1SBx3WKwe"
	attacker = "6m2CDdhRgxpH4WjvdzxAYbGxwdGUz5MziiL5jek2kBma"
	budget   = "ComputeBudget111111111111111111111111111111"
	system   = "11111111111111111111111111111111"
)

func dataLine(raw []byte) string { return "Program data: " + base64.StdEncoding.EncodeToString(raw) }

// lines makes a log of short notation: P, A, B and S stand for the programs
// above where they are a word of their own, E for the base64 of a void.
func lines(short ...string) []string {
	names := map[string]string{
		"P": program, "A": attacker, "B": budget, "S": system,
		"E": base64.StdEncoding.EncodeToString(sampleVoid()),
	}
	log := make([]string, len(short))
	for i, line := range short {
		words := strings.Split(line, " ")
		for j, word := range words {
			if name, ok := names[word]; ok {
				words[j] = name
			}
		}
		log[i] = strings.Join(words, " ")
	}
	return log
}

func sampleKey() GameKey {
	return GameKey{Game: fill(1), User: fill(2), Nonce: 3}
}

func sampleVoid() []byte {
	return encodeVoided(sampleKey(), Voided{Refund: 5, Authority: fill(4)})
}

func fill(b byte) (out [32]byte) {
	for i := range out {
		out[i] = b + byte(i)
	}
	return out
}

// builtin reads the built-in events of a program in its logs.
func builtin(program string) *Reader {
	r, err := NewReader(program, BuiltinLayout(), InLogs, false)
	if err != nil {
		panic(err)
	}
	return r
}

package verify

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"
)

// A ratio means something where a time does not: both sides ran in turn on the
// same machine, whatever else it did.

// ratio is the median of how many times longer ours takes than theirs; both
// repeat what they do n times.
func ratio(b *testing.B, n int, ours, theirs func(n int)) float64 {
	var ratios []float64
	for b.Loop() {
		start := time.Now()
		ours(n)
		middle := time.Now()
		theirs(n)
		ratios = append(ratios, float64(middle.Sub(start))/float64(time.Since(middle)))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2]
}

// compressions hashes a buffer of n blocks of SHA-256 and a few.
func compressions() func(n int) {
	buffer := make([]byte, 1<<20)
	return func(n int) {
		for n > 0 {
			part := min(n, len(buffer)/sha256.BlockSize)
			sha256.Sum256(buffer[:part*sha256.BlockSize])
			n -= part
		}
	}
}

// BenchmarkOnChainCheck is a commitment and a board, in compressions of SHA-256:
// the hashing alone is 3 with 3 mines and 7 with 24.
func BenchmarkOnChainCheck(b *testing.B) {
	for _, mines := range []int{3, 8, 16, 24} {
		b.Run(fmt.Sprintf("mines=%d", mines), func(b *testing.B) {
			seed := [32]byte{1}
			commit := Commitment(seed)
			nonce := uint64(0)
			b.ReportAllocs()
			check := func(n int) {
				for range n {
					if nonce++; Commitment(seed) != commit {
						b.Fatal("the commitment is not the seed's")
					}
					if _, err := Derive(seed, commit, commit, nonce, mines); err != nil {
						b.Fatal(err)
					}
				}
			}
			const checks = 50 // so few that most turns pass without an interruption
			b.ReportMetric(ratio(b, checks, check, compressions()), "C/check")
		})
	}
}

// BenchmarkChainStep is one hash of a chain, in hashes of 64 bytes.
func BenchmarkChainStep(b *testing.B) {
	h := HashText("a secret")
	b.ReportAllocs()
	// As many steps as there are to a terminal that is not there.
	walk := func(n int) { Distance(h, ChainHash{}, uint64(n)) }
	var text [64]byte
	hash := func(n int) {
		for range n {
			sum := sha256.Sum256(text[:])
			text[0] = sum[0]
		}
	}
	b.ReportMetric(ratio(b, 100, walk, hash), "Sum256/step")
}

func BenchmarkJudge(b *testing.B) {
	rules := rulesWithOperator()
	settled := sampleGame(b)
	voided := voidedGame(b, End{Voided: Voided{Authority: operator()}})
	wrong := sampleGame(b)
	wrong.Ends[0].Settled.MinesMask ^= 3
	for name, g := range map[string]*Game{"settled": &settled, "voided": &voided, "wrong": &wrong} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Judge(g, &rules)
			}
		})
	}
}

func BenchmarkOffChain(b *testing.B) {
	const hash = "ace25a2ab6889d7148e190394b78817614153e29eeabe01a9d501c212e6eadd4"
	for name, play := range map[string]func() error{
		"seed":       func() error { GameSeed(hash, "client", 1737331586044); return nil },
		"dice":       func() error { return errorOf(rolled(hash)) },
		"hmac-mines": func() error { return errorOf(HMACMines(hash, 5)) },
		"platforms":  func() error { return errorOf(LastPlatform(hash)) },
		"rocket":     func() error { return errorOf(NewRocket(hash)) },
		"battle":     func() error { return errorOf(BattleWinner(hash, []float64{20, 30, 50})) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := play(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func rolled(seed string) (int64, error) {
	face, _, err := Dice(seed, []int64{1, 2})
	return face, err
}

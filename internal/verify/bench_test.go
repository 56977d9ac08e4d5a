package verify

import (
	"fmt"
	"testing"
)

func BenchmarkDerive(b *testing.B) {
	seed := [32]byte{1}
	for _, mines := range []int{3, 12, 24} {
		b.Run(fmt.Sprintf("mines=%d", mines), func(b *testing.B) {
			b.ReportAllocs()
			for nonce := uint64(0); b.Loop(); nonce++ {
				if _, err := Derive(seed, seed, seed, nonce, mines); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
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

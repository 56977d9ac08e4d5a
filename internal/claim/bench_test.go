package claim

import (
	"bytes"
	"encoding/json"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"minesaudit/internal/verify"
)

// benchLines are claims of each game that pass, by hand.
func benchLines() map[string]string {
	const hash = "ace25a2ab6889d7148e190394b78817614153e29eeabe01a9d501c212e6eadd4"
	return map[string]string{
		gameMines: `{"game":"mines","server_seed":"14fd16808fc2b3b0d02e2b488854483089530fc61699ab8eef6d69b1589975d4","slothash":"9c78d92ceeda65965758fecd48911d959a769d1766ae5b3688053798dfc8547d",` +
			`"user":"3fa27f67fd0753fd82b933e134b5eaee8d3976afcded155922aa74db264b914d","nonce":"831557","mines_count":1,"commit_hash":"9ec0f8b8eb75d261233f3acd1b5d3c876e3cd51916b680307f0521710e8873fe",` +
			`"mines_mask":2,"revealed_mask":31231316,"bust_tile":null,"house_edge_bps":875,"stake":"1000000000","max_payout":"18446744073709551615","multiplier":"19010","payout":"1901041666"}`,
		gameDice:      `{"game":"dice","server_seed":"` + hash + `","client_seed":"d0155ceeb8af537b","nonce":"1737331586044","selected":[3,2,5]}`,
		gameHMACMines: `{"game":"hmac-mines","game_seed":"` + hash + `","mines":3}`,
		gamePlatforms: `{"game":"platforms","hash":"` + hash + `"}`,
		gameRocket:    `{"game":"rocket","hash":"` + hash + `"}`,
		gameBattle:    `{"game":"battle","hash":"` + hash + `","chances":[17.78,7.54,0.19,19.29,20.78,17.62,16.8]}`,
	}
}

// BenchmarkBatch is the speed of a batch over that of the same batch without
// the verifying: lines decoded and answers that were worked out before encoded,
// by the code of the batch, and by encoding/json alone.
func BenchmarkBatch(b *testing.B) {
	rules := verify.DefaultRules()
	for game, line := range benchLines() {
		b.Run(game, func(b *testing.B) {
			answer := answerLine([]byte(line), &rules)
			if answer.Err != nil {
				b.Fatal(answer.Err)
			}
			var generic any
			if err := json.Unmarshal(answer.AppendJSON(nil), &generic); err != nil {
				b.Fatal(err)
			}
			const lines = 1024
			input := strings.Repeat(line+"\n", lines)
			run := func(answerLine func([]byte) Answer) time.Duration {
				start := time.Now()
				if _, err := batch(strings.NewReader(input), io.Discard, answerLine); err != nil {
					b.Fatal(err)
				}
				return time.Since(start)
			}
			var ofCodec, ofJSON []float64
			b.ReportAllocs()
			b.SetBytes(int64(len(input)))
			for b.Loop() {
				ours := run(func(line []byte) Answer { return answerLine(line, &rules) })
				codec := run(func(line []byte) Answer {
					if _, err := ParseRequest(line); err != nil {
						panic(err)
					}
					return answer
				})
				ofCodec = append(ofCodec, float64(codec)/float64(ours))
				ofJSON = append(ofJSON, float64(jsonAlone(input, generic))/float64(ours))
			}
			b.ReportMetric(median(ofCodec), "of-codec")
			b.ReportMetric(median(ofJSON), "of-json")
		})
	}
}

// jsonAlone decodes lines and encodes an answer with encoding/json,
// on all cores.
func jsonAlone(input string, answer any) time.Duration {
	start := time.Now()
	var next atomic.Int64
	lines := bytes.Split([]byte(input), []byte("\n"))
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for {
				i := next.Add(1) - 1
				if i >= int64(len(lines)-1) {
					return
				}
				var request Request
				if err := json.Unmarshal(lines[i], &request); err != nil {
					panic(err)
				}
				if _, err := json.Marshal(answer); err != nil {
					panic(err)
				}
			}
		})
	}
	wait.Wait()
	return time.Since(start)
}

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

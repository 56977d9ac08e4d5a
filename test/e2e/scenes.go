//go:build e2e

package e2e

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/gagliardetto/solana-go"
)

func plainScenes() []Scene {
	return []Scene{
		{"one event a transaction", func(s *scene) error {
			return s.inTurn(s.A, honest(), s.A.Run(opPrint(s.Started.Bytes())), s.A.Run(opPrint(s.won.Bytes())))
		}},
		{"both events in one instruction", func(s *scene) error {
			return s.together(s.A, honest(), s.A.Run(opAll(opPrint(s.Started.Bytes()), opPrint(s.won.Bytes()))))
		}},
		{"both events in two instructions, another program's between", func(s *scene) error {
			return s.together(s.A, honest(),
				s.A.Run(opPrint(s.Started.Bytes())), s.B.Run(opText("between")), s.A.Run(opPrint(s.won.Bytes())))
		}},
		{"twin voids in one transaction", func(s *scene) error {
			if err := s.start(); err != nil {
				return err
			}
			v := s.Voided(s.operator)
			landed, err := s.Send(s.ctx, false, s.A.Run(opAll(opPrint(v.Bytes()), opPrint(v.Bytes()))))
			if err != nil {
				return err
			}
			s.A.Note(landed, v, v)
			s.judge(s.A, judgement("lifecycle", "", early))
			return nil
		}},
		{"settled and never started", func(s *scene) error {
			return s.settle(unstarted())
		}},
	}
}

// calleeScenes print in calls and beside other programs.
func calleeScenes() []Scene {
	return []Scene{
		{"printed by a callee", func(s *scene) error { // B calls A: A's frame is on top, so A's event
			return s.inTurn(s.A, honest(),
				s.B.Run(opCall(opPrint(s.Started.Bytes())), s.A.Program), s.B.Run(opCall(opPrint(s.won.Bytes())), s.A.Program))
		}},
		{"printed in a call of its own", func(s *scene) error {
			return s.inTurn(s.A, honest(),
				s.A.Run(opCall(opPrint(s.Started.Bytes())), s.A.Program), s.A.Run(opPrint(s.won.Bytes())))
		}},
		{"printed around a call", func(s *scene) error { // B's frame is on top only between A's lines
			op := opAll(opPrint(s.Started.Bytes()), opCall(opPrint([]byte("callee"))), opPrint(s.won.Bytes()))
			return s.together(s.A, honest(), s.A.Run(op, s.B.Program))
		}},
		{"printed by the caller after the callee", func(s *scene) error { // the callee A starts it, B prints its settlement
			op := opAll(opCall(opPrint(s.Started.Bytes())), opPrint(s.won.Bytes()))
			landed, err := s.Send(s.ctx, false, s.B.Run(op, s.A.Program))
			if err != nil {
				return err
			}
			s.A.Note(landed, s.Started)
			s.B.Note(landed, s.won)
			s.judge(s.A, Judgement{})
			s.judge(s.B, unstarted())
			return nil
		}},
		{"printed by a foreign program that mentions ours", func(s *scene) error {
			return s.inTurn(s.B, honest(),
				s.B.Run(opPrint(s.Started.Bytes()), s.A.Program), s.B.Run(opPrint(s.won.Bytes()), s.A.Program))
		}},
		{"forged by a foreign program beside ours", func(s *scene) error { // B's false settlement before A's true one
			if err := s.start(); err != nil {
				return err
			}
			forged := s.forged()
			landed, err := s.Send(s.ctx, false, s.B.Run(opPrint(forged.Bytes())), s.A.Run(opPrint(s.won.Bytes())))
			if err != nil {
				return err
			}
			s.B.Note(landed, forged)
			s.A.Note(landed, s.won)
			s.judge(s.A, honest())
			s.judge(s.B, failing(unstarted(), "mask_range"))
			return nil
		}},
	}
}

func failedScenes() []Scene {
	attempt := func(failing func(s *scene, forged []byte) []solana.Instruction) func(*scene) error {
		return func(s *scene) error {
			if err := s.start(); err != nil {
				return err
			}
			if _, err := s.Send(s.ctx, true, failing(s, s.forged().Bytes())...); err != nil {
				return err
			}
			return s.settle(honest())
		}
	}
	return []Scene{
		{"forged in a failing instruction", attempt(func(s *scene, forged []byte) []solana.Instruction {
			return []solana.Instruction{s.A.Run(opPrintAndFail(forged))}
		})},
		{"forged before a failing instruction", attempt(func(s *scene, forged []byte) []solana.Instruction {
			return []solana.Instruction{s.A.Run(opPrint(forged)), s.B.Run(opFail())}
		})},
		{"forged in a failing call", attempt(func(s *scene, forged []byte) []solana.Instruction {
			return []solana.Instruction{s.B.Run(opCall(opPrintAndFail(forged)), s.A.Program)}
		})},
		{"started in a failed transaction only", func(s *scene) error {
			_, err := s.Send(s.ctx, true, s.A.Run(opPrintAndFail(s.Started.Bytes())))
			return err
		}},
	}
}

// truncatedScenes overflow the log, which the node cuts at 10,000 bytes.
func truncatedScenes() []Scene {
	overflow := opFill(150, []byte("lost"))
	return []Scene{
		{"started in a truncated log", func(s *scene) error {
			return s.inTurn(s.A, truncated(),
				s.A.Run(opAll(opPrint(s.Started.Bytes()), overflow)), s.A.Run(opPrint(s.won.Bytes())))
		}},
		{"settled in a truncated log", func(s *scene) error {
			return s.inTurn(s.A, truncated(),
				s.A.Run(opPrint(s.Started.Bytes())), s.A.Run(opAll(opPrint(s.won.Bytes()), overflow)))
		}},
		{"truncated by a program before ours", func(s *scene) error { // the start is lost, its transaction is known
			if err := s.hide(nil, s.Started.Bytes(), s.B.Run(overflow), s.A.Run(opPrint(s.Started.Bytes()))); err != nil {
				return err
			}
			return s.settle(unstarted())
		}},
		{"truncated by a program before ours, and naming the game", func(s *scene) error {
			if err := s.hide(nil, s.Started.Bytes(), s.B.Run(overflow), s.A.Run(opPrint(s.Started.Bytes()), s.Game)); err != nil {
				return err
			}
			return s.settle(hidden())
		}},
		{"settled after the marker that a program before ours made", func(s *scene) error { // the settlement is lost
			if err := s.start(); err != nil {
				return err
			}
			err := s.hide(nil, s.won.Bytes(), s.B.Run(overflow), s.A.Run(opPrint(s.won.Bytes()), s.Game))
			if err != nil {
				return err
			}
			s.judge(s.A, truncated())
			return nil
		}},
		{"false before the marker", func(s *scene) error { // what is there to read is enough to fail
			if err := s.start(); err != nil {
				return err
			}
			forged := s.forged()
			landed, err := s.truncate(nil, s.A.Run(opAll(opPrint(forged.Bytes()), overflow)))
			if err != nil {
				return err
			}
			s.A.Note(landed, forged)
			s.judge(s.A, failing(truncated(), "board", "mine_count", "mask_range"))
			return nil
		}},
		{"printed after the marker", func(s *scene) error { // a log line that is there, and whose it is nobody can tell
			if err := s.start(); err != nil {
				return err
			}
			forged := s.forged().Bytes()
			// 75 lines of 124 bytes leave about 500 of 10,000: the long text does not fit and makes
			// the marker; the event after it fits, and so do the lines that end the frame.
			landed, err := s.truncate(nil, s.A.Run(opAll(opFill(75, nil), opText(strings.Repeat("x", 600)), opPrint(forged))))
			if err != nil {
				return err
			}
			marker := slices.Index(landed.Logs, truncationMarker)
			if event := slices.IndexFunc(landed.Logs, s.isLineOf(forged)); event < marker {
				return fmt.Errorf("event at line %d, marker at %d of %d", event, marker, len(landed.Logs))
			}
			return s.settle(honest())
		}},
	}
}

// noiseScenes print what is no event of ours, between start and settlement.
func noiseScenes() []Scene {
	between := func(op func(s *scene) []byte) func(*scene) error {
		return func(s *scene) error {
			if err := s.start(); err != nil {
				return err
			}
			if _, err := s.Send(s.ctx, false, s.A.Run(op(s), s.B.Program)); err != nil {
				return err
			}
			return s.settle(honest())
		}
	}
	// An event by name that cannot be read is kept as unverifiable; the game goes on.
	garbled := func(op func(forged []byte) []byte) func(*scene) error {
		play := between(func(s *scene) []byte { return op(s.forged().Bytes()) })
		return func(s *scene) error {
			s.A.Garble()
			return play(s)
		}
	}
	return []Scene{
		{"text that looks like an event", between(func(s *scene) []byte {
			line := "Program data: " + base64.StdEncoding.EncodeToString(s.forged().Bytes())
			return opAll(opText(line), opText("x\n"+line), opText("Program "+s.B.Program.String()+" invoke [2]"), opText("invoke [1]"))
		})},
		{"text that looks like the end of a frame", between(func(s *scene) []byte {
			return opAll(opText("Program "+s.A.Program.String()+" success"), opReturn([]byte("success")), opText("failed: success"))
		})},
		{"text that looks like the marker", between(func(*scene) []byte { return opText(truncationMarker) })},
		{"events of an unknown kind", between(func(*scene) []byte {
			return opAll(opPrint(discriminator("MinesGamePaused")), opPrint(nil), opPrint([]byte{1, 2, 3}))
		})},
		{"an event that is not the first field of its line", between(func(s *scene) []byte {
			return opPrintFields([]byte("ab"), nil, s.forged().Bytes())
		})},
		{"an event cut short", garbled(func(forged []byte) []byte { return opPrint(forged[:len(forged)-1]) })},
		{"an event with a byte too many", garbled(func(forged []byte) []byte { return opPrint(append(forged, 0)) })},
		{"an event with a bad option", garbled(func(forged []byte) []byte {
			forged[len(forged)-17] = 2 // where the tag of no bust tile is: 16 bytes of money follow
			return opPrint(forged)
		})},
	}
}

//go:build e2e

package e2e

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/gagliardetto/solana-go"
)

// Rounds are those that every node takes.
func Rounds() []Round {
	return slices.Concat(emittedRounds(), forgedRounds(), failedRounds(), cutRounds(), oddRounds(), edgeRounds())
}

// emittedRounds emit rightly.
func emittedRounds() []Round {
	return []Round{
		{"emitted in one instruction", func(r *round) error {
			_, err := r.together(r.emit(r.both()...))
			return err
		}},
		{"emitted in two instructions, another program's events between", func(r *round) error {
			both := r.both()
			_, err := r.together(r.emit(both[0]), r.elsewhere(r.forgery()), r.emit(both[1]))
			return err
		}},
		{"emitted by a callee", func(r *round) error { // the other program calls ours, which calls itself
			_, err := r.together(r.called(r.both()...))
			return err
		}},
		{"given back twice in one transaction", func(r *round) error {
			if err := r.start(); err != nil {
				return err
			}
			v := r.Voided(r.operator.PublicKey())
			landed, err := r.send(r.ctx, Tx{Instructions: []solana.Instruction{r.play(r.Game), r.emit(handGivenBack(v), handGivenBack(v))}}, false)
			if err != nil {
				return err
			}
			r.ledger.Note(landed, v, v)
			r.judge(judgement("lifecycle", "", early))
			return nil
		}},
		{"finished and never dealt", func(r *round) error { return r.finish(unstarted()) }},
		{"dealt and still played", func(r *round) error { return r.start() }},
	}
}

// forgedRounds bring our events by calls that are none of the program's own.
func forgedRounds() []Round {
	return []Round{
		{"forged by another program", func(r *round) error {
			return r.between(1, r.other.Run(opCall(tagged(r.forgery())), r.self.Program, r.authority))
		}},
		{"forged by another program that calls itself", func(r *round) error { // not even a call of ours
			return r.between(0, r.other.Run(opCall(tagged(r.forgery())), r.other.Program, r.authority, r.self.Program))
		}},
		{"forged by the transaction itself", func(r *round) error {
			return r.between(1, r.self.Run(tagged(r.forgery()), r.authority))
		}},
		{"forged with the authority of another program", func(r *round) error {
			return r.between(1, r.self.Run(opEmit(r.forgery()), r.self.Program, authorityOf(r.other.Program)))
		}},
		{"forged without an authority, and with an account too many", func(r *round) error {
			return r.between(2, r.self.Run(opEmit(r.forgery()), r.self.Program),
				r.self.Run(opEmit(r.forgery()), r.self.Program, r.authority, r.Game))
		}},
		{"forged under another tag", func(r *round) error { // the emitter takes it for return data
			return r.between(0, r.self.Run(opCall(opReturn(tagged(r.forgery())[1:])), r.self.Program, r.authority))
		}},
		{"forged in the log", func(r *round) error {
			return r.between(0, r.self.Run(opAll(opPrint(r.forgery()), opPrint(tagged(r.forgery())))))
		}},
		{"forged before and after the true event", func(r *round) error {
			forge := r.other.Run(opCall(tagged(r.forgery())), r.self.Program, r.authority)
			_, err := r.together(forge, r.emit(r.both()...), forge)
			r.forged.Add(2)
			return err
		}},
	}
}

// failedRounds emit in transactions that fail: nothing of them has happened.
func failedRounds() []Round {
	return []Round{
		{"finished falsely in a failing instruction", func(r *round) error {
			return r.failing(r.self.Run(opAll(opCall(tagged(r.forgery())), opFail()), r.self.Program, r.authority))
		}},
		{"finished falsely before a failing instruction", func(r *round) error {
			return r.failing(r.emit(r.forgery()), r.other.Run(opFail()))
		}},
		{"dealt in a failed transaction only", func(r *round) error {
			_, err := r.send(r.ctx, Tx{Instructions: []solana.Instruction{r.emit(r.both()[0]), r.other.Run(opFail())}}, true)
			return err
		}},
	}
}

// cutRounds overflow the log, which has nothing to hide here: every game is judged as ever.
func cutRounds() []Round {
	overflow := opFill(150, []byte("lost"))
	return []Round{
		{"dealt and finished after the log was cut", func(r *round) error {
			return r.cut(r.together(r.other.Run(overflow), r.emit(r.both()...)))
		}},
		{"dealt before the log was cut, finished after", func(r *round) error {
			both := r.both()
			return r.cut(r.together(r.emit(both[0]), r.self.Run(overflow), r.called(both[1])))
		}},
		{"forged after the log was cut", func(r *round) error {
			return r.between(1, r.other.Run(overflow), r.other.Run(opCall(tagged(r.forgery())), r.self.Program, r.authority))
		}},
	}
}

// oddRounds emit what is no event of a game, or none that can be read.
func oddRounds() []Round {
	return []Round{
		{"events of no game", func(r *round) error {
			return r.between(0, r.emit(tableOpened(r.Game, "\x00\n"), discriminator("TableClosed"), nil))
		}},
		{"an event cut short", func(r *round) error {
			raw := r.forgery()
			return r.garbled(raw[:len(raw)-1])
		}},
		{"an event with a byte too many", func(r *round) error { return r.garbled(append(r.forgery(), 0)) }},
		{"an event of an unknown result", func(r *round) error {
			lost := handFinished(r.Lost(0, r.MineTile(0)))
			lost[len(lost)-1] = 2
			return r.garbled(lost)
		}},
		{"an event with more flags than bytes", func(r *round) error {
			raw := r.forgery()
			at := bytes.Index(raw, r.SlotHash[:]) + len(r.SlotHash)
			binary.LittleEndian.PutUint32(raw[at:], 1<<31)
			return r.garbled(raw)
		}},
	}
}

// elsewhere is an instruction in which the other program emits events of its own in our layout.
func (r *round) elsewhere(events ...[]byte) solana.Instruction {
	return r.other.Run(opEmit(events...), r.other.Program, authorityOf(r.other.Program))
}

// called is an instruction of the other program, which calls ours: that emits events.
func (r *round) called(events ...[]byte) solana.Instruction {
	var calls [][]byte
	for _, e := range events {
		calls = append(calls, opCall(opCall(tagged(e))))
	}
	return r.other.Run(opAll(calls...), r.self.Program, r.self.Program, r.authority)
}

package simchain

// addNoise adds transactions that are nobody's game: about one to ten games'.
// None of them may change what an auditor says.
func (w *world) addNoise(b *block, d dice) {
	for _, t := range b.txs {
		if !d.oneIn(10) {
			continue
		}
		switch d.IntN(5) {
		case 0:
			w.newTx(b, mentionOnly, w.stranger(d), nil)
		case 1:
			w.newTx(b, foreignOnly, w.stranger(d), nil)
		case 2:
			w.newTx(b, forged, w.stranger(d), forge(t.event, d))
		case 3:
			w.newTx(b, failedLater, w.operator, forge(t.event, d)).err = errForeignRefused
		case 4:
			w.newTx(b, failedAtOnce, w.stranger(d), t.event).err = errTooEarly
		}
	}
}

func (w *world) stranger(d dice) Key { return w.strangers[d.IntN(len(w.strangers))] }

// forge copies an event, now and then with another end (of a settlement: the
// payout).
func forge(event []byte, d dice) []byte {
	forged := append([]byte(nil), event...)
	if d.oneIn(2) {
		forged[len(forged)-8] ^= 1 + byte(d.IntN(255))
	}
	return forged
}

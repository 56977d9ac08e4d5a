package simchain

import "strconv"

// strikes tells what is done to all sockets when a block is made.
func (f *Faults) strikes(b *block) (cut, deafen bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan.cuts(b.parent, b.slot)
}

// reorders tells whether notifications come out of order at all.
func (f *Faults) reorders() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.plan.has(reorder)
}

// keepsBack tells whether t is notified with the next block's transactions.
func (f *Faults) keepsBack(t *tx) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, is := f.plan.marks(reorder, t, 5)
	return is
}

// shuffle brings what is told with a slot into another order.
func (f *Faults) shuffle(slot uint64, list []*tx) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if d, is := f.plan.during(reorder, slot, 1, 1); is {
		d.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
}

// garbage is a frame that no node should send, after the frames of one block in
// twenty.
func (f *Faults) garbage(sub *subscription, b *block) []byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	d, is := f.plan.during(malformed, b.slot, 1, 20)
	if !is || sub.slots {
		return nil
	}
	other := strconv.FormatUint(sub.id+1_000, 10)
	text := [...]string{
		`{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":`,
		`<html><body>502 Bad Gateway</body></html>`,
		`{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":-1},"value":{"signature":"","err":null,"logs":[""]}},"subscription":` + strconv.FormatUint(sub.id, 10) + `}}`,
		`{"jsonrpc":"2.0","method":"logsNotification","params":{"result":{"context":{"slot":1},"value":{"signature":"1","err":null,"logs":[]}},"subscription":` + other + `}}`,
		``,
	}[d.IntN(5)]
	return appendFrame(nil, []byte(text))
}

package decode

// heights are the heights of a transaction's instructions. Records of old have
// none: then a complete log gives them, because it names each invocation with its
// depth, in the same order. They are worked out when first asked for.
type heights struct {
	tx     *Transaction
	asked  bool
	proved []int // nil = the log is no proof
}

// of gives the height of instruction i, or 0 if nothing tells it.
func (h *heights) of(i int) int {
	if height := h.tx.Instructions[i].Height; height > 0 {
		return height
	}
	if !h.asked {
		h.asked, h.proved = true, heightsByLog(h.tx)
	}
	if h.proved == nil {
		return 0
	}
	return h.proved[i]
}

// heightsByLog gives nil unless the log is complete and names exactly the
// programs of the instructions, in order.
func heightsByLog(tx *Transaction) []int {
	if tx.LogsMissing || tx.InnerMissing {
		return nil
	}
	list := make([]int, len(tx.Instructions))
	next := 0
	var run frames
	for i, text := range tx.Logs {
		l := readLine(text, run.running())
		switch l.kind {
		case truncated:
			return nil
		case invoke:
			next = skipSilent(tx.Instructions, next)
			if next == len(list) || tx.Instructions[next].Program != l.id || (tx.Instructions[next].Inner < 0) != (len(run) == 0) {
				return nil
			}
			list[next] = len(run) + 1
			next++
		}
		var problem string
		if run, problem = run.step(i, l); problem != "" {
			return nil
		}
	}
	if len(run) > 0 || skipSilent(tx.Instructions, next) < len(list) {
		return nil
	}
	return list
}

// skipSilent passes over top-level instructions that leave no line in the log:
// the runtime checks signatures itself.
func skipSilent(list []Instruction, next int) int {
	for next < len(list) && list[next].Inner < 0 && isPrecompile(list[next].Program) {
		next++
	}
	return next
}

func isPrecompile(program string) bool {
	switch program {
	case "Ed25519SigVerify111111111111111111111111111", "KeccakSecp256k11111111111111111111111111111", "Secp256r1SigVerify1111111111111111111111111":
		return true
	}
	return false
}

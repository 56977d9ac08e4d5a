package simchain

func (n *Node) getSlot(r request) (any, *rpcError) {
	o, fault := n.options(r, 0)
	if fault != nil {
		return nil, fault
	}
	return n.tipSlot(o.level), nil
}

// heightBelow is the height of the first block's parent: heights are behind slots
// because of the skipped ones.
const heightBelow = firstSlot - 20_000_000

func (n *Node) getBlockHeight(r request) (any, *rpcError) {
	o, fault := n.options(r, 0)
	if fault != nil {
		return nil, fault
	}
	return uint64(heightBelow + 1 + n.tip(o.level)), nil
}

func (n *Node) getBlockTime(r request) (any, *rpcError) {
	slot, fault := r.slotAt(0)
	if fault != nil {
		return nil, fault
	}
	i, fault := n.blockAt(slot, confirmed)
	if fault != nil {
		return nil, fault
	}
	return n.chain.ledger.blocks[i].time, nil
}

// blockAt gives the index of a slot's block, or why there is none.
func (n *Node) blockAt(slot uint64, level commitment) (int, *rpcError) {
	if slot < firstSlot {
		return 0, blockCleanedUp(slot, firstSlot)
	}
	if slot > n.tipSlot(level) {
		return 0, blockNotAvailable(slot)
	}
	i, found := n.chain.ledger.indexOf(slot)
	if !found {
		return 0, slotSkipped(slot)
	}
	return i, nil
}

// blockAnswer is a block with its signatures, or with none.
type blockAnswer struct {
	Blockhash         string    `json:"blockhash"`
	PreviousBlockhash string    `json:"previousBlockhash"`
	ParentSlot        uint64    `json:"parentSlot"`
	BlockHeight       uint64    `json:"blockHeight"`
	BlockTime         int64     `json:"blockTime"`
	Signatures        *[]string `json:"signatures,omitempty"`
}

func (n *Node) getBlock(r request) (any, *rpcError) {
	slot, fault := r.slotAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := n.settledOptions(r, 1)
	if fault != nil {
		return nil, fault
	}
	i, fault := n.blockAt(slot, o.level)
	if fault != nil {
		return nil, fault
	}
	b := n.chain.ledger.blocks[i]
	answer := blockAnswer{
		Blockhash: n.chain.blockhash(b.slot).String(), PreviousBlockhash: n.chain.blockhash(b.parent).String(),
		ParentSlot: b.parent, BlockHeight: uint64(heightBelow + 1 + i), BlockTime: b.time,
	}
	switch o.TransactionDetails {
	case "none":
	case "signatures":
		signatures := []string{}
		for _, t := range b.txs {
			if n.see(t) != nil {
				signatures = append(signatures, t.name())
			}
		}
		for _, t := range n.lies.in(b.slot) {
			signatures = append(signatures, t.name())
		}
		answer.Signatures = &signatures
	default:
		return nil, invalidParams(`transactionDetails: this node serves "signatures" and "none"`)
	}
	return answer, nil
}

func (c *Chain) blockhash(slot uint64) Key { return derive(c.config.Seed, "blockhash", slot) }

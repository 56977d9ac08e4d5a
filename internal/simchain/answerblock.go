package simchain

func (c *Chain) getSlot(r request) (any, *rpcError) {
	o, fault := c.options(r, 0)
	if fault != nil {
		return nil, fault
	}
	return c.ledger.tipSlot(o.level), nil
}

// heightBelow is the height of the first block's parent: heights are behind slots
// because of the skipped ones.
const heightBelow = firstSlot - 20_000_000

func (c *Chain) getBlockHeight(r request) (any, *rpcError) {
	o, fault := c.options(r, 0)
	if fault != nil {
		return nil, fault
	}
	return uint64(heightBelow + 1 + c.ledger.tip(o.level)), nil
}

func (c *Chain) getBlockTime(r request) (any, *rpcError) {
	slot, fault := r.slotAt(0)
	if fault != nil {
		return nil, fault
	}
	i, fault := c.blockAt(slot, confirmed)
	if fault != nil {
		return nil, fault
	}
	return c.ledger.blocks[i].time, nil
}

// blockAt gives the index of a slot's block, or why there is none.
func (c *Chain) blockAt(slot uint64, level commitment) (int, *rpcError) {
	if slot < firstSlot {
		return 0, blockCleanedUp(slot, firstSlot)
	}
	if slot > c.ledger.tipSlot(level) {
		return 0, blockNotAvailable(slot)
	}
	i, found := c.ledger.indexOf(slot)
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

func (c *Chain) getBlock(r request) (any, *rpcError) {
	slot, fault := r.slotAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := c.settledOptions(r, 1)
	if fault != nil {
		return nil, fault
	}
	i, fault := c.blockAt(slot, o.level)
	if fault != nil {
		return nil, fault
	}
	b := c.ledger.blocks[i]
	answer := blockAnswer{
		Blockhash: c.blockhash(b.slot).String(), PreviousBlockhash: c.blockhash(b.parent).String(),
		ParentSlot: b.parent, BlockHeight: uint64(heightBelow + 1 + i), BlockTime: b.time,
	}
	switch o.TransactionDetails {
	case "none":
	case "signatures":
		signatures := make([]string, len(b.txs))
		for i, t := range b.txs {
			signatures[i] = t.name()
		}
		answer.Signatures = &signatures
	default:
		return nil, invalidParams(`transactionDetails: this node serves "signatures" and "none"`)
	}
	return answer, nil
}

func (c *Chain) blockhash(slot uint64) Key { return derive(c.config.Seed, "blockhash", slot) }

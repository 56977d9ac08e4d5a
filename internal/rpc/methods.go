package rpc

import (
	"context"
)

// Commitment is how settled a block must be for a node to speak of it.
type Commitment string

// The commitments of Solana, weakest first.
const (
	Processed Commitment = "processed"
	Confirmed Commitment = "confirmed"
	Finalized Commitment = "finalized"
)

const (
	methodAccountInfo         = "getAccountInfo"
	methodFirstAvailableBlock = "getFirstAvailableBlock"
	methodGenesisHash         = "getGenesisHash"
	methodSignatures          = "getSignaturesForAddress"
	methodSlot                = "getSlot"
	methodStatuses            = "getSignatureStatuses"
	methodTransaction         = "getTransaction"
	methodVersion             = "getVersion"
)

// object is a JSON-RPC parameter object.
type object map[string]any

// GenesisHash tells which chain the node follows.
func (c *Client) GenesisHash(ctx context.Context) ([32]byte, error) {
	var text string
	if err := c.call(ctx, methodGenesisHash, nil, &text); err != nil {
		return [32]byte{}, err
	}
	hash, err := ParseKey(text)
	if err != nil {
		return hash, malformed(methodGenesisHash, "the result is not a hash")
	}
	return hash, nil
}

// Slot is the node's latest slot at a commitment.
func (c *Client) Slot(ctx context.Context, at Commitment) (uint64, error) {
	var slot uint64
	err := c.call(ctx, methodSlot, []any{object{"commitment": at}}, &slot)
	return slot, err
}

// FirstAvailableBlock is the lowest slot whose block the node still has.
func (c *Client) FirstAvailableBlock(ctx context.Context) (uint64, error) {
	var slot uint64
	err := c.call(ctx, methodFirstAvailableBlock, nil, &slot)
	return slot, err
}

// Version is the validator's software version ("4.0.0"), for people to read.
func (c *Client) Version(ctx context.Context) (string, error) {
	var v struct {
		Core string `json:"solana-core"`
	}
	err := c.call(ctx, methodVersion, nil, &v)
	return c.scrub.clean(v.Core), err
}

// Program is what a node knows of an address that should be a program's.
type Program struct {
	Exists     bool
	Executable bool   // false: the address is an account, but no program
	Slot       uint64 // as of which slot
}

// ProgramExists asks for the account at a base58 address. An address that does not
// exist is no error; one that is not base58 of 32 bytes is Invalid.
func (c *Client) ProgramExists(ctx context.Context, program string) (Program, error) {
	var answer struct {
		Context struct {
			Slot uint64 `json:"slot"`
		} `json:"context"`
		Value *struct {
			Executable *bool `json:"executable"`
		} `json:"value"`
	}
	params := []any{program, object{
		"commitment": Confirmed, "encoding": "base64",
		"dataSlice": object{"offset": 0, "length": 0}, // the code itself is not wanted
	}}
	if err := c.call(ctx, methodAccountInfo, params, &answer); err != nil {
		return Program{}, err
	}
	p := Program{Slot: answer.Context.Slot}
	if answer.Value != nil {
		if answer.Value.Executable == nil {
			return Program{}, malformed(methodAccountInfo, "the result does not say whether the account is executable")
		}
		p.Exists, p.Executable = true, *answer.Value.Executable
	}
	return p, nil
}

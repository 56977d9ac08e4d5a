package simchain

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"

	"github.com/gagliardetto/solana-go/base58"
)

// accountAnswer is an account as getAccountInfo shows it.
type accountAnswer struct {
	Lamports   uint64    `json:"lamports"`
	Data       [2]string `json:"data"`
	Owner      string    `json:"owner"`
	Executable bool      `json:"executable"`
	RentEpoch  uint64    `json:"rentEpoch"`
	Space      int       `json:"space"`
}

// getAccountInfo knows the deployed programs and nothing else.
func (n *Node) getAccountInfo(r request) (any, *rpcError) {
	k, fault := r.keyAt(0)
	if fault != nil {
		return nil, fault
	}
	o, fault := n.options(r, 1)
	if fault != nil {
		return nil, fault
	}
	var found *accountAnswer
	if slices.Contains(n.chain.cast.programs(), k) {
		found = n.programAccount(k, o.Encoding)
	}
	return n.inContext(o.level, found), nil
}

// programAccount is what the upgradeable loader keeps at a program's address: a
// tag and where the code is.
func (n *Node) programAccount(k Key, encoding string) *accountAnswer {
	code := derive(n.chain.config.Seed, "code of "+k.String(), 0)
	data := append(binary.LittleEndian.AppendUint32(nil, 2), code[:]...)
	a := &accountAnswer{
		Lamports: 1_141_440, Owner: n.chain.cast.loader.String(), Executable: true, RentEpoch: math.MaxUint64, Space: len(data),
		Data: [2]string{base64.StdEncoding.EncodeToString(data), "base64"},
	}
	if encoding == "" || encoding == "base58" {
		a.Data = [2]string{base58.Encode(data), "base58"}
	}
	return a
}

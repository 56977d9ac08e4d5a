package decode

import "encoding/binary"

// A reader takes Borsh values off the front of bytes whose length was checked.
// Operands are evaluated in source order, so a literal's fields may be read in
// place as long as they stand in the order of the layout.
type reader []byte

func (r *reader) take(n int) []byte {
	head := (*r)[:n]
	*r = (*r)[n:]
	return head
}

func (r *reader) u8() uint8         { return r.take(1)[0] }
func (r *reader) u16() uint16       { return binary.LittleEndian.Uint16(r.take(2)) }
func (r *reader) u32() uint32       { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64       { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) i64() int64        { return int64(r.u64()) }
func (r *reader) bytes32() [32]byte { return [32]byte(r.take(32)) }
func (r *reader) key() (k GameKey) {
	k.Game, k.User, k.Nonce = r.bytes32(), r.bytes32(), r.u64()
	return k
}

package idl

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// Why an account gives no IDL.
var (
	ErrNoIDL   = errors.New("holds no IDL")
	ErrURL     = errors.New("names a URL, which is not fetched: whoever serves it could serve something else tomorrow")
	ErrForeign = errors.New("is not an account of this program's IDL")
)

// Content is what an account gives: the IDL's text, or else where it lies.
type Content struct {
	JSON     []byte
	External *External
}

// FromAccount reads the text of a program's IDL from an account, whose owner
// says which kind it is: the program itself (the account at [LegacyAddress]) or
// the Program Metadata program (at [MetadataAddress]). Whether the account lies
// at that address the caller knows. What is inflated is bounded as a file is.
func FromAccount(program, owner [32]byte, data []byte) (Content, error) {
	var content Content
	var err error
	switch owner {
	case program:
		content.JSON, err = fromLegacy(data)
	case MetadataProgram():
		content, err = fromMetadata(program, data)
	default:
		err = fmt.Errorf("of owner %x: %w", owner, ErrForeign)
	}
	if err != nil {
		return Content{}, fmt.Errorf("idl: account %w", err)
	}
	return content, nil
}

// fromLegacy reads the account that Anchor before 1.0 wrote: discriminator,
// authority, u32 length, zlib.
func fromLegacy(data []byte) ([]byte, error) {
	const header = 8 + 32 + 4
	discriminator := sha256.Sum256([]byte("internal:IdlAccount"))
	if len(data) < header || !bytes.Equal(data[:8], discriminator[:8]) {
		return nil, fmt.Errorf("of %d bytes: %w", len(data), ErrForeign)
	}
	body, err := part(data[header:], 0, binary.LittleEndian.Uint32(data[header-4:]))
	if err != nil {
		return nil, err
	}
	return unpack(body, zlibCompression, noEncoding)
}

// part is length bytes from an offset, all that there are for length 0.
func part(data []byte, offset, length uint32) ([]byte, error) {
	size := uint64(len(data))
	if uint64(offset)+uint64(length) > size {
		return nil, fmt.Errorf("has %d bytes: %w: %d at %d", size, ErrNoIDL, length, offset)
	}
	data = data[offset:]
	if length > 0 {
		data = data[:length]
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("is empty: %w", ErrNoIDL)
	}
	return data, nil
}

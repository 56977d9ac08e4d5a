package idl

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The header of an account of the Program Metadata program, by offset. Before
// them are the kind of account, a byte, and after them the authority and whether
// the account may change.
const (
	metadataProgram     = 1  // 32 bytes
	metadataEncoding    = 83 // a byte each, from here
	metadataCompression = 84
	metadataFormat      = 85
	metadataSource      = 86
	metadataLength      = 87 // u32
	metadataSize        = 96
)

const (
	metadataKind   = 2 // of account: 0 is empty, 1 a buffer
	formatJSON     = 1 // 0 is none said
	sourceDirect   = 0
	sourceURL      = 1
	sourceExternal = 2
	externalSize   = 32 + 4 + 4
)

// External says in which account the text lies, and how.
type External struct {
	Address        [32]byte
	Offset, Length uint32 // in bytes; length 0 is the rest

	compression, encoding byte
}

// Content reads the text from the data of the account at Address.
func (x *External) Content(data []byte) ([]byte, error) {
	body, err := part(data, x.Offset, x.Length)
	if err == nil {
		body, err = unpack(body, x.compression, x.encoding)
	}
	if err != nil {
		return nil, fmt.Errorf("idl: account %w", err)
	}
	return body, nil
}

func fromMetadata(program [32]byte, data []byte) (Content, error) {
	if len(data) < metadataSize || data[0] != metadataKind || !bytes.Equal(data[metadataProgram:metadataProgram+32], program[:]) {
		return Content{}, fmt.Errorf("of %d bytes: %w", len(data), ErrForeign)
	}
	if format := data[metadataFormat]; format > formatJSON {
		return Content{}, fmt.Errorf("of format %d: %w: want JSON", format, ErrNoIDL)
	}
	compression, encoding := data[metadataCompression], data[metadataEncoding]
	length := binary.LittleEndian.Uint32(data[metadataLength:])
	body, err := part(data[metadataSize:], 0, length)
	if err != nil {
		return Content{}, err
	}
	switch source := data[metadataSource]; source {
	case sourceDirect:
		text, err := unpack(body, compression, encoding)
		return Content{JSON: text}, err
	case sourceURL:
		return Content{}, ErrURL
	case sourceExternal:
		if len(body) < externalSize {
			return Content{}, fmt.Errorf("with a reference of %d bytes: %w", len(body), ErrNoIDL)
		}
		return Content{External: &External{
			Address:     [32]byte(body),
			Offset:      binary.LittleEndian.Uint32(body[32:]),
			Length:      binary.LittleEndian.Uint32(body[36:]),
			compression: compression,
			encoding:    encoding,
		}}, nil
	default:
		return Content{}, fmt.Errorf("with source %d: %w", source, ErrNoIDL)
	}
}

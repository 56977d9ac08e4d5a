package idl

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/gagliardetto/solana-go/base58"
)

// The numbers that the Program Metadata program has for them.
const (
	noCompression   = 0
	gzipCompression = 1
	zlibCompression = 2

	noEncoding     = 0
	utf8Encoding   = 1
	base58Encoding = 2
	base64Encoding = 3
)

// unpack undoes compression and encoding until there is JSON. An encoding says
// how the bytes are shown as text: in base64 they are mostly the document
// already, but some write the text of base64.
func unpack(data []byte, compression, encoding byte) ([]byte, error) {
	text, err := inflate(data, compression)
	if err != nil {
		return nil, err
	}
	if isObject(text) {
		return text, nil
	}
	switch encoding {
	case base58Encoding:
		if len(text) > maxBase58 {
			return nil, fmt.Errorf("with %d bytes of base58: %w: at most %d", len(text), ErrBounds, maxBase58)
		}
		text, err = base58.Decode(string(bytes.TrimSpace(text)))
	case base64Encoding:
		text, err = base64.StdEncoding.DecodeString(string(text))
	}
	if err != nil || !isObject(text) {
		return nil, fmt.Errorf("with encoding %d: %w: not a JSON object", encoding, ErrNoIDL)
	}
	return text, nil
}

// maxBase58 bounds a text whose reading takes the square of its length.
const maxBase58 = 64 << 10

func isObject(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) }

func inflate(data []byte, compression byte) ([]byte, error) {
	var from io.Reader
	var err error
	switch compression {
	case noCompression:
		from = bytes.NewReader(data)
	case gzipCompression:
		from, err = gzip.NewReader(bytes.NewReader(data))
	case zlibCompression:
		from, err = zlib.NewReader(bytes.NewReader(data))
	default:
		return nil, fmt.Errorf("with compression %d: %w", compression, ErrNoIDL)
	}
	if err != nil {
		return nil, fmt.Errorf("with compression %d: %w: %w", compression, ErrNoIDL, err)
	}
	text, err := io.ReadAll(io.LimitReader(from, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("with compression %d: %w: %w", compression, ErrNoIDL, err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("of more than %d bytes, inflated: %w", maxFile, ErrBounds)
	}
	return text, nil
}

package config

import (
	"fmt"
	"io"
	"os"
)

// maxFile bounds every file that configuration is read from, in bytes. A real
// one has a few hundred; the bound is against the wrong path, not the operator.
const maxFile = 64 << 10

// errTooLarge is returned by readFile beyond maxFile.
var errTooLarge = fmt.Errorf("larger than %d bytes: not a configuration file", maxFile)

// readFile returns the content of a file of at most maxFile bytes.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, errTooLarge
	}
	return data, nil
}

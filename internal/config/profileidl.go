package config

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"minesaudit/internal/decode"
	"minesaudit/internal/idl"
)

// An IDLFile is an IDL of a profile and the slot from which on it holds.
type IDLFile struct {
	File     string // as the profile names it
	FromSlot uint64
	IDL      *idl.IDL
}

// idlFile is an IDL in a profile's YAML, whose text alone is a file.
type idlFile struct {
	File     string `yaml:"file"`
	FromSlot uint64 `yaml:"from_slot"`
}

func (idlFile) textKey() string { return "file" }

// maxIDL bounds what is read as an IDL, in bytes.
const maxIDL = 4 << 20

// beside reads files that a profile names, relative to the profile itself.
func beside(profile string) func(name string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(profile), name)
		}
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		data, err := io.ReadAll(io.LimitReader(f, maxIDL+1))
		if err == nil && len(data) > maxIDL {
			err = fmt.Errorf("larger than %d bytes: no IDL", maxIDL)
		}
		return data, err
	}
}

// idls reads the IDLs of a profile; nil if one cannot be used.
func (r *profileReader) idls(files []idlFile, read func(name string) ([]byte, error)) []IDLFile {
	var list []IDLFile
	for i, f := range files {
		at := fmt.Sprintf("idl[%d]", i)
		if f.File == "" {
			r.reject(at, fmt.Errorf("names no file: write idl: FILE"))
			continue
		}
		data, err := read(f.File)
		if err != nil {
			r.reject(at, err)
			continue
		}
		parsed, err := idl.Parse(data)
		if err != nil {
			r.reject(at, fmt.Errorf("%s: %w", f.File, err))
			continue
		}
		list = append(list, IDLFile{File: f.File, FromSlot: f.FromSlot, IDL: parsed})
	}
	if len(list) < len(files) {
		return nil
	}
	slices.SortStableFunc(list, func(a, b IDLFile) int { return cmp.Compare(a.FromSlot, b.FromSlot) })
	return list
}

func versions(files []IDLFile) []decode.Version {
	list := make([]decode.Version, 0, len(files))
	for _, f := range files {
		list = append(list, decode.Version{IDL: f.IDL, FromSlot: f.FromSlot})
	}
	return list
}

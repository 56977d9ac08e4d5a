// Package repotest holds what must be true of the repository as a whole: which
// package imports which, that the files to deploy fit the program, that each
// package says what it is for.
//
// Everything is read from the files themselves, also what promtool is then run
// on: the go command knows from that what a result depends on, and does not
// serve a cached one after an edit. Build tags are ignored on purpose, so that
// the rules hold for every platform at once.
package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.." // of the repository, from here
	module = "minesaudit"
)

// source is one Go file that is no test.
type source struct {
	pkg     string // the package's path in the module: internal/verify
	file    string
	syntax  *ast.File
	imports []string
}

// sources parses every Go file of ours down to its imports.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	for _, top := range []string{"cmd", "internal", "migrations"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case entry.IsDir() && entry.Name() == "testdata":
				return filepath.SkipDir
			case entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			all = append(all, parse(t, path))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func parse(t *testing.T, path string) source {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, read(t, path), parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := filepath.Rel(root, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	s := source{pkg: filepath.ToSlash(pkg), file: path, syntax: file}
	for _, spec := range file.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		s.imports = append(s.imports, name)
	}
	return s
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

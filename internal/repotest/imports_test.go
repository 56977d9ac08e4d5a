package repotest

import (
	"slices"
	"strings"
	"testing"
)

// importTable says which packages of ours each package may import. A package
// that is not in it has no place in the architecture yet: give it one.
func importTable() map[string][]string {
	return map[string][]string{
		"internal/rpc":              {"internal/jsonread"},
		"internal/jsonread":         nil,
		"internal/decode":           {"internal/idl"},
		"internal/idl":              nil,
		"internal/idl/idltest":      {"internal/idl"},
		"internal/verify":           nil,
		"internal/txjson":           {"internal/decode", "internal/jsonread"},
		"internal/listing":          {"internal/decode", "internal/idl", "internal/txjson"},
		"internal/stats":            nil,
		"internal/assemble":         {"internal/decode", "internal/verify"},
		"internal/store":            {"internal/decode", "internal/verify", "migrations"},
		"internal/store/storetest":  nil,
		"internal/ingest":           {"internal/rpc", "internal/decode", "internal/verify", "internal/store", "internal/assemble", "internal/emitted"},
		"internal/emitted":          {"internal/rpc", "internal/decode", "internal/txjson"},
		"internal/inspect":          {"internal/rpc", "internal/decode", "internal/verify", "internal/assemble", "internal/emitted", "internal/txjson"},
		"internal/claim":            {"internal/verify", "internal/inspect"},
		"internal/claim/records":    {"internal/verify"},
		"internal/claim/checkpoint": {"internal/verify"},
		"internal/claim/rounds":     {"internal/verify", "internal/claim/records", "internal/claim/checkpoint"},
		"internal/claim/bets":       {"internal/verify", "internal/claim/records"},
		"internal/backfill":         {"internal/rpc", "internal/decode", "internal/verify", "internal/store", "internal/assemble", "internal/emitted", "internal/ingest"},
		"internal/reaudit":          {"internal/decode", "internal/verify", "internal/assemble", "internal/store", "internal/ingest"},
		"internal/api":              {"internal/store", "internal/verify", "internal/stats"},
		"internal/simchain":         nil, // the oracle: a fault of decode or verify must not hide in it
		"internal/config":           {"internal/decode", "internal/idl", "internal/verify"},
		"internal/fit":              {"internal/config", "internal/decode", "internal/idl", "internal/verify"},
		"internal/idlfetch":         {"internal/idl", "internal/rpc"},
		"internal/pglocal":          nil,
		"internal/pglocal/pgtest":   {"internal/pglocal"},
		"migrations":                nil,
	}
}

// purePackages take no context, clock, logger, randomness or I/O: the same input
// gives the same output wherever it is computed again.
func purePackages() []string {
	return []string{"internal/decode", "internal/idl", "internal/verify", "internal/stats", "internal/assemble", "internal/jsonread"}
}

// pureImports is what pure packages are made of. Anything else needs a reason.
func pureImports() []string {
	return []string{
		"bytes", "cmp", "crypto/hmac", "crypto/sha256", "encoding", "encoding/base64", "encoding/binary", "encoding/hex",
		"encoding/json", "errors", "fmt", "hash", "iter", "maps", "math", "math/big", "math/bits",
		"math/rand",                            // only seeded by the input: a game's outcome is what this generator gives
		"compress/gzip", "compress/zlib", "io", // inflating what an account holds, from bytes to bytes
		"slices", "sort", "strconv", "strings", "unicode", "unicode/utf16", "unicode/utf8",
		"github.com/gagliardetto/solana-go/base58",
	}
}

func TestImportsFollowTheTable(t *testing.T) {
	table := importTable()
	for _, s := range sources(t) {
		if strings.HasPrefix(s.pkg, "cmd/") {
			continue // wiring may import everything
		}
		allowed, known := table[s.pkg]
		if !known {
			t.Errorf("%s: package %s is not in the import table", s.file, s.pkg)
			continue
		}
		for _, name := range s.imports {
			ours, isOurs := strings.CutPrefix(name, module+"/")
			if isOurs && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s; %s may import %v of ours", s.file, ours, s.pkg, allowed)
			}
		}
	}
}

func TestPurePackagesDoNoIO(t *testing.T) {
	for _, s := range sources(t) {
		if !slices.Contains(purePackages(), s.pkg) {
			continue
		}
		for _, name := range s.imports {
			ours := strings.TrimPrefix(name, module+"/")
			if !slices.Contains(pureImports(), name) && !slices.Contains(purePackages(), ours) {
				t.Errorf("%s imports %s, and %s is to be pure", s.file, name, s.pkg)
			}
		}
	}
}

// isTestHelper tells packages for tests, named after what they help to test as
// httptest is, from those of the binary.
func isTestHelper(pkg string) bool { return strings.HasSuffix(pkg, "test") }

func TestBinaryHasNoTestHelpers(t *testing.T) {
	for _, s := range sources(t) {
		if isTestHelper(s.pkg) {
			continue
		}
		for _, name := range s.imports {
			if name == "testing" || strings.HasPrefix(name, module+"/") && isTestHelper(name) {
				t.Errorf("%s imports %s, which is for tests", s.file, name)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	documented := map[string]bool{}
	names := map[string]string{}
	for _, s := range sources(t) {
		names[s.pkg] = s.syntax.Name.Name
		opening := "Package " + s.syntax.Name.Name + " "
		if s.syntax.Name.Name == "main" {
			opening = "Command "
		}
		if s.syntax.Doc != nil && strings.HasPrefix(s.syntax.Doc.Text(), opening) {
			documented[s.pkg] = true
		}
	}
	for pkg, name := range names {
		if !documented[pkg] {
			t.Errorf("package %s (%s) has no package comment that begins with its name", name, pkg)
		}
	}
}

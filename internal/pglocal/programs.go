package pglocal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// minMajor is the oldest PostgreSQL major version that the schema works with.
const minMajor = 15

// ErrNoPrograms means that the machine has no initdb and postgres of a version
// that will do. The text of the error says how to install them.
var ErrNoPrograms = errors.New("no PostgreSQL programs found")

// programs is one installation of PostgreSQL.
type programs struct {
	dir     string // holds initdb and postgres, symbolic links resolved
	version string // as printed, such as "15.18" or "18beta1"
	major   int
}

func (p programs) path(name string) string { return filepath.Join(p.dir, name) }

// search says where to look for programs. Its zero value finds nothing.
type search struct {
	path     string   // a PATH list
	pgConfig string   // the pg_config program to ask, "" for none
	globs    []string // patterns of bin folders, newest first within each
}

// systemSearch is the search of a real start, in order of preference: what the
// operator put on PATH, what pg_config names, Debian's and Red Hat's folders,
// Homebrew's folders.
func systemSearch() *search {
	pgConfig, err := exec.LookPath("pg_config")
	if err != nil {
		pgConfig = ""
	}
	return &search{
		path:     os.Getenv("PATH"),
		pgConfig: pgConfig,
		globs: []string{
			"/usr/lib/postgresql/*/bin",
			"/usr/pgsql-*/bin",
			"/opt/homebrew/opt/postgresql@*/bin",
			"/usr/local/opt/postgresql@*/bin",
			"/home/linuxbrew/.linuxbrew/opt/postgresql@*/bin",
		},
	}
}

// find returns every installation, old versions included, in order of
// preference and each once.
func (s *search) find(ctx context.Context) []programs {
	var found []programs
	for _, dir := range s.dirs(ctx) {
		// initdb looks for postgres beside the file that a link points to.
		server, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
		if err != nil {
			continue
		}
		dir = filepath.Dir(server)
		if slices.ContainsFunc(found, func(p programs) bool { return p.dir == dir }) {
			continue
		}
		if _, err := exec.LookPath(filepath.Join(dir, "initdb")); err != nil {
			continue
		}
		out, err := exec.CommandContext(ctx, server, "--version").Output()
		if err != nil {
			continue
		}
		if version, major, ok := parseVersion(string(out)); ok {
			found = append(found, programs{dir: dir, version: version, major: major})
		}
	}
	return found
}

// dirs lists the absolute folders to look into, in order of preference.
func (s *search) dirs(ctx context.Context) []string {
	dirs := filepath.SplitList(s.path)
	if s.pgConfig != "" {
		if out, err := exec.CommandContext(ctx, s.pgConfig, "--bindir").Output(); err == nil {
			dirs = append(dirs, strings.TrimSpace(string(out)))
		}
	}
	for _, glob := range s.globs {
		matches, err := filepath.Glob(glob)
		if err != nil {
			continue
		}
		slices.SortStableFunc(matches, func(a, b string) int { return folderMajor(b) - folderMajor(a) })
		dirs = append(dirs, matches...)
	}
	// A relative entry of PATH would mean the programs of whatever folder the
	// daemon was started in.
	return slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) })
}

// folderMajor reads the major version out of a bin folder's parent, such as
// ".../postgresql/16/bin" or ".../postgresql@16/bin"; 0 if there is none.
func folderMajor(bin string) int {
	name := filepath.Base(filepath.Dir(bin))
	if i := strings.LastIndexAny(name, "@-"); i >= 0 {
		name = name[i+1:]
	}
	return leadingInt(name)
}

// parseVersion reads the output of "postgres --version", such as
// "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
func parseVersion(output string) (version string, major int, ok bool) {
	_, rest, found := strings.Cut(output, "(PostgreSQL)")
	fields := strings.Fields(rest)
	if !found || len(fields) == 0 {
		return "", 0, false
	}
	major = leadingInt(fields[0])
	return fields[0], major, major > 0
}

// leadingInt returns the number that s begins with, 0 if it begins with none.
func leadingInt(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	n, err := strconv.Atoi(s[:end])
	if err != nil {
		return 0
	}
	return n
}

// choose picks the programs for the cluster in data, whose PG_VERSION reads
// version ("" if there is no cluster yet). Errors are ErrNoPrograms and
// ErrOtherMajor.
func choose(found []programs, version, data string) (programs, error) {
	usable := slices.DeleteFunc(slices.Clone(found), func(p programs) bool { return p.major < minMajor })
	if len(usable) == 0 {
		return programs{}, fmt.Errorf("%w: need initdb and postgres of version %d or newer, have %s; %s, or give a database URL",
			ErrNoPrograms, minMajor, list(found), installHint(0))
	}
	if version == "" {
		return usable[0], nil
	}
	for _, p := range usable {
		if strconv.Itoa(p.major) == version {
			return p, nil
		}
	}
	return programs{}, otherMajor(data, version, usable)
}

// list names installations for an error message.
func list(found []programs) string {
	if len(found) == 0 {
		return "none"
	}
	names := make([]string, len(found))
	for i, p := range found {
		names[i] = fmt.Sprintf("%s in %s", p.version, p.dir)
	}
	return strings.Join(names, ", ")
}

// installHint says how to install PostgreSQL of a major version, 0 for any.
func installHint(major int) string {
	suffix := ""
	if major > 0 {
		suffix = "-" + strconv.Itoa(major)
	}
	if runtime.GOOS == "darwin" {
		return fmt.Sprintf("install them with: brew install postgresql@%d", max(major, minMajor+2))
	}
	return fmt.Sprintf("install them with: apt-get install postgresql%s", suffix)
}

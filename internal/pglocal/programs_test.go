package pglocal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fakePrograms makes an installation at dir that can tell its version; run is
// the shell text of what its postgres does otherwise.
func fakePrograms(t *testing.T, dir, version, run string) string {
	t.Helper()
	check(t, mkdirAll(dir, 0o755))
	script := "#!/bin/sh\n" +
		"[ \"$1\" = --version ] && { echo 'postgres (PostgreSQL) " + version + " (Test " + version + "-1)'; exit; }\n" + run + "\n"
	check(t, os.WriteFile(filepath.Join(dir, "postgres"), []byte(script), 0o755))
	check(t, os.WriteFile(filepath.Join(dir, "initdb"), []byte("#!/bin/sh\nexit 3\n"), 0o755))
	return dir
}

func TestNoPrograms(t *testing.T) {
	root := openDir(t)
	old := fakePrograms(t, filepath.Join(root, "old"), "14.9", "")
	half := fakePrograms(t, filepath.Join(root, "half"), "16.1", "")
	check(t, os.Remove(filepath.Join(half, "initdb")))
	broken := fakePrograms(t, filepath.Join(root, "broken"), "16.1", "")
	check(t, os.WriteFile(filepath.Join(broken, "postgres"), []byte("#!/bin/sh\nexit 127\n"), 0o755))
	for name, c := range map[string]struct {
		search search
		says   string
	}{
		"nothing":     {search{}, "have none"},
		"missing":     {search{path: "/nowhere", pgConfig: "/nowhere/pg_config", globs: []string{"/nowhere/*/bin"}}, "have none"},
		"too old":     {search{path: old}, "14.9 in " + old},
		"half of one": {search{path: half}, "have none"},
		"broken":      {search{path: broken}, "have none"},
	} {
		_, err := Start(within(t), Options{Dir: filepath.Join(root, "data"), search: &c.search})
		if !errors.Is(err, ErrNoPrograms) {
			t.Errorf("%s: error %v", name, err)
			continue
		}
		for _, want := range []string{c.says, "version 15", "install postgresql"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not say %q: %v", name, want, err)
			}
		}
	}
	if exists(filepath.Join(root, "data", "data")) {
		t.Error("a cluster's folder was made without programs for it")
	}
}

func TestSearchOrder(t *testing.T) {
	root := openDir(t)
	at := func(name, version string) string {
		return fakePrograms(t, filepath.Join(root, name, "bin"), version, "")
	}
	onPath, named := at("path", "15.1"), at("named", "16.2")
	nine, eighteen, ten := at("lib/9.6", "9.6.24"), at("lib/18", "18beta1"), at("lib/10", "10.23")
	brewed := at("brew/postgresql@17", "17.5")

	links := filepath.Join(root, "links") // Debian and Homebrew link into a PATH folder
	check(t, os.Mkdir(links, 0o755))
	check(t, os.Symlink(filepath.Join(onPath, "postgres"), filepath.Join(links, "postgres")))
	pgConfig := filepath.Join(root, "pg_config")
	check(t, os.WriteFile(pgConfig, []byte("#!/bin/sh\necho "+named+"\n"), 0o755))
	t.Chdir(filepath.Dir(eighteen)) // what is in the working folder is nobody's choice

	s := search{
		path:     strings.Join([]string{"", ".", "bin", "/nowhere", links, onPath}, string(os.PathListSeparator)),
		pgConfig: pgConfig,
		globs:    []string{filepath.Join(root, "lib/*/bin"), filepath.Join(root, "brew/postgresql@*/bin")},
	}
	want := []programs{
		{onPath, "15.1", 15}, {named, "16.2", 16}, {eighteen, "18beta1", 18}, {ten, "10.23", 10}, {nine, "9.6.24", 9}, {brewed, "17.5", 17},
	}
	got := s.find(context.Background())
	if len(got) != len(want) {
		t.Fatalf("found %v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("number %d is %v, want %v", i, got[i], want[i])
		}
	}
}

func TestChoose(t *testing.T) {
	p15, p17, p14 := programs{"/15", "15.18", 15}, programs{"/17", "17.5", 17}, programs{"/14", "14.1", 14}
	for _, c := range []struct {
		found   []programs
		version string
		want    programs
		err     error
	}{
		{[]programs{p14, p15, p17}, "", p15, nil},
		{[]programs{p17, p15}, "", p17, nil},
		{[]programs{p17, p15}, "15", p15, nil},
		{[]programs{p17, p15, p14}, "14", programs{}, ErrOtherMajor}, // too old for our schema, there or not
		{[]programs{p17}, "15", programs{}, ErrOtherMajor},
		{[]programs{p17}, "1", programs{}, ErrOtherMajor},
		{[]programs{p17}, "garbage", programs{}, ErrOtherMajor},
		{[]programs{p14}, "14", programs{}, ErrNoPrograms},
		{nil, "15", programs{}, ErrNoPrograms},
	} {
		got, err := choose(c.found, c.version, "/data")
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("choose(%v, %q) = %v, %v; want %v, %v", c.found, c.version, got, err, c.want, c.err)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for output, want := range map[string]struct {
		version string
		major   int
	}{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n": {"15.18", 15},
		"postgres (PostgreSQL) 18beta1\n":                        {"18beta1", 18},
		"postgres (PostgreSQL) 19devel":                          {"19devel", 19},
		"postgres (PostgreSQL)":                                  {"", 0},
		"postgres (PostgreSQL) devel":                            {"devel", 0},
		"postgres (EnterpriseDB) 15.1":                           {"", 0},
		"":                                                       {"", 0},
	} {
		version, major, ok := parseVersion(output)
		if version != want.version || major != want.major || ok != (want.major > 0) {
			t.Errorf("parseVersion(%q) = %q, %d, %v", output, version, major, ok)
		}
	}
}

func TestInitdbFails(t *testing.T) {
	root := openDir(t)
	bin := fakePrograms(t, filepath.Join(root, "bin"), "16.1", "")
	check(t, os.WriteFile(filepath.Join(bin, "initdb"), []byte("#!/bin/sh\necho no space for you >&2\nexit 3\n"), 0o755))
	dir := filepath.Join(root, "data")
	_, err := Start(within(t), Options{Dir: dir, search: &search{path: bin}})
	if err == nil || !strings.Contains(err.Error(), "no space for you") {
		t.Errorf("the error does not carry initdb's words: %v", err)
	}
	checkNoLeftovers(t, dir)
	if exists(filepath.Join(dir, "data")) {
		t.Error("a failed initdb left a cluster")
	}
	run(t, Options{Dir: dir})
}

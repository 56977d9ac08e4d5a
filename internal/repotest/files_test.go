package repotest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"minesaudit/internal/config"
)

func TestMakefileTargets(t *testing.T) {
	text := string(read(t, filepath.Join(root, "Makefile")))
	for _, target := range strings.Fields("help setup demo run test test-short lint bench e2e fuzz") {
		if !regexp.MustCompile(`(?m)^` + target + `:.* ## \S`).MatchString(text) {
			t.Errorf("no target %s with a line of help", target)
		}
		if !strings.Contains(text, ".PHONY: "+target+"\n") {
			t.Errorf("a file named %s would hide the target", target)
		}
	}
	run := string(read(t, filepath.Join(root, ".ci", "run")))
	if !strings.Contains(run, "set -euo pipefail\n") || !strings.Contains(run, "make setup lint test e2e\n") {
		t.Errorf(".ci/run is %s", run)
	}
}

func TestScriptsAreExecutable(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join(root, ".ci", "*"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, script := range scripts {
		if info, err := os.Stat(script); err != nil || info.Mode()&0o111 != 0o111 {
			t.Errorf("%s is not executable: %v", script, err)
		}
	}
}

func TestLicense(t *testing.T) {
	text := string(read(t, filepath.Join(root, "LICENSE")))
	for _, want := range []string{"Apache License\n", "Version 2.0, January 2004\n", "1. Definitions.", "9. Accepting Warranty", "END OF TERMS AND CONDITIONS"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// Documents name only variables that exist.
func TestDocumentsNameKnownVariables(t *testing.T) {
	variable := regexp.MustCompile(config.EnvPrefix + `[A-Z_]*[A-Z]`)
	for _, path := range documents(t) {
		for _, name := range variable.FindAllString(string(read(t, path)), -1) {
			if !slices.Contains(config.EnvNames(), name) {
				t.Errorf("%s names %s, which nothing reads", path, name)
			}
		}
	}
}

// documents lists the Markdown files of ours.
func documents(t *testing.T) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".work", "node_modules", "testdata"}, entry.Name()):
			return filepath.SkipDir
		case !entry.IsDir() && filepath.Ext(path) == ".md":
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatal("no documents")
	}
	return found
}

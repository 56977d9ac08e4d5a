package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestMakefileTargets(t *testing.T) {
	text := string(read(t, filepath.Join(root, "Makefile")))
	for _, target := range strings.Fields("help setup demo run test test-short lint bench crash soak chaos sim sim-short peers e2e fuzz") {
		if !regexp.MustCompile(`(?m)^` + target + `:.* ## \S`).MatchString(text) {
			t.Errorf("no target %s with a line of help", target)
		}
		if !strings.Contains(text, ".PHONY: "+target+"\n") {
			t.Errorf("a file named %s would hide the target", target)
		}
	}
	run := string(read(t, filepath.Join(root, ".ci", "run")))
	if !strings.Contains(run, "set -euo pipefail\n") || !strings.Contains(run, "make setup lint test crash e2e sim-short\n") {
		t.Errorf(".ci/run is %s", run)
	}
}

// What the Makefile tests without the race detector starts no goroutine, its tests neither.
func TestPackagesWithoutGoroutines(t *testing.T) {
	list := regexp.MustCompile(`(?m)^ALONE := (.*)$`).FindStringSubmatch(string(read(t, filepath.Join(root, "Makefile"))))
	if list == nil {
		t.Fatal("the Makefile names none")
	}
	for _, dir := range strings.Fields(list[1]) {
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no Go files: %v", dir, err)
		}
		for _, file := range files {
			tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for n := range ast.Preorder(tree) {
				_, starts := n.(*ast.GoStmt)
				if of, ok := n.(*ast.ImportSpec); ok {
					starts = regexp.MustCompile(`^"(sync|.*/errgroup)"$`).MatchString(of.Path.Value)
				}
				if starts {
					t.Errorf("%s may start a goroutine", file)
				}
			}
		}
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

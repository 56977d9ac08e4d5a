//go:build crash

package crash

import (
	"context"
	_ "embed" // shift.go and shift.c
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

var (
	//go:embed testdata/clock/shift.go
	shiftGo []byte
	//go:embed testdata/clock/shift.c
	shiftC []byte
)

// overlay has the go command build a standard library whose time.Now can be set, and
// gives the file that says so. No line of the daemon knows of it, and no use of the
// time of day escapes it, in whatever package.
func overlay(ctx context.Context, dir string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find the standard library: %w", err)
	}
	folder := filepath.Join(strings.TrimSpace(string(out)), "src", "time")
	text, err := os.ReadFile(filepath.Join(folder, "time.go"))
	if err != nil {
		return "", fmt.Errorf("find the standard library: %w", err)
	}
	const reading = "\tsec, nsec, mono := runtimeNow()\n"
	if n := strings.Count(string(text), reading); n != 1 {
		return "", fmt.Errorf("%s reads the clock in %d places like %q, want one: time.Now has changed, and this has to follow", folder, n, reading)
	}
	text = []byte(strings.Replace(string(text), reading, reading+"\tsec += shifted()\n", 1))
	replace := map[string]string{}
	for name, content := range map[string][]byte{"time.go": text, "shift.go": shiftGo} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(folder, name)] = file
	}
	content, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, content, 0o644)
}

// wrap makes programs in dir that stand in for those of a PostgreSQL, first in PATH.
func wrap(ctx context.Context, dir, programs string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	library, source := filepath.Join(dir, "shift.so"), filepath.Join(dir, "shift.c")
	for file, text := range map[string]string{
		source: string(shiftC),
		// pglocal starts a server as `postgres -D FOLDER/data …`.
		filepath.Join(dir, "postgres"): fmt.Sprintf("#!/bin/sh\n"+`clock="${2%%data}%s"`+"\n"+
			`if [ "$1" = -D ] && [ -e "$clock" ]; then export CLOCK_FILE="$clock" LD_PRELOAD=%s; fi`+"\n"+
			`exec %s/postgres "$@"`+"\n", clockFile, library, programs),
		filepath.Join(dir, "initdb"): fmt.Sprintf("#!/bin/sh\nexec %s/initdb \"$@\"\n", programs),
	} {
		if err := os.WriteFile(file, []byte(text), 0o755); err != nil {
			return err
		}
	}
	out, err := exec.CommandContext(ctx, "cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library, source).CombinedOutput()
	if err != nil {
		return fmt.Errorf("compile %s: %w\n%s", source, err, out)
	}
	return os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

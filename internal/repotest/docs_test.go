package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"minesaudit/internal/config"
)

// commandLine is what the struct tags of the program declare.
type commandLine struct {
	commands map[string]bool // indexer NAME
	flags    map[string]bool // --name, of any command
}

// declared reads the tags, because a main package cannot be imported.
func declared(t *testing.T) commandLine {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "cmd", "indexer", "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source of the command: %v", err)
	}
	line := commandLine{commands: map[string]bool{}, flags: map[string]bool{"help": true}}
	for _, file := range append(files, filepath.Join(root, "internal", "config", "config.go")) {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, read(t, file), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && field.Tag != nil && len(field.Names) == 1 {
				line.add(t, field)
			}
			return true
		})
	}
	return line
}

func (c *commandLine) add(t *testing.T, field *ast.Field) {
	t.Helper()
	text, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		t.Fatal(err)
	}
	tag := reflect.StructTag(text)
	name := tag.Get("name")
	if name == "" {
		name = kebab(field.Names[0].Name)
	}
	if _, isCommand := tag.Lookup("cmd"); isCommand {
		c.commands[name] = true
	} else if _, isFlag := tag.Lookup("help"); isFlag {
		c.flags[name] = true
	}
}

// kebab is the name that a field without a name tag gets: SlotMs is slot-ms.
func kebab(field string) string {
	return strings.ToLower(regexp.MustCompile(`([a-z0-9])([A-Z])`).ReplaceAllString(field, "$1-$2"))
}

// Documents and scripts name only commands, flags and variables that exist.
func TestDocumentsNameWhatExists(t *testing.T) {
	line := declared(t)
	for _, flag := range []string{"rpc-url", "listen", "games", "exit-when-done"} {
		if !line.flags[flag] {
			t.Errorf("--%s is not among the flags found; the search is broken", flag)
		}
	}
	var (
		command  = regexp.MustCompile("(?m)(?:^|[ /`])indexer ([a-z]+)([^\n`|&]*)")
		flag     = regexp.MustCompile(`--([a-z][a-z-]*[a-z])`)
		quoted   = regexp.MustCompile("`--([a-z][a-z-]*[a-z])")
		variable = regexp.MustCompile(config.EnvPrefix + `[A-Z_]*[A-Z]`)
	)
	for _, path := range documents(t) {
		text := string(read(t, path))
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			flags := flag.FindAllStringSubmatch(m[2], -1)
			if !line.commands[m[1]] {
				if len(flags) > 0 { // else it is a sentence
					t.Errorf("%s: there is no command in %q", path, m[0])
				}
				continue
			}
			for _, f := range flags {
				if !line.flags[f[1]] {
					t.Errorf("%s: there is no --%s in %q", path, f[1], m[0])
				}
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(text, -1) {
			if !line.flags[m[1]] {
				t.Errorf("%s: there is no --%s", path, m[1])
			}
		}
		for _, name := range variable.FindAllString(text, -1) {
			if !slices.Contains(config.EnvNames(), name) {
				t.Errorf("%s names %s, which nothing reads", path, name)
			}
		}
	}
}

// documents lists our Markdown files and what else tells people what to type.
func documents(t *testing.T) []string {
	t.Helper()
	found := []string{filepath.Join(root, "Makefile"), filepath.Join(root, "docker-compose.yml")}
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
	return found
}

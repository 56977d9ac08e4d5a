package repotest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// A panic that nobody recovers is printed with its value, past every redactor.
// The runtime's own hold no text from outside; ours must be constants.
func TestPanicsHoldNothingFromOutside(t *testing.T) {
	for _, s := range sources(t) {
		if isTestHelper(s.pkg) || s.pkg == "internal/simchain" { // holds no secret
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, s.file, read(t, s.file), 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); ok && name.Name == "panic" && len(call.Args) == 1 {
				if _, constant := call.Args[0].(*ast.BasicLit); !constant {
					t.Errorf("%s: panic with a value", files.Position(call.Pos()))
				}
			}
			return true
		})
	}
}

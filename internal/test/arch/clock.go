package arch

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// clocks are the functions that no test may use, by package. Each of them measures
// time, waits for some time, or ends work after some time, so that the test has
// another outcome on a slow machine. Package testkit has what to use instead.
var clocks = map[string][]string{
	"time":    {"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// MayUseClocks are the test files that may use some of them all the same, and why.
var MayUseClocks = map[string]string{
	"cmd/pavage/command/checkpoint_test.go": "a bar that began ten hours ago tells the time left in whole hours",
}

// CheckClocks finds the tests of the module that look at the clock. It passes over
// the same files as [Check].
func CheckClocks(module fs.FS) ([]Violation, error) {
	var violations []Violation
	err := eachFile(module, func(name string) error {
		if !strings.HasSuffix(name, "_test.go") || MayUseClocks[name] != "" {
			return nil
		}
		found, err := clocksOf(module, name)
		violations = append(violations, found...)
		return err
	})
	return violations, err
}

// clocksOf finds the forbidden functions that a file names.
func clocksOf(module fs.FS, name string) (violations []Violation, err error) {
	source, err := fs.ReadFile(module, name)
	if err != nil {
		return nil, err
	}
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	packages := importedAs(file)
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := s.X.(*ast.Ident); ok && slices.Contains(clocks[packages[x.Name]], s.Sel.Name) {
			violations = append(violations, Violation{
				File: name, Line: positions.Position(s.Pos()).Line,
				Reason: fmt.Sprintf("a test uses %s.%s, expected it to count or to wait for an event, see internal/test/testkit", x.Name, s.Sel.Name),
			})
		}
		return true
	})
	return violations, nil
}

// importedAs are the paths that a file imports, by the names it has for them.
func importedAs(file *ast.File) map[string]string {
	paths := map[string]string{}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has looked at it
		}
		name := imported[strings.LastIndexByte(imported, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		paths[name] = imported
	}
	return paths
}

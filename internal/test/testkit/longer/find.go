package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

var asks = map[string]bool{"Long": true, "Size": true, "IsLong": true, "LongVariable": true}

func find(module fs.FS) (tests, folders []string, err error) {
	declared, err := declarations(module)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, folder := range slices.Sorted(maps.Keys(declared)) {
		if longer := longerTests(declared[folder]); len(longer) > 0 {
			folders = append(folders, folder)
			for _, test := range longer {
				seen[test] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(seen)), folders, nil
}

type declaration struct {
	name  string // the name of a method begins with a dot, as in its calls
	names map[string]bool
}

func declarations(module fs.FS) (map[string][]declaration, error) {
	declared := map[string][]declaration{}
	err := fs.WalkDir(module, ".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains([]string{".git", "bin", "node_modules", "testdata"}, d.Name()):
			return fs.SkipDir
		case d.IsDir() && file != ".":
			if _, err := fs.Stat(module, path.Join(file, "go.mod")); err == nil {
				return fs.SkipDir // another module, which `go test` does not enter
			}
			return nil
		case d.IsDir() || !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(module, file)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder := path.Dir(file)
		for _, decl := range parsed.Decls {
			declared[folder] = append(declared[folder], declarationsOf(decl)...)
		}
		return nil
	})
	return declared, err
}

func declarationsOf(decl ast.Decl) (all []declaration) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		name := decl.Name.Name
		if decl.Recv != nil {
			name = "." + name
		}
		return []declaration{{name, namesIn(decl)}}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			if values, ok := spec.(*ast.ValueSpec); ok {
				for _, name := range values.Names {
					all = append(all, declaration{name.Name, namesIn(values)})
				}
			}
		}
	}
	return all
}

// namesIn returns the names in node: "x" for x, ".y" for x.y, and "" for a use of testkit that asks
// whether this is the long run.
func namesIn(node ast.Node) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			names[n.Name] = true
		case *ast.SelectorExpr:
			names["."+n.Sel.Name] = true
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "testkit" && asks[n.Sel.Name] {
				names[""] = true
			}
		}
		return true
	})
	return names
}

func longerTests(all []declaration) (tests []string) {
	longer := map[string]bool{"": true}
	for before := 0; before < len(longer); {
		before = len(longer)
		for _, d := range all {
			for name := range d.names {
				if longer[name] {
					longer[d.name] = true
				}
			}
		}
	}
	for name := range longer {
		if strings.HasPrefix(name, "Test") && name != "TestMain" || strings.HasPrefix(name, "Fuzz") {
			tests = append(tests, name)
		}
	}
	return tests
}

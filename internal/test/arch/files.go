package arch

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

// Arrow is a file that uses something which another file of its package declares.
type Arrow struct{ From, To string }

func (a Arrow) String() string { return a.From + " → " + a.To }

// UpArrows are the arrows of a package that run up when its files are put in an
// order in which as few as possible do. Arrows that run down can be read in that
// order; each that runs up is a pair of files that must be read together:
//
//	level.go        uses nothing of the others
//	step.go    ─►   level.go
//	run.go     ─►   step.go, level.go
//	level.go   ─►   run.go                 runs up
//
// To find the least number is hard. The order is that of Eades, Lin and Smyth ("A
// fast and effective heuristic for the feedback arc set problem", 1993), with files
// moved to better places afterwards.
func UpArrows(module fs.FS, folder string) ([]Arrow, error) {
	arrows, err := fileArrows(module, folder)
	if err != nil {
		return nil, err
	}
	order := settled(arrows, ordered(arrows))
	return up(arrows, order), nil
}

// fileArrows are all arrows of a package, sorted.
func fileArrows(module fs.FS, folder string) ([]Arrow, error) {
	positions := token.NewFileSet()
	names, err := fs.Glob(module, path.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := fs.ReadFile(module, name)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(positions, path.Base(name), source, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	uses := map[*ast.Ident]types.Object{}
	// Imports are left empty and errors passed over: what a package declares
	// itself is found nevertheless.
	conf := types.Config{Importer: empty{}, Error: func(error) {}}
	pkg, _ := conf.Check(folder, positions, files, &types.Info{Uses: uses})
	found := map[Arrow]bool{}
	for use, object := range uses {
		if object.Pkg() == pkg && isShared(object, pkg) {
			a := Arrow{positions.Position(use.Pos()).Filename, positions.Position(object.Pos()).Filename}
			found[a] = a.From != a.To
		}
	}
	maps.DeleteFunc(found, func(_ Arrow, between bool) bool { return !between })
	return slices.SortedFunc(maps.Keys(found), compareArrows), nil
}

// isShared reports whether an object is a package's, or a field or a method.
func isShared(object types.Object, pkg *types.Package) bool {
	switch o := object.(type) {
	case *types.Var:
		return o.IsField() || o.Parent() == pkg.Scope()
	case *types.Func:
		return true
	default:
		return object.Parent() == pkg.Scope()
	}
}

func compareArrows(a, b Arrow) int {
	return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
}

// empty imports every package as one without anything in it.
type empty struct{}

func (empty) Import(name string) (*types.Package, error) {
	pkg := types.NewPackage(name, path.Base(name))
	pkg.MarkComplete()
	return pkg, nil
}

// ordered puts the files with arrows in an order: those that are used by others
// and use few come first.
func ordered(arrows []Arrow) []string {
	left := map[string]bool{}
	for _, a := range arrows {
		left[a.From], left[a.To] = true, true
	}
	var first, last []string
	for len(left) > 0 {
		uses, used := map[string]int{}, map[string]int{}
		for _, a := range arrows {
			if left[a.From] && left[a.To] {
				uses[a.From]++
				used[a.To]++
			}
		}
		names := slices.Sorted(maps.Keys(left))
		best := slices.MaxFunc(names, func(a, b string) int { return used[a] - uses[a] - used[b] + uses[b] })
		if top := slices.IndexFunc(names, func(n string) bool { return used[n] == 0 }); top >= 0 {
			last = append(last, names[top])
			delete(left, names[top])
			continue
		}
		if bottom := slices.IndexFunc(names, func(n string) bool { return uses[n] == 0 }); bottom >= 0 {
			best = names[bottom]
		}
		first = append(first, best)
		delete(left, best)
	}
	slices.Reverse(last)
	return append(first, last...)
}

// settled moves files to where fewer arrows run up, until that helps no more.
func settled(arrows []Arrow, order []string) []string {
	least := len(up(arrows, order))
	for better := true; better; {
		better = false
		for from := range order {
			for to := range order {
				moved := slices.Insert(slices.Delete(slices.Clone(order), from, from+1), to, order[from])
				if n := len(up(arrows, moved)); n < least {
					order, least, better = moved, n, true
				}
			}
		}
	}
	return order
}

// up are the arrows from a file to one behind it.
func up(arrows []Arrow, order []string) (all []Arrow) {
	at := map[string]int{}
	for i, name := range order {
		at[name] = i
	}
	for _, a := range arrows {
		if at[a.To] > at[a.From] {
			all = append(all, a)
		}
	}
	return all
}

// Packages are the folders of a module with Go code besides tests, sorted.
func Packages(module fs.FS) ([]string, error) {
	found := map[string]bool{}
	err := fs.WalkDir(module, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && passedOver(module, name):
			return fs.SkipDir
		case !entry.IsDir() && path.Ext(name) == ".go" && !isHidden(name) && !strings.HasSuffix(name, "_test.go"):
			found[path.Dir(name)] = true
		}
		return nil
	})
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("no Go file found, expected a module's source")
	}
	return slices.Sorted(maps.Keys(found)), err
}

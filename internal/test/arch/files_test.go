package arch

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// arrow is a file that uses something which another file of its package declares.
type arrow struct{ from, to string }

func (a arrow) String() string { return a.from + " → " + a.to }

// TestFilesCanBeRead counts the arrows of each package that run up when its files are put in
// an order in which as few as possible do. Arrows that run down can be read in that order;
// each that runs up is a pair of files that must be read together:
//
//	level.go        uses nothing of the others
//	step.go    ─►   level.go
//	run.go     ─►   step.go, level.go
//	level.go   ─►   run.go                 runs up
//
// To find the least number is NP-hard. The order is found by the heuristic of Eades, Lin and Smyth
// ("A fast and effective heuristic for the feedback arc set problem", 1993), with files moved to
// better places afterwards.
func TestFilesCanBeRead(t *testing.T) {
	const most = 14
	packages := map[string][]string{}
	for _, name := range goFiles(t) {
		if !strings.HasSuffix(name, "_test.go") {
			packages[path.Dir(name)] = append(packages[path.Dir(name)], name)
		}
	}
	for folder, names := range packages {
		arrows := fileArrows(t, folder, names)
		if up := up(arrows, settled(arrows, ordered(arrows))); len(up) > most {
			t.Errorf("%s: %d arrows between files run up, want at most %d: %v", folder, len(up), most, up)
		} else if len(up) > 0 {
			t.Logf("%s: %d: %v", folder, len(up), up)
		}
	}
}

// fileArrows are all arrows of a package, sorted.
func fileArrows(t *testing.T, folder string, names []string) []arrow {
	t.Helper()
	positions := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(positions, path.Base(name), source, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	uses := map[*ast.Ident]types.Object{}
	// Imports are left empty and errors passed over: the declarations of the
	// package itself are found nevertheless.
	conf := types.Config{Importer: empty{}, Error: func(error) {}}
	pkg, _ := conf.Check(folder, positions, files, &types.Info{Uses: uses})
	found := map[arrow]bool{}
	for use, object := range uses {
		variable, _ := object.(*types.Var)
		_, function := object.(*types.Func)
		shared := function || variable != nil && variable.IsField() || object.Parent() == pkg.Scope()
		a := arrow{positions.Position(use.Pos()).Filename, positions.Position(object.Pos()).Filename}
		if object.Pkg() == pkg && shared && a.from != a.to {
			found[a] = true
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b arrow) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
}

// empty imports every package as one without anything in it.
type empty struct{}

func (empty) Import(name string) (*types.Package, error) {
	pkg := types.NewPackage(name, path.Base(name))
	pkg.MarkComplete()
	return pkg, nil
}

// ordered puts the files with arrows in an order: files that are used by others and use few come
// first.
func ordered(arrows []arrow) []string {
	left := map[string]bool{}
	for _, a := range arrows {
		left[a.from], left[a.to] = true, true
	}
	var first, last []string
	for len(left) > 0 {
		uses, used := map[string]int{}, map[string]int{}
		for _, a := range arrows {
			if left[a.from] && left[a.to] {
				uses[a.from]++
				used[a.to]++
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
func settled(arrows []arrow, order []string) []string {
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
func up(arrows []arrow, order []string) (all []arrow) {
	at := map[string]int{}
	for i, name := range order {
		at[name] = i
	}
	for _, a := range arrows {
		if at[a.to] > at[a.from] {
			all = append(all, a)
		}
	}
	return all
}

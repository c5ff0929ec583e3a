// Package examples has the bundled puzzles: puzzle files with comments and known counts, for users
// to read, copy and change. The files are built into the program. A command reads the file
// pentominoes-6x10.yaml if its argument is "name:pentominoes-6x10". Some files are exact covers
// without a board, in Knuth's format.
//
// This package does not parse puzzles: see puzzlefile.Parse and package exchange.
package examples

import (
	"embed"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pavage/pavage/internal/kit/spell"
)

//go:embed *.yaml *.dlx
var files embed.FS

var extensions = []string{".yaml", ".dlx"}

// Open returns the puzzle file with the name. An error suggests a similar name.
func Open(name string) ([]byte, error) {
	for _, e := range extensions {
		if data, err := files.ReadFile(name + e); err == nil {
			return data, nil
		}
	}
	if nearest := Nearest(name); nearest != "" {
		return nil, fmt.Errorf("there is no example %.40q, did you mean %s?", name, nearest)
	}
	list := "pavage examples"
	if name != "" && slices.ContainsFunc(Names(), func(n string) bool { return strings.Contains(n, name) }) {
		list += " " + name
	}
	return nil, fmt.Errorf("there is no example %.40q, expected a name that %q lists", name, list)
}

// IsPuzzleFile reports whether an example is a puzzle file, and not a cover in Knuth's format.
func IsPuzzleFile(name string) bool {
	_, err := files.Open(name + extensions[0])
	return err == nil
}

// About is the content of the comment at the beginning of an example.
type About struct {
	Count  string // the known number of tilings or solutions
	Detail string // another known number, such as "12 up to symmetry"; may be ""
	Source string // source of the known count
}

var header = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[#|] Known count: ([0-9]+)(?: \((.*)\))?\.\n[#|] Source: (.+)\.$`)
})

// Describe reads the comment of the example with the name.
func Describe(name string) (About, error) {
	data, err := Open(name)
	if err != nil {
		return About{}, err
	}
	m := header().FindSubmatch(data)
	if m == nil {
		return About{}, fmt.Errorf("example %s has no comment with its count and its source", name)
	}
	return About{Count: string(m[1]), Detail: string(m[2]), Source: string(m[3])}, nil
}

// Nearest returns the name of the example that is most similar to name, or "".
func Nearest(name string) string { return spell.Nearest(name, Names()) }

// Names returns the names of the examples, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // cannot happen
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	slices.Sort(names) // ReadDir has sorted the names with their extensions
	return names
}

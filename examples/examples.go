// Package examples holds the bundled puzzles: commented puzzle files with known
// counts, to be read, copied and changed. Each is built into the program; a
// command takes "name:pentominoes-6x10" for the file pentominoes-6x10.yaml. Some are
// files of other programs: exact covers without a board, in Knuth's form.
//
// Non-goal: nothing is parsed here; see tiling.Parse and package exchange for what the
// files mean.
package examples

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/spell"
)

//go:embed *.yaml *.dlx
var files embed.FS

// extensions of the example files; a name is a file's name without it.
var extensions = []string{".yaml", ".dlx"}

// Open returns the puzzle file of that name. An unknown name is an error with
// the one that was perhaps meant, or with all.
func Open(name string) ([]byte, error) {
	for _, e := range extensions {
		if data, err := files.ReadFile(name + e); err == nil {
			return data, nil
		}
	}
	if nearest := Nearest(name); nearest != "" {
		return nil, fmt.Errorf("no example %.40q, did you mean %s?", name, nearest)
	}
	return nil, fmt.Errorf("no example %.40q, want one of %s", name, strings.Join(Names(), " "))
}

// IsPuzzleFile reports whether the file of an example is a puzzle file in YAML, and not one
// of another program.
func IsPuzzleFile(name string) bool {
	_, err := files.Open(name + extensions[0])
	return err == nil
}

// Nearest is the name that was perhaps meant, or "".
func Nearest(name string) string { return spell.Nearest(name, Names()) }

// Names lists the examples, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil // the root of an embedded tree can always be read
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	slices.Sort(names) // without the extension, the order may be another one
	return names
}

// Package examples holds the bundled puzzles: commented puzzle files with known
// counts, to be read, copied and changed. Each is built into the program; a
// command takes "name:pentominoes-6x10" for the file pentominoes-6x10.yaml.
//
// Non-goal: nothing is parsed here; see tiling.Parse for what the files mean.
package examples

import (
	"embed"
	"fmt"
	"strings"

	"github.com/pavage/pavage/internal/spell"
)

//go:embed *.yaml
var files embed.FS

// extension of the example files; a name is a file's name without it.
const extension = ".yaml"

// Open returns the puzzle file of that name. An unknown name is an error with
// the one that was perhaps meant, or with all.
func Open(name string) ([]byte, error) {
	data, err := files.ReadFile(name + extension)
	if err != nil {
		if nearest := Nearest(name); nearest != "" {
			return nil, fmt.Errorf("no example %.40q, did you mean %s?", name, nearest)
		}
		return nil, fmt.Errorf("no example %.40q, want one of %s", name, strings.Join(Names(), " "))
	}
	return data, nil
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
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	return names
}

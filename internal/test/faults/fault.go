package faults

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Fault is a mistake to plant.
type Fault struct {
	Name     string // words with '-' between them
	Imitates string // the kind of mistake, such as "64-bit wrap"
	Breaks   string // what goes wrong, in a clause
	File     string // slash-separated, from the module's root
	Old      string // occurs exactly once in File
	New      string
	// Test must fail: a test of Package, with its subtest behind a slash.
	Test    string
	Package string // folder from the module's root; "" for that of File
	Quick   bool   // is planted in every run of the tests, not in a full one alone
}

// Folder is that of the test.
func (f *Fault) Folder() string {
	if f.Package != "" {
		return f.Package
	}
	return path.Dir(f.File)
}

// Apply is the source with the fault in it. It fails unless Old occurs once.
func (f *Fault) Apply(source string) (string, error) {
	if n := strings.Count(source, f.Old); n != 1 {
		return "", fmt.Errorf("fault %s: its place occurs %d times in %s, want once:\n%s", f.Name, n, f.File, f.Old)
	}
	return strings.Replace(source, f.Old, f.New, 1), nil
}

// planted is the source of the module at root with the fault in it.
func (f *Fault) planted(root string) (string, error) {
	source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.File)))
	if err != nil {
		return "", fmt.Errorf("fault %s: %w", f.Name, err)
	}
	return f.Apply(string(source))
}

// Markdown is a table of faults, a line each.
func Markdown(faults []Fault) string {
	var b strings.Builder
	b.WriteString("| fault | is like | what goes wrong | in | caught by |\n|---|---|---|---|---|\n")
	for _, f := range faults {
		by := "`" + f.Test + "`"
		if f.Package != "" {
			by += " of `" + f.Package + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %s |\n", f.Name, f.Imitates, f.Breaks, f.File, by)
	}
	return b.String()
}

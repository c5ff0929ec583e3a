package arch

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
)

// mostUp arrows between the files of a package run up, at most.
const mostUp = 14

// TestFilesCanBeRead counts, in every package, the arrows between files that run
// up. With -v it names them.
func TestFilesCanBeRead(t *testing.T) {
	module := os.DirFS(filepath.Join("..", "..", ".."))
	packages, err := Packages(module)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range packages {
		arrows, err := UpArrows(module, folder)
		if err != nil {
			t.Fatal(err)
		}
		if len(arrows) > mostUp {
			t.Errorf("%s: %d arrows between files run up, want at most %d: %v", folder, len(arrows), mostUp, arrows)
		} else if len(arrows) > 0 {
			t.Logf("%s: %d: %v", folder, len(arrows), arrows)
		}
	}
}

// TestUpArrows is of a package of four files, two of which use each other.
func TestUpArrows(t *testing.T) {
	module := fstest.MapFS{
		"p/level.go": {Data: []byte("package p\ntype Level struct{ n int }\nfunc (l *Level) of(r *Run) {}\n")},
		"p/step.go":  {Data: []byte("package p\nimport \"fmt\"\nfunc step(l *Level) { l.n++; fmt.Println(unknown) }\n")},
		"p/run.go":   {Data: []byte("package p\ntype Run struct{ in Level }\nfunc (r *Run) Step() { step(&r.in) }\n")},
		"p/main.go":  {Data: []byte("package p\nfunc main() { r := Run{}; r.Step(); step := 1; _ = step }\n")},
	}
	all, err := fileArrows(module, "p")
	want := []Arrow{{"level.go", "run.go"}, {"main.go", "run.go"}, {"run.go", "level.go"}, {"run.go", "step.go"}, {"step.go", "level.go"}}
	if err != nil || !slices.Equal(all, want) {
		t.Errorf("arrows %v, %v, want %v", all, err, want)
	}
	if got, err := UpArrows(module, "p"); err != nil || !slices.Equal(got, want[:1]) {
		t.Errorf("up %v, %v, want %v", got, err, want[:1])
	}
}

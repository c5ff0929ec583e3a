package faults

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pavage/pavage/internal/test/testkit"
)

var (
	allFaults = flag.Bool("faults", false, "plant all faults, in some minutes")
	update    = flag.Bool("update", false, "write the table of doc/testing.md instead of comparing with it")
)

// root is the module's, from here.
const root = "../../.."

// fewest is how many faults there are to be.
const fewest = 25

// TestFaultsFit: every fault has its place in the source as it is, what it
// makes of it is Go, and its test exists.
func TestFaultsFit(t *testing.T) {
	names := map[string]bool{}
	for _, f := range All() {
		if names[f.Name] || !regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)+$`).MatchString(f.Name) {
			t.Errorf("fault %q: want a name of its own, of words with '-' between them", f.Name)
		}
		names[f.Name] = true
		if f.Imitates == "" || f.Breaks == "" || f.Old == f.New {
			t.Errorf("fault %s: want what it is like, what goes wrong, and a change", f.Name)
		}
		source, err := f.planted(root)
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := parser.ParseFile(token.NewFileSet(), f.File, source, parser.SkipObjectResolution); err != nil {
			t.Errorf("fault %s: %v", f.Name, err)
		}
		if !hasTest(t, f.Folder(), f.Test) {
			t.Errorf("fault %s: there is no %s in %s", f.Name, f.Test, f.Folder())
		}
	}
	if len(names) < fewest {
		t.Errorf("%d faults, want %d or more", len(names), fewest)
	}
}

// hasTest reports whether a test is written in a folder.
func hasTest(t *testing.T, folder, test string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(test, "/")
	return slices.ContainsFunc(files, func(file string) bool {
		source, err := os.ReadFile(file)
		return err == nil && strings.Contains(string(source), "\nfunc "+name+"(t *testing.T)")
	})
}

// TestDocument: doc/testing.md has the table of all faults.
func TestDocument(t *testing.T) {
	testkit.Section(t, root+"/doc/testing.md", "faults", Markdown(All()), *update, "go test ./internal/test/faults -run TestDocument -args -update")
}

// TestFaultsAreCaught plants the quick faults, with -faults all of them, and
// prints what came of each.
func TestFaultsAreCaught(t *testing.T) {
	if testing.Short() && !*allFaults {
		t.Skip("builds packages")
	}
	outcomes := map[string]*Outcome{}
	var mu sync.Mutex
	var sound baseline
	t.Cleanup(func() { t.Log("\n" + report(outcomes)) }) // when those side by side are done
	for _, f := range All() {
		if !f.Quick && !*allFaults {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			if err := sound.of(t.Context(), &f); err != nil {
				t.Fatal(err)
			}
			o, err := f.Run(t.Context(), root)
			if err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			outcomes[f.Name] = o
			mu.Unlock()
			if !o.Caught {
				t.Errorf("%s of %s passes, though %s", f.Test, f.Folder(), f.Breaks)
			}
		})
	}
}

// baseline runs each test without a fault, once: one that fails anyway catches
// nothing.
type baseline struct {
	mu   sync.Mutex
	once map[string]func() error
}

func (b *baseline) of(ctx context.Context, f *Fault) error {
	b.mu.Lock()
	if b.once == nil {
		b.once = map[string]func() error{}
	}
	key := f.Folder() + " " + f.Test
	if b.once[key] == nil {
		b.once[key] = sync.OnceValue(func() error {
			o, err := f.test(ctx, root, testTime)
			if err == nil && o.Caught {
				err = fmt.Errorf("%s fails without a fault:\n%s", key, o.Output)
			}
			return err
		})
	}
	run := b.once[key]
	b.mu.Unlock()
	return run()
}

// report is a table of outcomes, in the order of All.
func report(outcomes map[string]*Outcome) string {
	var b strings.Builder
	caught, seconds := 0, 0.0
	for _, f := range All() {
		o := outcomes[f.Name]
		if o == nil {
			continue
		}
		by := "MISSED"
		if o.Caught {
			by = o.By
			caught++
		}
		if o.Hung {
			by += " (out of time)"
		}
		seconds += o.Seconds
		fmt.Fprintf(&b, "%-26s %-20s %5.1f s  %s %s  %.80q\n", f.Name, f.Imitates, o.Seconds, f.Folder(), by, o.Said)
	}
	fmt.Fprintf(&b, "%d of %d faults caught, %.0f s\n", caught, len(outcomes), seconds)
	return b.String()
}

// twice is a module of a function and its test.
var twice = map[string]string{
	"go.mod":   "module example.com/twice\n\ngo 1.26\n",
	"twice.go": "package twice\n\nfunc Twice(x int) int {\n\treturn x + x\n}\n\nfunc Far(x int) int { return x << 40 }\n",
	"twice_test.go": `package twice

import "testing"

func TestTwice(t *testing.T) {
	t.Run("two", func(t *testing.T) {
		if got := Twice(2); got != 4 {
			t.Errorf("%d, want 4", got)
		}
	})
}
`,
}

// TestRun plants faults in a module of two lines: one that is caught, some that
// are not, and some that are none.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	module := t.TempDir()
	within := filepath.Join(module, "within") // a module in the module
	if err := os.Mkdir(within, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range twice {
		for _, folder := range []string{module, within} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, tc := range map[string]struct {
		old, new, test, in, file string
		caught                   string // by what test
		broken                   string // part of the error
		hung                     bool
	}{
		"caught":           {old: "x + x", new: "x + 1", caught: "TestTwice/two"},
		"caught within":    {old: "x + x", new: "x + 1", file: "within/twice.go", caught: "TestTwice/two"},
		"caught by panic":  {old: "x + x", new: "[]int{}[x]", caught: "TestTwice/two"},
		"caught by exit":   {old: "return x + x", new: "func() { defer func() { go panic(1); select {} }() }()\n\treturn 4", caught: "TestTwice/two"},
		"hangs":            {old: "return x + x", new: "for {\n\t}", caught: "TestTwice/two", hung: true},
		"missed":           {old: "x << 40", new: "x << 41"},
		"missed, same":     {old: "x + x", new: "2 * x"},
		"does not build":   {old: "x + x", new: "x + y", broken: "it does not build"},
		"no such test":     {old: "x + x", new: "x + 1", test: "TestThrice", broken: "no such test"},
		"no such subtest":  {old: "x + x", new: "2 * x", test: "TestTwice/three", broken: "no such test"},
		"no such folder":   {old: "x + x", new: "x + 1", in: "thrice", broken: "fault no such folder"},
		"no test begun":    {old: "func Far", new: "func init() { panic(1) }\n\nfunc Far", broken: "no such test"},
		"no such place":    {old: "x - x", new: "x + 1", broken: "0 times"},
		"two such places":  {old: "x int", new: "x int64", broken: "2 times"},
		"not in this file": {old: "", new: "x", broken: "times"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := Fault{Name: name, File: cmp.Or(tc.file, "twice.go"), Old: tc.old, New: tc.new, Test: cmp.Or(tc.test, "TestTwice"), Package: tc.in}
			limit := testTime
			if tc.hung {
				limit = time.Second
			}
			o, err := f.run(t.Context(), module, limit)
			if tc.broken != "" {
				if !errors.Is(err, ErrBroken) || !strings.Contains(err.Error(), tc.broken) {
					t.Fatalf("error %v, want one with %q", err, tc.broken)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if o.Caught != (tc.caught != "") || o.By != tc.caught || o.Hung != tc.hung {
				t.Errorf("caught %v by %q, hung %v; want %q, hung %v\n%s", o.Caught, o.By, o.Hung, tc.caught, tc.hung, o.Output)
			}
		})
	}
}

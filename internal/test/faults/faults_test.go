// Package faults plants mistakes in the source, one at a time: a test must notice each.
//
// Each mistake of faults.txt stands for a class of mistakes that exact counters and services have
// made. The go command reads a changed copy of one file, by -overlay, and runs the one test that
// must fail. The source itself does not change, and has neither hooks nor build tags for this.
//
//	the test fails                          caught
//	the test passes                         missed: a test is missing
//	it does not build, there is no such     broken: the fault does not fit
//	test or place, or the test fails        the source any more
//	without the fault
//
// Reference: DeMillo, Lipton and Sayward, "Hints on test data selection: help for the
// practicing programmer", Computer 11 (1978).
package faults

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var plant = flag.String("faults", "", "the name of the fault to plant, or all")

//go:embed faults.txt
var table string

// root is the folder of the module.
const root = "../../.."

// fault is a mistake to plant.
type fault struct {
	name, class, wrong string
	folder             string // of the changed package, from root
	old, new           string
	test, of           string // the test that must fail, and the folder of its package
}

// all returns the faults of the table.
func all(t *testing.T) []fault {
	t.Helper()
	var faults []fault
	class := ""
	for line := range strings.Lines(table) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
		last := len(faults) - 1
		switch {
		case strings.HasPrefix(line, "# "):
			class = strings.TrimSpace(line[2:])
		case class == "" || strings.TrimSpace(line) == "":
		case line[0] != '\t':
			name, wrong, _ := strings.Cut(key, ": ")
			faults = append(faults, fault{name: name, class: class, wrong: wrong})
		case key == "in":
			faults[last].folder, faults[last].of = value, value
		case key == "old":
			faults[last].old = value
		case key == "new":
			faults[last].new = value
		case key == "test":
			test, of, other := strings.Cut(value, " ")
			if faults[last].test = test; other {
				faults[last].of = of
			}
		default:
			t.Fatalf("faults.txt: %q is no line of a fault", line)
		}
	}
	return faults
}

// place returns the path of the one file that contains f.old, and its text.
func (f *fault) place() (file, source string, err error) {
	files, err := filepath.Glob(filepath.Join(root, f.folder, "*.go"))
	places := 0
	for _, name := range files {
		text, failed := os.ReadFile(name)
		if strings.HasSuffix(name, "_test.go") || failed != nil {
			err = errors.Join(err, failed)
			continue
		}
		if n := strings.Count(string(text), f.old); n > 0 {
			file, source = name, string(text)
			places += n
		}
	}
	if places != 1 || f.old == f.new {
		err = errors.Join(err, fmt.Errorf("fault %s: %q occurs %d times in %s, want once", f.name, f.old, places, f.folder))
	}
	return file, source, err
}

// plant writes a changed copy of the source to a temporary folder, and returns the flag
// that makes the go command read it.
func (f *fault) plant(t *testing.T) string {
	t.Helper()
	file, source, err := f.place()
	if err != nil {
		t.Fatal(err)
	}
	file, err = filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	changed := filepath.Join(folder, filepath.Base(file))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(folder, "overlay.json")
	source = strings.Replace(source, f.old, f.new, 1)
	if err := errors.Join(os.WriteFile(changed, []byte(source), 0o666), os.WriteFile(overlay, replace, 0o666)); err != nil {
		t.Fatal(err)
	}
	return "-overlay=" + overlay
}

// run runs a test of a package with flags of the go command, and judges its output.
func run(t *testing.T, folder, test string, flags ...string) (verdict, output string) {
	t.Helper()
	path := filepath.Join(root, folder)
	args := append([]string{"test", "-vet=off", "-ldflags=-w", "-timeout=2m", "-run=" + test}, flags...)
	cmd := exec.CommandContext(t.Context(), "go", append(args, ".")...)
	cmd.Dir = path
	out, err := cmd.CombinedOutput()
	output = string(out)
	switch failed := errors.As(err, new(*exec.ExitError)); {
	case err != nil && !failed || strings.Contains(output, " failed]\n"):
		return "does not build", output
	case strings.Contains(output, "[no tests to run]") || strings.Contains(output, "[no test files]"):
		return "no such test", output
	case failed:
		return "caught", output
	}
	return "missed", output
}

// pattern returns the argument of -run for a test and, behind a slash, its subtest.
func pattern(test string) string {
	return "^" + strings.ReplaceAll(test, "/", "$/^") + "$"
}

// TestFaultsFit: every fault has its place in the source, and its test exists.
func TestFaultsFit(t *testing.T) {
	names, classes := map[string]bool{}, map[string]int{}
	for _, f := range all(t) {
		classes[f.class]++
		if names[f.name] || f.wrong == "" {
			t.Errorf("fault %s: want a name of its own, and what goes wrong", f.name)
		}
		names[f.name] = true
		if _, _, err := f.place(); err != nil {
			t.Error(err)
		}
		files, err := filepath.Glob(filepath.Join(root, f.of, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		name, _, _ := strings.Cut(f.test, "/")
		if !slices.ContainsFunc(files, func(file string) bool {
			source, err := os.ReadFile(file)
			return err == nil && strings.Contains(string(source), "\nfunc "+name+"(t *testing.T)")
		}) {
			t.Errorf("fault %s: there is no %s in %s", f.name, f.test, f.of)
		}
	}
	page, err := os.ReadFile(filepath.Join(root, "doc", "testing.md"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(page)), " ")
	for class, n := range classes {
		if want := fmt.Sprintf("%s (%d)", class, n); !strings.Contains(words, want) {
			t.Errorf("doc/testing.md does not list the class %s", want)
		}
	}
}

// TestVerdicts plants faults of each verdict in a small package.
func TestVerdicts(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	product := fault{folder: "internal/engine/limb", old: "carry = high + c", new: "carry = high"}
	for _, tc := range []struct{ new, test, want string }{
		{"carry = high", "TestProducts", "caught"},
		{"carry = c + high", "TestProducts", "missed"},
		{"carry = wide", "TestProducts", "does not build"},
		{"carry = high", "TestNothing", "no such test"},
	} {
		product.new = tc.new
		if verdict, output := run(t, product.folder, pattern(tc.test), product.plant(t)); verdict != tc.want {
			t.Errorf("%s with %q: %s, want %s\n%s", tc.test, tc.new, verdict, tc.want, output)
		}
	}
}

// TestFaultsAreCaught plants all faults, two packages of tests at a time: the tests of a
// package run once without a fault, which builds all that the faults share.
func TestFaultsAreCaught(t *testing.T) {
	if *plant == "" {
		t.Skip("only with -faults=all, or the name of one")
	}
	packages := map[string][]fault{}
	for _, f := range all(t) {
		if *plant == "all" || *plant == f.name {
			packages[f.of] = append(packages[f.of], f)
		}
	}
	if len(packages) == 0 {
		t.Fatalf("there is no fault %q", *plant)
	}
	firstFailure := regexp.MustCompile(`(?m)^\s*\S+\.go:\d+: .*|^panic: .*`)
	for folder, faults := range packages {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			names := map[string]bool{}
			for _, f := range faults {
				name, _, _ := strings.Cut(f.test, "/")
				names[name] = true
			}
			var tests []string
			for name := range names {
				tests = append(tests, name)
			}
			slices.Sort(tests)
			if verdict, output := run(t, folder, "^("+strings.Join(tests, "|")+")$"); verdict != "missed" {
				t.Fatalf("without a fault, the tests of %s fail:\n%s", folder, output)
			}
			for _, f := range faults {
				t.Run(f.name, func(t *testing.T) {
					verdict, output := run(t, f.of, pattern(f.test), "-count=1", f.plant(t))
					t.Logf("%s: %s: %.100s", f.class, verdict, strings.TrimSpace(firstFailure.FindString(output)))
					if verdict != "caught" {
						t.Errorf("%s: %s\n%s", f.wrong, verdict, output)
					}
				})
			}
		})
	}
}

package faults

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// ErrBroken is wrapped when a fault cannot be judged: it has no place any more,
// does not build, or names no test.
var ErrBroken = errors.New("broken fault")

// Outcome is what the tests made of a fault.
type Outcome struct {
	Caught  bool
	By      string // the first test that failed
	Said    string // its first line
	Hung    bool   // it did so by running out of time
	Seconds float64
	Output  string // of the go command, to be read by people
}

// testTime is what a test may take with a fault in it.
const testTime = 2 * time.Minute

// Run plants f in the module at root and runs its test. The error wraps
// ErrBroken, or is ctx's or the system's.
func (f *Fault) Run(ctx context.Context, root string) (*Outcome, error) {
	return f.run(ctx, root, testTime)
}

func (f *Fault) run(ctx context.Context, root string, limit time.Duration) (*Outcome, error) {
	folder, err := os.MkdirTemp("", "pavage-fault-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	overlay, err := f.plant(root, folder)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	return f.test(ctx, root, limit, "-overlay="+overlay)
}

// plant writes the changed copy of the file, and what tells the go command of
// it, whose path it returns.
func (f *Fault) plant(root, folder string) (overlay string, err error) {
	source, err := f.planted(root)
	if err != nil {
		return "", err
	}
	root, err = filepath.Abs(root)
	if err != nil {
		return "", err
	}
	file := filepath.Join(root, filepath.FromSlash(f.File))
	changed := filepath.Join(folder, filepath.Base(file))
	replace, err := json.Marshal(map[string]map[string]string{"Replace": {file: changed}})
	if err != nil {
		return "", err
	}
	overlay = filepath.Join(folder, "overlay.json")
	return overlay, errors.Join(os.WriteFile(changed, []byte(source), 0o666), os.WriteFile(overlay, replace, 0o666))
}

// test runs f's test by a go command with some flags more.
func (f *Fault) test(ctx context.Context, root string, limit time.Duration, flags ...string) (*Outcome, error) {
	args := append([]string{"test", "-json", "-vet=off", "-count=1", "-timeout=" + limit.String(), "-run=" + pattern(f.Test)}, flags...)
	module, inside := moduleOf(root, f.Folder())
	cmd := exec.CommandContext(ctx, "go", append(args, "./"+inside)...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(module))
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	start := time.Now()
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &exit):
		return nil, err
	}
	o, err := judge(&out, f.Test)
	if err != nil {
		return nil, fmt.Errorf("%w: fault %s: %w\n%s%s", ErrBroken, f.Name, err, o.Output, stderr.String())
	}
	o.Seconds = time.Since(start).Seconds()
	return o, nil
}

// moduleOf is the module that a folder is in, which may lie within that at root, and where in it the folder is.
func moduleOf(root, folder string) (module, inside string) {
	for module = folder; module != "."; module = path.Dir(module) {
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(module), "go.mod")); err == nil {
			return module, strings.TrimPrefix(folder[len(module):], "/")
		}
	}
	return ".", folder
}

// pattern is what -run wants for a test and, behind slashes, its subtests.
func pattern(test string) string {
	return "^" + strings.ReplaceAll(test, "/", "$/^") + "$"
}

// event is a line of go test -json, as go doc test2json has it.
type event struct {
	Action, Test, Output, FailedBuild string
}

// judge reads what a go command has said of a test. With an error the outcome
// has only the output.
func judge(said *bytes.Buffer, test string) (*Outcome, error) {
	j := judging{test: strings.ReplaceAll(test, " ", "_"), first: map[string]string{}}
	for lines := json.NewDecoder(said); ; {
		var e event
		if err := lines.Decode(&e); err != nil {
			break // at the end; a line that is none means that there is no verdict
		}
		j.take(e)
	}
	return j.end()
}

// judging is an outcome while lines come in.
type judging struct {
	Outcome
	test  string
	ran   bool              // the test
	last  string            // test that was begun
	first map[string]string // lines that tests have written
	ended string            // how the whole did; "build": it did not build
}

func (j *judging) take(e event) {
	j.Output += e.Output
	j.Hung = j.Hung || strings.HasPrefix(e.Output, "panic: test timed out after")
	if line := strings.TrimSpace(e.Output); j.first[e.Test] == "" && !strings.HasPrefix(line, "=== ") && !strings.HasPrefix(line, "--- ") {
		j.first[e.Test] = line
	}
	switch {
	case e.Action == "build-fail" || e.FailedBuild != "":
		j.ended = "build"
	case e.Test == "" && j.ended == "" && (e.Action == "pass" || e.Action == "fail" || e.Action == "skip"):
		j.ended = e.Action
	case e.Action == "run":
		j.ran, j.last = j.ran || e.Test == j.test, e.Test
	case e.Action == "fail" && j.By == "":
		j.By = e.Test
	}
}

func (j *judging) end() (*Outcome, error) {
	o := &j.Outcome
	switch {
	case j.ended == "build":
		return o, errors.New("it does not build")
	case j.ended == "":
		return o, errors.New("the go command did not come to an end")
	case j.last == "" || !j.ran && j.ended != "fail":
		return o, errors.New("no such test was run")
	}
	if o.Caught = j.ended == "fail"; o.Caught && o.By == "" {
		o.By = j.last // which took the process with it
	}
	o.Said = j.first[o.By]
	return o, nil
}

package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain puts the program into PATH, for the scripts and for tests that want a process of their own. An engine
// gives it another name when it starts a worker.
func TestMain(m *testing.M) {
	if isWorker(os.Args[1:]) {
		work()
	}
	testscript.Main(m, map[string]func(){"pavage-beam": main})
}

// TestScripts runs the program as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata/script",
		Cmds:               map[string]func(*testscript.TestScript, bool, []string){"fails": fails},
		RequireUniqueNames: true,
	})
}

// fails runs a command that must end with the code, write one line on standard error, which begins with the
// program's name, and nothing on standard output.
//
//	fails CODE COMMAND ARG…
func fails(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("ended with %v, want exit code %s", err, args[0])
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output has %.100q", out)
	}
	line := ts.ReadFile("stderr")
	if !strings.HasPrefix(line, "pavage-beam: ") || strings.Index(line, "\n") != len(line)-1 || len(line) > 500 {
		ts.Fatalf("standard error is %.1200q, want one line of readable length", line)
	}
}

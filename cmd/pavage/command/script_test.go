package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/pavage/pavage/job"
)

// TestMain puts this package's Main into PATH under the program's name, for
// the scripts and for tests that want a process of their own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pavage": func() {
			os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
		},
	})
}

// TestScripts runs the command line as its users do.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"fails":  fails,
			"ends":   ends,
			"keys":   keys,
			"sparse": sparse,
			"fill":   fill,
		},
		RequireUniqueNames: true,
	})
}

// fails runs a command that must end with the code, write one line on
// standard error and nothing on standard output.
//
//	fails CODE COMMAND ARG…
func fails(ts *testscript.TestScript, neg bool, args []string) {
	ends(ts, neg, args)
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output has %.100q", out)
	}
}

// ends runs a command that must end with the code and write one line on standard error.
func ends(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: fails or ends CODE COMMAND ARG…")
	}
	err := ts.Exec(args[1], args[2:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || strconv.Itoa(exit.ExitCode()) != args[0] {
		ts.Fatalf("ended with %v, want exit code %s", err, args[0])
	}
	line := ts.ReadFile("stderr")
	if !strings.HasPrefix(line, "pavage: ") || strings.Index(line, "\n") != len(line)-1 || len(line) > 1000 {
		ts.Fatalf("standard error is %.1200q, want one line of readable length", line)
	}
}

// keys wants every line of a file to be a JSON object with these keys in this
// order.
//
//	keys FILE KEY…
func keys(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: keys FILE KEY…")
	}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		got, err := objectKeys(line)
		ts.Check(err)
		if !slices.Equal(got, args[1:]) {
			ts.Fatalf("keys are %q, want %q", got, args[1:])
		}
	}
}

func objectKeys(object string) ([]string, error) {
	d := json.NewDecoder(strings.NewReader(object))
	if _, err := d.Token(); err != nil { // {
		return nil, err
	}
	var found []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		found = append(found, key.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// sparse makes a file of a size that uses no space on the disk.
//
//	sparse FILE BYTES
func sparse(ts *testscript.TestScript, _ bool, args []string) {
	size, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), nil, 0o600))
	ts.Check(os.Truncate(ts.MkAbs(args[0]), size))
}

// fill writes a text with one place in it filled by a repeated string. \n and \0 in a text are
// escapes with the same meaning as in Go.
//
//	fill FILE BEFORE REPEATED TIMES AFTER
func fill(ts *testscript.TestScript, _ bool, args []string) {
	times, err := strconv.Atoi(args[3])
	ts.Check(err)
	unescape := strings.NewReplacer(`\n`, "\n", `\0`, "\x00", `\xff`, "\xff")
	text := unescape.Replace(args[1] + strings.Repeat(args[2], times) + args[4])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}

// TestEngines: the setting engine has the words that a count accepts, and no others.
func TestEngines(t *testing.T) {
	count, _, _ := newRoot(&Call{}).Find([]string{"count"})
	engine := count.Flags().Lookup("engine").Value.(interface{ Choices() []string })
	field, _ := reflect.TypeFor[job.Count]().FieldByName("Engine")
	if got, want := engine.Choices(), strings.Fields(field.Tag.Get("words")); !slices.Equal(got, want) {
		t.Errorf("config has the engines %q, package job %q", got, want)
	}
}

// endless never ends, and counts the bytes that were read.
type endless struct{ read int64 }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '#'
	}
	e.read += int64(len(p))
	return len(p), nil
}

// TestEndlessInput wants standard input to be read up to the limit only.
func TestEndlessInput(t *testing.T) {
	var in endless
	var out, errs bytes.Buffer
	code := Main([]string{"count", "-"}, Streams{In: &in, Out: &out, Err: &errs})
	if code != codeUsage || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
		t.Fatalf("code %d, output %q, error %q", code, out.String(), errs.String())
	}
	if in.read > 4<<20 {
		t.Errorf("%d bytes were read", in.read)
	}
}

// succeed runs Main in this process, which has no input.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs}); code != codeDone {
		t.Errorf("%q ends with code %d: %s", args, code, errs.String())
	}
	return out.String()
}

// full is an output on a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// TestFullDisk: no verb ends well whose results could not be written.
func TestFullDisk(t *testing.T) {
	of := func(verb ...string) []string { return append(verb, "--board", "2x3", "--piece", "domino=any") }
	for _, args := range [][]string{
		of("count"), of("count", "--json"), of("count", "--mcc"), of("count", "--modulo", "5,7"),
		of("count", "--estimate"), of("sample"), of("list"), of("show"), of("verify"),
		of("convert", "--to", "cover"), of("convert", "--to", "dimacs"),
		{"sequence", "--piece", "domino=any", "--rows", "2", "--columns", "1..3"},
		{"examples"},
		{"version"},
	} {
		var errs bytes.Buffer
		if code := Main(args, Streams{In: strings.NewReader(""), Out: full{}, Err: &errs}); code != codeLimit || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%v: code %d, %q", args, code, errs.String())
		}
	}
}

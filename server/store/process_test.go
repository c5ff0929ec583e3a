package store

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
)

// TestMain is also what other processes do: the variable names it.
func TestMain(m *testing.M) {
	if what := os.Getenv("STORE_TEST"); what != "" {
		otherProcess(what, os.Getenv("STORE_DIR"))
		return
	}
	os.Exit(m.Run())
}

// otherProcess does one thing in a store, says "ready", and waits for the end of its input.
func otherProcess(what, dir string) {
	o := Options{Quota: 40 * fileBytes(2000)}
	if what == "write" {
		o.Quota = 0
	}
	s, err := Open(dir, o)
	if err != nil {
		panic(err)
	}
	wait := func() {
		_, _ = os.Stdout.WriteString("ready\n")
		_, _ = io.Copy(io.Discard, os.Stdin)
	}
	switch {
	case what == "read":
		r, err := s.Open(Diagram, key(1))
		if err != nil {
			panic(err)
		}
		wait()
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, content(2000)) {
			panic(err)
		}
	case what == "write":
		err = s.Put(context.Background(), Diagram, key(2), func(w io.Writer) error {
			_, err := w.Write(make([]byte, 100_000))
			wait()
			return err
		})
	default:
		first, _ := strconv.Atoi(what)
		for i := range 40 {
			if err = s.Put(context.Background(), Diagram, key(first+i%30), write(content(2000))); err != nil {
				panic(err)
			}
		}
		wait()
	}
	if err != nil {
		panic(err)
	}
}

// process is another process.
type process struct {
	*exec.Cmd
	in io.WriteCloser
}

func start(t *testing.T, what, dir string) *process {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("has no locks")
	}
	p := &process{Cmd: exec.CommandContext(t.Context(), os.Args[0])}
	p.Env = append(os.Environ(), "STORE_TEST="+what, "STORE_DIR="+dir)
	p.Stderr = os.Stderr
	var err error
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || strings.TrimSpace(line) != "ready" {
		t.Fatalf("%s: %q, %v", what, line, err)
	}
	return p
}

// end has the process go on to its end.
func (p *process) end(t *testing.T) {
	t.Helper()
	if err := p.in.Close(); err != nil {
		t.Error(err)
	}
	if err := p.Wait(); err != nil {
		t.Error(err)
	}
}

// TestOpenElsewhere: a file that another process has open makes room, and the process still reads it.
func TestOpenElsewhere(t *testing.T) {
	s := open(t, Options{Quota: 4 * fileBytes(2000)})
	put(t, s, Diagram, key(1), content(2000))
	reader := start(t, "read", s.dir)
	age(t, s, Diagram, key(1), 100*day)
	for i := range 8 {
		put(t, s, Diagram, key(100+i), content(2000))
	}
	if _, err := os.Stat(s.path(Diagram, key(1))); err == nil {
		t.Error("the file that was not used for the longest time is still there")
	}
	reader.end(t)
	checkRecord(t, s)
}

// TestKilledWriter: a file that a process writes is not removed; the file of a killed process is.
func TestKilledWriter(t *testing.T) {
	s := open(t, Options{})
	writer, killed := start(t, "write", s.dir), start(t, "write", s.dir)
	left := func() int {
		reopen(t, s.dir, Options{})
		files, err := filepath.Glob(filepath.Join(s.dir, "*", "*", "*.tmp"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	if n := left(); n != 2 {
		t.Errorf("%d files of two live writers", n)
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	if n := left(); n != 1 {
		t.Errorf("%d files, want that of the live writer", n)
	}
	writer.end(t)
	if got, err := s.Get(Diagram, key(2)); err != nil || !bytes.Equal(got, make([]byte, 100_000)) {
		t.Error(err)
	}
	checkRecord(t, s)
}

// TestProcessesShareQuota: four processes put in at once; the record is right to the byte, and
// the quota holds.
func TestProcessesShareQuota(t *testing.T) {
	testkit.Serial(t)
	s := open(t, Options{Quota: 40 * fileBytes(2000)})
	var all []*process
	for i := range 4 {
		all = append(all, start(t, strconv.Itoa(15*i), s.dir))
	}
	for _, p := range all {
		p.end(t)
	}
	checkRecord(t, s)
	if st := s.Stats(); st.Bytes > s.options.Quota || st.Files < 30 {
		t.Errorf("%+v", st)
	}
}

package child

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/pavage/pavage/job"
)

// The tests start their own program again, as a child or as the parent of a child. This variable names
// the role of the process.
const playing = "PAVAGE_TEST_CHILD"

// plays has the roles of processes.
var plays = map[string]func() int{
	"child":  func() int { return Main(os.Stdin, os.Stdout) },
	"panics": planted(func(*assigned, *sender) error { panic("planted\nwith a second line") }),
	"grows":  planted(grow),
	"deaf":   planted(deafen),
	"floods": planted(flood),
	"limits": planted(func(a *assigned, s *sender) error {
		if err := json.NewEncoder(s).Encode(a.Limits); err != nil {
			return err
		}
		return s.tell(theEnd, nil)
	}),
	"talks":  said(strings.Repeat("the answer is 42\n", 10)),
	"cut":    said("\x0aabc"),
	"riddle": planted(func(_ *assigned, s *sender) error { return s.to.Encode(message{aProgress, []byte("{{{")}) }),
	"wrong":  planted(func(_ *assigned, s *sender) error { return s.to.Encode(message{theEnd, []byte("{{{")}) }),
	"leaves": func() int { fmt.Fprintln(os.Stderr, "so long"); return 3 },
	"parent": parent,
}

func TestMain(m *testing.M) {
	if play := plays[os.Getenv(playing)]; play != nil {
		os.Exit(play())
	}
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("runtime.handleEvent")) // of GOOS=js, which ends with the program
}

// planted returns a child that does other work. It uses the real code that talks to the parent.
func planted(do func(*assigned, *sender) error) func() int {
	return func() int { return serve(os.Stdin, os.Stdout, do) }
}

// said returns a child that writes text in place of messages, and ends.
func said(text string) func() int {
	return planted(func(*assigned, *sender) error {
		_, _ = io.WriteString(os.Stdout, text)
		os.Exit(0)
		return nil
	})
}

// grow allocates up to 256 MiB until it is ended. It sends so many bytes for each MiB that it must wait
// for the parent to read them.
func grow(_ *assigned, s *sender) error {
	var all [][]byte
	for range 256 {
		all = append(all, bytes.Repeat([]byte("x"), 1<<20))
		if _, err := s.Write(all[0][:4*batch]); err != nil {
			return err
		}
	}
	return s.tell(theEnd, job.NewError(job.Failure, fmt.Errorf("nobody has looked at %d MiB", len(all))))
}

// outlived is the name of a file that a deaf child writes beside its folder if it was not killed.
const outlived = "outlived"

// deafen sends a note and then ignores its input. It ends after about ten seconds of computing, or later
// on a busy machine: then the test fails.
func deafen(_ *assigned, s *sender) error {
	_ = s.tell(aNote, job.Note{})
	var sum [sha256.Size]byte
	for range 100_000_000 {
		sum = sha256.Sum256(sum[:])
	}
	_ = os.WriteFile(filepath.Join(filepath.Dir(os.Getenv("TMPDIR")), outlived), sum[:], 0o600)
	return s.tell(theEnd, nil)
}

// flood sends the number of lines that the request has, each of 1 KiB and with its number.
func flood(a *assigned, s *sender) error {
	n, err := strconv.Atoi(string(a.Request))
	if err != nil {
		return err
	}
	for i := 0; i < n && a.ctx.Err() == nil; i++ {
		if _, err := s.Write(numbered(i)); err != nil {
			return err
		}
	}
	return s.tell(theEnd, nil)
}

// numbered returns a line of 1 KiB.
func numbered(i int) []byte {
	line := bytes.Repeat([]byte(" "), 1<<10)
	copy(line, strconv.Itoa(i))
	line[len(line)-1] = '\n'
	return line
}

// parent starts a deaf child, writes the number of its process when it works, and waits to be killed.
func parent() int {
	pid := 0
	_, err := Run(context.Background(), Options{Env: []string{playing + "=deaf"}, Temp: os.Getenv("TMPDIR")}, dominoes("8x8"), Sink{
		Started: func(p int) { pid = p },
		Note:    func(job.Note) { fmt.Println(pid) },
	})
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// player starts children in a role, with folders in a directory of the test.
type player struct {
	t testing.TB
	Options
	pid int // process of the last child
}

func started(t testing.TB, play string, change ...func(*Options)) *player {
	t.Helper()
	p := &player{t: t, Options: Options{Env: []string{playing + "=" + play}, Temp: t.TempDir(), Grace: testPatience}}
	for _, f := range change {
		f(&p.Options)
	}
	return p
}

// Run is Run, and checks that the child has left nothing.
func (p *player) Run(ctx context.Context, t Task, s Sink) (json.RawMessage, error) {
	p.t.Helper()
	begun := s.Started
	s.Started = func(pid int) {
		if p.pid = pid; begun != nil {
			begun(pid)
		}
	}
	answer, err := Run(ctx, p.Options, t, s)
	if left, _ := os.ReadDir(p.Temp); len(left) > 0 {
		p.t.Errorf("files are left: %v", left)
	}
	return answer, err
}

// dominoes returns a task that counts a board.
func dominoes(board string) Task {
	return Task{Kind: "count", Request: []byte(`{"puzzle":{"board":"` + board + `","pieces":["domino=any"]}}`)}
}

// wants checks the kind and the text of an error.
func wants(t testing.TB, err error, kind job.ErrorKind, text string) {
	t.Helper()
	if err == nil || job.KindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v of the kind %v, want one of the kind %v with %q", err, job.KindOf(err), kind, text)
	}
}

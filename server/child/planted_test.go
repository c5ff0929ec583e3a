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

// The tests start their own program again, as a child or as a parent of one. This
// variable says what it is then.
const playing = "PAVAGE_TEST_CHILD"

// plays are what a process of the tests may be.
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

// planted is a child that does other work. The parent's side of it is the real one.
func planted(do func(*assigned, *sender) error) func() int {
	return func() int { return serve(os.Stdin, os.Stdout, do) }
}

// said is a child that writes some bytes in place of messages, and ends.
func said(text string) func() int {
	return planted(func(*assigned, *sender) error {
		_, _ = io.WriteString(os.Stdout, text)
		os.Exit(0)
		return nil
	})
}

// grow takes memory until somebody ends it, up to 256 MiB. It sends so much for each MiB
// that it waits for whoever takes that.
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

// outlived is a file beside the folder of a deaf child that was left to live.
const outlived = "outlived"

// deafen sends a note, and then hears nothing. Only a test that fails lets it come to
// its end, after some ten seconds of computing: a busy machine makes that longer.
func deafen(_ *assigned, s *sender) error {
	_ = s.tell(aNote, job.Note{})
	var sum [sha256.Size]byte
	for range 100_000_000 {
		sum = sha256.Sum256(sum[:])
	}
	_ = os.WriteFile(filepath.Join(filepath.Dir(os.Getenv("TMPDIR")), outlived), sum[:], 0o600)
	return s.tell(theEnd, nil)
}

// flood sends numbered lines of 1 KiB, as many as the request says.
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

// numbered is a line of 1 KiB.
func numbered(i int) []byte {
	line := bytes.Repeat([]byte(" "), 1<<10)
	copy(line, strconv.Itoa(i))
	line[len(line)-1] = '\n'
	return line
}

// parent gives a child that hears nothing work, says its number when it is at work, and
// waits for its own end.
func parent() int {
	pid := 0
	_, err := Run(context.Background(), Options{Env: []string{playing + "=deaf"}, Temp: os.Getenv("TMPDIR")}, dominoes("8x8"), Sink{
		Started: func(p int) { pid = p },
		Note:    func(job.Note) { fmt.Println(pid) },
	})
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// player starts children that play something, with folders in a directory of the test.
type player struct {
	t testing.TB
	Options
	pid int // of the last child
}

func started(t testing.TB, play string, change ...func(*Options)) *player {
	t.Helper()
	p := &player{t: t, Options: Options{Env: []string{playing + "=" + play}, Temp: t.TempDir(), Grace: testPatience}}
	for _, f := range change {
		f(&p.Options)
	}
	return p
}

// Run is Run of a child that leaves nothing.
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

// dominoes asks for the count of a board.
func dominoes(board string) Task {
	return Task{Kind: "count", Request: []byte(`{"puzzle":{"board":"` + board + `","pieces":["domino=any"]}}`)}
}

// wants checks that an error is of a kind and says something.
func wants(t testing.TB, err error, kind job.ErrorKind, text string) {
	t.Helper()
	if err == nil || job.KindOf(err) != kind || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v of the kind %v, want one of the kind %v with %q", err, job.KindOf(err), kind, text)
	}
}

package child

import (
	"bytes"
	"encoding/gob"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/kit/machine"
	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/job"
)

// TestDied: the error for a process that ends by itself has its last words.
func TestDied(t *testing.T) {
	for play, want := range map[string]Died{
		"panics": {Code: 2, Why: "panic: planted"},
		"leaves": {Code: 3, Why: "so long"},
		"cut":    {},
	} {
		c := started(t, play)
		_, err := c.Run(t.Context(), dominoes("8x8"), Sink{})
		var d *Died
		if !errors.As(err, &d) || d.Code != want.Code || d.Why != want.Why {
			t.Errorf("%s: %v, want %+v", play, err, want)
			continue
		}
		if strings.Contains(err.Error(), "\n") || !strings.HasSuffix(err.Error(), want.Why) {
			t.Errorf("%s: %q", play, err)
		}
	}
}

// TestKilled: the error for a killed child has the signal.
func TestKilled(t *testing.T) {
	c := started(t, "child")
	task, sink := long(func() {
		p, err := os.FindProcess(c.pid)
		if err := errors.Join(err, p.Kill()); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Error(err)
		}
	})
	_, err := c.Run(t.Context(), task, sink)
	var d *Died
	if !errors.As(err, &d) || runtime.GOOS != "windows" && (d.Signal != "killed" || !strings.Contains(err.Error(), `signal "killed"`)) {
		t.Errorf("%v", err)
	}
}

// TestFalseMessages: invalid messages are an error, and the child is ended.
func TestFalseMessages(t *testing.T) {
	for _, play := range []string{"talks", "riddle", "wrong"} {
		var h heard
		_, err := started(t, play).Run(t.Context(), dominoes("8x8"), h.sink())
		wants(t, err, job.Failure, "the child process sent a line that is not a message")
	}
}

// TestTooLong: a message that is too long is an error; later messages arrive.
func TestTooLong(t *testing.T) {
	var pipe bytes.Buffer
	s := newSender(&pipe)
	if err := s.tell(anAnswer, string(make([]byte, maxText))); err == nil || pipe.Len() > 0 {
		t.Errorf("%d bytes were sent, %v", pipe.Len(), err)
	}
	var m message
	if err := errors.Join(s.tell(theEnd, nil), gob.NewDecoder(&pipe).Decode(&m)); err != nil || m.Kind != theEnd {
		t.Errorf("then: %v, %v", m, err)
	}
	c := started(t, "deaf")
	_, err := c.Run(t.Context(), Task{Kind: "count", Request: append(append([]byte(`"`), bytes.Repeat([]byte("x"), maxText)...), '"')}, Sink{})
	wants(t, err, job.Limit, "for a child process")
	long := append(bytes.Repeat([]byte(" "), maxText), '\n')
	if code := serve(bytes.NewReader(long), &pipe, nil); code != 1 {
		t.Errorf("a line that is too long: code %d", code)
	}
}

// TestWhy: the line with the reason is kept, even before a long list of goroutines.
func TestWhy(t *testing.T) {
	for want, text := range map[string][]string{
		"":                  {" \n"},
		"the end":           {"a\n", "the e", "nd\n"},
		"panic: not so bad": {"a\npan", "ic: no", "t so bad", "\n", "fatal error: later\n", strings.Repeat("stack\n", headBytes), "the end"},
		"fatal error: " + strings.Repeat("!", lineBytes-13): {"fatal error: " + strings.Repeat("!", 2*headBytes)},
	} {
		var errs head
		for _, part := range text {
			if n, err := errs.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if got := errs.why(); got != want || len(errs.text) > headBytes {
			t.Errorf("%q of %d bytes, want %q", got, len(errs.text), want)
		}
	}
	if d := (&Died{Signal: "killed", Code: -1}); d.Error() != `the process that did the work was ended by the signal "killed"` {
		t.Error(d)
	}
}

// TestBackPressure: while the sink does not read, the work waits, and neither process allocates memory
// for more tilings.
func TestBackPressure(t *testing.T) {
	c := started(t, "floods")
	n := testkit.Size(20_000, 200_000)
	task := dominoes("8x8")
	task.Request = []byte(strconv.Itoa(n))
	next, most, want := 0, int64(0), []byte(nil)
	slowly := func(b []byte) error {
		for ; len(b) > 0; next, b = next+1, b[1<<10:] {
			want = append(strconv.AppendInt(want[:0], int64(next), 10), ' ')
			if !bytes.HasPrefix(b, want) {
				t.Errorf("line %d is %.20q", next, b)
			}
		}
		for range 100 {
			runtime.Gosched()
		}
		most = max(most, machine.Resident(c.pid))
		return nil
	}
	taken := testkit.Allocated(func() {
		if _, err := c.Run(t.Context(), task, Sink{Output: writes(slowly)}); err != nil || next != n {
			t.Errorf("%d lines, %v", next, err)
		}
	})
	if perMessage := taken / int64(n/(batch>>10)); perMessage > 2*batch { // gob reads each message into new memory
		t.Errorf("%d bytes were taken for each message", perMessage)
	}
	if !testing.Short() && most > 64<<20 {
		t.Errorf("the child has held %d bytes", most)
	}
}

// TestInFlight: at most the content of a pipe and two batches are on the way.
func TestInFlight(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	const pipe, n = 64 << 10, 2_000
	made := make(chan int, n) // its length is the number of lines that were made and not read
	go func() {
		s := newSender(out)
		for i := range n {
			made <- i
			if _, err := s.Write(numbered(i)); err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(s.tell(theEnd, nil), out.Close()); err != nil {
			t.Error(err)
		}
	}()
	messages, read := gob.NewDecoder(in), 0
	for {
		var m message
		if err := messages.Decode(&m); err != nil || m.Kind == theEnd {
			break
		}
		if on := len(made) << 10; on > pipe+4*batch {
			t.Fatalf("%d bytes are on the way", on)
		}
		for range len(m.Body) >> 10 {
			<-made
			read++
		}
	}
	if read != n {
		t.Errorf("%d lines, want %d", read, n)
	}
	_ = in.Close()
}

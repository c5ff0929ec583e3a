package child

import (
	"bytes"
	"context"
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

// TestDied: a process that ends by itself is told of, with its last words.
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

// TestKilled: a child that somebody kills in the middle is told of with the signal.
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

// TestFalseFrames: bytes that are no frames are an error, and the child is ended.
func TestFalseFrames(t *testing.T) {
	for play, want := range map[string]string{
		"talks":  "bytes, want at most",
		"lies":   "a frame of 4294967295 bytes, want at most",
		"riddle": "the child sent something that is no frame",
		"wrong":  "the child sent something that is no frame",
	} {
		c := started(t, play)
		var h heard
		_, err := c.Run(t.Context(), dominoes("8x8"), h.sink())
		wants(t, err, job.Failure, want)
	}
}

// TestFrames: frames are read as they were written.
func TestFrames(t *testing.T) {
	var pipe bytes.Buffer
	s := newSender(&pipe)
	huge := bytes.Repeat([]byte("x"), 3<<20+1)
	for _, b := range [][]byte{[]byte("one\n"), huge, []byte("two\n")} {
		if _, err := (stream{s, tilings}).Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.tell(theEnd, nil); err != nil {
		t.Fatal(err)
	}
	f := newFrames(bytes.NewReader(pipe.Bytes()))
	for _, want := range []string{"t" + "one\n" + string(huge), "ttwo\n", "e"} {
		k, payload, err := f.next()
		if got := string(byte(k)) + string(payload); err != nil || got != want {
			t.Fatalf("%.20q of %d bytes, %v, want %.20q of %d", got, len(got), err, want, len(want))
		}
	}
}

// TestTooLong: what is too long for a frame is an error, after which others come.
func TestTooLong(t *testing.T) {
	var pipe bytes.Buffer
	s := newSender(&pipe)
	if _, err := (stream{s, tilings}).Write(make([]byte, maxFrame+1)); err == nil || pipe.Len() > 0 {
		t.Errorf("%d bytes were sent, %v", pipe.Len(), err)
	}
	if err := s.tell(theEnd, nil); err != nil || pipe.String() != "e\x00\x00\x00\x00" {
		t.Errorf("then: %q, %v", pipe.String(), err)
	}
	c := started(t, "deaf")
	_, err := c.Run(t.Context(), Task{Kind: "count", Request: append(append([]byte(`"`), bytes.Repeat([]byte("x"), maxFrame)...), '"')}, Sink{})
	wants(t, err, job.Limit, "a child takes")
	long := append(bytes.Repeat([]byte(" "), maxFrame), '\n')
	if code := serve(bytes.NewReader(long), &pipe, nil); code != 1 {
		t.Errorf("a line that is too long: code %d", code)
	}
}

// TestWhy: the line that says why is kept, also if a long list of goroutines follows.
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

// TestBackPressure: while nobody takes the tilings, the work waits; neither process takes
// more memory for more of them.
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
		if _, err := c.Run(t.Context(), task, Sink{Tilings: slowly}); err != nil || next != n {
			t.Errorf("%d lines, %v", next, err)
		}
	})
	if perFrame := taken / int64(n/(batch>>10)); perFrame > 8<<10 { // machine.Resident takes some
		t.Errorf("%d bytes were taken for each frame", perFrame)
	}
	if !testing.Short() && most > 64<<20 {
		t.Errorf("the child has held %d bytes", most)
	}
}

// TestInFlight: at most a pipe and two batches are on the way.
func TestInFlight(t *testing.T) {
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	const pipe, n = 64 << 10, 2_000
	made := make(chan int, n) // its length is how many lines were made and not read
	go func() {
		s := newSender(out)
		for i := range n {
			made <- i
			if _, err := (stream{s, tilings}).Write(numbered(i)); err != nil {
				t.Error(err)
			}
		}
		if err := errors.Join(s.tell(theEnd, nil), out.Close()); err != nil {
			t.Error(err)
		}
	}()
	frames, read := newFrames(in), 0
	for {
		k, payload, err := frames.next()
		if err != nil || k == theEnd {
			break
		}
		if on := len(made) << 10; on > pipe+3*(batch+header)+1<<10 {
			t.Fatalf("%d bytes are on the way", on)
		}
		for range len(payload) >> 10 {
			<-made
			read++
		}
	}
	if read != n {
		t.Errorf("%d lines, want %d", read, n)
	}
	_ = in.Close()
}

// TestIdle: a tiling that no other follows comes all the same.
func TestIdle(t *testing.T) {
	c := started(t, "drips")
	ctx, cancel := context.WithCancel(t.Context())
	var got string
	_, err := c.Run(ctx, dominoes("8x8"), Sink{Tilings: func(b []byte) error { got = string(b); cancel(); return nil }})
	wants(t, err, job.Interruption, "interrupted")
	if got != "a tiling\n" {
		t.Errorf("%q", got)
	}
}

// FuzzFrames: no bytes make the reading of frames fail otherwise than with an error.
func FuzzFrames(f *testing.F) {
	f.Add([]byte("t\x00\x00\x00\x02a\n"))
	f.Add([]byte("e\x00\x00\x00\x00"))
	f.Add([]byte("o\x03\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := newFrames(bytes.NewReader(text))
		for rest := len(text); ; {
			_, payload, err := read.next()
			if err != nil {
				return
			}
			if rest -= header + len(payload); rest < 0 {
				t.Fatalf("a frame of %d bytes, that is %d more than there are", len(payload), -rest)
			}
		}
	})
}

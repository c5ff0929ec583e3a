package child

import (
	"bytes"
	"io"
	"sync"
	"syscall/js"

	"github.com/pavage/pavage/internal/kit/jsbytes"
)

type process struct {
	in     io.WriteCloser
	out    io.Reader
	errs   head
	worker js.Value
	heard  []js.Func
}

func newProcess(_ Options, t *Task) (*process, error) {
	t.Limits.Threads, t.Limits.Disk = 1, ""
	return &process{}, nil
}

// start calls the function startChild of the page. Its arguments are functions that receive the
// standard output, the standard error, and the end of the program.
func (p *process) start() error {
	out := newStream(func(n int) { p.worker.Call("taken", n) })
	p.out = out
	hear := func(do func(js.Value)) js.Func {
		f := js.FuncOf(func(_ js.Value, args []js.Value) any { do(args[0]); return nil })
		p.heard = append(p.heard, f)
		return f
	}
	p.worker = js.Global().Call("startChild",
		hear(func(piece js.Value) { out.push(jsbytes.From(piece)) }),
		hear(func(line js.Value) { _, _ = p.errs.Write([]byte(line.String())) }),
		hear(func(js.Value) { out.close() }))
	p.in = input{p.worker, out}
	return nil
}

func (p *process) remove() {
	for _, f := range p.heard {
		f.Release()
	}
}

func (p *process) pid() int { return 0 }

func (p *process) held() int64 { return 0 }

func (p *process) end() { _ = p.in.Close() }

func (p *process) wait() {}

func (p *process) died() *Died { return &Died{Code: 2, Why: p.errs.why()} }

type input struct {
	worker js.Value
	out    *stream
}

func (i input) Write(b []byte) (int, error) {
	i.worker.Call("post", jsbytes.To(b))
	return len(b), nil
}

func (i input) Close() error {
	i.worker.Call("end")
	i.out.close()
	return nil
}

// stream is a pipe in memory without a limit. The method push must not wait, since JavaScript calls
// push. Instead, the child waits when it has sent enough bytes, see the constant pipe.
type stream struct {
	taken  func(n int) // called when n bytes were read
	mu     sync.Mutex
	more   sync.Cond
	bytes  bytes.Buffer
	closed bool
}

func newStream(taken func(n int)) *stream {
	s := &stream{taken: taken}
	s.more.L = &s.mu
	return s
}

func (s *stream) push(b []byte) {
	s.mu.Lock()
	s.bytes.Write(b)
	s.mu.Unlock()
	s.more.Signal()
}

func (s *stream) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.more.Signal()
}

func (s *stream) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.bytes.Len() == 0 && !s.closed {
		s.more.Wait()
	}
	n, err := s.bytes.Read(p) // io.EOF when the stream is empty and closed
	if n > 0 {
		s.taken(n)
	}
	return n, err
}

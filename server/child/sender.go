package child

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

const (
	// batch is how many bytes of tilings or of output are gathered for one frame. The pipe
	// alone carries 0.8 GB a second with 4 KiB, 1.1 with 32, 0.7 with 256, which is more
	// than the pipe holds (BenchmarkFlood, two busy cores).
	batch = 32 << 10
	// idle is how long they wait for others: a person who looks on sees no delay, and
	// slow work costs at most so many frames a second.
	idle = 20 * time.Millisecond
	// pace is the least time between two frames of progress: they are for people, and
	// the engines tell theirs far more often.
	pace = 50 * time.Millisecond
)

// sender sends frames. Its methods may be called by several goroutines.
type sender struct {
	mu     sync.Mutex
	out    io.Writer
	failed error        // of out; nothing is sent after it
	kind   kind         // of what is gathered
	bytes  bytes.Buffer // room for a header, then what is gathered
	timer  *time.Timer  // sends what is gathered

	doing string // of the last progress; who tells progress does so one at a time
	told  time.Time
}

func newSender(out io.Writer) *sender {
	s := &sender{out: out}
	s.bytes.Write(make([]byte, header))
	s.timer = time.AfterFunc(time.Hour, func() { _ = s.flush() })
	s.timer.Stop()
	return s
}

// stream gathers what is written to it for frames of one kind. A frame goes out when it
// is long enough, or after a while. What is written in one call is in one frame.
type stream struct {
	*sender
	kind kind
}

func (s stream) Write(b []byte) (n int, err error) {
	for s.kind == output && len(b) > batch { // lines stay whole
		if _, err := s.gather(b[:batch]); err != nil {
			return n, err
		}
		n, b = n+batch, b[batch:]
	}
	last, err := s.gather(b)
	return n + last, err
}

func (s stream) gather(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kind != s.sender.kind {
		if err := s.send(); err != nil {
			return 0, err
		}
		s.sender.kind = s.kind
	}
	if s.bytes.Len() == header {
		s.timer.Reset(idle)
	}
	s.bytes.Write(b)
	if s.bytes.Len()-header >= batch {
		return len(b), s.send()
	}
	return len(b), s.failed
}

// flush sends what is gathered.
func (s *sender) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.send()
}

// send is flush for who holds mu.
func (s *sender) send() error {
	if s.failed != nil || s.bytes.Len() == header {
		return s.failed
	}
	s.timer.Stop()
	err := s.write(s.kind, s.bytes.Bytes())
	if s.bytes.Cap() > 4*batch { // a huge tiling
		s.bytes = bytes.Buffer{}
	}
	s.bytes.Reset()
	s.bytes.Write(make([]byte, header))
	return err
}

// write writes a frame whose first bytes are left for the header. After one that is too
// long others can be sent.
func (s *sender) write(k kind, frame []byte) error {
	if err := seal(k, frame); err != nil {
		return err
	}
	_, s.failed = s.out.Write(frame)
	return s.failed
}

// tell sends a value as JSON, behind all that is gathered.
func (s *sender) tell(k kind, v any) error {
	frame := bytes.NewBuffer(make([]byte, header))
	if v != nil {
		lines := json.NewEncoder(frame)
		lines.SetEscapeHTML(false)
		if err := lines.Encode(v); err != nil {
			return err
		}
		frame.Truncate(frame.Len() - 1) // the end of the line
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.send(); err != nil {
		return err
	}
	return s.write(k, frame.Bytes())
}

// progress sends a progress, unless the last one was just now and of the same stage.
func (s *sender) progress(p progress) {
	now := time.Now()
	if p.Doing == s.doing && now.Sub(s.told) < pace {
		return
	}
	s.doing, s.told = p.Doing, now
	_ = s.tell(aProgress, p) // whether anybody listens is seen when the answer is sent
}

package child

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"
)

const (
	// batch is how many bytes of tilings or of output go into one frame. The pipe alone
	// carries 0.8 GB a second with 4 KiB, 1.1 with 32 KiB, and 0.7 with 256 KiB, which is
	// more than the pipe holds (BenchmarkFlood, two busy cores).
	batch = 32 << 10
	// idle is how long bytes wait for more bytes. A person who watches sees no delay, and
	// slow work sends at most 50 frames a second.
	idle = 20 * time.Millisecond
	// pace is the least time between two frames of progress. They are for people; the
	// engines report progress far more often.
	pace = 50 * time.Millisecond
)

// sender sends frames. Its methods may be called by several goroutines.
type sender struct {
	mu     sync.Mutex
	out    io.Writer
	failed error        // of out; nothing is sent after it
	kind   kind         // of the bytes that are gathered
	bytes  bytes.Buffer // the bytes that are gathered
	timer  *time.Timer  // sends the bytes that are gathered

	doing string // of the last progress; who tells progress does so one at a time
	told  time.Time
}

func newSender(out io.Writer) *sender {
	s := &sender{out: out}
	s.timer = time.AfterFunc(time.Hour, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		_ = s.send()
	})
	s.timer.Stop()
	return s
}

// stream gathers what is written to it for frames of one kind. A frame is sent when it
// is long enough, or after a while. The bytes of one call are in one frame.
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
	if s.bytes.Len() == 0 {
		s.timer.Reset(idle)
	}
	s.bytes.Write(b)
	if s.bytes.Len() >= batch {
		return len(b), s.send()
	}
	return len(b), s.failed
}

// send sends the bytes that are gathered. The caller holds mu.
func (s *sender) send() error {
	if s.failed != nil || s.bytes.Len() == 0 {
		return s.failed
	}
	s.timer.Stop()
	err := s.write(s.kind, s.bytes.Bytes())
	if s.bytes.Cap() > 4*batch { // a huge tiling
		s.bytes = bytes.Buffer{}
	}
	s.bytes.Reset()
	return err
}

// write writes a frame. A payload that is too long is an error, and other frames can be sent after
// it.
func (s *sender) write(k kind, payload []byte) error {
	if len(payload) > maxFrame {
		return fmt.Errorf("%d bytes in one frame, a child can send at most %d", len(payload), maxFrame)
	}
	head := binary.BigEndian.AppendUint32([]byte{byte(k)}, uint32(len(payload)))
	if _, s.failed = s.out.Write(head); s.failed == nil {
		_, s.failed = s.out.Write(payload)
	}
	return s.failed
}

// tell sends a value as JSON, after all bytes that are gathered.
func (s *sender) tell(k kind, v any) error {
	var text bytes.Buffer
	if v != nil {
		lines := json.NewEncoder(&text)
		lines.SetEscapeHTML(false)
		if err := lines.Encode(v); err != nil {
			return err
		}
		text.Truncate(text.Len() - 1) // the end of the line
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.send(); err != nil {
		return err
	}
	return s.write(k, text.Bytes())
}

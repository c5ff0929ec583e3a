package child

import (
	"bufio"
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/pavage/pavage/job"
)

type message struct {
	Kind kind
	Body []byte // JSON, except if Kind is output or aSource
}

type kind byte

const (
	output    kind = iota + 1 // Body has tilings or bytes of a file
	aSource                   // Body has bytes of a job.Source, or is empty at the end of the source
	aProgress                 // Body is a job.Progress
	aPlan                     // Body is a job.Plan
	aNote                     // Body is a job.Note
	anAnswer                  // Body is the answer of work without an error
	theEnd                    // Body is the *job.Error of the task, or null
)

const (
	batch   = 32 << 10              // bytes of output in a message; BenchmarkFlood was slower with 4 KiB and with 256 KiB
	maxText = 64 << 20              // greatest number of bytes of a task or an answer
	pace    = 50 * time.Millisecond // least time between progress messages with equal Progress.Doing
)

// The methods of sender may be called by several goroutines at once.
type sender struct {
	mu     sync.Mutex
	to     *gob.Encoder
	output *bufio.Writer // makes messages of the kind output

	doing string // Progress.Doing of the last message; used by one goroutine at a time
	told  time.Time
}

func newSender(out io.Writer) *sender {
	s := &sender{to: gob.NewEncoder(out)}
	s.output = bufio.NewWriterSize(messages{s.to, output}, batch)
	return s
}

type messages struct {
	to *gob.Encoder
	of kind
}

func (m messages) Write(b []byte) (int, error) { return len(b), m.to.Encode(message{m.of, b}) }

func (s *sender) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.output.Write(b)
}

// save sends a source, and then an empty message. After an error, it sends no empty message.
func (s *sender) save(from *job.Source) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	to := bufio.NewWriterSize(messages{s.to, aSource}, batch)
	if err := from.Save(to); err != nil {
		return err
	}
	if err := to.Flush(); err != nil {
		return err
	}
	return s.to.Encode(message{Kind: aSource})
}

func (s *sender) tell(k kind, v any) error {
	var text bytes.Buffer
	lines := json.NewEncoder(&text)
	lines.SetEscapeHTML(false)
	if err := lines.Encode(v); err != nil {
		return err
	}
	text.Truncate(text.Len() - 1) // remove the newline
	if text.Len() > maxText {
		return fmt.Errorf("a message of a child process has %d bytes, expected at most %d", text.Len(), maxText)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.output.Flush(); err != nil {
		return err
	}
	return s.to.Encode(message{k, text.Bytes()})
}

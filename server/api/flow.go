package api

import (
	"bufio"
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	flowBytes = 32 << 10               // of an answer are sent at once
	flowTime  = 100 * time.Millisecond // after which less than that is sent
)

// flow sends an answer while it is made. It sends bytes when there are enough of them,
// or after a short time. The client must receive each piece within a time limit, or it
// is disconnected. A slow client slows the writer.
//
//	Write ─► 32 KiB ─┬─ full, or after 100 ms ─► connection, within the time for a stall
type flow struct {
	w       http.ResponseWriter
	control *http.ResponseController
	stall   time.Duration

	mu     sync.Mutex
	buffer *bufio.Writer // nil: nothing was written
	armed  bool          // whether soon will be called
	closed bool
	err    error
}

func (s *service) flowTo(w http.ResponseWriter) *flow {
	return &flow{w: w, control: http.NewResponseController(w), stall: s.o.Stall}
}

// sender writes to the connection, within the time for a stall.
type sender struct{ f *flow }

func (s sender) Write(p []byte) (int, error) {
	_ = s.f.control.SetWriteDeadline(time.Now().Add(s.f.stall)) // some writers of tests have none
	return s.f.w.Write(p)
}

func (f *flow) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err != nil {
		return 0, f.err
	}
	if f.buffer == nil {
		f.buffer = bufio.NewWriterSize(sender{f}, flowBytes)
	}
	n, err := f.buffer.Write(p)
	if f.err = err; err == nil && !f.armed {
		f.armed = true
		time.AfterFunc(flowTime, f.soon)
	}
	return n, err
}

// soon sends what has been written.
func (f *flow) soon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = false
	if !f.closed {
		f.flush()
	}
}

func (f *flow) flush() {
	if f.err == nil && f.buffer != nil {
		f.err = f.buffer.Flush()
	}
	if f.err == nil {
		_ = f.control.SetWriteDeadline(time.Now().Add(f.stall))
		f.err = f.control.Flush()
	}
}

// Flush sends what has been written.
func (f *flow) Flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.flush()
	return f.err
}

// Close sends the rest. Nothing can be sent after it.
func (f *flow) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.closed {
		f.flush()
		f.closed = true
	}
	return f.err
}

// drop ends the flow without sending the rest: the handler is about to end.
func (f *flow) drop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
}

// cut cuts an answer off, so that the client sees that it is not complete.
func (s *service) cut(ctx context.Context, err error) {
	if ctx.Err() == nil {
		s.log(ctx).Warn().Err(err).Msg("an answer was cut short")
	}
	panic(http.ErrAbortHandler)
}

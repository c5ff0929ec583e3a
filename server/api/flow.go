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

// flow sends an answer while it is made: bytes go out when there are enough of them, or
// after a short time. A slow client slows the writer.
type flow struct {
	w http.ResponseWriter

	mu     sync.Mutex
	buffer *bufio.Writer
	begun  bool // whether something was written
	armed  bool // whether soon will be called
	closed bool
}

func flowTo(w http.ResponseWriter) *flow {
	return &flow{w: w, buffer: bufio.NewWriterSize(w, flowBytes)}
}

func (f *flow) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.begun = true
	n, err := f.buffer.Write(p)
	if err == nil && !f.armed {
		f.armed = true
		time.AfterFunc(flowTime, f.soon)
	}
	return n, err
}

// soon sends what has been written. After an error the next Write fails.
func (f *flow) soon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.armed = false
	if !f.closed && f.buffer.Flush() == nil {
		_ = http.NewResponseController(f.w).Flush()
	}
}

// Close sends the rest. Nothing can be sent after it.
func (f *flow) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return f.buffer.Flush()
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

package api

import (
	"bufio"
	"context"
	"net/http"
	"time"

	"github.com/rs/zerolog"
)

const (
	flowBytes = 32 << 10               // size of the buffer, which is sent when it is full
	flowTime  = 100 * time.Millisecond // after this time, a write sends the buffer even if it is not full
)

type flow struct {
	w      http.ResponseWriter
	buffer *bufio.Writer
	begun  bool      // whether something was written
	sent   time.Time // time at which the buffer was last sent
}

func flowTo(w http.ResponseWriter) *flow {
	return &flow{w: w, buffer: bufio.NewWriterSize(w, flowBytes), sent: time.Now()}
}

func (f *flow) Write(p []byte) (int, error) {
	f.begun = true
	n, err := f.buffer.Write(p)
	if now := time.Now(); err == nil && now.Sub(f.sent) >= flowTime {
		f.sent = now
		if err = f.buffer.Flush(); err == nil {
			err = http.NewResponseController(f.w).Flush()
		}
	}
	return n, err
}

func cut(ctx context.Context, err error) {
	if ctx.Err() == nil {
		zerolog.Ctx(ctx).Warn().Err(err).Msg("the connection ended before the whole answer was sent")
	}
	panic(http.ErrAbortHandler)
}

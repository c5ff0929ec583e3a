package interrupt

import (
	"context"
	"io"
)

type writer struct {
	ctx context.Context
	w   io.Writer
}

// Writer returns a writer to w. After the end of ctx, each write fails with the error of ctx.
func Writer(ctx context.Context, w io.Writer) io.Writer { return &writer{ctx, w} }

func (w *writer) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

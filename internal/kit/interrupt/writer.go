package interrupt

import (
	"context"
	"io"
)

type writer struct {
	ctx context.Context
	w   io.Writer
}

// Writer writes to w until the context ends; then each write fails with the context's error.
func Writer(ctx context.Context, w io.Writer) io.Writer { return &writer{ctx, w} }

func (w *writer) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

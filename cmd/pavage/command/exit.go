package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/job"
)

const (
	codeDone        = 0
	codeFailed      = 1
	codeUsage       = 2
	codeLimit       = 3
	codeDisagrees   = 4
	codeInterrupted = 130
)

var codes = map[job.ErrorKind]int{
	job.Failure: codeFailed, job.BadInput: codeUsage, job.Limit: codeLimit,
	job.Disagreement: codeDisagrees, job.Interruption: codeInterrupted,
}

type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func fail(code int, err error) error { return &failure{code, err} }

func usage(format string, args ...any) error {
	return fail(codeUsage, fmt.Errorf(format, args...))
}

func (c *Call) coded(err error) error {
	var f *failure
	switch {
	case err == nil || errors.As(err, &f):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		return fail(codeLimit, fmt.Errorf("the time limit of %v was reached", c.Config.Timeout))
	case errors.Is(err, context.Canceled):
		return fail(codeInterrupted, errors.New("interrupted"))
	}
	code := codes[job.KindOf(err)]
	var e *job.Error
	if !errors.As(err, &e) {
		return fail(code, err)
	}
	return fail(code, fmt.Errorf("%s%s", e.Spell(flagName), c.goOn(e)))
}

// flagName returns the flag for a JSON name. The flag of a list is singular: pieces is --piece.
func flagName(field string) string {
	own := map[string]string{"command": "solver", "pieces": "piece", "moduli": "modulo", "values": "set", "weights": "weight"}
	return "--" + strings.ReplaceAll(cmp.Or(own[field], field), "_", "-")
}

func (c *Call) goOn(e *job.Error) string {
	switch {
	case errors.Is(e, job.ErrTooWide):
		other := ""
		if c.has("engine") {
			other = ", or, if there are few tilings, --engine search"
		} else if c.has("method") {
			other = ", or, if all pieces cover two cells, --method dimer"
		}
		return ": use a narrower board, or fewer pieces with bounds on their copies (copies: any has no bounds)" + other
	case errors.Is(e, job.ErrForeign):
		return "; use an empty directory, or the same puzzle again"
	}
	text, more := "", ""
	if errors.Is(e, limit.ErrMemory) {
		if c.Config.Memory != 0 { // the error has only the bytes that remain
			text = "; --memory is " + human.Size(c.Limits.Memory)
		}
		more = "with more memory, "
	}
	switch {
	case e.Steps > 0:
		text += fmt.Sprintf("; %sthe same command goes on from level %d of %d", more, e.Level, e.Steps)
	case e.Cursor != "":
		text += "; to go on: --after " + e.Cursor
	}
	return text
}

package job

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/pavage/pavage/bdd/interchange"
	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job/sequence"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

// ErrorKind is a kind of error, by which the sender of a request can decide what to do next.
type ErrorKind int

// The kinds of errors.
const (
	Failure      ErrorKind = iota // an error of no other kind; for example, a file cannot be written
	BadInput                      // a bad request or a bad puzzle
	Limit                         // a limit of memory, of time or of an engine
	Disagreement                  // two computations of one number differ, so there is a bug
	Interruption                  // the caller ended the work
)

// Errors for callers. If Limits.Memory is too small, an error wraps [cover.ErrMemory].
var (
	// ErrNoTiling is wrapped if a tiling is to be drawn, but the puzzle has no tiling.
	ErrNoTiling = errors.New("the puzzle has no tiling, so no tiling can be drawn")
	// ErrNoClues is wrapped if [Clues] finds no puzzle, or no further puzzle.
	ErrNoClues = errors.New("no puzzle")
	// ErrNoRank is wrapped if a rank is given, but the method draws tilings without ranks.
	ErrNoRank = errors.New("tilings that are drawn by shuffling, trees, coupling or determinants have no rank")
	// ErrTooWide is wrapped if no order of the items has states narrow enough for a sweep.
	ErrTooWide = count.ErrTooWide
	// ErrForeign is wrapped if a checkpoint belongs to another puzzle.
	ErrForeign = count.ErrForeign
	// ErrInUse is wrapped if another process uses the directory for checkpoints.
	ErrInUse = count.ErrInUse
)

// Error is an error of this package, with its kind and the place from which work can continue.
type Error struct {
	Kind ErrorKind
	// Cursor is the cursor of the last tiling or row, for List.After or Query.After; "" if none.
	Cursor string
	// Level is the level of the checkpoint, of Steps levels in all. Without one, both are 0.
	Level, Steps int

	err error // a *misuse, or the wrapped error
}

func (e *Error) Error() string { return e.err.Error() }

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.err }

// Spell returns the text of the error, with name(field) in place of each {field}.
func (e *Error) Spell(name func(field string) string) string {
	var m *misuse
	if errors.As(e.err, &m) {
		return m.spell(name)
	}
	return e.Error()
}

// Field returns the JSON name of the wrong field, such as distinct or moduli[2], and a text that
// says what is wrong with it. The name is "" if the error is not about a single field.
func (e *Error) Field() (name, wrong string) {
	var m *misuse
	var s *strict.Error
	var t *told
	text := e.Error()
	switch {
	case errors.As(e.err, &s):
		return s.Path, s.Text
	case errors.As(e.err, &t):
		name = t.field
	case errors.As(e.err, &m):
		text = m.Error()
		found := fieldName().FindString(m.format)
		if after := strings.TrimPrefix(m.format, found); found != "" && (strings.HasPrefix(after, " is ") || strings.HasPrefix(after, ": ")) {
			name = strings.Trim(found, "{}")
		}
	}
	if name == "" {
		return "", text
	}
	wrong = strings.TrimPrefix(text, name)
	if after, ok := strings.CutPrefix(wrong, ": "); ok {
		return name, after
	}
	return name, "the value" + wrong
}

// misuse is an error about a mistake in a request. In its format, names of fields are in braces.
type misuse struct {
	format string
	args   []any
}

var fieldName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{[a-z_]+\}`)
})

func (m *misuse) spell(name func(field string) string) string {
	format := fieldName().ReplaceAllStringFunc(m.format, func(s string) string { return name(s[1 : len(s)-1]) })
	return fmt.Errorf(format, m.args...).Error()
}

func (m *misuse) Error() string { return m.spell(func(field string) string { return field }) }

func bad(format string, args ...any) error {
	return &Error{Kind: BadInput, err: &misuse{format, args}}
}

// KindOf returns the kind of an error of [Run] or of the engines.
func KindOf(err error) ErrorKind {
	var e *Error
	var s *sequence.Error
	switch {
	case errors.As(err, &e):
		return e.Kind
	case errors.As(err, &s) && s.Few:
		return Limit
	case errors.As(err, &s):
		return BadInput
	case errors.Is(err, tiling.ErrPuzzle), errors.Is(err, render.ErrInvalid), errors.Is(err, cover.ErrInvalid), errors.Is(err, count.ErrModulus), errors.Is(err, count.ErrForeign), errors.Is(err, count.ErrNotDimers),
		errors.Is(err, compiled.ErrFile), errors.Is(err, interchange.ErrText):
		return BadInput
	case errors.Is(err, count.ErrDisagrees), errors.Is(err, verify.ErrWrong), errors.Is(err, verify.ErrCertificate):
		return Disagreement
	case errors.Is(err, cover.ErrMemory), errors.Is(err, verify.ErrUndecided), errors.Is(err, verify.ErrTooLarge),
		errors.Is(err, interchange.ErrVars), errors.Is(err, count.ErrTooWide), errors.Is(err, syscall.ENOSPC), errors.Is(err, context.DeadlineExceeded):
		return Limit
	case errors.Is(err, context.Canceled):
		return Interruption
	}
	return Failure
}

// explained returns err as an *Error. If the work ended because ctx ended, and the cause of ctx is
// an *Error, it returns the cause.
func explained(ctx context.Context, err error) error {
	var e *Error
	switch {
	case err == nil || errors.As(err, &e):
		return err
	case errors.Is(err, context.DeadlineExceeded):
		if errors.As(context.Cause(ctx), &e) {
			return e
		}
		return &Error{Kind: Limit, err: errors.New("the time limit was reached")}
	case errors.Is(err, context.Canceled) && errors.As(context.Cause(ctx), &e):
		return e
	case errors.Is(err, context.Canceled):
		return &Error{Kind: Interruption, err: errors.New("interrupted")}
	}
	return &Error{Kind: KindOf(err), err: err}
}

func canGoOn(err error) (*Error, bool) {
	var e *Error
	if errors.As(err, &e) && (e.Kind == Limit || e.Kind == Interruption) {
		also := *e // other work may hold the same *Error
		return &also, true
	}
	return nil, false
}

var kindNames = []string{Failure: "failure", BadInput: "bad_input", Limit: "limit", Disagreement: "disagreement", Interruption: "interruption"}

// String returns the name of the kind in JSON.
func (k ErrorKind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind %d", int(k))
	}
	return kindNames[k]
}

// MarshalText implements [encoding.TextMarshaler].
func (k ErrorKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (k *ErrorKind) UnmarshalText(text []byte) error {
	i := slices.Index(kindNames, string(text))
	if i < 0 {
		return fmt.Errorf("%.40q is not a kind of error, expected %s", text, wording.List(kindNames))
	}
	*k = ErrorKind(i)
	return nil
}

// NewError returns an error of the given kind that wraps err and has the text of err.
func NewError(kind ErrorKind, err error) *Error { return &Error{Kind: kind, err: err} }

// ErrorOf returns err as an *Error with the text of err, or nil if err is nil.
func ErrorOf(err error) *Error {
	var e *Error
	switch {
	case err == nil:
		return nil
	case !errors.As(err, &e):
		return NewError(KindOf(err), err)
	case e.Error() == err.Error():
		return e
	}
	also := *e
	also.err = err
	return &also
}

// causes lists the wrapped errors that the JSON of an Error keeps, and their names in the JSON.
var causes = []struct {
	name string
	err  error
}{
	{"memory", cover.ErrMemory},
	{"too_wide", ErrTooWide},
	{"foreign", ErrForeign},
	{"in_use", ErrInUse},
	{"no_rank", ErrNoRank},
	{"no_tiling", ErrNoTiling},
	{"no_clues", ErrNoClues},
}

type told struct {
	text  string
	field string // name of the wrong field; "" if the error is not about one field
	is    []error
}

func (t *told) Error() string   { return t.text }
func (t *told) Unwrap() []error { return t.is }

type portable struct {
	Kind   ErrorKind `json:"kind"`
	Text   string    `json:"text"`
	Field  string    `json:"field,omitempty"`
	Causes []string  `json:"causes,omitempty"`
	Cursor string    `json:"cursor,omitempty"`
	Level  int       `json:"level,omitempty"`
	Steps  int       `json:"steps,omitempty"`
}

// MarshalJSON implements [json.Marshaler]. It keeps only the wrapped errors in the list causes.
func (e *Error) MarshalJSON() ([]byte, error) {
	field, _ := e.Field()
	p := portable{Kind: e.Kind, Text: e.Error(), Field: field, Cursor: e.Cursor, Level: e.Level, Steps: e.Steps}
	for _, c := range causes {
		if errors.Is(e, c.err) {
			p.Causes = append(p.Causes, c.name)
		}
	}
	return json.Marshal(p)
}

// UnmarshalJSON implements [json.Unmarshaler].
func (e *Error) UnmarshalJSON(text []byte) error {
	var p portable
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	t := &told{text: p.Text, field: p.Field}
	for _, c := range causes {
		if slices.Contains(p.Causes, c.name) {
			t.is = append(t.is, c.err)
		}
	}
	*e = Error{Kind: p.Kind, Cursor: p.Cursor, Level: p.Level, Steps: p.Steps, err: t}
	return nil
}

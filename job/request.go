package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// Kind names a kind of work.
type Kind string

// Request is a piece of work that is wanted: one of the structs below.
type Request interface {
	Kind() Kind
	// Check says what is wrong with the request, but for its puzzle.
	Check() error
	do(ctx context.Context, w *work) (Answer, error)
}

// Answer is what comes of a request: a pointer to the struct that belongs to its
// kind, to be written as JSON.
type Answer any

// The kinds of work.
const (
	ShowKind       Kind = "show"
	CountKind      Kind = "count"
	ResiduesKind   Kind = "residues"
	CertifyKind    Kind = "certify"
	EstimateKind   Kind = "estimate"
	SampleKind     Kind = "sample"
	ListKind       Kind = "list"
	VerifyKind     Kind = "verify"
	SolveKind      Kind = "solve"
	CheckKind      Kind = "check"
	ConvertKind    Kind = "convert"
	SequenceKind   Kind = "sequence"
	RecurrenceKind Kind = "recurrence"
	ExamplesKind   Kind = "examples"
)

// kinds makes an empty request of each kind, and the answer that goes with it.
var kinds = []struct {
	kind    Kind
	request func() Request
	answer  func() Answer
}{
	{ShowKind, func() Request { return new(Show) }, func() Answer { return new(Shown) }},
	{CountKind, func() Request { return new(Count) }, func() Answer { return new(Counted) }},
	{ResiduesKind, func() Request { return new(Residues) }, func() Answer { return new(ResiduesCounted) }},
	{CertifyKind, func() Request { return new(Certify) }, func() Answer { return new(Counted) }},
	{EstimateKind, func() Request { return new(Estimate) }, func() Answer { return new(Estimation) }},
	{SampleKind, func() Request { return new(Sample) }, func() Answer { return new(Sampled) }},
	{ListKind, func() Request { return new(List) }, func() Answer { return new(Listed) }},
	{VerifyKind, func() Request { return new(Verify) }, func() Answer { return new(Verified) }},
	{SolveKind, func() Request { return new(Solve) }, func() Answer { return new(Verified) }},
	{CheckKind, func() Request { return new(Check) }, func() Answer { return new(Verified) }},
	{ConvertKind, func() Request { return new(Convert) }, func() Answer { return new(Converted) }},
	{SequenceKind, func() Request { return new(Sequence) }, func() Answer { return new(Sequenced) }},
	{RecurrenceKind, func() Request { return new(Recurrence) }, func() Answer { return new(Recurred) }},
	{ExamplesKind, func() Request { return new(Examples) }, func() Answer { return new(Bundled) }},
}

// Kinds are all kinds of work.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// Decode reads a request of a kind from JSON, and checks it. A field that the kind
// does not have is an error, as is anything behind the object.
func Decode(kind Kind, data []byte) (Request, error) {
	for _, k := range kinds {
		if k.kind != kind {
			continue
		}
		r := k.request()
		d := json.NewDecoder(bytes.NewReader(data))
		d.DisallowUnknownFields()
		if err := d.Decode(r); err != nil {
			return nil, bad("the request is not one of the kind %s: %v", kind, err)
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, bad("the request has more text after its object, want one object")
		}
		return r, r.Check()
	}
	return nil, bad("kind is %.40q, want one of %q", string(kind), Kinds())
}

// Run does the work of a request. It looks at ctx often, and returns within a
// second of its end. With some errors there is an answer too, as far as the work
// has come: the request says which.
func Run(ctx context.Context, r Request, l Limits, w Watch) (Answer, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if l.Time > 0 {
		limited, cancel := WithTimeLimit(ctx, l.Time)
		defer cancel()
		ctx = limited
	}
	k := &work{limits: l, watch: w, begun: time.Now()}
	a, err := r.do(ctx, k)
	if err == nil && w.Answer != nil {
		err = w.Answer(a)
	}
	if k.atEnd != nil {
		err = errors.Join(err, k.atEnd(err == nil))
	}
	return a, explained(ctx, err)
}

// run is Run for a request whose answer is an A.
func run[A any](ctx context.Context, r Request, l Limits, w Watch) (*A, error) {
	a, err := Run(ctx, r, l, w)
	answer, _ := a.(*A)
	return answer, err
}

// work is a request under way.
type work struct {
	limits Limits
	watch  Watch
	begun  time.Time
	atEnd  func(answered bool) error // nil: nothing is left to be done
}

func (w *work) seconds() float64 { return time.Since(w.begun).Seconds() }

// WithTimeLimit is context.WithTimeout with a cause that names the limit. [Run]
// sets Limits.Time with it; whoever has more to do in that time than to run one
// request sets it for all of that.
func WithTimeLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, &Error{Kind: Limit, err: fmt.Errorf("the time limit of %v was reached", d)})
}

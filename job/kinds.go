package job

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pavage/pavage/internal/kit/strict"
	"github.com/pavage/pavage/internal/kit/wording"
)

type row struct {
	kind    Kind
	key     form // form of the puzzle in the key of a request
	request func() Request
	answer  func() Answer
	do      func(context.Context, Request, *work) (Answer, error)
}

var kinds = []row{
	rowOf[Show, Shown](literal),
	rowOf[Count, Counted](canonical),
	rowOf[Each, Table](textual),
	rowOf[Residues, ResiduesCounted](canonical),
	rowOf[Certify, Counted](titled),
	rowOf[Estimate, Estimation](literal),
	rowOf[Sample, Sampled](painted),
	rowOf[List, Listed](painted),
	rowOf[Query, Queried](painted),
	rowOf[Clues, Clued](painted),
	rowOf[Verify, Verified](literal),
	rowOf[Solve, Verified](unshared),
	rowOf[Check, Verified](unshared),
	rowOf[Convert, Converted](painted),
	rowOf[Compile, Compiled](unshared),
	rowOf[Sequence, Sequenced](boxed),
	rowOf[Recurrence, Recurred](boxed),
	rowOf[Examples, Bundled](unshared),
}

func rowOf[R, A any, P interface {
	*R
	RequestFor[A]
}](key form) row {
	return row{
		P(new(R)).Kind(), key,
		func() Request { return P(new(R)) },
		func() Answer { return new(A) },
		func(ctx context.Context, r Request, w *work) (Answer, error) {
			a, err := r.(P).do(ctx, w)
			if a == nil {
				return nil, err
			}
			return a, err
		},
	}
}

func rowFor(kind Kind) (row, error) {
	for _, k := range kinds {
		if k.kind == kind {
			return k, nil
		}
	}
	return row{}, bad("kind is %.40q, expected %s", string(kind), wording.List(Kinds()))
}

// Kinds returns all kinds of work.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, k := range kinds {
		all[i] = k.kind
	}
	return all
}

// SharedKinds returns the kinds whose answers a service can store. The other kinds use files or
// programs of the machine, or need almost no time.
func SharedKinds() (names []string) {
	for _, k := range kinds {
		if k.key != unshared {
			names = append(names, string(k.kind))
		}
	}
	return names
}

// New returns an empty request of a kind, or an error if there is no such kind.
func New(kind Kind) (Request, error) {
	k, err := rowFor(kind)
	if err != nil {
		return nil, err
	}
	return k.request(), nil
}

// Decode reads a request of a kind from JSON and calls [Validate]. Unknown fields, and bytes after
// the object, are errors. [Error.Field] returns the field that an error is about.
func Decode(kind Kind, data []byte) (Request, error) {
	r, err := New(kind)
	if err != nil {
		return nil, err
	}
	if err := strict.Decode(data, r); err != nil {
		return nil, &Error{Kind: BadInput, err: err}
	}
	return r, Validate(r)
}

// DecodeAnswer reads an answer of a kind from JSON.
func DecodeAnswer(kind Kind, data []byte) (Answer, error) {
	k, err := rowFor(kind)
	if err != nil {
		return nil, err
	}
	a := k.answer()
	return a, json.Unmarshal(data, a)
}

// Run does the work of a request. It checks ctx often, and returns within a second after ctx ends.
// With some errors it also returns an answer: see the comments of the types of requests.
func Run(ctx context.Context, r Request, l Limits, w Watch) (Answer, error) {
	row, err := rowFor(r.Kind())
	if err != nil {
		return nil, err
	}
	ctx, k, stop, err := limited(ctx, r, l, w)
	if err != nil {
		return nil, err
	}
	defer stop()
	a, err := row.do(ctx, r, k)
	if err == nil && w.Answer != nil {
		err = w.Answer(a)
	}
	if k.atEnd != nil {
		err = errors.Join(err, k.atEnd(err == nil))
	}
	return a, explained(ctx, err)
}

// Do is like Run, but returns the answer as an *A, or nil.
func Do[A any](ctx context.Context, r RequestFor[A], l Limits, w Watch) (*A, error) {
	a, err := Run(ctx, r, l, w)
	answer, _ := a.(*A)
	return answer, err
}

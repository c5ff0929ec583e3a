package job

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// A saved source is a compiled file without a puzzle: whoever loads it has the request. Its
// notes are facts, as JSON.
const savedFamily = "what a request draws from, whose puzzle is not in this file"

// facts say what a saved source is of.
type facts struct {
	Asked string  `json:"asked"` // the request's method
	About Sampled `json:"about"`
}

var (
	// ErrNotSaved is wrapped where a source has no form that can be saved: one that walks
	// through levels, or draws classes or by weight.
	ErrNotSaved = errors.New("only a diagram of all tilings can be saved")
	// errSaved is wrapped by the errors of LoadSource about the bytes that it reads. Where
	// they are those of another request, errOtherRequest is wrapped too.
	errSaved        = errors.New("this saved source of tilings cannot be used")
	errOtherRequest = errors.New("it is of another request")
)

// asked is the method that the request asks for.
func (r *Sample) asked() string { return cmp.Or(r.Method, AutoMethod) }

// Save writes the source, so that LoadSource makes it again without the work. The
// error wraps ErrNotSaved, or is w's.
func (s *Source) Save(w io.Writer) error {
	from, err := s.from()
	if err != nil {
		return err
	}
	c, diagram := from.Set.(*count.Compiled)
	if !diagram || from.Classes != nil || s.partly {
		return &Error{Kind: Failure, err: ErrNotSaved}
	}
	notes, err := json.Marshal(facts{Asked: s.asked, About: s.about})
	if err != nil {
		return err
	}
	p := s.model.Problem
	return compiled.Write(context.Background(), w, &compiled.About{
		Title: s.about.Title, Derived: savedFamily, Options: len(p.Options),
		Digest: compiled.Digest(p), Notes: notes,
	}, c)
}

// LoadSource reads what Save wrote of a source of the same request: the same puzzle, with
// its placements in the same order, and the same method. All is checked: that the
// diagram is one, that its count is the saved one, that the puzzle is the request's. The
// error wraps errSaved if the bytes are not good for that, or is one of Prepare's.
func LoadSource(ctx context.Context, r *Sample, from io.Reader, l Limits) (*Source, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if r.Distinct != "" || len(r.Weights) > 0 || r.Method == string(sample.ByWalk) || r.coupled() {
		return nil, &Error{Kind: Failure, err: ErrNotSaved}
	}
	w := &work{limits: l}
	m, err := w.conditioned(ctx, &r.Puzzle, &r.Conditions)
	if err != nil {
		return nil, explained(ctx, err)
	}
	s, err := r.load(ctx, m, from, w.limits.Memory)
	switch {
	case errors.Is(err, compiled.ErrOtherProblem):
		err = unusable("%w: %w", errOtherRequest, err)
	case errors.Is(err, compiled.ErrFile):
		err = unusable("%w", err)
	}
	if errors.Is(err, errSaved) {
		err = &Error{Kind: Failure, err: err}
	}
	if err != nil {
		return nil, explained(ctx, err)
	}
	return s, nil
}

func (r *Sample) load(ctx context.Context, m *tiling.Model, from io.Reader, memory int64) (*Source, error) {
	file, err := compiled.Read(ctx, from, memory)
	if err != nil {
		return nil, err
	}
	var f facts
	if err := json.Unmarshal(file.Notes, &f); err != nil {
		return nil, unusable("its facts are not JSON: %v", err)
	}
	if f.Asked != r.asked() {
		return nil, unusable("%w: it was made by the method %.40q, want %q", errOtherRequest, f.Asked, r.asked())
	}
	if err := file.Of(m.Problem); err != nil {
		return nil, err
	}
	c, err := file.Load(ctx, m.Problem, limit.Left(memory, file.Length()))
	if err != nil {
		return nil, err
	}
	if got := c.Result.Count.String(); got != f.About.Count {
		return nil, unusable("its diagram has %s tilings, want %s", shortened(got), shortened(f.About.Count))
	}
	f.About.Title, f.About.Drawn = m.Puzzle.Title, 0
	if !r.Explain {
		f.About.Plan = nil
	}
	s := sample.Of(c, f.About.Reason)
	return newSource(m, nil, s, f.About, r.asked()), probe(ctx, m, s)
}

// unusable is an error about the bytes of a saved source.
func unusable(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errSaved, fmt.Errorf(format, args...))
}

// probes are how many tilings of a source that was read are looked at.
const probes = 16

// probe refuses a source whose tilings are not those of its puzzle, as far as a few show:
// the first, the last, and some between.
func probe(ctx context.Context, m *tiling.Model, s *sample.Source) error {
	last := new(big.Int).Sub(s.Set.Ranks(), big.NewInt(1))
	if last.Sign() < 0 {
		return nil
	}
	for k := range int64(probes) {
		rank := new(big.Int).Mul(last, big.NewInt(k))
		rank.Div(rank, big.NewInt(probes-1))
		options, err := count.At(ctx, s.Set, rank)
		if err != nil {
			return err
		}
		if !m.Problem.IsSolution(options) {
			return unusable("tiling %s of it is not one of the puzzle", shortened(rank.String()))
		}
	}
	return nil
}

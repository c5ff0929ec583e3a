package job

import (
	"context"
	"math/big"
	"strings"

	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// model is that of a puzzle for work that takes no conditions.
func (w *work) model(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	return w.conditioned(ctx, p, &Conditions{})
}

// own is the model of the puzzle alone: that of a compiled file without its conditions.
func (w *work) own(ctx context.Context, p *Puzzle) (*tiling.Model, error) {
	m, err := w.read(ctx, p.inside())
	if err != nil {
		return nil, err
	}
	if f, _ := p.stored(); f != nil { // check has reported an error
		err = f.Of(m.Problem)
	}
	return m, err
}

// onDisk is conditioned with the symmetry of a request, for work that may keep levels on disk.
func (w *work) onDisk(ctx context.Context, p *Puzzle, c *Conditions, d Distinct) (*tiling.Model, *symmetry, error) {
	if err := w.limits.checkDisk(); err != nil {
		return nil, nil, err
	}
	m, err := w.conditioned(ctx, p, c)
	if err != nil {
		return nil, nil, err
	}
	s, err := d.symmetry(ctx, m)
	return m, s, err
}

// conditioned is the model of a puzzle's tilings that keep the conditions, and those of the
// file if the puzzle is a compiled one. The group of the model preserves the conditions too.
func (w *work) conditioned(ctx context.Context, p *Puzzle, c *Conditions) (*tiling.Model, error) {
	if err := p.derived(); err != nil {
		return nil, err
	}
	kept, err := p.kept()
	if err != nil {
		return nil, err
	}
	m, err := w.own(ctx, p)
	if err != nil || kept.IsEmpty() && c.IsEmpty() {
		return m, err
	}
	all, err := kept.read(m)
	if err != nil {
		return nil, err
	}
	bounds, err := c.read(m)
	if err != nil {
		return nil, err
	}
	w.note(Remark, "with conditions: "+strings.Join(append(kept.words(), c.words()...), ", "))
	return m.WithBounds(ctx, append(all, bounds...))
}

// compiledFamily is the family of a compiled file on this machine that a request is about, or the
// part that keeps the conditions of the request.
type compiledFamily struct {
	file  *compiled.File
	model *tiling.Model // of the puzzle alone, its options are the file's
	// conditions are those of the request, beside those that the family keeps anyway.
	conditions *Conditions
}

// compiledFamily is nil if the puzzle is no compiled file.
func (w *work) compiledFamily(ctx context.Context, p *Puzzle, c *Conditions) (*compiledFamily, error) {
	if p.opened == nil {
		return nil, nil
	}
	m, err := w.own(ctx, p)
	if err != nil {
		return nil, err
	}
	if f := p.opened; f.Derived != "" {
		w.note(Remark, "a derived family: "+f.Derived)
	} else if len(f.Conditions) > 0 {
		w.note(Remark, "with conditions of the file: "+strings.Join(f.Conditions, ", "))
	}
	if !c.IsEmpty() {
		w.note(Remark, "with conditions: "+c.spelt())
	}
	return &compiledFamily{p.opened, m, c}, nil
}

// load is the diagram of what the request is about, in memory.
func (s *compiledFamily) load(ctx context.Context, w *work) (*count.Compiled, error) {
	c, err := s.file.Load(ctx, s.model.Problem, w.limits.Memory)
	if err != nil {
		return nil, err
	}
	w.note(Detail, "read a compiled file", "nodes", c.Result.Nodes, "bytes", c.Result.Bytes)
	if s.conditions.IsEmpty() {
		return c, nil
	}
	bounds, err := s.conditions.read(s.model)
	if err != nil {
		return nil, err
	}
	return c.Select(ctx, bounds, w.limits.Memory)
}

// ranked is the family's tilings, for ranks and draws, and why so: the diagram of the file, unless there
// are conditions.
func (s *compiledFamily) ranked(ctx context.Context, w *work) (count.Set, string, error) {
	const fromFile = "it is in the file"
	if s.conditions.IsEmpty() {
		return s.file.Family, fromFile, nil
	}
	c, err := s.load(ctx, w)
	return c, "a part of the diagram in the file is drawn from", err
}

// source returns the source of the family's tilings.
func (s *compiledFamily) source(ctx context.Context, w *work, weights []*big.Rat) (*sample.Source, error) {
	set, reason, err := s.ranked(ctx, w)
	if err != nil {
		return nil, err
	}
	if weights == nil {
		return sample.Of(set, reason), nil
	}
	c, loaded := set.(*count.Compiled)
	if !loaded {
		if c, err = s.load(ctx, w); err != nil {
			return nil, err
		}
	}
	if set, err = c.Weigh(ctx, weights, w.limits.Memory); err != nil {
		return nil, err
	}
	return sample.OfWeighted(set, reason), nil
}

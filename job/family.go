package job

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/pavage/pavage/bdd"
	"github.com/pavage/pavage/compiled"
	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/query"
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
// file if the puzzle is a compiled one. It is for the kinds of work that can do nothing with
// pieces that touch.
func (w *work) conditioned(ctx context.Context, p *Puzzle, c *Conditions) (*tiling.Model, error) {
	kept, err := p.kept()
	if err != nil {
		return nil, err
	}
	if len(c.Touch)+len(kept.Touch) > 0 {
		return nil, bad("{touch} does not go with this kind of work, want none, or {apart}")
	}
	m, _, err := w.family(ctx, p, c)
	return m, err
}

// family is the model of a puzzle's tilings that keep the bounds of the conditions, and groups of bounds
// such that a tiling that keeps all of one group is not meant. The model's group keeps them too. Conditions
// of a compiled file are among them.
func (w *work) family(ctx context.Context, p *Puzzle, c *Conditions) (*tiling.Model, [][]cover.Bound, error) {
	if err := p.derived(); err != nil {
		return nil, nil, err
	}
	kept, err := p.kept()
	if err != nil {
		return nil, nil, err
	}
	m, err := w.own(ctx, p)
	if err != nil || kept.isEmpty() && c.isEmpty() {
		return m, nil, err
	}
	all, err := kept.read(m)
	if err != nil {
		return nil, nil, err
	}
	read, err := c.read(m)
	if err != nil {
		return nil, nil, err
	}
	bounds, not := append(all.Bounds, read.Bounds...), append(all.Not, read.Not...)
	if len(not) > maxTouch {
		return nil, nil, bad("{touch} given %d times with those of the file, want at most %d: each one doubles the work", len(not), maxTouch)
	}
	w.note(Remark, "with conditions: "+strings.Join(append(kept.words(), c.words()...), ", "))
	m, err = m.WithBounds(ctx, bounds, not...)
	return m, not, err
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
	if !c.isEmpty() {
		w.note(Remark, "with conditions: "+c.spelt())
	}
	return &compiledFamily{p.opened, m, c}, nil
}

// load is the diagram of what the request is about, in memory.
func (s *compiledFamily) load(ctx context.Context, w *work) (*count.Compiled, error) {
	c, err := s.file.Load(ctx, w.limits.Memory)
	if err != nil {
		return nil, err
	}
	w.note(Detail, "read a compiled file", "nodes", c.Result.Nodes, "bytes", c.Result.Bytes)
	if s.conditions.isEmpty() {
		return c, nil
	}
	read, err := s.conditions.read(s.model)
	if err != nil {
		return nil, err
	}
	k := &keeper{ctx: ctx, variables: c.Variables(len(s.model.Problem.Options)), all: c.Diagram, limits: w.limits.Without(c.Result.Bytes)}
	d, err := k.keeping(c.Diagram, read)
	if err != nil {
		return nil, outOfMemory(err)
	}
	options := c.Options // and nothing else of it from here on
	return count.OfDiagram(ctx, d, options, w.limits.Memory)
}

// outOfMemory makes a limit of a diagram one of the work.
func outOfMemory(err error) error {
	if errors.Is(err, bdd.ErrLimit) {
		return fmt.Errorf("%w: %w", ErrMemory, err)
	}
	return err
}

// keeper takes from a family the tilings that keep conditions.
type keeper struct {
	ctx       context.Context
	variables []int        // of the options, -1 for those that no set has
	all       *bdd.Diagram // of the whole family
	limits    Limits       // without what the whole family takes
}

// beside is what a diagram may take where others are held.
func (k *keeper) beside(held ...*bdd.Diagram) bdd.Limits {
	l := k.limits
	for _, d := range held {
		if d != k.all {
			l = l.Without(d.Bytes())
		}
	}
	return bdd.Limits{Bytes: l.Memory}
}

func (k *keeper) keeping(d *bdd.Diagram, c query.Conditions) (*bdd.Diagram, error) {
	d, err := k.bounded(d, c.Bounds)
	for _, group := range c.Not {
		if err != nil {
			return nil, err
		}
		var breaks *bdd.Diagram
		if breaks, err = k.bounded(d, group); err == nil {
			d, err = bdd.Difference(k.ctx, d, breaks, k.beside(d, breaks))
		}
	}
	return d, err
}

// bounded are the sets that keep all bounds.
func (k *keeper) bounded(d *bdd.Diagram, bounds []cover.Bound) (_ *bdd.Diagram, err error) {
	for _, b := range bounds {
		vars := taken(k.variables, b.Options)
		high := b.Max
		if high == cover.Unbounded {
			high = math.MaxInt
		}
		if d, err = d.Select(k.ctx, vars, b.Min, high, k.beside(d)); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// taken are the variables of options, rising: of those that some solution may have.
func taken(variables, options []int) (vars []int) {
	for _, o := range options {
		if v := variables[o]; v >= 0 {
			vars = append(vars, v)
		}
	}
	slices.Sort(vars)
	return vars
}

// fromFile is the reason for drawing from a diagram of a compiled file.
const fromFile = "it is in the file"

// source returns the source of the family's tilings: the diagram of the file, unless there are
// conditions or weights.
func (s *compiledFamily) source(ctx context.Context, w *work, weights []*big.Rat) (*sample.Source, error) {
	if s.conditions.isEmpty() && weights == nil {
		return sample.OfCounted(s.file.Diagram, s.file.Variables, fromFile), nil
	}
	c, err := s.load(ctx, w)
	if err != nil {
		return nil, err
	}
	reason := fromFile
	if !s.conditions.isEmpty() {
		reason = "a part of the diagram in the file is drawn from"
	}
	return sourceOf(ctx, s.model, c, weights, reason, w.options(Counting))
}

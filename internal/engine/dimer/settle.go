package dimer

import (
	"context"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// settled is a problem after all forced decisions: an option that exceeds the bound of an item is
// out, and the last remaining option of an item that must be used is in.
//
//	a b c     Only ab uses an item x with bounds 1..1, so ab is forced. Then ad, bc and be
//	d e f     do not fit. The last option of c is cf, of d is de: both options are forced.
type settled struct {
	p           *cover.Problem
	left        []bool  // whether each option is neither forced nor out
	least, most []int64 // bounds on the number of uses of each item by the remaining options
	forced      []int   // the forced options, ascending

	uses    [][]int32 // options that use each item
	choices []int32   // number of remaining options of each item
	widest  []int64   // largest number of uses of each item by a single option
	colour  []int32   // colour of the last forced use of each item; 0 if none
	work    []int
}

// settle makes all forced decisions. An item that must be used may then have no option left.
func settle(ctx context.Context, p *cover.Problem) (*reader, error) {
	looks := interrupt.Context(ctx)
	s, err := newSettled(p, &looks)
	if err != nil {
		return nil, err
	}
	for o, option := range p.Options {
		if !s.fits(option) {
			s.drop(o)
		}
	}
	for i := range p.Items {
		s.work = append(s.work, i)
		for len(s.work) > 0 {
			last := len(s.work) - 1
			item := s.work[last]
			s.work = s.work[:last]
			if err := s.visit(item, &looks); err != nil {
				return nil, err
			}
		}
	}
	slices.Sort(s.forced)
	return &reader{settled: s, looks: looks}, nil
}

func newSettled(p *cover.Problem, looks *interrupt.Watch) (*settled, error) {
	items := len(p.Items)
	s := &settled{
		p: p, left: slices.Repeat([]bool{true}, len(p.Options)),
		least: make([]int64, items), most: make([]int64, items),
		uses: make([][]int32, items), choices: make([]int32, items), widest: make([]int64, items),
		colour: make([]int32, items),
	}
	for i, it := range p.Items {
		s.least[i], s.most[i] = int64(it.Min), int64(it.Max)
	}
	total := 0
	for _, option := range p.Options {
		for _, u := range option {
			s.choices[u.Item]++
			s.widest[u.Item] = max(s.widest[u.Item], int64(u.Times))
		}
		total += len(option)
		if err := looks.Work(len(option)); err != nil {
			return nil, err
		}
	}
	all := make([]int32, total)
	for i, n := range s.choices {
		s.uses[i], all = all[:0:n], all[n:]
	}
	for o, option := range p.Options {
		for _, u := range option {
			s.uses[u.Item] = append(s.uses[u.Item], int32(o))
		}
	}
	return s, looks.Look()
}

func (s *settled) visit(item int, looks *interrupt.Watch) error {
	if s.least[item] == 0 || s.choices[item] != 1 {
		return looks.Look()
	}
	for _, o := range s.uses[item] {
		if s.left[o] {
			s.force(int(o))
			break
		}
	}
	return looks.Work(len(s.uses[item]))
}

func (s *settled) fits(o cover.Option) bool {
	for _, u := range o {
		if s.most[u.Item] < int64(u.Times) && !s.repeats(u) {
			return false
		}
	}
	return true
}

// repeats reports whether u has the colour of a forced use of the same item, and so adds no use.
func (s *settled) repeats(u cover.Use) bool { return u.Colour != 0 && u.Colour == s.colour[u.Item] }

func (s *settled) drop(o int) {
	s.left[o] = false
	for _, u := range s.p.Options[o] {
		if s.choices[u.Item]--; s.choices[u.Item] == 1 {
			s.work = append(s.work, u.Item)
		}
	}
}

func (s *settled) force(o int) {
	s.forced = append(s.forced, o)
	s.drop(o)
	for _, u := range s.p.Options[o] {
		if s.repeats(u) {
			continue
		}
		s.least[u.Item] = max(0, s.least[u.Item]-int64(u.Times))
		if s.p.Items[u.Item].Max != cover.Unbounded {
			s.most[u.Item] -= int64(u.Times)
		}
		s.colour[u.Item] = u.Colour
		s.narrow(u.Item)
	}
}

func (s *settled) narrow(item int) {
	if s.most[item] >= s.widest[item] || s.choices[item] == 0 {
		return
	}
	for _, o := range s.uses[item] {
		if s.left[o] && !s.fits(s.p.Options[o]) {
			s.drop(int(o))
		}
	}
}

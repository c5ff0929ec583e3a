package clues_test

import (
	"slices"

	"github.com/pavage/pavage/clues"
	"github.com/pavage/pavage/cover"
)

// slow applies the rules without counters: it visits each item and each bound repeatedly.
type slow struct {
	problem *cover.Problem
	bounds  []cover.Bound
	marks   []int // by option: 0 open, 1 chosen, -1 crossed out
}

// solve reports whether the rules up to the grade decide all options.
func (s *slow) solve(g clues.Grade) bool {
	for s.settle() {
		if !slices.Contains(s.marks, 0) {
			return true
		}
		if g == clues.Easy || !s.cross() {
			return false
		}
	}
	return false
}

// cross crosses out an option that cannot be chosen.
func (s *slow) cross() bool {
	for o, m := range s.marks {
		if m != 0 {
			continue
		}
		ahead := slow{s.problem, s.bounds, slices.Clone(s.marks)}
		if ahead.marks[o] = 1; !ahead.settle() {
			s.marks[o] = -1
			return true
		}
	}
	return false
}

// settle reports false on a contradiction.
func (s *slow) settle() bool {
	for {
		before := slices.Clone(s.marks)
		for i, it := range s.problem.Items {
			if !s.force(it.Min, it.Max, func(o int) *cover.Use {
				for k := range s.problem.Options[o] {
					if u := &s.problem.Options[o][k]; u.Item == i {
						return u
					}
				}
				return nil
			}) {
				return false
			}
		}
		for _, b := range s.bounds {
			if !s.force(b.Min, b.Max, func(o int) *cover.Use {
				switch k := slices.Index(b.Options, o); {
				case k < 0:
					return nil
				case b.Times != nil:
					return &cover.Use{Times: int32(b.Times[k])}
				}
				return &cover.Use{Times: 1}
			}) {
				return false
			}
		}
		if slices.Equal(before, s.marks) {
			return true
		}
	}
}

// force decides each option without which, or with which, the bounds cannot be kept.
func (s *slow) force(least, most int, use func(o int) *cover.Use) bool {
	// sums are the fewest and the most uses if option o gets mark m.
	sums := func(o, m int) (fewest, all int) {
		colours := map[int32]bool{}
		for k, mark := range s.marks {
			u := use(k)
			if k == o {
				mark = m
			}
			switch {
			case u == nil || mark < 0:
				continue
			case mark == 0:
				all += int(u.Times)
				continue
			case u.Colour != 0 && colours[u.Colour]:
				continue
			case u.Colour != 0:
				colours[u.Colour] = true
			}
			fewest += int(u.Times)
			all += int(u.Times)
		}
		return fewest, all
	}
	kept := func(o, m int) bool {
		fewest, all := sums(o, m)
		return fewest <= most && all >= least
	}
	if !kept(-1, 0) {
		return false
	}
	for o, m := range s.marks {
		if m != 0 || use(o) == nil {
			continue
		}
		switch in, out := kept(o, 1), kept(o, -1); {
		case !in && !out:
			return false
		case !in:
			s.marks[o] = -1
		case !out:
			s.marks[o] = 1
		}
	}
	return true
}

package search

import (
	"context"
	"slices"
)

// maxImages limits the images of options that are found, in number: 64 MiB.
const maxImages = 1 << 23

// restrict chooses the item that leaves fewest representatives, a measure that
// takes no time; the saving is nearly the order of the group for each. Only these
// options of the item stay usable.
func (c *compiler) restrict(ctx context.Context) error {
	p := c.problem
	if len(p.Symmetries) < 2 || len(p.Symmetries)*len(p.Options) > maxImages {
		return nil
	}
	images, err := p.AllImages(ctx, p.Symmetries)
	if err != nil {
		return err
	}
	options := make([][]int, len(c.items)) // usable ones that use the item
	for o, option := range p.Options {
		if c.usable[o] {
			for _, u := range option {
				options[u.Item] = append(options[u.Item], o)
			}
		}
	}
	best, fewest := -1, []int(nil)
	for i, it := range c.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !it.single || it.bound.need == 0 {
			continue
		}
		var least []int // of each orbit under the symmetries that leave the item alone
		for _, o := range options[i] {
			isLeast := true
			for k := 0; k < len(images) && isLeast; k++ {
				isLeast = p.Symmetries[k][i] != i || images[k][o] >= o
			}
			if isLeast {
				least = append(least, o)
			}
		}
		if len(least) < len(options[i]) && (best < 0 || len(least) < len(fewest)) {
			best, fewest = i, least
		}
	}
	if best < 0 {
		return nil
	}
	c.restriction = restriction{images, map[int][]int32{}}
	for _, o := range fewest {
		moves := []int32{stay}
		for k, s := range p.Symmetries {
			if to := images[k][o]; s[best] == best && to != o && c.usable[to] {
				c.usable[to] = false
				moves = append(moves, int32(k))
			}
		}
		c.restriction.moves[o] = moves
	}
	return nil
}

// stay is the move that needs no symmetry.
const stay = -1

// expander calls yield with all the solutions that one found stands for: those
// that symmetries make of it, each with any of the free options.
type expander struct {
	space *Space
	yield func(options []int) bool
	found []int // the solution, then what a symmetry makes of it
	image []int
	ended bool
}

func (e *expander) expand(path []int32) bool {
	e.found = e.space.problemOptions(path, e.found)
	r := &e.space.restriction
	moves := []int32{stay}
	for _, o := range e.found {
		if m := r.moves[o]; m != nil {
			moves = m
		}
	}
	for _, k := range moves {
		e.image = e.image[:0]
		for _, o := range e.found {
			if k != stay {
				o = r.images[k][o]
			}
			e.image = append(e.image, o)
		}
		slices.Sort(e.image)
		if !e.withFree(e.image, 0) {
			return false
		}
	}
	return true
}

// withFree yields a solution with every set of the free options from k on.
func (e *expander) withFree(options []int, k int) bool {
	if k == len(e.space.free) {
		e.ended = e.ended || !e.yield(e.space.given(options))
		return !e.ended
	}
	at, _ := slices.BinarySearch(options, e.space.free[k])
	return e.withFree(options, k+1) && e.withFree(slices.Insert(slices.Clone(options), at, e.space.free[k]), k+1)
}

// given are options of the problem that was given.
func (s *Space) given(options []int) (list []int) {
	if s.parts == nil {
		return options
	}
	for _, o := range options {
		list = append(list, s.parts[o]...)
	}
	slices.Sort(list)
	return list
}

// problemOptions is a path as an ascending list of the problem's options.
func (s *Space) problemOptions(path []int32, list []int) []int {
	list = list[:0]
	for _, o := range path {
		list = append(list, int(s.options[o]))
	}
	slices.Sort(list)
	return list
}

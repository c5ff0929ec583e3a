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
	c.images, c.moves = images, map[int][]int32{}
	for _, o := range fewest {
		moves := []int32{stay}
		for k, s := range p.Symmetries {
			if to := images[k][o]; s[best] == best && to != o && c.usable[to] {
				c.usable[to] = false
				moves = append(moves, int32(k))
			}
		}
		c.moves[o] = moves
	}
	return nil
}

// stay is the move that needs no symmetry.
const stay = -1

// expand calls yield with all the solutions that one found stands for, until it returns false:
// those that symmetries make of it, each with any of the free options.
func (s *Space) expand(path []int32, yield func(options []int) bool) bool {
	found := s.problemOptions(path, nil)
	moves := []int32{stay}
	for _, o := range found {
		if m := s.moves[o]; m != nil {
			moves = m
		}
	}
	for _, k := range moves {
		image := slices.Clone(found)
		if k != stay {
			for i, o := range found {
				image[i] = s.images[k][o]
			}
			slices.Sort(image)
		}
		if !s.withFree(image, 0, yield) {
			return false
		}
	}
	return true
}

// withFree yields a solution with every set of the free options from k on.
func (s *Space) withFree(options []int, k int, yield func(options []int) bool) bool {
	if k == len(s.free) {
		return yield(s.given(options))
	}
	at, _ := slices.BinarySearch(options, s.free[k])
	return s.withFree(options, k+1, yield) && s.withFree(slices.Insert(slices.Clone(options), at, s.free[k]), k+1, yield)
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

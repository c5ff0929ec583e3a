package search

import (
	"slices"
)

// maxImages limits the images of options that are found, in number: 64 MiB.
const maxImages = 1 << 23

// restriction is an item whose options are cut down to one of each orbit.
//
// The item must be used exactly once, so a solution has exactly one of its
// options, and a symmetry that leaves the item alone takes the solutions with
// one option of an orbit to those with another: there are equally many. Of the
// 64 places of the square on the chessboard, 10 are enough:
//
//	1 2 3 4 . . . .       weights 4 8 8 4     (a square at the edge of the board
//	. 5 6 7 . . . .               4 8 4        between 4 and its mirror image is
//	. . 8 9 . . . .                 4 4        one orbit of four)
//	. . . 10 . . . .                  1
type restriction struct {
	images  [][]int         // by symmetry, of the problem's options
	weights map[int]uint32  // size of the orbit, by representative
	moves   map[int][]int32 // a symmetry to each option of the orbit
}

// restrict chooses the item that leaves fewest representatives, a measure that
// takes no time; the saving is nearly the order of the group for each.
func (c *compiler) restrict() error {
	p := c.problem
	if len(p.Symmetries) < 2 || len(p.Symmetries)*len(p.Options) > maxImages {
		return nil
	}
	mapper := p.Mapper()
	images := make([][]int, len(p.Symmetries))
	for k, s := range p.Symmetries {
		var err error
		if images[k], err = mapper.Images(s); err != nil {
			return err
		}
	}
	best := -1
	var orbits [][]int
	options := c.optionsOf()
	for i, it := range c.items {
		if !it.single || it.bound.need == 0 || len(options[i]) < 2 {
			continue
		}
		o := c.orbits(i, options[i], images)
		if len(o) < len(options[i]) && (best < 0 || len(o) < len(orbits)) {
			best, orbits = i, o
		}
	}
	if best >= 0 {
		c.keep(best, orbits, images)
	}
	return nil
}

// optionsOf lists the usable options of every item.
func (c *compiler) optionsOf() [][]int {
	options := make([][]int, len(c.items))
	for o, option := range c.problem.Options {
		if c.usable[o] {
			for _, u := range option {
				options[u.Item] = append(options[u.Item], o)
			}
		}
	}
	return options
}

// orbits of an item's options under the symmetries that leave the item alone,
// each with its least option first.
func (c *compiler) orbits(item int, options []int, images [][]int) [][]int {
	var orbits [][]int
	seen := map[int]bool{}
	for _, o := range options {
		if seen[o] {
			continue
		}
		var orbit []int
		for k, s := range c.problem.Symmetries {
			if to := images[k][o]; s[item] == item && !seen[to] {
				seen[to] = true
				orbit = append(orbit, to)
			}
		}
		slices.Sort(orbit)
		orbits = append(orbits, orbit)
	}
	return orbits
}

// keep leaves only the representatives usable.
func (c *compiler) keep(item int, orbits [][]int, images [][]int) {
	r := &restriction{images: images, weights: map[int]uint32{}, moves: map[int][]int32{}}
	for _, orbit := range orbits {
		first := orbit[0]
		r.weights[first] = uint32(len(orbit))
		for _, o := range orbit[1:] {
			c.usable[o] = false
		}
		found := map[int]bool{}
		for k, s := range c.problem.Symmetries {
			if to := images[k][first]; s[item] == item && !found[to] {
				found[to] = true
				r.moves[first] = append(r.moves[first], int32(k))
			}
		}
	}
	c.restriction = r
}

// expand calls yield with all solutions that a solution of the restricted
// space stands for, each an ascending list of the problem's options in list,
// whose room it may use.
func (s *Space) expand(path []int32, list []int, yield func([]int) bool) bool {
	list = s.problemOptions(path, list)
	var moves []int32
	for _, o := range list {
		if m := s.restriction.moves[o]; m != nil {
			moves = m
		}
	}
	image := make([]int, len(list))
	for _, k := range moves {
		for i, o := range list {
			image[i] = s.restriction.images[k][o]
		}
		slices.Sort(image)
		if !yield(image) {
			return false
		}
	}
	return true
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

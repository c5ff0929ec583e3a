package search

import (
	"context"
	"errors"
	"slices"

	"github.com/pavage/pavage/cover"
)

// maxImages limits the number of images of options. They need at most 64 MiB.
const maxImages = 1 << 23

type restriction struct {
	images [][]int        // images of all options of the problem, indexed by symmetry
	moves  map[int][]move // for each orbit; the key is the option that is kept
}

// move describes a solution in a list, by the index of an earlier solution and the index of a
// symmetry that maps that solution to this one. The first solution of the list has no move.
type move struct {
	from, by int32
	listed   bool // false if the solution only serves to make others
}

func (c *compiler) restrictListed(ctx context.Context) error {
	p := c.problem
	if len(p.Symmetries) < 2 || len(p.Symmetries)*len(p.Options) > maxImages {
		return nil
	}
	images, err := p.AllImages(ctx, p.Symmetries)
	if err != nil {
		return err
	}
	c.restrict(images)
	return nil
}

const (
	// If a search is expected to last less than fewSeconds, symmetries are not looked for.
	fewSeconds = 0.02
	// For each expected second of search, Shape.Group may inspect this number of uses of items by
	// options. It needs about 50 ms.
	effortPerSecond = 5e6
	mostEffort      = 1 << 22 // largest number of uses that Shape.Group inspects; it needs 50 ms
	mostUses        = 1 << 17 // largest number of uses for cover.Problem.Shape, which needs 50 ms
	// mostStood bounds the number of solutions for which one solution stands. It fits in 32 bits.
	mostStood = 1 << 31
)

// restrictFound looks for symmetries of a problem that lists neither symmetries nor orders. It does
// so if the search in the matrices is expected to take at least the time few, which is in seconds.
// It restricts an item, looks again, and so on. It reports whether it restricted an item. (For
// perfect matchings of 30 vertices, it keeps one of the 29 options of a vertex, then one of the 27
// options of another vertex, …)
func (c *compiler) restrictFound(ctx context.Context, m *matrices, few float64) (bool, error) {
	if len(c.problem.Symmetries) > 0 || len(c.problem.Orders) > 0 {
		return false, nil
	}
	for _, o := range c.options {
		c.usable[o] = false
	}
	for _, k := range m.all { // prune left out the other options
		c.usable[c.options[k]] = true
	}
	for effort := 0; !c.never; {
		left, options := c.left()
		if left == nil {
			break
		}
		shape, err := left.Shape(ctx)
		if err != nil {
			return false, err
		}
		if shape.Rigid() {
			break
		}
		if effort == 0 {
			e, err := c.Prober(seedOfChoice).Probe(ctx, 1, 0)
			if err != nil || e.Seconds < few {
				return false, err
			}
			effort = int(min(max(e.Seconds, fewSeconds)*effortPerSecond, mostEffort))
		}
		g, err := shape.Group(ctx, effort)
		if err != nil {
			return false, err
		}
		images, err := left.AllImages(ctx, g.Generators)
		if errors.Is(err, cover.ErrInvalid) {
			break // the problem left may have equal options
		}
		if err != nil {
			return false, err
		}
		if !c.restrict(c.ofProblem(images, options)) {
			break
		}
		c.gather(false)
	}
	return len(c.restrictions) > 0, nil
}

// left returns the problem of the usable options and the indices of these options, or nil if they
// have too many uses. An option of weight w > 1 also uses an additional item w times.
func (c *compiler) left() (*cover.Problem, []int) {
	p := c.problem
	left := &cover.Problem{Items: append(slices.Clone(p.Items), cover.Item{Max: cover.Unbounded}), Colours: p.Colours}
	var options []int
	uses := 0
	for _, o := range c.options {
		if !c.usable[o] {
			continue
		}
		option := p.Options[o]
		if w := c.weight[o]; w > 1 {
			option = append(slices.Clone(option), cover.Use{Item: len(p.Items), Times: int32(w)})
		}
		if uses += len(option); uses > mostUses {
			return nil, nil
		}
		left.Options, options = append(left.Options, option), append(options, int(o))
	}
	return left, options
}

func (c *compiler) ofProblem(images [][]int, options []int) [][]int {
	for g, image := range images {
		images[g] = make([]int, len(c.problem.Options))
		for o := range images[g] {
			images[g][o] = o
		}
		for k, to := range image {
			images[g][options[k]] = options[to]
		}
	}
	return images
}

// restrict restricts an item if its representatives are at most three quarters of its options, and
// reports whether it did. It chooses an item with fewest representatives, then with most options.
// All options of an orbit have the same number of solutions, even if symmetries move the item.
func (c *compiler) restrict(images [][]int) bool {
	root := c.orbits(images)
	options := make([][]int, len(c.items)) // usable options, indexed by an item that they use
	for o, option := range c.problem.Options {
		if c.usable[o] {
			for _, u := range option {
				options[u.Item] = append(options[u.Item], o)
			}
		}
	}
	best, fewest := -1, []int(nil)
	last := make([]int, len(root)) // 1 + the last item with an option of the orbit, indexed by root
	for i, it := range c.items {
		if !it.single || it.bound.need == 0 || c.most*len(options[i]) > mostStood {
			continue
		}
		var least []int // the first option of each orbit
		for _, o := range options[i] {
			if last[root[o]] != i+1 {
				last[root[o]] = i + 1
				least = append(least, o)
			}
		}
		saves := 4*len(least) <= 3*len(options[i])
		if saves && (best < 0 || len(least) < len(fewest) || len(least) == len(fewest) && len(options[i]) > len(options[best])) {
			best, fewest = i, least
		}
	}
	if best < 0 {
		return false
	}
	heaviest := 0
	r := restriction{images: images, moves: map[int][]move{}}
	orbit := map[int][]int{} // options of the item in each orbit; the keys are the roots
	for _, o := range options[best] {
		orbit[root[o]] = append(orbit[root[o]], o)
	}
	for _, o := range fewest {
		others := orbit[root[o]][1:]
		r.moves[o] = moves(images, o, others)
		c.weight[o] *= uint32(1 + len(others))
		heaviest = max(heaviest, 1+len(others))
		for _, other := range others {
			c.usable[other] = false
		}
	}
	c.most *= heaviest
	c.restrictions = append(c.restrictions, r)
	if len(fewest) == 1 {
		c.exclude(fewest[0])
	}
	return true
}

func (c *compiler) exclude(forced int) {
	uses := map[int]cover.Use{}
	for _, u := range c.problem.Options[forced] {
		uses[u.Item] = u
	}
	for o, option := range c.problem.Options {
		clashes := func(u cover.Use) bool {
			v := uses[u.Item] // v.Times is 0 if the forced option does not use the item
			agree := u.Colour != 0 && u.Colour == v.Colour
			return !agree && v.Times > 0 && int(u.Times+v.Times) > c.problem.Items[u.Item].Max
		}
		c.usable[o] = c.usable[o] && (o == forced || !slices.ContainsFunc(option, clashes))
	}
}

func (c *compiler) orbits(images [][]int) []int {
	root := make([]int, len(c.problem.Options))
	for o := range root {
		root[o] = o
	}
	find := func(o int) int {
		for root[o] != o {
			root[o] = root[root[o]]
			o = root[o]
		}
		return o
	}
	for _, image := range images {
		for o, to := range image {
			root[find(o)] = find(to)
		}
	}
	for o := range root {
		root[o] = find(o)
	}
	return root
}

func moves(images [][]int, option int, others []int) (list []move) {
	type step struct{ from, by int }
	steps := map[int]step{option: {-1, -1}}
	missing := len(others)
	for queue := []int{option}; missing > 0; queue = queue[1:] {
		for k, image := range images {
			to := image[queue[0]]
			if _, known := steps[to]; known {
				continue
			}
			steps[to] = step{queue[0], k}
			queue = append(queue, to)
			if _, found := slices.BinarySearch(others, to); found {
				missing--
			}
		}
	}
	place := map[int]int32{option: 0} // indices of solutions in the list; the keys are options
	var reach func(o int) int32
	reach = func(o int) int32 {
		if at, known := place[o]; known {
			return at
		}
		from := reach(steps[o].from)
		list = append(list, move{from: from, by: int32(steps[o].by)})
		place[o] = int32(len(list))
		return place[o]
	}
	for _, o := range others {
		list[reach(o)-1].listed = true
	}
	return list
}

func (s *Space) expand(path []int32, yield func(options []int) bool) bool {
	return s.moved(len(s.restrictions), s.problemOptions(path, nil), yield)
}

func (s *Space) moved(n int, solution []int, yield func(options []int) bool) bool {
	if n == 0 {
		return s.withFree(solution, 0, yield)
	}
	r := s.restrictions[n-1]
	var moves []move
	for _, o := range solution {
		if m := r.moves[o]; m != nil {
			moves = m
		}
	}
	if !s.moved(n-1, solution, yield) {
		return false
	}
	list := [][]int{solution}
	for _, m := range moves {
		image := make([]int, len(solution))
		for i, o := range list[m.from] {
			image[i] = r.images[m.by][o]
		}
		slices.Sort(image)
		list = append(list, image)
		if m.listed && !s.moved(n-1, image, yield) {
			return false
		}
	}
	return true
}

func (s *Space) withFree(options []int, k int, yield func(options []int) bool) bool {
	if k == len(s.free) {
		return yield(s.given(options))
	}
	at, _ := slices.BinarySearch(options, s.free[k])
	return s.withFree(options, k+1, yield) && s.withFree(slices.Insert(slices.Clone(options), at, s.free[k]), k+1, yield)
}

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

func (s *Space) problemOptions(path []int32, list []int) []int {
	list = list[:0]
	for _, o := range path {
		list = append(list, int(s.options[o]))
	}
	slices.Sort(list)
	return list
}

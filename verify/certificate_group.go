package verify

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/pavage/pavage/cover"
)

// errGroup would be a mistake of ours.
var errGroup = errors.New("the puzzle's symmetries are no group")

// group is the group of a puzzle, its elements by their images: so the identity is the
// first.
type group struct {
	sorted  []cover.Symmetry
	index   []int // that each had
	mapper  *cover.Mapper
	product [][]int32 // of a after b
}

// makeGroup checks that permutations are a group of symmetries of the cover.
func (c *certificate) makeGroup(elements []cover.Symmetry) (g group) {
	for k := range elements {
		g.index = append(g.index, k)
	}
	slices.SortFunc(g.index, func(a, b int) int { return slices.Compare(elements[a], elements[b]) })
	for _, k := range g.index {
		g.sorted = append(g.sorted, elements[k])
	}
	var err error
	g.mapper, err = c.p.Mapper(c.ctx)
	c.failed(err)
	for _, s := range g.sorted {
		g.images(c, s)
	}
	after := make(cover.Symmetry, len(c.p.Items))
	for _, s := range g.sorted {
		row := make([]int32, len(g.sorted))
		for b, t := range g.sorted {
			for i, to := range t {
				after[i] = s[to]
			}
			k, found := slices.BinarySearchFunc(g.sorted, after, slices.Compare[cover.Symmetry])
			if !found || k+1 < len(g.sorted) && slices.Equal(g.sorted[k+1], after) {
				c.failed(fmt.Errorf("internal error: %w", errGroup))
			}
			row[b] = int32(k)
			c.poll(len(after))
		}
		g.product = append(g.product, row)
	}
	return g
}

// images are those of the options under a symmetry, which it is then.
func (g *group) images(c *certificate, s cover.Symmetry) []int {
	images, err := g.mapper.Images(s)
	c.failed(err)
	return images
}

// failed ends the check for an error that is not the certificate's.
func (c *certificate) failed(err error) {
	if err != nil {
		panic(stop{fmt.Errorf("the certificate is not checked: %w", err)})
	}
}

// class is the elements whose powers are conjugate to those of g: as the powers of
// t·x·t⁻¹, where x is a power of g and g one of x.
func (g *group) class(of int) []int {
	in := make([]bool, len(g.sorted))
	for x, order := of, g.order(of); ; {
		if g.order(x) == order {
			for t := range g.product {
				inverse := slices.Index(g.product[t], 0)
				in[g.product[g.product[t][x]][inverse]] = true
			}
		}
		if x = int(g.product[of][x]); x == of {
			break
		}
	}
	var class []int
	for k, is := range in {
		if is {
			class = append(class, k)
		}
	}
	return class
}

// order is how many powers an element has.
func (g *group) order(of int) int {
	n := 1
	for x := of; x != 0; x = int(g.product[of][x]) {
		n++
	}
	return n
}

// quotient is the cover whose solutions are those that a symmetry fixes. It is made by the
// page alone, and shares nothing with cover.Quotient.
func (c *certificate) quotient(s cover.Symmetry, images []int) *cover.Problem {
	q := &cover.Problem{Colours: c.p.Colours}
	orbit, least := make([]int, len(s)), make([]bool, len(s)) // of an item; whether it is its orbit's least
	cycles(s, func(items []int) {
		for _, i := range items {
			orbit[i] = len(q.Items)
		}
		least[items[0]] = true
		q.Items = append(q.Items, c.p.Items[items[0]])
	})
	cycles(images, func(options []int) {
		if o, fits := c.together(options, orbit, least); fits {
			q.Options = append(q.Options, o)
		}
		c.poll(len(options))
	})
	return q
}

// cycles calls do with each cycle of a permutation, its least first, by rising least.
func cycles(permutation []int, do func(cycle []int)) {
	done := make([]bool, len(permutation))
	var cycle []int
	for first := range permutation {
		cycle = cycle[:0]
		for i := first; !done[i]; i = permutation[i] {
			done[i] = true
			cycle = append(cycle, i)
		}
		if len(cycle) > 0 {
			do(cycle)
		}
	}
}

// together is what options use of the least items, and whether they can be in a solution
// together.
func (c *certificate) together(options, orbit []int, least []bool) (cover.Option, bool) {
	times, colour := map[int]*big.Int{}, map[int]int32{}
	var items []int
	for _, o := range options {
		for _, u := range c.p.Options[o] {
			if !least[u.Item] {
				continue
			}
			n := times[u.Item]
			switch {
			case n == nil:
				times[u.Item], colour[u.Item] = big.NewInt(int64(u.Times)), u.Colour
				items = append(items, u.Item)
			case colour[u.Item] != u.Colour:
				return nil, false
			case u.Colour == 0:
				n.Add(n, big.NewInt(int64(u.Times)))
			}
		}
	}
	slices.Sort(items)
	var all cover.Option
	for _, i := range items {
		if it := c.p.Items[i]; it.Max != cover.Unbounded && times[i].Cmp(big.NewInt(int64(it.Max))) > 0 {
			return nil, false
		}
		c.want(times[i].Cmp(big.NewInt(cover.MaxTimes)) <= 0, "options that go together use item %d more than %d times", i, cover.MaxTimes)
		all = append(all, cover.Use{Item: orbit[i], Times: int32(times[i].Int64()), Colour: colour[i]})
	}
	return all, true
}

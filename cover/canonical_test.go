package cover

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// compose is first f, then g.
func compose(f, g []int) []int {
	h := make([]int, len(f))
	for i := range f {
		h[i] = g[f[i]]
	}
	return h
}

// closure is the group that the permutations generate, the identity included.
func closure(n int, generators [][]int) [][]int {
	identity := make([]int, n)
	for i := range identity {
		identity[i] = i
	}
	group := [][]int{identity}
	for k := 0; k < len(group); k++ {
		for _, g := range generators {
			h := compose(group[k], g)
			if !slices.ContainsFunc(group, func(f []int) bool { return slices.Equal(f, h) }) {
				group = append(group, h)
			}
		}
	}
	return group
}

// TestCanonExample checks the picture of Canon.
func TestCanonExample(t *testing.T) {
	c, err := NewCanon([][]int{{0, 1, 2, 3, 4, 5, 6}, {3, 2, 1, 0, 6, 5, 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range [][2][]int{
		{{0, 2, 6}, {0, 2, 6}},
		{{1, 3, 4}, {0, 2, 6}},
		{{4, 5, 6}, {4, 5, 6}},
		{{}, {}},
	} {
		if got := c.Least(s[0]); !slices.Equal(got, s[1]) {
			t.Errorf("least of the class of %v is %v, want %v", s[0], got, s[1])
		}
		if got, want := c.IsLeast(s[0]), slices.Equal(s[0], s[1]); got != want {
			t.Errorf("%v is least: %v, want %v", s[0], got, want)
		}
	}
}

// TestCanonPicksOne: of the subsets of a size, the number of least members is the number of
// orbits, counted by walking them; and every set's least is least, and of the set's own orbit.
func TestCanonPicksOne(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n := 1 + rng.IntN(9)
		generator := rng.Perm(n)
		for i := range n { // an involution's group is small; sometimes leave it as it is
			if seed%2 == 0 && generator[i] > i {
				generator[generator[i]] = i
			}
		}
		if !isPermutation(generator) {
			generator = rng.Perm(n)
		}
		group := closure(n, [][]int{generator})
		c, err := NewCanon(group)
		if err != nil {
			t.Fatal(err)
		}
		checkCanon(t, c, n, group)
	}
}

func checkCanon(t *testing.T, c *Canon, n int, group [][]int) {
	t.Helper()
	orbits, least := 0, 0
	seen := map[string]bool{}
	for mask := range 1 << n {
		var set []int
		for o := range n {
			if mask>>o&1 != 0 {
				set = append(set, o)
			}
		}
		isNew := !seen[fmt.Sprint(set)]
		ofOrbit := map[string]bool{}
		for _, g := range group {
			key := fmt.Sprint(imageOf([]int{}, g, set))
			ofOrbit[key], seen[key] = true, true
		}
		if isNew {
			orbits++
		}
		if c.IsLeast(set) {
			least++
		}
		if l := c.Least(set); !c.IsLeast(l) || !ofOrbit[fmt.Sprint(append([]int{}, l...))] {
			t.Fatalf("group %v, set %v: least is %v", group, set, l)
		}
	}
	if orbits != least {
		t.Errorf("group %v: %d sets are least, %d orbits", group, least, orbits)
	}
}

func TestCanonMistakes(t *testing.T) {
	for _, images := range [][][]int{
		{{0, 0}},
		{{1, 2}},
		{{-1, 0}},
		{{0, 1}, {0, 1, 2}},
	} {
		if _, err := NewCanon(images); !errors.Is(err, ErrInvalid) {
			t.Errorf("%v: %v, want ErrInvalid", images, err)
		}
	}
	if c, err := NewCanon(nil); err != nil || !c.IsLeast([]int{3, 5}) {
		t.Errorf("the trivial group: %v, %v", c, err)
	}
}

// TestCanonAllocates nothing where a solution has no more than canonRoom
// options: it is asked about every solution listed.
func TestCanonAllocates(t *testing.T) {
	c, err := NewCanon([][]int{{0, 2, 1, 3}})
	if err != nil {
		t.Fatal(err)
	}
	set := []int{0, 1, 3}
	if n := testing.AllocsPerRun(100, func() { c.IsLeast(set) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestCanonCancel: a context that has ended is seen before the work.
func TestCanonCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := &Problem{Items: []Item{{Max: 1}, {Max: 1}}, Options: []Option{{{Item: 0, Times: 1}}, {{Item: 1, Times: 1}}}}
	c, err := p.Canon(ctx, []Symmetry{{0, 1}, {1, 0}})
	if err != nil || c.IsLeast([]int{1}) || !c.IsLeast([]int{0}) {
		t.Errorf("of two options that change places: %+v, %v", c, err)
	}
	if _, err := p.Canon(t.Context(), []Symmetry{{1, 1}}); !errors.Is(err, ErrInvalid) {
		t.Errorf("not a permutation: %v", err)
	}
	cancel()
	if _, err := p.Canon(ctx, []Symmetry{{0, 1}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

package cover_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// The symmetries of the running example: a b c over d e f.
var (
	identity   = cover.Symmetry{0, 1, 2, 3, 4, 5, 6}
	upsideDown = cover.Symmetry{3, 4, 5, 0, 1, 2, 6}
	leftRight  = cover.Symmetry{2, 1, 0, 5, 4, 3, 6}
	halfTurn   = cover.Symmetry{5, 4, 3, 2, 1, 0, 6}
)

func TestImages(t *testing.T) {
	p := dominoes()
	m, err := p.Mapper(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s    cover.Symmetry
		want []int // of ab bc de ef ad be cf
	}{
		{identity, []int{0, 1, 2, 3, 4, 5, 6}},
		{upsideDown, []int{2, 3, 0, 1, 4, 5, 6}},
		{leftRight, []int{1, 0, 3, 2, 6, 5, 4}},
		{halfTurn, []int{3, 2, 1, 0, 6, 5, 4}},
	} {
		for range 2 { // a mapper serves again
			if got, err := m.Images(test.s); err != nil || !slices.Equal(got, test.want) {
				t.Errorf("images under %v are %v, %v, want %v", test.s, got, err, test.want)
			}
		}
		if got, err := p.Images(test.s); err != nil || !slices.Equal(got, test.want) {
			t.Errorf("images under %v are %v, %v, want %v", test.s, got, err, test.want)
		}
	}
}

func TestImagesRejects(t *testing.T) {
	for _, test := range []struct {
		want string
		s    cover.Symmetry
	}{
		{"maps 0 items, but there are 7 items", nil},
		{"maps 8 items, but there are 7 items", cover.Symmetry{0, 1, 2, 3, 4, 5, 6, 7}},
		{`maps item "b" to item -1`, cover.Symmetry{0, -1, 2, 3, 4, 5, 6}},
		{`maps item "c" to item 7`, cover.Symmetry{0, 1, 7, 3, 4, 5, 6}},
		{`maps two items to item "a"`, cover.Symmetry{0, 1, 0, 3, 4, 5, 6}},
		{`maps item "f" of bounds 1..1 to item "domino" of bounds 0..2147483647`, cover.Symmetry{0, 1, 2, 3, 4, 6, 5}},
		{"maps option 1 to no option", cover.Symmetry{1, 0, 2, 3, 4, 5, 6}},
	} {
		if got, err := dominoes().Images(test.s); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("images under %v: %v, %v, want an error with %q", test.s, got, err, test.want)
		}
		if got, err := dominoes().Quotient(test.s); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("quotient by %v: %v, %v, want an error with %q", test.s, got, err, test.want)
		}
	}
	least := &cover.Problem{Items: []cover.Item{{Min: 1, Max: 1}, {Max: 1}}, Options: []cover.Option{{{Item: 0, Times: 1}}, {{Item: 1, Times: 1}}}}
	if got, err := least.Images(cover.Symmetry{1, 0}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("a cell goes to an optional one: %v, %v", got, err)
	}
	times := &cover.Problem{
		Items:   []cover.Item{{Max: cover.Unbounded}, {Max: 1}, {Max: 1}},
		Options: []cover.Option{{{Item: 0, Times: cover.MaxTimes}, {Item: 1, Times: 1}}, {{Item: 0, Times: cover.MaxTimes}, {Item: 2, Times: 1}}},
	}
	if q, err := times.Quotient(cover.Symmetry{0, 2, 1}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("an option of 2^21 uses: %v, %v", q, err)
	}
}

func TestQuotient(t *testing.T) {
	one := func(item int) cover.Use { return cover.Use{Item: item, Times: 1} }
	twice := func(item int) cover.Use { return cover.Use{Item: item, Times: 2} }
	for _, test := range []struct {
		name    string
		s       cover.Symmetry
		items   string
		options []cover.Option
		orbits  [][]int
		orders  [][]int
	}{
		{
			"upside down", upsideDown, "a b c domino",
			[]cover.Option{{one(0), one(1), twice(3)}, {one(1), one(2), twice(3)}, {one(0), one(3)}, {one(1), one(3)}, {one(2), one(3)}},
			[][]int{{0, 2}, {1, 3}, {4}, {5}, {6}},
			[][]int{{0, 1, 2}, {0, 1, 2}},
		},
		{ // ab and bc would both cover b: no option of the quotient
			"left-right", leftRight, "a b d e domino",
			[]cover.Option{{one(0), one(2), twice(4)}, {one(1), one(3), one(4)}},
			[][]int{{4, 6}, {5}},
			[][]int{{0, 2, 1, 3}, {0, 1, 2, 3}},
		},
		{ // ab with ef, bc with de, ad with cf; be with itself
			"half turn", halfTurn, "a b c domino",
			[]cover.Option{{one(0), one(1), twice(3)}, {one(1), one(2), twice(3)}, {one(0), one(2), twice(3)}, {one(1), one(3)}},
			[][]int{{0, 3}, {1, 2}, {4, 6}, {5}},
			[][]int{{0, 2, 1}, {0, 1, 2}},
		},
	} {
		q, err := dominoes().Quotient(test.s)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i, item := range q.Problem.Items {
			names = append(names, item.Name)
			if want := dominoes().Items[slices.IndexFunc(dominoes().Items, func(o cover.Item) bool { return o.Name == item.Name })]; item != want {
				t.Errorf("%s: item %d is %v, want %v", test.name, i, item, want)
			}
		}
		if got := strings.Join(names, " "); got != test.items {
			t.Errorf("%s: items %s, want %s", test.name, got, test.items)
		}
		if !reflect.DeepEqual(q.Problem.Options, test.options) || !reflect.DeepEqual(q.Orbits, test.orbits) || !reflect.DeepEqual(q.Problem.Orders, test.orders) {
			t.Errorf("%s: %v\n%v\n%v", test.name, q.Problem.Options, q.Orbits, q.Problem.Orders)
		}
	}
}

// TestValidateSymmetries: the hint is checked as far as it is cheap.
func TestValidateSymmetries(t *testing.T) {
	p := dominoes()
	p.Symmetries = []cover.Symmetry{identity, upsideDown, leftRight, halfTurn}
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	for want, s := range map[string]cover.Symmetry{
		`symmetry 1 maps 6 items, but there are 7 items`: {0, 1, 2, 3, 4, 5},
		`symmetry 1 maps two items to item "a"`:          {0, 0, 2, 3, 4, 5, 6},
		`symmetry 1 maps item "a" of bounds 1..1 t`:      {6, 1, 2, 3, 4, 5, 0},
	} {
		p.Symmetries[1] = s
		if err := p.Validate(); !errors.Is(err, cover.ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", s, err, want)
		}
	}
	p.Symmetries = slices.Repeat([]cover.Symmetry{identity}, cover.MaxSymmetries+1)
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), "1025 symmetries, expected at most 1024") {
		t.Errorf("too many symmetries: %v", err)
	}
}

// symmetric makes p symmetric under a random permutation of its items that
// keeps bounds, by adding the images of its options.
func symmetric(rng *rand.Rand, p *cover.Problem) cover.Symmetry {
	s := make(cover.Symmetry, len(p.Items))
	for i, to := range rng.Perm(len(p.Items)) {
		s[i] = to
	}
	for i := range s { // trade images until bounds agree
		for k := range s {
			if a, b := p.Items[i], p.Items[s[k]]; a.Min == b.Min && a.Max == b.Max && (k >= i) {
				s[i], s[k] = s[k], s[i]
				break
			}
		}
	}
	for o := 0; o < len(p.Options); o++ {
		var image cover.Option
		for _, u := range p.Options[o] {
			image = append(image, cover.Use{Item: s[u.Item], Times: u.Times, Colour: u.Colour})
		}
		slices.SortFunc(image, func(a, b cover.Use) int { return a.Item - b.Item })
		if !slices.ContainsFunc(p.Options, func(other cover.Option) bool { return cover.Compare(other, image) == 0 }) {
			p.Options = append(p.Options, image)
		}
	}
	return s
}

// TestQuotientSolutions: the solutions of a quotient are, expanded, just the fixed solutions of
// the problem. Two equal options of a quotient get an item of their own each, for the oracle wants
// valid problems.
func TestQuotientSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	tested, fixed, duplicates := 0, 0, 0
	for tested < 500 {
		p := randomCover(rng, tested)
		s := symmetric(rng, p)
		all, err := oracle.Within(p, 20_000)
		if err != nil { // too big now
			continue
		}
		tested++
		images, err := p.Images(s)
		if err != nil {
			t.Fatalf("%v of %+v: %v", s, p, err)
		}
		var want []string
		for _, solution := range all {
			if moved := expand(solution, func(o int) []int { return []int{images[o]} }); slices.Equal(moved, solution) {
				want = append(want, fmt.Sprint(moved))
			}
		}
		q, err := p.Quotient(s)
		if err != nil {
			t.Fatal(err)
		}
		if q.Problem.Validate() != nil {
			duplicates++
		}
		got := expanded(t, q)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("%v of %+v: fixed solutions\n%v, want\n%v", s, p, got, want)
		}
		fixed += len(want)
	}
	t.Logf("%d quotients, %d fixed solutions, %d with equal options", tested, fixed, duplicates)
	if fixed < tested || duplicates == 0 {
		t.Errorf("%d fixed solutions, %d quotients with equal options: too few to test anything", fixed, duplicates)
	}
}

func expanded(t *testing.T, q *cover.Quotient) []string {
	t.Helper()
	told := *q.Problem
	told.Items = slices.Clone(told.Items)
	told.Options = nil
	for _, o := range q.Problem.Options {
		told.Options = append(told.Options, append(slices.Clone(o), cover.Use{Item: len(told.Items), Times: 1}))
		told.Items = append(told.Items, cover.Item{Max: 2})
	}
	solutions, err := oracle.Solutions(&told)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, solution := range solutions {
		got = append(got, fmt.Sprint(expand(solution, func(o int) []int { return q.Orbits[o] })))
	}
	slices.Sort(got)
	return got
}

func expand(solution []int, of func(option int) []int) []int {
	all := []int{}
	for _, o := range solution {
		all = append(all, of(o)...)
	}
	slices.Sort(all)
	return all
}

// BenchmarkImages: 10^5 options of ten uses each.
func BenchmarkImages(b *testing.B) {
	const items, options = 1000, 100_000
	p := &cover.Problem{Items: slices.Repeat([]cover.Item{{Min: 1, Max: 1}}, items)}
	for o := range options {
		var option cover.Option
		for i := range 10 {
			option = append(option, cover.Use{Item: (o%items + i*(1+o/items)) % items, Times: 1})
		}
		slices.SortFunc(option, func(a, b cover.Use) int { return a.Item - b.Item })
		p.Options = append(p.Options, option)
	}
	s := make(cover.Symmetry, items)
	for i := range s {
		s[i] = (i + 1) % items
	}
	b.Run("options=1e5/table", func(b *testing.B) {
		for b.Loop() {
			if _, err := p.Mapper(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
	m, err := p.Mapper(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("options=1e5/symmetry", func(b *testing.B) {
		for b.Loop() {
			if _, err := m.Images(s); err != nil {
				b.Fatal(err)
			}
		}
	})
}

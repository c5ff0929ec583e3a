package cover_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/testkit"
)

// enough effort for all problems of these tests.
const enough = 1 << 26

func shape(t testing.TB, p *cover.Problem) *cover.Shape {
	t.Helper()
	s, err := p.Shape(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func group(t testing.TB, p *cover.Problem, effort int) *cover.Group {
	t.Helper()
	g, err := shape(t, p).Group(t.Context(), effort)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Generators {
		if _, err := p.Images(s); err != nil {
			t.Fatalf("generator %v: %v", s, err)
		}
	}
	return g
}

// sets is a cover of 1..1 items by sets of them.
func sets(items int, options ...[]int) *cover.Problem {
	p := &cover.Problem{}
	for range items {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
	}
	for _, set := range options {
		slices.Sort(set)
		var option cover.Option
		for _, i := range set {
			option = append(option, cover.Use{Item: i, Times: 1})
		}
		p.Options = append(p.Options, option)
	}
	return p
}

// pairs are the perfect matchings of a complete graph.
func pairs(n int) *cover.Problem {
	var all [][]int
	for b := range n {
		for a := range b {
			all = append(all, []int{a, b})
		}
	}
	return sets(n, all...)
}

// partitions are the partitions of a set.
func partitions(n int) *cover.Problem {
	var all [][]int
	for set := 1; set < 1<<n; set++ {
		var members []int
		for i := range n {
			if set>>i&1 != 0 {
				members = append(members, i)
			}
		}
		all = append(all, members)
	}
	return sets(n, all...)
}

// latin are the Latin squares: an option is a row, a column and a symbol.
func latin(n int) *cover.Problem {
	var all [][]int
	for k := range n * n * n {
		r, c, v := k/n/n, k/n%n, k%n
		all = append(all, []int{r*n + c, n*n + r*n + v, 2*n*n + c*n + v})
	}
	return sets(3*n*n, all...)
}

// queens are n queens on a board of n x n; diagonals may stay free.
func queens(n int) *cover.Problem {
	var all [][]int
	for k := range n * n {
		r, c := k/n, k%n
		all = append(all, []int{r, n + c, 2*n + r + c, 4*n + r - c + n - 1})
	}
	p := sets(6*n, all...)
	for i := 2 * n; i < 6*n; i++ {
		p.Items[i].Min = 0
	}
	return p
}

// copies are several of a problem side by side.
func copies(p *cover.Problem, n int) *cover.Problem {
	all := &cover.Problem{Colours: p.Colours}
	for k := range n {
		all.Items = append(all.Items, p.Items...)
		for _, o := range p.Options {
			o = slices.Clone(o)
			for i := range o {
				o[i].Item += k * len(p.Items)
			}
			all.Options = append(all.Options, o)
		}
	}
	return all
}

func TestGroupOrders(t *testing.T) {
	fano := sets(7, []int{0, 1, 2}, []int{0, 3, 4}, []int{0, 5, 6},
		[]int{1, 3, 5}, []int{1, 4, 6}, []int{2, 3, 6}, []int{2, 4, 5})
	for _, test := range []struct {
		name  string
		p     *cover.Problem
		order string
	}{
		{"nothing", &cover.Problem{}, "1"},
		{"dominoes on 2x3", dominoes(), "4"},
		{"5 queens, with two items that no option uses", queens(5), "16"}, // 8 · 2!
		{"Fano plane", fano, "168"},
		{"Latin squares of order 3", latin(3), "1296"},                              // 3!³ · 3!
		{"Latin squares of order 4", latin(4), "82944"},                             // 4!³ · 3!
		{"perfect matchings of 30", pairs(30), "265252859812191058636308480000000"}, // 30!
		{"partitions of 10", partitions(10), "3628800"},                             // 10!
		{"five Fano planes", copies(fano, 5), "16059338588160"},                     // 168⁵ · 5!
	} {
		if g := group(t, test.p, enough); g.Order == nil || g.Order.String() != test.order {
			t.Errorf("%s: %v symmetries, want %s", test.name, g.Order, test.order)
		}
	}
}

// permutations calls yield with all permutations of 0..n-1.
func permutations(n int, yield func(cover.Symmetry)) {
	s := make(cover.Symmetry, n)
	for i := range s {
		s[i] = i
	}
	var from func(k int)
	from = func(k int) {
		if k == n {
			yield(s)
		}
		for i := k; i < n; i++ {
			s[k], s[i] = s[i], s[k]
			from(k + 1)
			s[k], s[i] = s[i], s[k]
		}
	}
	from(0)
}

// small is a random cover of few items and options, some of which are equal, and which has
// symmetries every other time.
func small(t *testing.T, rng *rand.Rand, k int) *cover.Problem {
	for {
		p := randomCover(rng, k)
		if len(p.Items) > 6 || len(p.Options) == 0 {
			continue
		}
		if rng.IntN(2) == 0 {
			symmetric(rng, p)
		}
		return p
	}
}

func TestGroupAgreesWithBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	several := 0
	for k := range 600 {
		p := small(t, rng, k)
		want := map[string]bool{}
		permutations(len(p.Items), func(s cover.Symmetry) {
			if _, err := p.Images(s); err == nil {
				want[fmt.Sprint(s)] = true
			}
		})
		g := group(t, p, enough)
		got, err := g.Elements(t.Context(), len(want))
		if err != nil || len(got) != len(want) || g.Order.Int64() != int64(len(want)) {
			t.Fatalf("%v: %d symmetries of order %v, %v, want %d", p, len(got), g.Order, err, len(want))
		}
		for _, s := range got {
			delete(want, fmt.Sprint(s))
		}
		if len(want) > 0 {
			t.Fatalf("%v: the symmetries %v are missing", p, want)
		}
		if fewer, _ := g.Elements(t.Context(), len(got)-1); fewer != nil {
			t.Fatalf("%v: %d symmetries, of which at most %d are wanted", p, len(fewer), len(got)-1)
		}
		if len(got) > 2 {
			several++
		}
	}
	if several < 100 {
		t.Errorf("only %d covers with more than two symmetries", several)
	}
}

// relabelled has the items and options of p in another order.
func relabelled(rng *rand.Rand, p *cover.Problem) *cover.Problem {
	q := &cover.Problem{Items: slices.Clone(p.Items), Options: slices.Clone(p.Options), Colours: p.Colours}
	to := rng.Perm(len(p.Items))
	for i, it := range p.Items {
		q.Items[to[i]] = it
	}
	for o, at := range rng.Perm(len(p.Options)) {
		q.Options[at] = moveUses(p.Options[o], to)
	}
	return q
}

func moveUses(o cover.Option, to []int) cover.Option {
	o = slices.Clone(o)
	for k := range o {
		o[k].Item = to[o[k].Item]
	}
	slices.SortFunc(o, func(a, b cover.Use) int { return a.Item - b.Item })
	return o
}

// checkIsomorphism fails unless the bijections map p to q.
func checkIsomorphism(t *testing.T, p, q *cover.Problem, items, options []int) {
	t.Helper()
	if len(items) != len(p.Items) || len(options) != len(p.Options) {
		t.Fatalf("%d items and %d options, want %d and %d", len(items), len(options), len(p.Items), len(p.Options))
	}
	for _, list := range [][]int{items, options} {
		for k, to := range slices.Sorted(slices.Values(list)) {
			if k != to {
				t.Fatalf("%v is no permutation", list)
			}
		}
	}
	for i, it := range p.Items {
		if to := q.Items[items[i]]; it.Min != to.Min || it.Max != to.Max {
			t.Fatalf("item %v corresponds to %v", it, to)
		}
	}
	for k, o := range p.Options {
		if !slices.Equal(moveUses(o, items), q.Options[options[k]]) {
			t.Fatalf("option %v corresponds to %v under %v", o, q.Options[options[k]], items)
		}
	}
}

func TestIsomorphism(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	known := []*cover.Problem{latin(4), queens(6), pairs(20), partitions(6), copies(dominoes(), 20)}
	for k := range 500 {
		p := small(t, rng, k)
		if k < len(known) {
			p = known[k]
		} else if k%3 == 0 { // options that occur twice
			p.Options = append(p.Options, p.Options[rng.IntN(len(p.Options))])
		}
		q := relabelled(rng, p)
		s, other := shape(t, p), shape(t, q)
		if s.Hash() != other.Hash() {
			t.Fatalf("%v and %v: different hashes", p, q)
		}
		items, options, err := s.Isomorphism(t.Context(), other, enough)
		if err != nil || items == nil {
			t.Fatalf("%v and %v: %v, no isomorphism", p, q, err)
		}
		checkIsomorphism(t, p, q, items, options)
		if items, options, _ = s.Isomorphism(t.Context(), shape(t, p), 0); items == nil {
			t.Fatalf("%v: not found isomorphic to itself without effort", p)
		}
		checkIsomorphism(t, p, p, items, options)
	}
}

// TestNoIsomorphism: covers with one difference are not isomorphic, unless brute force finds
// that they are.
func TestNoIsomorphism(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 1))
	yes, no := 0, 0
	for k := range 600 {
		p := small(t, rng, k)
		q := relabelled(rng, p)
		o := rng.IntN(len(q.Options))
		u := &q.Options[o][rng.IntN(len(q.Options[o]))]
		switch item := &q.Items[rng.IntN(len(q.Items))]; {
		case k%4 == 0:
			item.Max++
		case k%4 == 1:
			u.Times++
		case k%4 == 2 && u.Colour != 0:
			u.Colour = u.Colour%int32(len(q.Colours)) + 1
		default:
			q.Options[o] = slices.Clone(q.Options[rng.IntN(len(q.Options))])
		}
		want := false
		permutations(len(p.Items), func(s cover.Symmetry) {
			var moved []cover.Option
			for _, o := range p.Options {
				moved = append(moved, moveUses(o, s))
			}
			slices.SortFunc(moved, cover.Compare)
			same := slices.EqualFunc(moved, slices.SortedFunc(slices.Values(q.Options), cover.Compare),
				func(a, b cover.Option) bool { return slices.Equal(a, b) })
			for i, to := range s {
				same = same && p.Items[i].Min == q.Items[to].Min && p.Items[i].Max == q.Items[to].Max
			}
			want = want || same
		})
		items, options, err := shape(t, p).Isomorphism(t.Context(), shape(t, q), enough)
		if err != nil || (items != nil) != want {
			t.Fatalf("%v and %v: isomorphism %v, %v, want %t", p, q, items, err, want)
		}
		if want {
			checkIsomorphism(t, p, q, items, options)
			yes++
		} else {
			no++
		}
	}
	if yes < 20 || no < 200 {
		t.Errorf("%d isomorphic, %d not", yes, no)
	}
}

// rings have an option for each two neighbours in a ring. All have the same cells if they have the
// same number of items.
func rings(sizes ...int) *cover.Problem {
	n := 0
	var all [][]int
	for _, size := range sizes {
		for k := range size {
			all = append(all, []int{n + k, n + (k+1)%size})
		}
		n += size
	}
	return sets(n, all...)
}

// TestSameCells: where refinement alone does not distinguish two covers, the search does.
func TestSameCells(t *testing.T) {
	one, two := shape(t, rings(12)), shape(t, rings(5, 7))
	if one.Hash() != two.Hash() {
		t.Fatal("different hashes: the test does not test the search")
	}
	if items, _, err := one.Isomorphism(t.Context(), two, enough); items != nil || err != nil {
		t.Errorf("%v, %v for one ring and two", items, err)
	}
	if g := group(t, rings(5, 7, 5), enough); g.Order.Int64() != 10*14*10*2 {
		t.Errorf("%v symmetries of three rings, want 2800", g.Order)
	}
}

func TestLittleEffort(t *testing.T) {
	for effort := 1; effort < 1<<22; effort *= 4 {
		group(t, latin(4), effort) // checks the generators
	}
	if g := group(t, latin(4), 100); g.Order != nil {
		t.Errorf("order %v with an effort of 100", g.Order)
	}
	rng := rand.New(rand.NewPCG(35, 1))
	p := latin(4)
	s, other := shape(t, p), shape(t, relabelled(rng, p))
	for _, effort := range []int{100, enough} { // a search that was cut short leaves nothing behind
		items, _, err := s.Isomorphism(t.Context(), other, effort)
		if err != nil || (items != nil) != (effort == enough) {
			t.Errorf("%v, %v with an effort of %d", items, err, effort)
		}
	}
}

// TestShapeLooksAtTheContext: the looks are few uses apart, and the shape can be used again.
func TestShapeLooksAtTheContext(t *testing.T) {
	p := partitions(12)
	s, other := shape(t, p), shape(t, relabelled(rand.New(rand.NewPCG(36, 1)), p))
	for name, do := range map[string]func(context.Context) error{
		"Shape":       func(ctx context.Context) error { _, err := p.Shape(ctx); return err },
		"Group":       func(ctx context.Context) error { _, err := s.Group(ctx, enough); return err },
		"Isomorphism": func(ctx context.Context) error { _, _, err := s.Isomorphism(ctx, other, enough); return err },
	} {
		for _, looks := range []int{0, 1, 2} {
			ctx := testkit.AfterLooks(t, looks)
			if err := do(ctx); !errors.Is(err, context.DeadlineExceeded) || ctx.Late() > 1 {
				t.Errorf("%s after %d looks: %v, %d looks later", name, looks, err, ctx.Late())
			}
		}
		if err := do(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if g, err := s.Group(t.Context(), enough); err != nil || g.Order.String() != "479001600" {
		t.Errorf("%v symmetries, %v", g.Order, err)
	}
}

func BenchmarkShape(b *testing.B) {
	p := copies(latin(5), 400)
	for b.Loop() {
		shape(b, p)
	}
}

func BenchmarkGroup(b *testing.B) {
	for name, p := range map[string]*cover.Problem{
		"pairs 30": pairs(30), "partitions 12": partitions(12), "latin 8": latin(8),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				group(b, p, enough)
			}
		})
	}
}

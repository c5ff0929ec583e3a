package cover_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
)

// anyCover is a small cover of one of the oracle's kinds.
func anyCover(rng *rand.Rand) *cover.Problem {
	return []func(*rand.Rand) *cover.Problem{oracle.Random, oracle.RandomGrid, oracle.RandomColoured, oracle.RandomMatching}[rng.IntN(4)](rng)
}

// randomBound is a bound on all options of an item, on some of them, or on any; mostly a bound
// that some solutions keep.
func randomBound(rng *rand.Rand, p *cover.Problem) cover.Bound {
	var options []int
	item, way := rng.IntN(len(p.Items)+1), rng.IntN(4)
	for o, option := range p.Options {
		uses := slices.ContainsFunc(option, func(u cover.Use) bool { return u.Item == item })
		switch {
		case way == 0 && uses, way == 1 && uses && rng.IntN(2) > 0, way > 1 && rng.IntN(3) == 0:
			options = append(options, o)
		}
	}
	b := cover.Bound{Name: fmt.Sprintf("bound=%d", rng.IntN(1<<30)), Options: options, Min: rng.IntN(3) % 2}
	switch b.Max = b.Min + rng.IntN(3); rng.IntN(4) {
	case 0:
		b.Max = cover.Unbounded
	case 1:
		b.Min, b.Max = 0, rng.IntN(2)
	}
	if rng.IntN(3) > 0 {
		return b
	}
	most := 1 + rng.IntN(3)
	for _, o := range options { // the number of uses of an item, or any
		times := 1 + rng.IntN(most)
		for _, u := range p.Options[o] {
			if u.Item == item && most > 1 {
				times = int(u.Times)
			}
		}
		b.Times = append(b.Times, times)
	}
	b.Min += rng.IntN(1 + most)
	b.Max = min(cover.Unbounded, max(b.Max, b.Min+rng.IntN(2)))
	return b
}

func keeps(solution []int, bounds []cover.Bound) bool {
	for _, b := range bounds {
		n := 0
		for _, o := range solution {
			if k := slices.Index(b.Options, o); k >= 0 && b.Times != nil {
				n += b.Times[k]
			} else if k >= 0 {
				n++
			}
		}
		if n < b.Min || n > b.Max {
			return false
		}
	}
	return true
}

// TestWithBounds: the solutions of a cover with bounds are the solutions of the cover that keep
// them. All ways to express a bound come up.
func TestWithBounds(t *testing.T) {
	ways := map[string]int{}
	for seed := range uint64(3000) {
		rng := rand.New(rand.NewPCG(seed, 14))
		p := anyCover(rng)
		all, err := oracle.Within(p, 1<<12)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		var bounds []cover.Bound
		for range 1 + rng.IntN(3) {
			bounds = append(bounds, randomBound(rng, p))
		}
		q, err := p.WithBounds(t.Context(), bounds)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := q.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got, err := oracle.Solutions(q)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		want := slices.DeleteFunc(slices.Clone(all), func(s []int) bool { return !keeps(s, bounds) })
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("seed %d: %d of %d solutions, want %d: %v of %v", seed, len(got), len(all), len(want), bounds, p)
		}
		for _, s := range all {
			kept := !slices.ContainsFunc(bounds, func(b cover.Bound) bool { return !b.IsKept(s) })
			if kept != keeps(s, bounds) {
				t.Fatalf("seed %d: IsKept of %v with %v: %v", seed, s, bounds, kept)
			}
		}
		tally(ways, p, q, len(want), len(all))
	}
	t.Log(ways)
	for _, way := range []string{"item", "tightened", "forbidden", "impossible", "ordered", "nothing", "some solutions"} {
		if ways[way] < 100 {
			t.Errorf("%q came up %d times only: %v", way, ways[way], ways)
		}
	}
}

// tally counts the ways in which bounds were expressed.
func tally(ways map[string]int, p, q *cover.Problem, kept, all int) {
	found := map[string]bool{"some solutions": kept > 0 && kept < all}
	for _, it := range q.Items[len(p.Items):] {
		switch it.Name {
		case "forbidden", "impossible":
			found[it.Name] = true
		default:
			found["item"] = true
		}
	}
	found["tightened"] = !slices.Equal(p.Items, q.Items[:len(p.Items)])
	found["nothing"] = len(q.Items) == len(p.Items) && !found["tightened"]
	for k, order := range q.Orders {
		found["ordered"] = found["ordered"] || len(order) > len(p.Orders[k])
	}
	for way, is := range found {
		if is {
			ways[way]++
		}
	}
}

// TestWithBoundsOptions: options keep their numbers and their uses, and an item of a bound stands
// in an order behind the last item that is the first of one of its options.
func TestWithBoundsOptions(t *testing.T) {
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 15))
		p := oracle.RandomGrid(rng)
		bound := randomBound(rng, p)
		bound.Min, bound.Max, bound.Times = 0, 1, nil
		q, err := p.WithBounds(t.Context(), []cover.Bound{bound})
		if err != nil {
			t.Fatal(err)
		}
		for o, option := range p.Options {
			if !slices.Equal(option, q.Options[o][:len(option)]) {
				t.Fatalf("seed %d: option %d is %v, want %v and more", seed, o, q.Options[o], option)
			}
		}
		item := len(p.Items)
		for k, order := range q.Orders {
			at := slices.Index(order, item)
			if at < 0 {
				continue
			}
			if rest := slices.Delete(slices.Clone(order), at, at+1); !slices.Equal(rest, p.Orders[k]) {
				t.Fatalf("seed %d: order %v, want %v and %d", seed, order, p.Orders[k], item)
			}
			last := 0
			for _, o := range bound.Options {
				first := len(order)
				for _, u := range p.Options[o] {
					if i := slices.Index(order, u.Item); i >= 0 {
						first = min(first, i)
					}
				}
				last = max(last, first)
			}
			if at != last+1 {
				t.Fatalf("seed %d: item %d at %d of %v, want %d", seed, item, at, order, last+1)
			}
		}
	}
}

// TestWithBoundsSymmetries: exactly the symmetries that map bounds to bounds are kept.
func TestWithBoundsSymmetries(t *testing.T) {
	kept, lost := 0, 0
	for seed := range uint64(1000) {
		rng := rand.New(rand.NewPCG(seed, 16))
		p := oracle.RandomMatching(rng)
		if len(p.Symmetries) == 0 {
			continue
		}
		images, err := p.AllImages(t.Context(), p.Symmetries)
		if err != nil {
			t.Fatal(err)
		}
		bounds := []cover.Bound{randomBound(rng, p)}
		for _, image := range images { // and its images under some of the symmetries
			if rng.IntN(4) > 0 {
				bounds = append(bounds, moved(bounds[0], image))
			}
		}
		q, err := p.WithBounds(t.Context(), bounds)
		if err != nil {
			t.Fatal(err)
		}
		if err := q.Validate(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if _, err := q.AllImages(t.Context(), q.Symmetries); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		stay := map[string]bool{}
		for _, s := range q.Symmetries {
			stay[fmt.Sprint(s[:len(p.Items)])] = true
		}
		for k, s := range p.Symmetries {
			takes := !slices.ContainsFunc(bounds, func(b cover.Bound) bool {
				to := moved(b, images[k])
				return !slices.ContainsFunc(bounds, func(c cover.Bound) bool {
					return c.Min == to.Min && c.Max == to.Max && slices.Equal(c.Options, to.Options) && slices.Equal(c.Times, to.Times)
				})
			})
			switch {
			case takes && !stay[fmt.Sprint(s)]:
				t.Fatalf("seed %d: symmetry %v is lost, bounds %v of %v", seed, s, bounds, p)
			case takes:
				kept++
			case !stay[fmt.Sprint(s)]:
				lost++
			}
		}
	}
	if kept < 200 || lost < 200 {
		t.Errorf("%d symmetries kept, %d lost: want more of both", kept, lost)
	}
}

// moved is the image of a bound under a symmetry.
func moved(b cover.Bound, image []int) cover.Bound {
	times := map[int]int{}
	options := make([]int, len(b.Options))
	for i, o := range b.Options {
		options[i] = image[o]
		if b.Times != nil {
			times[image[o]] = b.Times[i]
		}
	}
	slices.Sort(options)
	b.Options = options
	if b.Times != nil {
		b.Times = make([]int, len(options))
		for i, o := range options {
			b.Times[i] = times[o]
		}
	}
	return b
}

func TestWithBoundsRejects(t *testing.T) {
	p := &cover.Problem{Items: []cover.Item{{Min: 1, Max: 1}}, Options: []cover.Option{{{Item: 0, Times: 1}}}}
	for _, b := range []cover.Bound{
		{Options: []int{1}, Max: 1},
		{Options: []int{-1}, Max: 1},
		{Options: []int{0, 0}, Max: 1},
		{Min: 2, Max: 1},
		{Min: -1, Max: 1},
		{Options: []int{0}, Times: []int{}, Max: 1},
		{Options: []int{0}, Times: []int{0}, Max: 1},
		{Options: []int{0}, Times: []int{cover.MaxTimes + 1}, Max: 1},
	} {
		if _, err := p.WithBounds(t.Context(), []cover.Bound{b}); !errors.Is(err, cover.ErrInvalid) {
			t.Errorf("%v: %v, want ErrInvalid", b, err)
		}
	}
}

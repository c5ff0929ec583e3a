package verify

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/test/facts"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
	"github.com/pavage/pavage/internal/test/testkit"
)

// solutions returns the solutions that Enumerate yields, sorted like the oracle's solutions.
func solutions(t *testing.T, p *cover.Problem, o Options) [][]int {
	t.Helper()
	found := [][]int{}
	r, err := Enumerate(t.Context(), p, o, func(options []int, _ int) bool {
		found = append(found, append([]int{}, options...))
		return true
	})
	if err != nil || !r.Complete || r.Listed != int64(len(found)) || r.Solutions != r.Listed {
		t.Fatalf("%d solutions yielded, but the result is %+v, %v", len(found), r, err)
	}
	slices.SortFunc(found, slices.Compare[[]int])
	return found
}

// plain returns the problem without its symmetries.
func plain(p *cover.Problem) *cover.Problem {
	q := *p
	q.Symmetries = nil
	return &q
}

func wanted(t *testing.T, p *cover.Problem) [][]int {
	t.Helper()
	want, err := oracle.Solutions(p)
	if err != nil {
		t.Fatal(err)
	}
	return append([][]int{}, want...)
}

// TestRandomCovers compares numbers and sets of every method with the oracle.
func TestRandomCovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 800 {
		p := oracle.Random(rng)
		if k%2 == 0 {
			p = oracle.RandomGrid(rng)
		}
		if k%4 < 2 {
			p = oracle.RandomColoured(rng)
		}
		want := wanted(t, p)
		for _, o := range []Options{{}, {Threads: 3}} {
			if got := solutions(t, p, o); !reflect.DeepEqual(got, want) {
				t.Fatalf("cover %d, %+v: %v, want %v\n%+v", k, o, got, want, p)
			}
		}
	}
}

// TestCuts: parts of any size have all solutions, each solution once.
func TestCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for n := range 300 {
		p := oracle.Random(rng)
		if n%2 == 0 {
			p = oracle.RandomColoured(rng)
		}
		want := wanted(t, p)
		for k := range 16 {
			most, depth := k%8, maxCuts
			if k >= 8 {
				depth = 2
			}
			w := wholePart(p)
			w = w.only(w.fits)
			memory := int64(0)
			if k == 15 { // room for one cut, but not for two
				memory = w.held + 2*w.bytes()
			}
			got, share := [][]int{}, 0.0
			c := cutter{most: most, memory: memory, looks: interrupt.Context(t.Context())}
			c.leaf = func(w *part) bool {
				share += w.share
				if len(w.open) > 0 && memory > 0 && w.held > memory {
					t.Errorf("parts of %d bytes are held, want at most %d", w.held, memory)
				}
				if w.dead {
					return true
				}
				if len(w.open) > most && depth > 2 {
					t.Errorf("a part of %d, want at most %d", len(w.open), most)
				}
				for _, list := range projected(t, must(w.encode(t.Context(), 0, 0, 0))) {
					list = append(list, w.taken...)
					slices.Sort(list)
					got = append(got, list)
				}
				return true
			}
			c.cut(w, depth)
			slices.SortFunc(got, slices.Compare[[]int])
			if !reflect.DeepEqual(got, want) || share < 0.999 || share > 1.001 {
				t.Fatalf("parts of %d after %d cuts: %v, want %v; shares add up to %v", most, depth, got, want, share)
			}
		}
	}
}

// TestPublished compares published numbers, with and without symmetries, and with classes.
// Trominoes are lost if the walk skips variables that gini has learned to be true.
func TestPublished(t *testing.T) {
	few := map[string]bool{
		"pent-3x20": true, "squares-once-7x9": true, "dominoes-4x4": true, "dominoes-6x6": true,
		"right-trominoes-6x6": true, "monomer-dimer-4x4": true, "integer-squares-6x6": true, "bricks-2x2x4": true,
	}
	for _, row := range facts.Counts() {
		if !few[row.ID] {
			continue
		}
		delete(few, row.ID)
		p := puzzletest.Parse(t, row.Puzzle).Problem
		if r, err := Count(t.Context(), plain(p), Options{}); err != nil || r.Solutions != row.Count.Int64() {
			t.Errorf("%s without symmetries: %+v, %v, want %v", row.ID, r, err, row.Count)
		}
		for _, o := range []Options{{Threads: 2}, {Classes: true, Threads: 2}} {
			r, err := Count(t.Context(), p, o)
			if err != nil || !r.Complete || r.Solutions != row.Count.Int64() {
				t.Errorf("%s, %+v: %+v, %v, want %v", row.ID, o, r, err, row.Count)
			}
			if o.Classes && row.Distinct != nil && r.Listed != row.Distinct.Int64() {
				t.Errorf("%s: %d classes, want %v", row.ID, r.Listed, row.Distinct)
			}
			t.Logf("%s %+v: %+v", row.ID, o, r)
		}
	}
	if len(few) > 0 {
		t.Errorf("not among the facts: %v", few)
	}
}

// TestClasses requires the least member of every class, with the size of the class, from every
// method.
func TestClasses(t *testing.T) {
	for _, pieces := range [][]string{{"domino=any"}, {"L3=2", "domino=any", "monomino=0..2"}, {"L4", "domino=any"}} {
		p := puzzletest.Inline(t, "4x4", pieces...).Problem
		canon, err := p.Canon(t.Context(), p.Symmetries)
		if err != nil {
			t.Fatal(err)
		}
		sizes := map[int]int{}
		all := 0
		for _, solution := range solutions(t, plain(p), Options{}) {
			all++
			if canon.IsLeast(solution) {
				sizes[0]++
			}
		}
		members := 0
		r, err := Enumerate(t.Context(), p, Options{Classes: true}, func(options []int, class int) bool {
			members += class
			if !canon.IsLeast(options) {
				t.Errorf("%v is not the least of its class", options)
			}
			return true
		})
		if err != nil || members != all || r.Solutions != int64(all) || r.Listed != int64(sizes[0]) {
			t.Errorf("%v: %d members in %+v, %v, want %d in %d classes", pieces, members, r, err, all, sizes[0])
		}
	}
}

// TestNoGroup: permutations that are not symmetries, or not a group, are refused.
func TestNoGroup(t *testing.T) {
	p := puzzletest.Inline(t, "4x4", "L4", "domino=any").Problem
	rotation := slices.IndexFunc(p.Symmetries, func(s cover.Symmetry) bool {
		return s[s[0]] != 0 // not its own inverse
	})
	group := p.Symmetries
	p.Symmetries = []cover.Symmetry{group[0], group[rotation]}
	if _, err := Count(t.Context(), p, Options{}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("half a group: %v", err)
	}
	if r, err := Count(t.Context(), plain(p), Options{}); err != nil || !r.Complete {
		t.Errorf("symmetries that are not used: %v", err)
	}
	swap := slices.Clone(group[0])
	swap[0], swap[1] = swap[1], swap[0]
	p.Symmetries = []cover.Symmetry{group[0], swap}
	if _, err := Count(t.Context(), p, Options{Classes: true}); !errors.Is(err, cover.ErrInvalid) {
		t.Errorf("no symmetry: %v", err)
	}
}

// TestLimit stops at a limit, which is an error only if there are more solutions.
func TestLimit(t *testing.T) {
	p := puzzletest.Inline(t, "4x4", "domino=any").Problem // 36
	for _, o := range []Options{{}, {Threads: 3}} {
		for _, limit := range []int64{1, 35, 36, 37} {
			o.Limit = limit
			for _, yield := range []func([]int, int) bool{nil, func([]int, int) bool { return true }} {
				r, err := Enumerate(t.Context(), p, o, yield)
				if r.Listed != min(limit, 36) || r.Complete != (limit >= 36) || errors.Is(err, ErrUndecided) == r.Complete {
					t.Errorf("%+v: %+v, %v", o, r, err)
				}
			}
		}
		o.Limit = 0
		n := 0
		r, err := Enumerate(t.Context(), p, o, func([]int, int) bool { n++; return n < 5 })
		if n != 5 || r.Listed != 5 || r.Complete || err != nil {
			t.Errorf("%+v: %d calls of a yield that wants 5, %+v, %v", o, n, r, err)
		}
	}
}

// TestWith lists the solutions with given options, as spot checks do: the solutions that the
// oracle finds with them.
func TestWith(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	some := 0
	for k := range 400 {
		p := oracle.RandomGrid(rng)
		if k%2 == 0 {
			p = oracle.Random(rng)
		}
		if k%4 < 2 {
			p = oracle.RandomColoured(rng)
		}
		if len(p.Options) < 2 {
			continue
		}
		with := rng.Perm(len(p.Options))[:1+rng.IntN(2)]
		want := slices.DeleteFunc(wanted(t, p), func(s []int) bool {
			return slices.ContainsFunc(with, func(o int) bool { return !slices.Contains(s, o) })
		})
		if got := solutions(t, p, Options{With: with}); !reflect.DeepEqual(got, want) {
			t.Fatalf("with %v: %v, want %v of %+v", with, got, want, p)
		}
		some += min(1, len(want))
	}
	if some < 50 {
		t.Errorf("only %d had a solution", some)
	}
}

// TestBadOptions requires errors.
func TestBadOptions(t *testing.T) {
	p := dominoes(t)
	for _, o := range []Options{{With: []int{7}}, {With: []int{-1}}, {With: []int{0, 0}}, {With: []int{0}, Classes: true}} {
		if _, err := Count(t.Context(), p, o); !errors.Is(err, cover.ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestLarge finds a few solutions of a problem with too many solutions to list, in bounded memory.
func TestLarge(t *testing.T) {
	p := plain(puzzletest.Inline(t, "48x48", "domino=any").Problem)
	for _, o := range []Options{{Limit: 100, Threads: 2}, {Limit: 3}} {
		r, err := Count(t.Context(), p, o)
		if r.Listed != o.Limit || !errors.Is(err, ErrUndecided) {
			t.Errorf("%+v: %+v, %v", o, r, err)
		}
		t.Log(r)
	}
	q := &cover.Problem{Items: []cover.Item{{Max: cover.Unbounded}}, Options: make([]cover.Option, maxOptions+1)}
	if _, err := Count(t.Context(), q, Options{}); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
}

// TestUndecided: the enumeration ends a few checks after its context, without an answer: between
// parts, in a long part, and in a long search for one model.
func TestUndecided(t *testing.T) {
	hard := puzzletest.Inline(t, "4x4x4", "bedlam").Problem
	many := puzzletest.Inline(t, "6x6", "monomino=any", "domino=any").Problem
	for _, p := range []*cover.Problem{hard, many, plain(many)} {
		for _, o := range []Options{{Threads: 2}, {}} {
			ctx := testkit.AfterLooks(t, 5)
			r, err := Count(ctx, p, o)
			if !errors.Is(err, ErrUndecided) || !errors.Is(err, context.DeadlineExceeded) || r.Complete {
				t.Errorf("%+v: %+v, %v", o, r, err)
			}
			if ctx.Late() > 10 {
				t.Errorf("%+v: %d more looks", o, ctx.Late())
			}
		}
	}
}

// TestProgress: the progress never decreases, and ends with the result.
func TestProgress(t *testing.T) {
	p := puzzletest.Inline(t, "6x8", "domino=any").Problem
	var last Progress
	calls := 0
	r, err := Count(t.Context(), p, Options{Threads: 2, Progress: func(now Progress) {
		calls++
		if now.Fraction < last.Fraction || now.Solutions < last.Solutions || now.Fraction > 1 {
			t.Errorf("%+v after %+v", now, last)
		}
		last = now
	}})
	if err != nil || last.Result != r || last.Fraction != 1 || calls < 2 {
		t.Errorf("%d calls, the last %+v of %+v, %v", calls, last, r, err)
	}
}

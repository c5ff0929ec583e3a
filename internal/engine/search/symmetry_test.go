package search

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/puzzletest"
)

// model reads a puzzle, with its symmetries in the problem.
func model(t testing.TB, puzzle string) *cover.Problem {
	t.Helper()
	m := puzzletest.Parse(t, puzzle)
	m.Problem.Symmetries = m.Group(true).Symmetries()
	return m.Problem
}

// boards have all plane symmetry groups of small boards, some space groups, holes, and cells that
// may stay empty.
var boards = []string{
	"2x3", "3x3", "3x4", "1x5",
	`"###\n#.#\n###"`, `"#.\n##\n.#"`, `"##.\n###\n.##"`, `"#o#\nooo\n#o#"`, `"o##\n##o"`, `"####\n#oo#\n####"`, `".#.\n###\n.#."`,
	"2x2x2", "2x2x3", "1x3x3", `"##\n##\n\n##\n#o"`, `"#.\n##\n\n##\n.#"`, `"###\n#.#\n###\n\no.o\n...\no.o"`,
}

// sorts of pieces, by lattice; all %[1]s of one sort have equal bounds, so
// that mirror pairs and turned pairs swap.
var (
	plane = []string{
		"{name: flat, shape: '##', motions: fixed, copies: %[1]s}, {name: tall, shape: \"#\\n#\", motions: fixed, copies: %[1]s}",
		"{name: p, shape: \"###\\n#..\", motions: one-sided, copies: %[1]s}, {name: q, shape: \"###\\n..#\", motions: one-sided, copies: %[1]s}",
		"{name: p, shape: \"##\\n#.\", motions: fixed, copies: %[1]s}",
		"{name: L3, copies: %[1]s}", "{name: O4, copies: %[1]s}", "{name: I3, copies: %[1]s}",
	}
	space = []string{
		"{name: A, cells: [[0,0,0],[0,0,1],[0,1,0],[1,1,0]], copies: %[1]s}, {name: B, cells: [[0,0,0],[0,0,1],[0,1,0],[1,0,1]], copies: %[1]s}",
		"{name: A, cells: [[0,0,0],[0,0,1],[0,1,0],[1,1,0]], motions: free, copies: %[1]s}",
		"{name: deep, cells: [[0,0,0],[1,0,0]], motions: fixed, copies: %[1]s}",
		"{name: L3, copies: %[1]s}", "{name: slab, box: 1x2x2, copies: %[1]s}",
	}
	both   = []string{"{name: monomino, copies: %[1]s}", "{name: domino, copies: %[1]s}", "{name: one, box: 1x1, copies: %[1]s}"}
	copied = []string{"any", "0..1", "1", "1", "0..2", "1..2", "2", "2.."}
)

func randomPuzzle(rng *rand.Rand) string {
	board := boards[rng.IntN(len(boards))]
	sorts := plane
	if strings.Count(board, "x") == 2 || strings.Contains(board, `\n\n`) {
		sorts = space
	}
	draw := func(sorts []string) string {
		return fmt.Sprintf(sorts[rng.IntN(len(sorts))], copied[rng.IntN(len(copied))])
	}
	pieces := []string{draw(sorts)}
	for _, k := range rng.Perm(len(both))[:1+rng.IntN(2)] {
		pieces = append(pieces, draw(both[k:k+1]))
	}
	kind := []string{"exact", "exact", "at-most"}[rng.IntN(3)]
	return fmt.Sprintf("{board: %s, cover: %s, pieces: [%s]}", board, kind, strings.Join(pieces, ", "))
}

// TestRestriction: the count and the solutions with representatives alone are the same as without
// symmetries.
func TestRestriction(t *testing.T) {
	restricted := 0
	for seed := range *covers / 4 {
		puzzle := randomPuzzle(rand.New(rand.NewPCG(seed, 11)))
		p := model(t, puzzle)
		want, err := oracle.Solutions(p)
		if errors.Is(err, oracle.ErrTooBig) || len(want) > 5000 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s := compiled(t, p)
		if len(s.restrictions) > 0 && len(want) > 0 {
			restricted++
		}
		for _, threads := range []int{1, 2, 3, 8} {
			checkSpace(t, s, threads, want)
		}
		checkClasses(t, p, want)
		if t.Failed() {
			t.Fatalf("in seed %d\n%s", seed, puzzle)
		}
	}
	if restricted < int(*covers/40) {
		t.Errorf("only %d solvable puzzles were restricted", restricted)
	}
}

// checkClasses compares the solutions that Each visits for a group with the least solutions of the
// oracle's, and goes on from any member of a class.
func checkClasses(t *testing.T, p *cover.Problem, solutions [][]int) {
	t.Helper()
	canon, err := p.Canon(t.Context(), p.Symmetries)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]int
	for _, s := range solutions {
		if canon.IsLeast(s) {
			want = append(want, s)
		}
	}
	visited := visitedClasses(t, p, nil)
	got := slices.SortedFunc(slices.Values(visited), slices.Compare)
	if !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("classes %v, want %v", got, want)
	}
	for _, s := range solutions[:min(20, len(solutions))] {
		least := canon.Least(s)
		at := slices.IndexFunc(visited, func(v []int) bool { return slices.Equal(v, least) })
		if rest := visitedClasses(t, p, s); at < 0 || !slices.EqualFunc(rest, visited[at+1:], slices.Equal) {
			t.Errorf("behind %v come %v, want %v", s, rest, visited[at+1:])
		}
	}
}

func visitedClasses(t *testing.T, p *cover.Problem, after []int) (visited [][]int) {
	t.Helper()
	err := Each(t.Context(), p, Listing{Group: p.Symmetries, After: after}, func(options []int) bool {
		visited = append(visited, slices.Clone(options))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return visited
}

// TestRestrictionStarves: six cells and one monomino for them, of which two
// places are kept; the other four cells have no option then.
func TestRestrictionStarves(t *testing.T) {
	puzzle := `{board: "#.\n##\n\n##\n.#", pieces: [{name: slab, box: 1x2x2, copies: any}, {name: monomino, copies: 1}]}`
	checkSpace(t, compiled(t, model(t, puzzle)), 1, nil)
	for range listed(t, model(t, puzzle), Listing{Group: model(t, puzzle).Symmetries}, 1) {
		t.Error("a class of solutions")
	}
}

// checkSpace compares the count and the solutions of a space with the oracle.
func checkSpace(t *testing.T, s *Space, threads int, want [][]int) {
	t.Helper()
	o := Options{Threads: threads, greedy: threads > 1}
	if r, err := hunt(t.Context(), s, o, 0, nil); err != nil || r.Count.Int64() != int64(len(want)) {
		t.Errorf("%d threads: %v solutions, %v, want %d", threads, r.Count, err, len(want))
	}
	var got [][]int
	r, err := hunt(t.Context(), s, o, 0, func(options []int) bool {
		got = append(got, slices.Clone(options))
		return true
	})
	slices.SortFunc(got, slices.Compare)
	if err != nil || r.Count.Int64() != int64(len(want)) || !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%d threads: %d solutions %v, %v, want %d %v", threads, len(got), got, err, len(want), want)
	}
}

// closed adds the images of the options of a random cover under a random permutation of its items,
// which keeps bounds, and forgets its orders.
func closed(rng *rand.Rand, p *cover.Problem) *cover.Problem {
	to := make([]int, len(p.Items))
	alike := map[[2]int][]int{}
	for _, i := range rng.Perm(len(p.Items)) {
		it := [2]int{p.Items[i].Min, p.Items[i].Max}
		alike[it] = append(alike[it], i)
	}
	for _, items := range alike {
		for k, i := range items {
			to[i] = items[(k+1)%len(items)]
		}
	}
	p.Orders = nil
	for k := 0; k < len(p.Options); k++ {
		var image cover.Option
		for _, u := range p.Options[k] {
			image = append(image, cover.Use{Item: to[u.Item], Times: u.Times, Colour: u.Colour})
		}
		slices.SortFunc(image, func(a, b cover.Use) int { return a.Item - b.Item })
		if !slices.ContainsFunc(p.Options, func(o cover.Option) bool { return cover.Compare(o, image) == 0 }) {
			p.Options = append(p.Options, image)
		}
	}
	return p
}

// TestFoundSymmetries: the count and the list with found symmetries are the same as without
// symmetries.
func TestFoundSymmetries(t *testing.T) {
	restricted, again, free := 0, 0, 0
	for seed := range *covers {
		rng := rand.New(rand.NewPCG(seed, 19))
		p := oracle.Random(rng)
		if seed%2 == 1 {
			p = oracle.RandomColoured(rng)
		}
		p = closed(rng, p)
		// In apart, twins differ by an item.
		apart := cover.Problem{Items: slices.Clone(p.Items), Options: slices.Clone(p.Options), Colours: p.Colours}
		twins := 0
		if seed%8 == 7 { // a part of a problem may have equal options
			twins = len(p.Options)
		}
		for _, o := range p.Options[:twins] {
			p.Options = append(p.Options, o)
			apart.Options = append(apart.Options, append(slices.Clone(o), cover.Use{Item: len(apart.Items), Times: 1}))
			apart.Items = append(apart.Items, cover.Item{Max: 1})
		}
		want, err := oracle.Within(&apart, 5000) // steps
		if errors.Is(err, oracle.ErrTooBig) || len(want) > 500 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		s, err := compile(t.Context(), p, bundlesSave, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, threads := range []int{1, 3} {
			checkSpace(t, s, threads, want)
		}
		if t.Failed() {
			t.Fatalf("seed %d: %v", seed, p)
		}
		if len(s.restrictions) > 0 && len(want) > 0 {
			restricted++
			if len(s.restrictions) > 1 {
				again++
			}
			if len(s.free) > 0 {
				free++
			}
		}
	}
	if least := int(*covers); restricted < least/20 || again < least/100 || free < least/100 {
		t.Errorf("%d covers restricted, %d more than once, %d with free options", restricted, again, free)
	}
}

// matchings returns a cover: the perfect matchings of a complete graph.
func matchings(vertices int) *cover.Problem {
	p := &cover.Problem{}
	for b := range vertices {
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1})
		for a := range b {
			p.Options = append(p.Options, cover.Option{{Item: a, Times: 1}, {Item: b, Times: 1}})
		}
	}
	return p
}

// TestManySymmetries: 10! symmetries leave one option of each item, and all solutions are images.
func TestManySymmetries(t *testing.T) {
	p := matchings(10)
	want, err := oracle.Solutions(p)
	if err != nil {
		t.Fatal(err)
	}
	s, err := compile(t.Context(), p, bundlesSave, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.options) != 5 || len(s.restrictions) != 4 {
		t.Errorf("%d options left by %d restrictions, want 5 and 4", len(s.options), len(s.restrictions))
	}
	checkSpace(t, s, 1, want) // 945 solutions
	if s, err = Compile(t.Context(), p); err != nil || len(s.restrictions) != 0 {
		t.Errorf("%d restrictions of a problem that is searched in no time, %v", len(s.restrictions), err)
	}
	// Of 40 vertices the weights alone do not fit in 32 bits: some items are left to search.
	if s, err = Compile(t.Context(), matchings(40)); err != nil || len(s.restrictions) < 5 {
		t.Fatalf("%d restrictions, %v", len(s.restrictions), err)
	}
	product := int64(1)
	for _, w := range s.weights {
		product *= int64(w)
	}
	if product > mostStood {
		t.Errorf("weights up to %d", product)
	}
}

package cover_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestSplitKeepsTheSolutions compares the solutions of random covers with the products of their
// parts' solutions.
func TestSplitKeepsTheSolutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(29, 1))
	seen := map[string]int{}
	for k := range testkit.Size(600, 6000) {
		p := oracle.RandomParts(rng)
		if k%3 == 0 { // also with orders
			p = oracle.Random(rng)
		}
		want, err := oracle.Within(p, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		s, err := p.Split(t.Context())
		if err == nil {
			err = s.ShareEqual(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := solutionsOf(t, p, s); !slices.EqualFunc(got, want, slices.Equal) {
			t.Fatalf("cover %d:\n%s\nsteps %v, taken %v, %d parts: solutions %v, want %v", k, text(p), s.Steps, s.Taken, len(s.Parts), got, want)
		}
		for _, step := range s.Steps {
			seen[fmt.Sprint("rule ", step.Rule)]++
		}
		seen[fmt.Sprint(min(len(s.Parts), 5), " parts")]++
		problems := map[*cover.Problem]bool{}
		for _, part := range s.Parts {
			problems[part.Problem] = true
		}
		if len(problems) < len(s.Parts) {
			seen["equal parts"]++
		}
	}
	for _, kind := range []string{"rule 0", "rule 1", "rule 2", "rule 3", "rule 4", "0 parts", "1 parts", "2 parts", "5 parts", "equal parts"} {
		if seen[kind] < 10 {
			t.Errorf("%s in %d covers, want it more often: %v", kind, seen[kind], seen)
		}
	}
}

// solutionsOf returns the sorted solutions of p by a split.
func solutionsOf(t *testing.T, p *cover.Problem, s *cover.Split) [][]int {
	if s.IsWhole() {
		all, err := oracle.Within(p, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if s.Impossible {
		return nil
	}
	all := [][]int{s.Taken}
	for _, part := range s.Parts {
		of, err := oracle.Within(marked(part.Problem), 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		var more [][]int
		for _, before := range all {
			for _, solution := range of {
				with := slices.Clone(before)
				for _, o := range solution {
					with = append(with, part.Options[o])
				}
				more = append(more, with)
			}
		}
		all = more
	}
	for _, solution := range all {
		slices.Sort(solution)
	}
	slices.SortFunc(all, slices.Compare)
	return all
}

// marked returns p with an item for each option, which makes equal options different.
func marked(p *cover.Problem) *cover.Problem {
	q := &cover.Problem{Items: slices.Clone(p.Items), Colours: p.Colours}
	for o, option := range p.Options {
		q.Items = append(q.Items, cover.Item{Max: 1})
		q.Options = append(q.Options, append(slices.Clone(option), cover.Use{Item: len(p.Items) + o, Times: 1}))
	}
	return q
}

func text(p *cover.Problem) string {
	return fmt.Sprintf("items %v\noptions %v", p.Items, p.Options)
}

// TestSplitOfChain splits the choices of a long chain.
func TestSplitOfChain(t *testing.T) {
	const triangles = 10_000
	p := &cover.Problem{}
	for range triangles {
		a := len(p.Items)
		p.Items = append(p.Items, cover.Item{Min: 1, Max: 1}, cover.Item{Min: 1, Max: 1}, cover.Item{Min: 1, Max: 1})
		p.Options = append(p.Options,
			cover.Option{{Item: a, Times: 1}, {Item: a + 1, Times: 1}, {Item: a + 2, Times: 1}},
			cover.Option{{Item: a, Times: 1}, {Item: a + 1, Times: 1}}, cover.Option{{Item: a + 2, Times: 1}})
	}
	s, err := p.Split(t.Context())
	if err == nil {
		err = s.ShareEqual(t.Context())
	}
	if err != nil || len(s.Parts) != triangles || s.Parts[0].Problem != s.Parts[triangles-1].Problem {
		t.Errorf("%d parts, %v, want %d equal ones", len(s.Parts), err, triangles)
	}
}

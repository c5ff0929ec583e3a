package dimer

import (
	"math/rand/v2"
	"testing"
)

// TestMatching finds a matching of a random graph if and only if there is a perfect matching.
func TestMatching(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 17))
	perfect := 0
	for range 2000 {
		g := randomGraph(rng)
		m, err := g.Matching(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := len(matchings(g.Graph())) > 0; (m != nil) != want {
			t.Fatalf("%+v: matching %v, expected one: %v", g, m, want)
		}
		if m == nil {
			continue
		}
		perfect++
		covered := make([]bool, g.White)
		for b, e := range m {
			if int(g.Edges[e].Black) != b || covered[g.Edges[e].White] {
				t.Fatalf("%+v: %v is no matching", g, m)
			}
			covered[g.Edges[e].White] = true
		}
	}
	if perfect < 500 || perfect > 1500 {
		t.Errorf("%d of 2000 graphs have a matching", perfect)
	}
}

// randomGraph is a small bipartite graph, planar or not.
func randomGraph(rng *rand.Rand) *Bipartite {
	n := 1 + rng.IntN(6)
	g := &Bipartite{Black: n, White: n}
	for b := range n {
		for w := range n {
			if rng.IntN(n+1) < 2 {
				g.Edges = append(g.Edges, Link{Black: int32(b), White: int32(w), Options: []int{len(g.Edges)}})
			}
		}
	}
	return g
}

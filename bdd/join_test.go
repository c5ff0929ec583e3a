package bdd_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pavage/pavage/bdd"
)

// TestJoin compares joined diagrams with diagrams of lists of all unions.
func TestJoin(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 29))
	for range 300 {
		var parts []*bdd.Diagram
		unions, vars := [][]int{{}}, 0
		for range rng.IntN(4) {
			d := ofSets(t, 3, randomSets(rng, 3))
			var more [][]int
			for _, before := range unions {
				for set := range d.AllSets() {
					union := slices.Clone(before)
					for _, v := range set {
						union = append(union, vars+v)
					}
					more = append(more, union)
				}
			}
			parts, unions, vars = append(parts, d), more, vars+3
		}
		got, err := bdd.Join(parts, bdd.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if want := ofSets(t, vars, unions); !got.Equal(want) {
			t.Fatalf("%d parts: another diagram than the diagram of %v", len(parts), unions)
		}
	}
	d := ofSets(t, 3, [][]int{{0}, {1, 2}})
	if _, err := bdd.Join([]*bdd.Diagram{d, d}, bdd.Limits{Nodes: int64(2*d.Size() - 3)}); !errors.Is(err, bdd.ErrLimit) {
		t.Errorf("%v, want the limit of nodes", err)
	}
	if _, err := bdd.Join([]*bdd.Diagram{d, d}, bdd.Limits{Bytes: 64}); !errors.Is(err, bdd.ErrLimit) {
		t.Errorf("%v, want the limit of bytes", err)
	}
}

func randomSets(rng *rand.Rand, vars int) (sets [][]int) {
	for k := range 1 << vars {
		if rng.IntN(3) > 0 {
			continue
		}
		set := []int{}
		for v := range vars {
			if k>>v&1 == 1 {
				set = append(set, v)
			}
		}
		sets = append(sets, set)
	}
	return sets
}

func ofSets(t *testing.T, vars int, sets [][]int) *bdd.Diagram {
	l, err := bdd.NewList(vars, bdd.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		if err := l.Add(set); err != nil {
			t.Fatal(err)
		}
	}
	d, err := l.Diagram(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

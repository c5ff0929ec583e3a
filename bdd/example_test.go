package bdd_test

import (
	"context"
	"fmt"
	"log"
	"math/big"
	"slices"

	"github.com/pavage/pavage/bdd"
)

// The tilings of the 2x3 board with dominoes, as a family of sets. A variable is a place for a
// domino. A state of the automaton is the set of cells that are covered so far.
func Example() {
	places := []string{"ab", "ad", "bc", "be", "cf", "de", "ef"}
	spec := bdd.Automaton(len(places), "", func(covered string, v int, take bool) (string, bool) {
		first, second := places[v][0], places[v][1]
		cells := []byte("......") // the names of covered cells; '.' for others
		copy(cells, covered)
		if take {
			if cells[first-'a'] != '.' || cells[second-'a'] != '.' {
				return "", false // two dominoes on one cell
			}
			cells[first-'a'], cells[second-'a'] = first, second
		}
		for cell := byte('a'); cell <= 'f'; cell++ {
			last := map[byte]int{'a': 1, 'b': 3, 'c': 4, 'd': 5, 'e': 6, 'f': 6}[cell] // its last place
			if v >= last && cells[cell-'a'] == '.' {
				return "", false // no later place covers this cell
			}
		}
		return string(cells), true
	})
	ctx := context.Background()
	d, err := bdd.Build(ctx, spec, bdd.Limits{Nodes: 1000})
	if err != nil {
		log.Fatal(err)
	}
	counts, err := d.Counts(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(counts.At(d.Root()), "tilings,", d.Size(), "nodes")
	for set := range d.AllSets() {
		fmt.Println(places[set[0]], places[set[1]], places[set[2]])
	}
	// Output:
	// 3 tilings, 10 nodes
	// ab cf de
	// ad bc ef
	// ad be cf
}

// A List makes a diagram from its sets, here the three tilings of the package's example.
// CountHolding counts the sets that hold all of some variables and none of others.
func ExampleList() {
	ctx := context.Background()
	list, err := bdd.NewList(7, bdd.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for _, set := range [][]int{{0, 4, 5}, {1, 2, 6}, {1, 3, 4}} { // ab cf de, ad bc ef, ad be cf
		if err := list.Add(set); err != nil {
			log.Fatal(err)
		}
	}
	d, err := list.Diagram(ctx)
	if err != nil {
		log.Fatal(err)
	}
	counts, err := d.Counts(ctx)
	if err != nil {
		log.Fatal(err)
	}
	n, err := d.CountHolding(ctx, counts, []int{4}, []int{0}) // sets with cf and without ab
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(n, "of", counts.At(d.Root()))
	// Output: 1 of 3
}

// A Store combines families of sets: here the union of three families of one set each. Select then
// returns the family of the sets that hold variable 1.
func ExampleStore() {
	ctx := context.Background()
	s, err := bdd.NewStore(7, bdd.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	all := s.Empty()
	for _, set := range [][]int{{0, 4, 5}, {1, 2, 6}, {1, 3, 4}} {
		one := s.Unit()
		for _, v := range slices.Backward(set) {
			if one, err = s.Node(v, s.Empty(), one); err != nil {
				log.Fatal(err)
			}
		}
		if all, err = s.Combine(ctx, bdd.Union, all, one); err != nil {
			log.Fatal(err)
		}
	}
	d, err := s.Freeze(ctx, all)
	if err != nil {
		log.Fatal(err)
	}
	with, err := d.Select(ctx, []int{1}, 1, 1, bdd.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for set := range with.AllSets() {
		fmt.Println(set)
	}
	// Output:
	// [1 2 6]
	// [1 3 4]
}

// Marginals returns the number of tilings that have each domino. Best lists the tilings, those with
// the greatest weight first; here ab has weight 2, be 3 and ef 5.
func ExampleDiagram_Marginals() {
	ctx := context.Background()
	list, err := bdd.NewList(7, bdd.Limits{})
	if err != nil {
		log.Fatal(err)
	}
	for _, set := range [][]int{{0, 4, 5}, {1, 2, 6}, {1, 3, 4}} { // ab cf de, ad bc ef, ad be cf
		if err := list.Add(set); err != nil {
			log.Fatal(err)
		}
	}
	d, err := list.Diagram(ctx)
	if err != nil {
		log.Fatal(err)
	}
	counts, err := d.Counts(ctx)
	if err != nil {
		log.Fatal(err)
	}
	marginals, err := d.Marginals(ctx, counts, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(marginals)
	weights := []*big.Int{0: big.NewInt(2), 3: big.NewInt(3), 6: big.NewInt(5)}
	for w, err := range d.Best(ctx, weights, 0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(w.Weight, w.Set)
	}
	// Output:
	// [1 2 1 1 2 1 1]
	// 5 [1 2 6]
	// 3 [1 3 4]
	// 2 [0 4 5]
}

package cover_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/pavage/pavage/cover"
)

// boardText is the 2x3 board with dominoes. Its options are, from 0: ab bc de ef ad be cf.
const boardText = `
item a 1
item b 1
item c 1
item d 1
item e 1
item f 1
option a b
option b c
option d e
option e f
option a d
option b e
option c f
`

// A problem consists of items with bounds, here the cells of a 2x2 board, and of options that use
// items, here the places for a domino.
func Example() {
	p := &cover.Problem{}
	for _, cell := range []string{"a", "b", "c", "d"} {
		p.Items = append(p.Items, cover.Item{Name: cell, Min: 1, Max: 1})
	}
	for _, place := range [][2]int{{0, 1}, {2, 3}, {0, 2}, {1, 3}} {
		p.Options = append(p.Options, cover.Option{{Item: place[0], Times: 1}, {Item: place[1], Times: 1}})
	}
	if err := p.Validate(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.IsSolution([]int{0, 1}), p.IsSolution([]int{0, 3}))
	if err := p.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// true false
	// item a 1
	// item b 1
	// item c 1
	// item d 1
	// option a b
	// option c d
	// option a c
	// option b d
}

// Errors about a text name the line.
func ExampleRead() {
	p, err := cover.Read("2x3", strings.NewReader(boardText))
	fmt.Println(len(p.Items), "items,", len(p.Options), "options,", err)
	_, err = cover.Read("2x3", strings.NewReader(boardText+"option f g\n"))
	fmt.Println(err)
	// Output:
	// 6 items, 7 options, <nil>
	// 2x3:15: invalid cover: unknown item "g", expected an item that a line above defines
}

// The problem that is left after the domino on a and b has been chosen.
func ExampleProblem_Residual() {
	p, err := cover.Read("2x3", strings.NewReader(boardText))
	if err != nil {
		log.Fatal(err)
	}
	rest := p.Residual([]int{0})
	fmt.Println(rest.Options) // the options de, ef and cf
	// Output: [2 3 6]
}

// The tilings that a half turn of the board maps to themselves are the solutions of a quotient.
// Its options are orbits of options: a solution has both bc and de, for example, or neither.
func ExampleProblem_Quotient() {
	p, err := cover.Read("2x3", strings.NewReader(boardText))
	if err != nil {
		log.Fatal(err)
	}
	halfTurn := cover.Symmetry{5, 4, 3, 2, 1, 0} // a and f, b and e, c and d change places
	q, err := p.Quotient(halfTurn)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(q.Problem.Items), "items;", q.Orbits)
	// Output:
	// 3 items; [[0 3] [1 2] [4 6] [5]]
}

// A Canon finds the least image of a solution under a group. It represents all images.
func ExampleCanon() {
	p, err := cover.Read("2x3", strings.NewReader(boardText))
	if err != nil {
		log.Fatal(err)
	}
	group := []cover.Symmetry{
		{0, 1, 2, 3, 4, 5},
		{5, 4, 3, 2, 1, 0}, // the half turn
		{2, 1, 0, 5, 4, 3}, // left and right change places
		{3, 4, 5, 0, 1, 2}, // up and down
	}
	c, err := p.Canon(context.Background(), group)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Least([]int{1, 3, 4}), c.IsLeast([]int{0, 2, 6})) // ad bc ef, ab de cf
	// Output: [0 2 6] true
}

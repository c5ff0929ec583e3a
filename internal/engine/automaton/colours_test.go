package automaton

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// TestColoursAgreeWithTheOracle counts random covers with colours in all their orders.
func TestColoursAgreeWithTheOracle(t *testing.T) {
	counted, closed, lone := 0, 0, 0
	for seed := range uint64(testkit.Size(3000, 10_000)) {
		rng := rand.New(rand.NewPCG(seed, 29))
		p := oracle.RandomColoured(rng)
		want, err := oracle.Within(p, 1<<14)
		if errors.Is(err, oracle.ErrTooBig) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		orders, err := Orders(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for k, order := range append(orders, nil) {
			a, err := Compile(t.Context(), p, order)
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			got := 0
			if a.Feasible {
				got, _ = swept(a)
			}
			if got != len(want) {
				t.Fatalf("seed %d, order %d: %d, the oracle has %d", seed, k, got, len(want))
			}
			if a.Coloured() {
				counted++
			}
		}
		c := newCompiler(p, orders[0])
		for _, x := range c.coloured {
			if x.width > 0 && x.asked[len(x.asked)-1].code != x.closed() {
				closed++
			}
		}
		for _, item := range c.Order {
			if item == -1 {
				lone++
			}
		}
	}
	if counted < 500 || closed < 100 || lone < 100 {
		t.Errorf("only %d orders with fields, %d fields that close, %d lone steps", counted, closed, lone)
	}
}

// edges returns a board of cells whose edges have to match, each edge in one of some colours. Every
// colouring of the edges is a solution.
func edges(rows, columns, colours int) *cover.Problem {
	p := &cover.Problem{Colours: make([]string, colours)}
	for k := range rows*columns + rows*(columns+1) + (rows+1)*columns {
		p.Items = append(p.Items, cover.Item{Min: 0, Max: 1})
		if k < rows*columns {
			p.Items[k].Min = 1
		}
	}
	for r := range rows {
		for c := range columns {
			left := rows*columns + r*(columns+1) + c
			above := rows*columns + rows*(columns+1) + r*columns + c
			for which := range colours * colours * colours * colours {
				option := cover.Option{{Item: r*columns + c, Times: 1}}
				for _, edge := range []int{left, left + 1, above, above + columns} {
					option = append(option, cover.Use{Item: edge, Times: 1, Colour: int32(which%colours) + 1})
					which /= colours
				}
				p.Options = append(p.Options, option)
			}
		}
	}
	return p
}

// TestColoursLeaveTheState: levels of a long board have the sizes of the levels of a short one,
// and each option is one move, for a cell determines which of its edges have colours.
func TestColoursLeaveTheState(t *testing.T) {
	largest := map[int]int{}
	for _, columns := range []int{6, 12, 40} {
		p := edges(3, columns, 2)
		a, err := Compile(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Steps() {
			if from, to := a.StepVariables(i); a.Moves(i) != 1+to-from {
				t.Errorf("step %d of %d options has %d moves", i, to-from, a.Moves(i))
			}
		}
		level := map[[1]uint64]bool{Root[[1]uint64](a): true}
		for step := range a.Steps() {
			tr := NewTransition[[1]uint64](a, step)
			next := map[[1]uint64]bool{}
			for state := range level {
				for i := range tr.Streams {
					if image, ok := tr.Streams[i].Image(state, tr.Window); ok {
						next[image] = true
					}
				}
			}
			level = next
			largest[columns] = max(largest[columns], len(level))
		}
		if len(level) != 1 {
			t.Errorf("3x%d ends in %d states", columns, len(level))
		}
	}
	if largest[40] != largest[12] || largest[40] > 1<<6 {
		t.Errorf("largest levels %v, want the same for long boards, at most 2 colours for each of 6 open edges", largest)
	}
}

// TestColoursOfAWideOption: if no state is wide enough, the items that many cells share with many
// edges are not listed.
func TestColoursOfAWideOption(t *testing.T) {
	const cells = 2000
	p := &cover.Problem{Colours: []string{"red", "green"}}
	for colour := range int32(2) {
		var option cover.Option
		for i := range 2 * cells {
			if colour == 0 {
				p.Items = append(p.Items, cover.Item{Min: (2*cells - 1 - i) / cells, Max: 1})
			}
			use := cover.Use{Item: i, Times: 1}
			if i >= cells {
				use.Colour = 1 + colour
			}
			option = append(option, use)
		}
		p.Options = append(p.Options, option)
	}
	p.Options[1] = p.Options[1][1:] // another step, or no field is wanted
	var err error
	took := testkit.Allocated(func() { _, err = Compile(t.Context(), p) })
	if !errors.Is(err, ErrTooWide) {
		t.Errorf("%v, want %v", err, ErrTooWide)
	}
	if most := int64(4 * cells * cells / 2); took > most {
		t.Errorf("allocated %d bytes, want at most %d, half a number for each cell and edge", took, most)
	}
}

package automaton

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
)

// Compile builds the automaton of a validated problem in the best of the given orders. If no order
// is given, it chooses from the result of [Orders]. It fails with ErrTooWide if a state needs over
// key.MaxBits bits in every order, or with the error of ctx.
func Compile(ctx context.Context, p *cover.Problem, orders ...[]int) (*Automaton, error) {
	return compile(ctx, p, manyStates, orders)
}

// CompileThorough is Compile for tests. It looks for pockets even if few states are expected.
func CompileThorough(ctx context.Context, p *cover.Problem, orders ...[]int) (*Automaton, error) {
	return compile(ctx, p, 0, orders)
}

// manyStates is the smallest expected number of states for which compile looks for pockets.
const manyStates = 1 << 15

func compile(ctx context.Context, p *cover.Problem, many float64, orders [][]int) (*Automaton, error) {
	if len(orders) == 0 {
		var err error
		if orders, err = Orders(ctx, p); err != nil {
			return nil, err
		}
	}
	laid, infeasible, err := layOutAll(ctx, p, orders)
	if err != nil || infeasible != nil {
		return infeasible, err
	}
	return laid[0].finish(ctx, many)
}

// ItemOrder returns the order of items for which the automaton was compiled. If [Compile] gets the
// same problem and only this order, its automaton has the same [Automaton.Print], on any machine.
func (a *Automaton) ItemOrder() []int {
	return slices.DeleteFunc(slices.Clone(a.Order), func(i int) bool { return i < 0 })
}

// Variables returns the field Variables of the automaton of a validated problem in this order. It
// works even if Compile fails with ErrTooWide or the problem is infeasible.
func Variables(p *cover.Problem, order []int) []int {
	c := newCompiler(p, order)
	c.place()
	return c.variables()
}

type laidOut struct {
	*compiler
	index int     // index of the order in the argument of layOutAll
	guess float64 // result of the method cost
}

// layOutAll returns the orders that are not too wide, sorted by cost. For an infeasible problem, it
// returns an automaton in which Feasible is false.
func layOutAll(ctx context.Context, p *cover.Problem, orders [][]int) (all []laidOut, infeasible *Automaton, err error) {
	var narrowest *tooWide
	for k, o := range orders {
		c, err := layOut(ctx, p, o)
		var wide *tooWide
		switch {
		case errors.As(err, &wide):
			if narrowest == nil || wide.bits < narrowest.bits {
				narrowest = wide
			}
			continue
		case err != nil:
			return nil, nil, err
		case !c.Feasible:
			return nil, c.Automaton, nil
		}
		all = append(all, laidOut{c, k, c.cost(k > 0)})
	}
	if all != nil {
		slices.SortStableFunc(all, func(a, b laidOut) int { return cmp.Compare(a.guess, b.guess) })
		return all, nil, nil
	}
	// All orders are too wide. An infeasible problem is infeasible in every order: try the first.
	c := newCompiler(p, orders[0])
	c.place()
	if c.countItems(); !c.Feasible {
		return nil, c.Automaton, nil
	}
	return nil, nil, narrowest
}

func layOut(ctx context.Context, p *cover.Problem, order []int) (*compiler, error) {
	c := newCompiler(p, order)
	if err := checkWidth(c.Window); err != nil {
		return nil, err
	}
	for _, phase := range []func(){c.place, c.countItems} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		phase()
	}
	if !c.Feasible {
		return c, nil // no choice of options meets all bounds
	}
	if err := c.checkColours(); err != nil {
		return nil, err
	}
	return c, c.layOut()
}

func (c *compiler) finish(ctx context.Context, many float64) (*Automaton, error) {
	if err := c.makeMoves(ctx); err != nil {
		return nil, err
	}
	if err := c.makeFloors(ctx); err != nil {
		return nil, err
	}
	var err error
	c.shape = c.typicalSets()
	c.later = make([]float64, len(c.shape))
	for j := len(c.shape) - 2; j >= 0; j-- {
		c.later[j] = c.later[j+1] + c.shape[j+1]
	}
	c.byShape = c.largest() >= len(handicap) && c.colourOf == nil
	c.pockets, err = c.findPockets(ctx, many)
	return c.Automaton, err
}

type tooWide struct {
	bits    int
	colours bool // there are too many moves, not too many bits; see checkColours
}

func (e *tooWide) Unwrap() error { return ErrTooWide }
func (e *tooWide) Error() string {
	if e.colours {
		return fmt.Sprintf("%v: options with several colours need more than %d additional moves, expected options with fewer items with colours", ErrTooWide, maxColourMoves)
	}
	return fmt.Sprintf("%v: a state needs %d bits or more, expected at most %d bits", ErrTooWide, e.bits, maxBits)
}

// maxBits is the largest number of bits of a state. The highest bit stays free: see layOut.
const maxBits = key.MaxBits

func checkWidth(bits int) error {
	if bits > maxBits {
		return &tooWide{bits: bits}
	}
	return nil
}

type compiler struct {
	*Automaton
	p         *cover.Problem
	at        []int   // position of each item in Order, -1 if not swept
	optional  []bool  // indexed by position; whether the item may stay uncovered
	first     []int   // position of the first item of each option, or noItem or impossible
	byStep    [][]int // options of each step
	counterOf []int   // index of the counter of each item, -1 if the item has none
	colourOf  []int32 // index in coloured of each item, or -1; nil if no item has colours
	coloured  []coloured
	cells     []int     // results of cellsFrom, indexed by step
	made      [2][]move // buffers of movesOf
}

const (
	noItem     = -1 // no item of the option is swept
	impossible = -2 // the option alone exceeds the Max of an item
)

func newCompiler(p *cover.Problem, order []int) *compiler {
	c := &compiler{Automaton: &Automaton{Feasible: true}, p: p}
	c.findColoured()
	c.sweep(order)
	c.findFirst()
	c.layColours()
	c.findReach()
	return c
}

func (c *compiler) sweep(order []int) {
	c.at = make([]int, len(c.p.Items))
	for i := range c.at {
		c.at[i] = -1
	}
	for _, i := range order {
		if c.p.Items[i].Max == 1 && c.colour(i) == nil {
			c.at[i] = len(c.Order)
			c.Order = append(c.Order, i)
			c.optional = append(c.optional, c.p.Items[i].Min == 0)
		}
	}
}

func (c *compiler) findFirst() {
	c.first = make([]int, len(c.p.Options))
	for o, option := range c.p.Options {
		first := noItem
		for _, u := range option {
			if int(u.Times) > c.p.Items[u.Item].Max {
				first = impossible
				break
			}
			if at := c.at[u.Item]; at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
		c.first[o] = first
	}
}

func (c *compiler) findReach() {
	c.Window = 1
	c.reach = make([]int, len(c.Order))
	for o, option := range c.p.Options {
		first := c.first[o]
		if first < 0 {
			continue
		}
		end := first + 1
		for _, u := range option {
			end = max(end, c.at[u.Item]+1)
		}
		c.eachColoured(o, func(x *coloured, _ cover.Use) {
			if x.width > 0 {
				end = max(end, x.at+x.width)
			}
		})
		c.reach[first] = max(c.reach[first], end-first)
		c.Window = max(c.Window, end-first)
	}
}

func (c *compiler) place() {
	c.byStep = make([][]int, len(c.Order))
	for o, first := range c.first {
		switch first {
		case impossible:
		case noItem:
			c.Order = append(c.Order, -1)
			c.optional = append(c.optional, true)
			c.reach = append(c.reach, 1)
			c.byStep = append(c.byStep, []int{o})
		default:
			c.byStep[first] = append(c.byStep[first], o)
		}
	}
}

// The profile of an order, except the first (by rows), is multiplied by handicap[n], where n is the
// number of items of the largest option. The table divides the profile of the order by rows by the
// profile of the order by diagonals, and the numbers of states likewise:
//
//	                       profile   states
//	dominoes 20x20             3.3      4.5
//	monomer-dimer 16x16        2.7      4.1
//	mono- to trominoes 8x8     2.2      1.5
var handicap = [...]float64{1, 1, 1, 1.5}

// cost estimates the number of states. For options of few items, the estimate is the profile times
// the handicap. The profile is the sum of 2^(r/2) over all steps. Here r is the number of items of
// the window that the options up to this step may cover. For larger options, the estimate is the
// number of typical sets, because profiles rank the orders wrong. (For 10x10 tetrominoes the order
// by rows has 3.8 times the profile of a diagonal, but 0.86 times its states.)
func (c *compiler) cost(other bool) float64 {
	largest := c.largest()
	switch {
	case c.colourOf == nil && len(c.p.Orders) == 0:
		return newPartials(c.p, c.ItemOrder()).along(c.ItemOrder())
	case largest >= len(handicap) || c.colourOf != nil:
		return sumOf(c.typicalSets())
	}
	total := 0.0
	reach := 0
	for i, bits := range c.reach {
		reach = max(reach, i+bits)
		total += math.Exp2(float64(reach-i) / 2)
	}
	if other {
		total *= handicap[largest]
	}
	return total
}

func (c *compiler) largest() (n int) {
	for o := range c.p.Options {
		n = max(n, c.swept(o))
	}
	return n
}

func sumOf(list []float64) (sum float64) {
	for _, x := range list {
		sum += x
	}
	return sum
}

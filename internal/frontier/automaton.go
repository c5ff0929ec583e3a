package frontier

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
)

// NoOption marks the move that takes no option: the item is covered already,
// or may stay uncovered.
const NoOption = -1

// ErrTooWide is wrapped when a state needs more than MaxWords words.
var ErrTooWide = errors.New("the frontier is too wide")

// Automaton is a cover compiled for one order of its items. It is immutable.
type Automaton struct {
	Words     int   // words of a key, 1..MaxWords
	Window    int   // bits of the window
	Order     []int // swept items; behind them -1 for each option without any
	Variables []int // option of each variable; those of a step come before those of the next
	Feasible  bool  // false: some bound cannot be met, whatever is chosen

	steps    []step
	counters []counter
	root     wide
	window   wide
	pockets  *pockets
}

// step decides one item.
type step struct {
	moves  []move
	floors []floor // lower bounds that first bind after this step
}

// move is an option, or NoOption, with its demands on a state.
type move struct {
	test, want wide // fits: state&test == want …
	add, guard wide // … and (state+add)&guard == 0; then state+add, shifted
	variable   int  // NoOption, or an index into Variables
}

// floor drops states whose counter is below least.
type floor struct {
	at, width int
	least     uint64
}

// Steps is the number of steps; the automaton has one more level.
func (a *Automaton) Steps() int { return len(a.steps) }

// Compile builds the automaton of a validated problem for the best of the
// given orders; with none given, of the problem's own and those of [Orders].
// It fails with ErrTooWide if a state would need more than MaxWords words.
func Compile(p *cover.Problem, orders ...[]int) (*Automaton, error) {
	if len(orders) == 0 {
		orders = Orders(p)
	}
	var best *compiler
	var least float64
	var tooWide error
	for k, o := range orders {
		c, err := compile(p, o)
		if err != nil {
			tooWide = cmp.Or(tooWide, err)
			continue
		}
		if !c.Feasible {
			return c.Automaton, nil
		}
		if cost := c.profile(k > 0); best == nil || cost < least {
			best, least = c, cost
		}
	}
	if best == nil {
		return nil, tooWide
	}
	best.pockets = best.findPockets()
	return best.Automaton, nil
}

// handicap is by how much another order's profile must be better than that of
// the problem's first order (on a board its rows), by the number of items of
// the largest option. Profile and states along the rows, in units of those
// along a diagonal:
//
//	                       profile   states
//	dominoes 20x20             3.3      4.5
//	monomer-dimer 16x16        2.7      4.1
//	mono- to trominoes 8x8     2.2      1.5
//	tetrominoes 10x10          3.8      0.86
//	pentominoes 6x10           0.77     0.23
var handicap = [...]float64{1, 1, 1, 1.5, 5}

// profile estimates how many states an order meets, as the sum over the steps
// of 2^(window cells reached/2). It compares orders and nothing else; a float
// will do.
func (c *compiler) profile(handicapped bool) float64 {
	var total float64
	reach, largest := 0, 0
	for i, s := range c.steps {
		for _, m := range s.moves {
			reach = max(reach, i+c.reach(m))
		}
		total += math.Exp2(float64(max(0, reach-i)) / 2)
	}
	if !handicapped {
		return total
	}
	for o := range c.p.Options {
		largest = max(largest, c.swept(o))
	}
	return total * handicap[min(largest, len(handicap)-1)]
}

// reach is the number of window bits a move adds to.
func (a *Automaton) reach(m move) int {
	for b := a.Window; b > 0; b-- {
		if m.add.has(b - 1) {
			return b
		}
	}
	return 0
}

// compiler carries what compile knows from one of its phases to the next.
type compiler struct {
	*Automaton
	p         *cover.Problem
	at        []int   // position of each item in Order, -1 if not swept
	optional  []bool  // by position
	byStep    [][]int // options by the position of their first item
	counterOf []int   // index of each item's counter, -1 if it has none
}

func compile(p *cover.Problem, order []int) (*compiler, error) {
	c := &compiler{Automaton: &Automaton{Feasible: true}, p: p}
	c.sweep(order)
	c.place()
	c.findWindow()
	c.countItems()
	if !c.Feasible {
		return c, nil // whatever is chosen, some bound is not met
	}
	if err := c.layOut(); err != nil {
		return nil, err
	}
	c.makeMoves()
	c.makeFloors()
	return c, nil
}

// sweep takes the items of the order that can be swept: those that may be
// used at most once and whose options use them once.
func (c *compiler) sweep(order []int) {
	c.at = make([]int, len(c.p.Items))
	for i := range c.at {
		c.at[i] = -1
	}
	for _, i := range order {
		if c.p.Items[i].Max == 1 {
			c.at[i] = len(c.Order)
			c.Order = append(c.Order, i)
			c.optional = append(c.optional, c.p.Items[i].Min == 0)
		}
	}
}

// place gives each possible option to the step of its first item. An option
// that uses no swept item gets a step of its own at the end: an item that
// only this option covers and that may stay uncovered.
func (c *compiler) place() {
	c.byStep = make([][]int, len(c.Order))
	for o, option := range c.p.Options {
		first := -1
		possible := true
		for _, u := range option {
			possible = possible && u.Times <= c.p.Items[u.Item].Max
			if at := c.at[u.Item]; at >= 0 && (first < 0 || at < first) {
				first = at
			}
		}
		switch {
		case !possible:
		case first >= 0:
			c.byStep[first] = append(c.byStep[first], o)
		default:
			c.Order = append(c.Order, -1)
			c.optional = append(c.optional, true)
			c.byStep = append(c.byStep, []int{o})
		}
	}
}

func (c *compiler) findWindow() {
	c.Window = 1
	for i, options := range c.byStep {
		for _, o := range options {
			for _, u := range c.p.Options[o] {
				c.Window = max(c.Window, c.at[u.Item]-i+1)
			}
		}
	}
}

// layOut gives every counter its place above the window and fixes Words. One
// bit stays free at the top, so that adding a move to any state, also one it
// does not fit, cannot wrap around and break the order.
func (c *compiler) layOut() error {
	at := c.Window
	if flags := c.sortFlagsFirst(); at&63+flags > 64 && flags <= 64 {
		at = at&^63 + 64 // flags stay together, for the table of pocket sizes
	}
	for k := range c.counters {
		f := &c.counters[k]
		need := f.width + f.guardBits()
		if at&63+need > 64 { // a field stays within one word
			at = at&^63 + 64
		}
		f.at = at
		at += need
	}
	c.Words = at/64 + 1
	if c.Words > MaxWords {
		return fmt.Errorf("%w: a state needs %d bits, at most %d are supported", ErrTooWide, at, MaxWords*64-1)
	}
	for b := range c.Window {
		c.window.set(b)
	}
	for _, f := range c.counters {
		c.root.put(f.at, f.bias)
	}
	return nil
}

// sortFlagsFirst returns the number of flags.
func (c *compiler) sortFlagsFirst() int {
	slices.SortStableFunc(c.counters, func(a, b counter) int { return cmp.Compare(a.kind, b.kind) })
	flags := 0
	for k, f := range c.counters {
		c.counterOf[f.item] = k
		if f.kind == flag {
			flags++
		}
	}
	return flags
}

func (c *compiler) makeMoves() {
	c.steps = make([]step, len(c.Order))
	for i, options := range c.byStep {
		s := &c.steps[i]
		s.moves = append(s.moves, c.skip(i))
		for _, o := range options {
			made := c.movesOf(i, o, len(c.Variables))
			if len(made) > 0 {
				s.moves = append(s.moves, made...)
				c.Variables = append(c.Variables, o)
			}
		}
	}
}

// skip goes on without an option: where item i is covered or may stay bare.
func (c *compiler) skip(i int) move {
	m := move{variable: NoOption}
	if !c.optional[i] {
		m.test.set(0)
		m.want.set(0)
	}
	return m
}

// movesOf is one move for each way in which option o changes the counters.
func (c *compiler) movesOf(i, o, variable int) []move {
	m := move{variable: variable}
	m.add.set(0) // the first item, or the stand-in of an option without one
	for _, u := range c.p.Options[o] {
		if at := c.at[u.Item]; at >= 0 {
			m.add.set(at - i)
		}
	}
	m.test = m.add
	moves := []move{m}
	for _, u := range c.p.Options[o] {
		if k := c.counterOf[u.Item]; k >= 0 {
			var grown []move
			for _, m := range moves {
				grown = append(grown, c.counters[k].apply(m, u.Times)...)
			}
			moves = grown
		}
	}
	return moves
}

// lowBits is a mask of the n lowest bits, 0 ≤ n ≤ 64 (a shift by 64 gives 0).
func lowBits(n int) uint64 { return 1<<n - 1 }

func bitsFor(value int) int { return bits.Len64(uint64(value)) }

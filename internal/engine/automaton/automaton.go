package automaton

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/key"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

// noOption is the variable of the move that uses no option.
const noOption = -1

var (
	// ErrTooWide is wrapped when a state needs more than key.MaxBits bits.
	ErrTooWide = errors.New("the frontier is too wide")
	// ErrMemory is cover.ErrMemory, wrapped when an operation needs more memory than its limit.
	ErrMemory = cover.ErrMemory
)

// Automaton is a cover compiled for one order of its items. It is immutable.
type Automaton struct {
	Words     int   // number of words of a key
	Window    int   // number of bits of the window
	Order     []int // item of each step; fieldStep-x for a field bit of item x; otherwise -1
	Variables []int // option of each variable; variables are sorted by step
	Feasible  bool  // false if no choice of options meets all bounds

	steps    []step
	counters []counter
	root     key.Wide
	window   key.Wide
	pockets  *pockets
	shape    []float64 // indexed by level; proportional to the expected number of states
	later    []float64 // indexed by level; sum of shape over the levels after this level
	byShape  bool      // the largest option has four or more swept items, and no item has colours
	reach    []int     // indexed by step; number of low window bits that the step's options may set
}

type step struct {
	from, to int // the variables v of the step have from ≤ v < to
	moves    moves
	floors   []Floor // lower bounds on counters of the states after this step
}

type move struct {
	test, want key.Wide // the move fits if state&test == want and (state+add)&guard == 0
	add, guard key.Wide // the next state is state+add, with the window shifted
	variable   int      // noOption, or an index into Variables
}

// moves has the moves of a step. Its keys have only Automaton.Words words, to save memory.
type moves struct {
	words     int
	keys      []uint64 // test, want, add and guard of each move
	variables []int
}

func (l *moves) put(m move) {
	for _, k := range [...]*key.Wide{&m.test, &m.want, &m.add, &m.guard} {
		l.keys = append(l.keys, k[:l.words]...)
	}
	l.variables = append(l.variables, m.variable)
}

func (l *moves) count() int { return len(l.variables) }

func (l *moves) of(i int) []uint64 { return l.keys[4*l.words*i : 4*l.words*(i+1)] }

func (l *moves) test(i int) []uint64  { return l.of(i)[:l.words] }
func (l *moves) want(i int) []uint64  { return l.of(i)[l.words : 2*l.words] }
func (l *moves) add(i int) []uint64   { return l.of(i)[2*l.words : 3*l.words] }
func (l *moves) guard(i int) []uint64 { return l.of(i)[3*l.words:] }

// Floor is a test that drops the states in which the value of a counter is too low.
type Floor struct {
	at, width int
	least     uint64
}

// Steps returns the number of steps. The number of levels is one more.
func (a *Automaton) Steps() int { return len(a.steps) }

// layOut assigns bits to the counters. The highest bit of a state stays 0, so sums cannot overflow.
func (c *compiler) layOut() error {
	at := c.Window
	if flags := c.sortFlagsFirst(); at&63+flags > 64 && flags <= 64 {
		at = at&^63 + 64 // the test for pockets reads all flags from one word
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
	if err := checkWidth(at); err != nil {
		return err
	}
	c.Words = key.Fit(at/64 + 1)
	for b := range c.Window {
		c.window.Set(b)
	}
	for _, f := range c.counters {
		c.root.Put(f.at, f.bias)
	}
	return nil
}

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

func (c *compiler) makeMoves(ctx context.Context) error {
	w := interrupt.Context(ctx)
	c.Variables = c.variables()
	c.steps = make([]step, len(c.Order))
	variable := 0
	for i, options := range c.byStep {
		s := &c.steps[i]
		s.moves.words = c.Words
		skip := move{variable: noOption} // fits if the item is covered or may stay uncovered
		if !c.optional[i] {
			skip.test.Set(0)
			skip.want.Set(0)
		}
		s.moves.put(skip)
		s.from, s.to = variable, variable+len(options)
		for _, o := range options {
			if err := w.Look(); err != nil {
				return err
			}
			for _, m := range c.movesOf(i, o, variable) {
				s.moves.put(m)
			}
			variable++
		}
	}
	return nil
}

// variables returns the options of all steps in order, including options without a move. An option
// has no move if earlier options surely use one of its items with another colour.
func (c *compiler) variables() []int { return slices.Concat(c.byStep...) }

// movesOf returns the moves of option o at step i. The moves are valid until the next call.
func (c *compiler) movesOf(i, o, variable int) []move {
	m := move{variable: variable}
	m.add.Set(0) // the bit of the first swept item; it is also set if the option has no swept item
	for _, u := range c.p.Options[o] {
		if at := c.at[u.Item]; at >= 0 {
			m.add.Set(at - i)
		}
	}
	m.test = m.add
	moves, grown := append(c.made[0][:0], m), c.made[1]
	for _, u := range c.p.Options[o] {
		grown = grown[:0]
		switch k, x := c.counterOf[u.Item], c.colour(u.Item); {
		case k >= 0:
			for _, m := range moves {
				grown = c.counters[k].apply(grown, m, int(u.Times))
			}
		case x != nil:
			for _, m := range moves {
				grown = x.apply(grown, m, i, u.Colour)
			}
		default:
			continue
		}
		moves, grown = grown, moves
	}
	c.made = [2][]move{moves, grown}
	return moves
}

func bitsFor(value int) int { return bits.Len64(uint64(value)) }

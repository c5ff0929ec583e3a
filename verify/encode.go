package verify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
)

// maxLiterals literals need 256 MiB.
const maxLiterals = 1 << 26

// ErrTooLarge is wrapped when a problem has too many literals, options, or images of options.
var ErrTooLarge = errors.New("the problem is too large for a SAT encoding")

// CNF is a formula in conjunctive normal form, with one model for each solution of the cover.
type CNF struct {
	// Variable v ≥ 1 stands for Options[v-1]. The other variables are helpers, which the variables of
	// the options determine. Projected counts must project on the variables of the options.
	Options []int
	Vars    int     // number of variables, including helpers
	Clauses int     // number of clauses
	Lits    []int32 // all clauses, each ended by 0; -v is the negation of v

	dry            bool  // whether clauses are only measured
	measured, most int64 // number of literals plus number of clauses, and its limit
}

// Encode returns the formula of a valid problem. It uses at most memory bytes; 0 means no limit.
// The error wraps ErrTooLarge or cover.ErrMemory, or is an error of ctx.
func Encode(ctx context.Context, p *cover.Problem, memory int64) (*CNF, error) {
	return wholePart(p).encode(ctx, memory, 0, 0)
}

func (c *CNF) add(lits ...int32) {
	c.measured += int64(len(lits)) + 1
	if c.dry {
		return
	}
	c.Lits = append(append(c.Lits, lits...), 0)
	c.Clauses++
}

func (c *CNF) isFull() bool { return c.measured > c.most }

func (c *CNF) helper() int32 {
	c.Vars++
	return int32(c.Vars)
}

// WriteDIMACS writes the formula as a CNF file. If name is not nil, comments name the options. If
// there are helpers, lines "c p show" request a projected count on the variables of the options:
//
//	c 7 variables for options, 0 helpers that these determine
//	c 1 = domino [[0,0],[0,1]]
//	…
//	c t mc
//	p cnf 7 16
//	-1 -5 0
//
// A count with the projection and a count without it are both the number of solutions.
func (c *CNF) WriteDIMACS(w io.Writer, name func(option int) string) error {
	b := bufio.NewWriter(w) // stores its first error until Flush
	fmt.Fprintf(b, "c %d variables for options, %d helpers that these determine\n", len(c.Options), c.Vars-len(c.Options))
	if name != nil {
		for k, o := range c.Options {
			if _, err := fmt.Fprintf(b, "c %d = %s\n", k+1, strings.Join(strings.Fields(name(o)), " ")); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(b, "c t %s\np cnf %d %d\n", c.Type(), c.Vars, c.Clauses)
	if c.Type() == Projected {
		for k := range c.Options {
			if k%shownPerLine == 0 {
				b.WriteString("c p show")
			}
			if _, err := fmt.Fprintf(b, " %d", k+1); err != nil {
				return err
			}
			if k%shownPerLine == shownPerLine-1 || k == len(c.Options)-1 {
				b.WriteString(" 0\n")
			}
		}
	}
	for _, l := range c.Lits {
		end := byte(' ')
		if l == 0 {
			end = '\n'
		}
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(l), 10))
		if err := b.WriteByte(end); err != nil {
			return err
		}
	}
	return b.Flush()
}

const shownPerLine = 20

// Types of formulas: see [CNF.Type].
const (
	Plain     = "mc"
	Projected = "pmc"
)

// Type returns the type of the counting task: Projected if there are helpers, otherwise Plain.
func (c *CNF) Type() string {
	if c.Vars == len(c.Options) {
		return Plain
	}
	return Projected
}

type row struct {
	uses  []use
	least int
	most  int // cover.Unbounded means no limit
}

type use struct{ v, times, colour int32 }

func variables(uses []use) []int32 {
	vars := make([]int32, len(uses))
	for k, u := range uses {
		vars[k] = u.v
	}
	return vars
}

func (c *CNF) encode(r row) {
	uses := r.uses[:0:0]
	for _, u := range r.uses {
		if int(u.times) <= r.most {
			uses = append(uses, u)
		} else { // the use of this variable alone exceeds the max
			c.add(-u.v)
		}
	}
	uses = c.kinds(uses)
	total := 0 // below 2^44, see cover.MaxTimes
	for _, u := range uses {
		total += int(u.times)
	}
	switch {
	case r.least > total: // a contradiction without an empty clause, which some programs reject
		v := c.helper()
		c.add(v)
		c.add(-v)
	case r.least == 0 && r.most >= total:
	case r.least <= 1 && r.most >= total:
		c.add(variables(uses)...)
	case r.most == 1:
		c.atMostOne(variables(uses), r.least == 1)
	default:
		top := r.least
		if r.most < total {
			top = r.most + 1
		}
		if int64(top) > c.most { // a use would need more helpers than the limit on literals
			c.measured = c.most + 1
			return
		}
		c.counter(uses, r.least, top, r.most < total)
	}
}

var errTooLarge = fmt.Errorf("%w: it needs more than %d literals", ErrTooLarge, maxLiterals)

// kinds replaces the uses of each colour by one use of a variable for "one or more of these
// options". Uses without a colour stay. If all uses have the same colour, all of them fit together,
// and kinds returns no use:
//
//	1 x:R   2 x:G   3 x:R   4 x          y ⇔ 1∨3        at most one of y 2 4
func (c *CNF) kinds(uses []use) []use {
	if !slices.ContainsFunc(uses, func(u use) bool { return u.colour != 0 }) {
		return uses
	}
	var groups [][]int32     // variables of each colour, or of one use without a colour
	place := map[int32]int{} // index of the group of each colour
	for _, u := range uses {
		at, found := place[u.colour]
		if !found || u.colour == 0 {
			at = len(groups)
			groups = append(groups, nil)
			place[u.colour] = at
		}
		groups[at] = append(groups[at], u.v)
	}
	if len(groups) == 1 {
		return nil
	}
	var kinds []use
	for _, g := range groups {
		kinds = append(kinds, use{v: c.either(g), times: 1})
	}
	return kinds
}

// groupSize variables of a long list share a helper. For 8x8 with the pentominoes and a square, the
// table shows the seconds that one thread needs for a sample. Without groups, there are 1.6 million
// clauses for pairs. With groups of 6, there are 61,000 clauses.
//
//	size      3    4    5    6    8   10   only pairs
//	seconds 139  116  105  102  107  101   164
const groupSize = 6

// atMostOne adds clauses for at most one true variable, or for exactly one if the argument some
// is true. Long lists
// are cut into groups (here of 4). The helpers of the groups are a list that is treated likewise:
//
//	x1 x2 x3 x4   x5 x6 x7 x8   …       pairs within a group
//	    h1            h2        …       h1 ⇔ x1∨x2∨x3∨x4
func (c *CNF) atMostOne(vars []int32, some bool) {
	for len(vars) > groupSize+1 {
		var helpers []int32
		for len(vars) > 0 {
			group := vars[:min(groupSize, len(vars))]
			vars = vars[len(group):]
			c.pairs(group)
			helpers = append(helpers, c.either(group))
		}
		vars = helpers
	}
	c.pairs(vars)
	if some {
		c.add(vars...)
	}
}

func (c *CNF) pairs(vars []int32) {
	for k, v := range vars {
		for _, w := range vars[:k] {
			c.add(-w, -v)
		}
	}
}

func (c *CNF) either(group []int32) int32 {
	if len(group) == 1 {
		return group[0]
	}
	h := c.helper()
	for _, v := range group {
		c.add(-v, h)
	}
	c.add(append([]int32{-h}, group...)...)
	return h
}

// counter adds clauses for bounds on the sum of the times of true variables: sum ≥ least and, if
// bounded, sum < top. A helper s(k,j) means "the sum for the first k variables is at least j":
//
//	s(k,j)  ⇔  s(k-1,j) ∨ x(k) ∧ s(k-1, j-times(k))       s(k,≤0) true, s(0,>0) false
func (c *CNF) counter(uses []use, least, top int, bounded bool) {
	last, next := make([]int32, top+1), make([]int32, top+1) // s(k-1,j) and s(k,j); 0 for false
	at := func(j int) int32 {
		if j <= 0 {
			return yes
		}
		return last[j]
	}
	for _, u := range uses {
		for j := 1; j <= top && !c.isFull(); j++ {
			next[j] = c.define(at(j), u.v, at(j-int(u.times)))
		}
		last, next = next, last
	}
	if least > 0 {
		c.add(last[least])
	}
	if bounded {
		c.add(-last[top])
	}
}

const yes = 1<<31 - 1

// define returns a literal for before ∨ (x ∧ enough), where before implies enough; 0 means false.
func (c *CNF) define(before, x, enough int32) int32 {
	switch {
	case enough == 0:
		return before
	case before == 0 && enough == yes:
		return x
	}
	h := c.helper()
	if before != 0 {
		c.add(-before, h)
		c.add(-h, before, x)
	} else {
		c.add(-h, x)
	}
	if enough != yes {
		c.add(-h, enough)
		c.add(-x, -enough, h)
	} else {
		c.add(-x, h)
	}
	return h
}

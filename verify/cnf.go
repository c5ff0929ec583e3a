package verify

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
)

// maxLiterals limits an encoding: 256 MiB of literals.
const maxLiterals = 1 << 26

// ErrTooLarge is wrapped by the error about a problem whose formula would have more than
// maxLiterals.
var ErrTooLarge = errors.New("too large for a SAT encoding")

// CNF is a formula in conjunctive normal form. Each solution of the cover is one model of
// it, and each model one solution.
type CNF struct {
	// Options says which option of the cover a variable stands for: variable
	// v ≥ 1 for Options[v-1]. These variables, 1..len(Options), are those to
	// project on; the helpers above them have one value each in any model.
	Options []int
	Vars    int     // helpers included
	Clauses int     // in number
	Lits    []int32 // of all clauses, each ended by 0; a negative one is negated

	dry            bool  // clauses are only measured
	measured, most int64 // literals, the ends of clauses included; more than most are not made
}

// Encode returns the formula of a validated problem in at most so many bytes, 0 for no limit: the
// variable of option o is o+1. The error wraps ErrTooLarge or cover.ErrMemory, or is ctx's, which
// is looked at every 2^14 uses, then twice an item.
func Encode(ctx context.Context, p *cover.Problem, memory int64) (*CNF, error) {
	return wholePart(p).encode(ctx, memory, 0, 0)
}

// add adds a clause, or measures it.
func (c *CNF) add(lits ...int32) {
	c.measured += int64(len(lits)) + 1
	if c.dry {
		return
	}
	c.Lits = append(append(c.Lits, lits...), 0)
	c.Clauses++
}

// isFull reports that the formula has more literals than are allowed.
func (c *CNF) isFull() bool { return c.measured > c.most }

// helper returns a new variable.
func (c *CNF) helper() int32 {
	c.Vars++
	return int32(c.Vars)
}

// WriteDIMACS writes the formula as a CNF file. Comments say what each option
// variable means, by name if that is not nil, and c p show lines, as the
// model counting competition has them, which variables to project on (without
// helpers all are shown, and there is no such line):
//
//	c 7 variables for options, 0 helpers that these determine
//	c 1 = domino [[0,0],[0,1]]
//	…
//	c t mc
//	p cnf 7 16
//	-1 -5 0
//
// The number of models is the number of solutions with the projection and
// without. Names are written on one line each. WriteDIMACS ends soon after w's first
// error.
func (c *CNF) WriteDIMACS(w io.Writer, name func(option int) string) error {
	b := bufio.NewWriter(w) // which keeps its first error
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

// shownPerLine keeps the lines of a projection readable.
const shownPerLine = 20

// The types of formulas.
const (
	Plain     = "mc"
	Projected = "pmc"
)

// Type is what the model counting competition calls the task of counting the
// models: Plain, or Projected where there are helpers, so that models are
// projected.
func (c *CNF) Type() string {
	if c.Vars == len(c.Options) {
		return Plain
	}
	return Projected
}

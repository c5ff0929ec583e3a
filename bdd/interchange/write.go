package interchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/pavage/pavage/bdd"
)

// WriteGraphillion writes Graphillion's dump. Node n keeps its number, and variable v becomes v+1.
func WriteGraphillion(ctx context.Context, w io.Writer, d *bdd.Diagram) error {
	if err := checkVars(d.Vars()); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	arc := arcs("B", "T", 1)
	if d.Root() <= bdd.Top {
		out.Write(append(arc(nil, d.Root()), '\n'))
	}
	var line []byte
	err := eachNode(ctx, d, func(n uint32, v int) {
		line = strconv.AppendUint(line[:0], uint64(n), 10)
		line = strconv.AppendInt(append(line, ' '), int64(v)+1, 10)
		line = arc(append(line, ' '), d.Lo(n))
		line = arc(append(line, ' '), d.Hi(n))
		out.Write(append(line, '\n'))
	})
	if err != nil {
		return err
	}
	out.WriteString(".\n")
	return out.Flush() // the writer keeps its first error
}

// WriteSAPPORO writes the diagram as SAPPOROBDD's export, without complemented arcs. Node n of the
// diagram gets the number 2n, and variable v has the level Vars-v.
func WriteSAPPORO(ctx context.Context, w io.Writer, d *bdd.Diagram) error {
	if err := checkVars(d.Vars()); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "_i %d\n_o 1\n_n %d\n", d.Vars()-d.Var(d.Root()), d.Size()-2)
	arc := arcs("F", "T", 2)
	var line []byte
	err := eachNode(ctx, d, func(n uint32, v int) {
		line = strconv.AppendUint(line[:0], 2*uint64(n), 10)
		line = strconv.AppendInt(append(line, ' '), int64(d.Vars()-v), 10)
		line = arc(append(line, ' '), d.Lo(n))
		line = arc(append(line, ' '), d.Hi(n))
		out.Write(append(line, '\n'))
	})
	if err != nil {
		return err
	}
	out.Write(append(arc(nil, d.Root()), '\n'))
	return out.Flush()
}

func checkVars(vars int) error {
	if vars > MaxVars {
		return fmt.Errorf("%w: the diagram has %d variables, expected at most %d variables in this format",
			ErrVars, vars, MaxVars)
	}
	return nil
}

func arcs(bottom, top string, times uint64) func(line []byte, n uint32) []byte {
	return func(line []byte, n uint32) []byte {
		switch n {
		case bdd.Bottom:
			return append(line, bottom...)
		case bdd.Top:
			return append(line, top...)
		}
		return strconv.AppendUint(line, times*uint64(n), 10)
	}
}

// WriteKnuth writes the ZDD as DLX6 prints it, with hexadecimal numbers of nodes. option(v) is the
// number of the option of variable v; options are numbered from 1. The last line has the option 0,
// and its hi is the root.
func WriteKnuth(ctx context.Context, w io.Writer, d *bdd.Diagram, option func(v int) int) error {
	out := bufio.NewWriter(w)
	var line []byte
	put := func(n uint32, option int, lo, hi uint32) {
		line = strconv.AppendUint(line[:0], uint64(n), 16)
		line = strconv.AppendInt(append(line, ": (~"...), int64(option), 10)
		line = strconv.AppendUint(append(line, '?'), uint64(lo), 16)
		line = strconv.AppendUint(append(line, ':'), uint64(hi), 16)
		out.Write(append(line, ")\n"...))
	}
	err := eachNode(ctx, d, func(n uint32, v int) { put(n, option(v), d.Lo(n), d.Hi(n)) })
	if err != nil {
		return err
	}
	put(uint32(d.Size()), 0, bdd.Bottom, d.Root())
	return out.Flush()
}

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/job"
)

type source struct {
	Board   string            `flag:"SIZE" doc:"a board in place of PUZZLE: a SIZE (rows x columns or layers x rows x columns) such as 8x8 or 4x4x4, a drawing, or a shape such as hexagon:4,4,4, triangle:5, rhombus:4x9 or diamond:6"`
	Lattice string            `flag:"LATTICE" choices:"lattices" doc:"the shape of the cells of --board: {words} (by default the lattice that suits --board)"`
	Wrap    string            `flag:"WRAP" choices:"wraps" doc:"which borders of --board are glued together: none (the default), rows, columns, both (a torus), moebius or klein"`
	Piece   []string          `flag:"NAME" doc:"a piece or set for --board, NAME or NAME=COPIES: O4, domino=any, I3=0..2, a size such as 2x2=any, or a shape such as '##/#.=any'"`
	Cover   string            `flag:"RULE" words:"exact at-most" doc:"which cells of --board must be covered: exact means all (the default), at-most means that every cell may stay empty"`
	Motions string            `flag:"MOTIONS" choices:"motions" doc:"the motions of the pieces for --board: free (rotate and reflect), one-sided (rotate) or fixed"`
	From    string            `flag:"FORMAT" choices:"formats" doc:"the format of a PUZZLE of another program: {words}; without it, the first bytes or the file's name decide"`
	Problem string            `flag:"N|NAME" doc:"which problem of a PUZZLE that has several problems: a number from 1, or a name"`
	Set     map[string]string `flag:"NAME=VALUE" doc:"values of the parameters of a puzzle file; separate several by commas"`
}

// Flags adds the shell's completion of the flag --piece.
func (s *source) Flags(cmd *cobra.Command) { complete(cmd, "piece", completePiece) }

func (c *Call) alone(flag string, others ...string) error {
	for _, other := range others {
		if c.Given(flag) && c.Given(other) {
			return usage("both --%s and --%s given, expected one or the other", flag, other)
		}
	}
	return nil
}

// read may wait for text on a terminal or a pipe. If ctx ends first, read returns, but its
// goroutine continues to wait.
func (c *Call) read(ctx context.Context) (job.Puzzle, error) {
	return interrupt.Await(ctx, func() (job.Puzzle, error) {
		p, err := c.open(c.Args)
		p.Values = c.source.Set
		if err != nil {
			err = unreadable(err)
		}
		return p, err
	})
}

func unreadable(err error) error {
	if job.KindOf(err) == job.Limit {
		return fail(codeLimit, err)
	}
	return fail(codeUsage, err)
}

func (c *Call) open(args []string) (p job.Puzzle, err error) {
	inline := slices.IndexFunc(inlineFlags, c.Given)
	switch {
	case len(args) > 1:
		return p, usage("%d puzzles given, expected one puzzle%s", len(args), meantForFlag(args))
	case len(args) == 1 && inline >= 0:
		return p, usage("PUZZLE %q given with --%s, expected only one of the two%s", args[0], inlineFlags[inline], meantForFlag(args))
	case len(args) == 1:
		p, err = openArgument(c.In, args[0])
		p.From, p.Problem = c.source.From, c.source.Problem
		return p, err
	case c.Given("from"):
		return p, usage("--from given without a PUZZLE")
	case c.Given("problem"):
		return p, usage("--problem given without a PUZZLE")
	case inline < 0:
		return p, usage("no puzzle given, expected a file, - for standard input, %sEXAMPLE, or --board and --piece", job.ExamplePrefix)
	case !c.Given("board"):
		return p, usage("--%s given without --board", inlineFlags[inline])
	case len(c.source.Piece) == 0:
		return p, usage("--board given without --piece")
	}
	return c.inline(), nil
}

func meantForFlag(args []string) string {
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil && arg != "-" && !strings.HasPrefix(arg, job.ExamplePrefix) {
			return fmt.Sprintf("; %.40q is not a file: if it is a value of a flag, write --FLAG=VALUE, or repeat the flag before the value", arg)
		}
	}
	return ""
}

var inlineFlags = []string{"board", "lattice", "wrap", "piece", "cover", "motions"}

func (c *Call) inline() job.Puzzle {
	s := c.source
	return job.Puzzle{Board: s.Board, Lattice: s.Lattice, Wrap: s.Wrap, Pieces: s.Piece, Cover: s.Cover, Motions: s.Motions}
}

var boardSize = regexp.MustCompile(`^[0-9]+(x[0-9]+)+$`)

func openArgument(in io.Reader, arg string) (job.Puzzle, error) {
	if arg == "-" {
		return job.ReadPuzzle("standard input", in)
	}
	if name, ok := strings.CutPrefix(arg, job.ExamplePrefix); ok {
		if name == "" {
			return job.Puzzle{}, usage("%s has no name of an example, expected a name such as %ssoma; pavage examples lists them", arg, job.ExamplePrefix)
		}
		return job.Puzzle{Example: name}, nil
	}
	f, err := os.Open(arg)
	if errors.Is(err, fs.ErrNotExist) {
		if name := examples.Nearest(arg); name != "" {
			return job.Puzzle{}, fmt.Errorf("puzzle: no file %.40q, did you mean %s%s?", arg, job.ExamplePrefix, name)
		}
		if boardSize.MatchString(arg) {
			return job.Puzzle{}, fmt.Errorf("puzzle: no file %.40q; if it is the size of a board, write --board %.40s and --piece PIECE=any", arg, arg)
		}
	}
	if err != nil {
		return job.Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	defer f.Close()
	head := make([]byte, len("pavage certificate "))
	if _, err := f.ReadAt(head, 0); err == nil && string(head) == "pavage certificate " {
		return job.Puzzle{}, usage("%s is a certificate, not a puzzle: to check it, run pavage verify PUZZLE --certificate %s", arg, arg)
	}
	return job.ReadPuzzle(arg, f)
}

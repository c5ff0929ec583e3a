package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/examples"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/tiling"
)

// source is where a verb's puzzle comes from: an argument or flags.
type source struct {
	board, lattice, wrap, cover, motions string
	from, problem                        string
	pieces                               []string
	values                               map[string]string // of parameters
	given                                func(flag string) bool
}

// takePuzzle makes cmd take PUZZLE, or the flags that stand for one.
func (s *source) takePuzzle(cmd *cobra.Command) { s.takePuzzleFor(cmd, "--board") }

// takePuzzleFor is takePuzzle where the help says that the pieces are for the
// named boards.
func (s *source) takePuzzleFor(cmd *cobra.Command, boards string) {
	flags := cmd.Flags()
	s.given = flags.Changed
	flags.StringVar(&s.board, "board", "", "a board in place of PUZZLE: a `SIZE`, rows x columns or layers x rows x columns, such as 8x8 or 4x4x4, a drawing, or a shape such as hexagon:4,4,4, triangle:5, rhombus:4x9 or diamond:6")
	flags.StringVar(&s.lattice, "lattice", "", "the cells of "+boards+", `LATTICE`: square, cube, hexagon or triangle (by default the board tells)")
	flags.StringVar(&s.wrap, "wrap", "", "which borders of "+boards+" are glued together, `WRAP`: none (the default), rows, columns, both (a torus), moebius or klein")
	flags.StringArrayVar(&s.pieces, "piece", nil, "a piece or set for "+boards+", `NAME` or NAME=COPIES: O4, domino=any, I3=0..2, a size such as 2x2=any, or a shape such as '##/#.=any'; repeat the flag for more")
	flags.StringVar(&s.cover, "cover", "", "which cells of "+boards+" must be covered, `RULE`: exact means all (the default), at-most means that every cell may stay empty")
	flags.StringVar(&s.motions, "motions", "", "what the pieces for "+boards+" may do, `MOTIONS`: free (rotate and reflect), one-sided (rotate) or fixed")
	flags.StringVar(&s.from, "from", "", "the `FORMAT` of a PUZZLE that another program made: "+wording.List(job.Formats())+"; without it, the first bytes or the file's name tell it")
	flags.StringVar(&s.problem, "problem", "", "which problem of a PUZZLE that has several, `N|NAME`: a number from 1, or a name")
	complete(cmd, "from", job.Formats())
	flags.StringToStringVar(&s.values, "set", nil, "values of the parameters of a puzzle file, `NAME=VALUE`; separate several by commas")
	flags.Lookup("set").DefValue = "" // pflag writes "[]", which looks like a value
	cmd.ValidArgsFunction = completePuzzle
	completeBy(cmd, "piece", completePiece)
	complete(cmd, "lattice", tiling.LatticeNames())
	complete(cmd, "wrap", tiling.WrapNames())
	complete(cmd, "cover", []string{"exact", "at-most"})
	complete(cmd, "motions", []string{tiling.Free.String(), tiling.OneSided.String(), tiling.Fixed.String()})
}

// alone is the error of flags that have no meaning beside another one.
func (s *source) alone(flag string, others ...string) error {
	for _, other := range others {
		if s.given(flag) && s.given(other) {
			return usage("both --%s and --%s given, want one or the other", flag, other)
		}
	}
	return nil
}

// puzzle reads the puzzle's text, but not past ctx's end, though a terminal or a pipe
// may never answer: the goroutine that then still waits ends with the process.
func (s *source) puzzle(ctx context.Context, in io.Reader, args []string) (job.Puzzle, error) {
	return interrupt.Await(ctx, func() (job.Puzzle, error) {
		p, err := s.open(in, args)
		p.Values = s.values
		if err != nil {
			err = unreadable(err)
		}
		return p, err
	})
}

// unreadable is the error of a puzzle that cannot be read: whatever is wrong, there is no
// puzzle to work on, unless more memory helps.
func unreadable(err error) error {
	if job.KindOf(err) == job.Limit {
		return fail(codeLimit, err)
	}
	return fail(codeUsage, err)
}

func (s *source) open(in io.Reader, args []string) (p job.Puzzle, err error) {
	inline := slices.ContainsFunc(inlineFlags, s.given)
	for _, arg := range args {
		if isCertificate(arg) {
			return p, usage("%s is a certificate, not a puzzle: to check it, pavage verify PUZZLE --certificate %s", arg, arg)
		}
	}
	if s.given("distinct") {
		for _, arg := range args {
			if slices.Contains(job.DistinctChoices, job.Distinct(arg)) {
				return p, usage("--distinct and an argument %q, did you mean --distinct=%s?", arg, arg)
			}
		}
	}
	switch {
	case len(args) > 1:
		return p, usage("%d puzzles given, want one%s", len(args), meantForFlag(args))
	case len(args) == 1 && inline:
		return p, usage("both PUZZLE %q and --board, --lattice, --wrap, --piece, --cover or --motions given, want one or the other%s", args[0], meantForFlag(args))
	case len(args) == 1:
		p, err = openArgument(in, args[0])
		p.From, p.Problem = s.from, s.problem
		return p, err
	case s.given("from") || s.given("problem"):
		return p, usage("--from or --problem given without a PUZZLE")
	case !inline:
		return p, usage("no puzzle given, want a file, -, %sEXAMPLE, or --board and --piece", job.ExamplePrefix)
	case !s.given("board"):
		return p, usage("--%s given without --board", inlineFlags[slices.IndexFunc(inlineFlags, s.given)])
	case len(s.pieces) == 0:
		return p, usage("--board given without --piece")
	}
	return s.inline(), nil
}

// isCertificate reports whether path is a file that begins like a certificate of count
// --certificate.
func isCertificate(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false // a pipe could be read only once
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	magic := []byte("pavage certificate ")
	head := make([]byte, len(magic))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, magic)
}

// meantForFlag is a hint where an argument is no file: it may be the value of a flag.
func meantForFlag(args []string) string {
	for _, arg := range args {
		if _, err := os.Stat(arg); err != nil && arg != "-" && !strings.HasPrefix(arg, job.ExamplePrefix) {
			return fmt.Sprintf("; %.40q is no file: if it belongs to a flag, write --FLAG=VALUE, or the flag again before it", arg)
		}
	}
	return ""
}

// inlineFlags stand for a puzzle.
var inlineFlags = []string{"board", "lattice", "wrap", "piece", "cover", "motions"}

// inline is the puzzle that the flags stand for.
func (s *source) inline() job.Puzzle {
	return job.Puzzle{Board: s.board, Lattice: s.lattice, Wrap: s.wrap, Pieces: s.pieces, Cover: s.cover, Motions: s.motions}
}

func openArgument(in io.Reader, arg string) (job.Puzzle, error) {
	if arg == "-" {
		return job.ReadPuzzle("standard input", in)
	}
	if name, ok := strings.CutPrefix(arg, job.ExamplePrefix); ok {
		if name == "" {
			return job.Puzzle{}, usage("%s has no name of an example, want one such as %ssoma; pavage examples lists them", arg, job.ExamplePrefix)
		}
		return job.Puzzle{Example: name}, nil
	}
	f, err := os.Open(arg)
	if errors.Is(err, fs.ErrNotExist) {
		if name := examples.Nearest(arg); name != "" {
			return job.Puzzle{}, fmt.Errorf("puzzle: no file %.40q, did you mean %s%s?", arg, job.ExamplePrefix, name)
		}
	}
	if err != nil {
		return job.Puzzle{}, fmt.Errorf("puzzle: %w", err)
	}
	defer f.Close()
	return job.ReadPuzzle(arg, f)
}

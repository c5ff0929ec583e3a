package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
)

type cluesVerb struct {
	*Call
	request job.Clues
	AsJSON  bool   `flag:"" name:"json" doc:"write each puzzle as a JSON object on one line"`
	Save    string `flag:"FOLDER" doc:"write each puzzle to the puzzle file SEED.json in FOLDER"`
	Minimal bool   `flag:"" doc:"find a set of clues without a needless clue; this is the default"`
}

func newClues(c *Call) *cobra.Command {
	v := &cluesVerb{Call: c, request: job.Clues{Number: 1}}
	return c.Verb(&cobra.Command{
		Use:   "clues PUZZLE",
		Short: "Make puzzles with exactly one tiling",
		Long: `Make puzzles with exactly one tiling. For each, a random tiling of PUZZLE is
drawn, all tilings equally likely, and clues are chosen that leave no other
tiling. No two of the puzzles have the same tiling.

A clue is a piece in its place, the piece that covers a cell, a wall between two
cells that no piece may cross, two cells that one piece must cover, or the sum
of the marks in a region of the puzzle, such as the pips of dominoes.

If any one clue is removed, a puzzle has several tilings. With --fewest, no
smaller set of clues of these kinds leaves a single tiling; the proof needs more
time.

The grade is the hardest step of a solution: easy if each step is forced by one
cell, piece or clue; medium if some placements are excluded because they would
leave a cell, piece or clue without a possibility; hard if a guess is needed.
doc/howto/clues.md has examples.

The same command with the --seed of a puzzle and without -n makes this puzzle
again. --save writes puzzle files, which "pavage show" draws. --json writes
objects with a puzzle file, the clues, the solution, its steps, the grade and
the seed. At a limit, the puzzles that are ready are written.`,
		Example: `  pavage clues --board 8x8 --piece domino=any --kinds wall -n 3
  pavage clues name:pentominoes-6x10 --grade hard --json
  pavage clues name:soma --kinds piece --fewest
  pavage clues --board 6x6 --piece tetrominoes=any --seed 7 --save puzzles
  pavage show puzzles/7.json --svg puzzle.svg`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

func (v *cluesVerb) run(ctx context.Context) error {
	if err := v.alone("minimal", "fewest"); err != nil {
		return err
	}
	v.request.Puzzle = v.Puzzle
	if v.Given("save") {
		if err := os.MkdirAll(v.Save, 0o777); err != nil {
			return fmt.Errorf("--save: %w", err)
		}
	}
	a, err := do(ctx, v.watch(job.Compiling, v.AsJSON), &v.request)
	if a == nil {
		return err
	}
	for k := range a.Puzzles {
		p := &a.Puzzles[k]
		if v.Given("save") {
			if failed := v.save(p); failed != nil {
				return errors.Join(err, failed)
			}
		}
		if v.AsJSON {
			err = errors.Join(err, v.JSON(p))
			continue
		}
		err = errors.Join(err, v.write(k+1, p))
	}
	if kind := job.KindOf(err); kind == job.Limit || kind == job.Interruption {
		fmt.Fprintf(v.Err, "%d of %d puzzles; to go on: --seed %d -n %d\n",
			len(a.Puzzles), v.request.Number, a.Next, int(v.request.Number)-len(a.Puzzles))
	}
	return err
}

func (v *cluesVerb) save(p *job.CluedPuzzle) error {
	path := filepath.Join(v.Save, p.Seed.String()+".json")
	switch there, err := os.ReadFile(path); {
	case err == nil && bytes.Equal(there, p.Puzzle):
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return cmp.Or(err, fmt.Errorf("--save: the file %s has another puzzle already, expected another folder or another seed", path))
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(p.Puzzle)
		return err
	})
}

func (v *cluesVerb) write(number int, p *job.CluedPuzzle) error {
	var text bytes.Buffer
	if number > 1 {
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "puzzle %d, seed %d: %s, %s, %s\n", number, p.Seed, human.Count(fmt.Sprint(len(p.Clues)), "clue"), p.Grade,
		human.Count(fmt.Sprint(len(p.Steps)), "step"))
	if len(p.Clues) == 0 {
		text.WriteString("  the puzzle has no other tiling\n")
	}
	for _, c := range p.Clues {
		cells := cellNames(c.Cells)
		switch at := strings.Join(cells, " "); c.Kind {
		case "placement":
			fmt.Fprintf(&text, "  %s at %s\n", c.Piece, at)
		case "piece":
			fmt.Fprintf(&text, "  %s covers %s\n", c.Piece, at)
		case "wall":
			fmt.Fprintf(&text, "  a wall between %s and %s\n", cells[0], cells[1])
		case "joined":
			fmt.Fprintf(&text, "  %s and %s are joined\n", cells[0], cells[1])
		case "sum":
			fmt.Fprintf(&text, "  sum %d of %s\n", *c.Sum, at)
		}
	}
	o := render.TextOptions{Color: colored(v.Config.Color, v.Out)}
	err := render.Text(&text, p.Model, nil, o)
	if err == nil {
		text.WriteString("solution\n")
		err = render.Text(&text, p.Model, p.Tiling.Placements, o)
	}
	if err == nil {
		_, err = text.WriteTo(v.Out)
	}
	return err
}

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

type showVerb struct {
	*app
	source
	drawing
	json bool
}

func newShow(a *app) *cobra.Command {
	v := &showVerb{app: a}
	cmd := &cobra.Command{
		Use:   "show PUZZLE",
		Short: "Show a puzzle: board, pieces, placements",
		Long: `Show how the program understands a puzzle. It draws the board and the shape of
each piece, the layers of a solid piece side by side. It tells how many
orientations, placements and copies each piece has, and how large the exact
cover is. If it can see without a search that there is no tiling, it says why.
It warns of two pieces with the same shape.

--svg, --png and --tikz draw the board, and each piece once with its number of
copies, on one picture. With --paper they draw sheets to print and to cut out:
the board, and each copy of each piece, all to the same scale in millimetres. If
they need several sheets, the files are numbered: FILE-1.svg, FILE-2.svg, ….

--stl and --gltf write all copies of the pieces as solids, side by side on the
ground, so that they can be printed. --gap makes them smaller, so that the
printed pieces fit together.`,
		Example: `  pavage show name:pentominoes-6x10
  pavage show --board 4x4x4 --piece bedlam --json
  pavage show name:soma --svg soma.svg
  pavage show name:pentominoes-6x10 --svg cut-out.svg --paper a4
  pavage show name:soma --stl soma.stl --gap 0.2`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	cmd.Flags().BoolVar(&v.json, "json", false, "write one JSON object")
	v.drawing.flags(cmd)
	return cmd
}

func (v *showVerb) run(ctx context.Context, args []string) error {
	format, err := v.chosen()
	switch {
	case err != nil:
		return err
	case format != nil && v.json:
		return usage("both --%s and --json given, want one or the other", format.Name)
	}
	puzzle, err := v.puzzle(ctx, v.In, args)
	if err != nil {
		return err
	}
	shown, err := job.Do(ctx, &job.Show{Puzzle: puzzle}, v.limits, job.Watch{})
	if err != nil {
		return err
	}
	switch {
	case v.json:
		return writeJSON(v.Out, shown)
	case format != nil && shown.Cover != nil:
		return usage("--%s draws a board, and a cover has none: want --json, or text", format.Name)
	case format != nil:
		return v.draw(v.Err, shown.Puzzle, format)
	}
	// First all, then out: a failure writes no half result.
	var page bytes.Buffer
	if err := v.page(&page, shown); err != nil {
		return err
	}
	_, err = page.WriteTo(v.Out)
	return err
}

// page writes what show writes without --json.
func (v *showVerb) page(w io.Writer, s *job.Shown) error {
	if s.Title != "" {
		fmt.Fprintf(w, "%s\n\n", s.Title)
	}
	if s.Cover != nil {
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "item\tuses\toptions")
		for _, it := range s.Cover {
			fmt.Fprintf(table, "%s\t%s\t%d\n", it.Name, it.Uses, it.Options)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		_, err := fmt.Fprintf(w, "\n%d items, %d options\n", s.Items, s.Options)
		return err
	}
	if err := render.Text(w, s.Puzzle, nil, render.TextOptions{Color: colored(v.config.Color, v.Out)}); err != nil {
		return err
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\npiece\torientations\tplacements\tcopies")
	for _, p := range s.Pieces {
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", p.Name, p.Orientations, p.Placements, p.Copies)
	}
	if err := errors.Join(table.Flush(), writeShapes(w, s.Puzzle)); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d cells, %d items, %d options\n", s.Cells, s.Items, s.Options)
	if len(s.Puzzle.Colours) > 0 {
		var names []string
		for i, label := range render.ColourLabels(s.Puzzle) {
			names = append(names, fmt.Sprintf("%s %s", label, s.Puzzle.Colours[i]))
		}
		fmt.Fprintf(w, "colours: %s\n", strings.Join(names, ", "))
	}
	for _, pair := range s.Puzzle.Allow {
		if pair.Piece != pair.Board {
			fmt.Fprintf(w, "allowed: %s of a piece on %s of the board\n", s.Puzzle.Colours[pair.Piece-1], s.Puzzle.Colours[pair.Board-1])
		}
	}
	for _, g := range s.Puzzle.Groups {
		var names []string
		for _, k := range g.Pieces {
			names = append(names, s.Puzzle.Pieces[k].Name)
		}
		fmt.Fprintf(w, "group: %s copies in all of %s\n", g.Copies(), strings.Join(names, ", "))
	}
	writeParts(w, "place", s.Puzzle, s.Puzzle.Place)
	writeParts(w, "forbidden", s.Puzzle, s.Puzzle.Forbid)
	for _, r := range s.Reasons {
		fmt.Fprintf(w, "no tiling: %s\n", r.Text)
	}
	for _, text := range s.Warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
	return nil
}

func writeParts(w io.Writer, what string, p *tiling.Puzzle, parts []tiling.Part) {
	for _, part := range parts {
		fmt.Fprintf(w, "%s: %s", what, p.Pieces[part.Piece].Name)
		if len(part.Cells) > 0 {
			var cells []tiling.Cell
			for _, c := range part.Cells {
				cells = append(cells, p.Board.Cells[c])
			}
			fmt.Fprintf(w, " on %v", p.Board.Lattice.Written(cells))
		}
		fmt.Fprintln(w)
	}
}

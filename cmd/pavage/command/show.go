package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/atomicfile"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/job"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/render/solid"
	"github.com/pavage/pavage/tiling"
)

type showVerb struct {
	*Call
	jsonFlag
	output
	Heights struct{}     // hides PictureOptions.Heights, which has a flag: a puzzle has no heights
	Double  struct{}     // hides PictureOptions.Double, which has a flag: a puzzle is not a tiling
	Paper   render.Paper `flag:"PAPER" doc:"draw sheets of PAPER to cut out, the board and each copy of each piece: {words}"`
}

func newShow(c *Call) *cobra.Command {
	v := &showVerb{Call: c}
	return c.Verb(&cobra.Command{
		Use:   "show PUZZLE",
		Short: "Show a puzzle: board, pieces, placements",
		Long: `Show how the program understands a puzzle: the board, the shape of each piece,
its numbers of orientations, placements and copies, and the size of the exact
cover. If the program sees without a search that there is no tiling, it writes
the reason. It warns of two pieces with the same shape.

With --paper, pictures are sheets to print and cut out: the board, and each copy
of each piece, all to the same scale in millimetres. Several sheets are
numbered: FILE-1.svg, FILE-2.svg, …. --gap makes solids smaller, so that the
printed pieces fit together.`,
		Example: `  pavage show name:pentominoes-6x10
  pavage show name:soma --svg soma.svg
  pavage show name:pentominoes-6x10 --svg cut-out.svg --paper a4
  pavage show name:soma --stl soma.stl --gap 0.2`,
	}, v.run, nil, v)
}

// Flags adds a flag for each format of a picture or a solid.
func (v *showVerb) Flags(cmd *cobra.Command) {
	cmd.Flags().Lookup("scale").Usage += "; with --paper of N millimetres"
	for _, f := range render.Formats {
		switch {
		case f.Most != 1:
		case pen.Of(f.Extension) != nil:
			cmd.Flags().Func(f.Name, "draw the board and the pieces on one picture, `FILE`, "+f.What+", and write nothing else", v.set(f))
		default:
			cmd.Flags().Func(f.Name, "write the pieces to `FILE`: all copies, side by side, as "+f.What+", and nothing else", v.set(f))
		}
	}
}

func (v *showVerb) run(ctx context.Context) error {
	if err := v.check(); err != nil {
		return err
	}
	shown, err := job.Do(ctx, &job.Show{Puzzle: v.Puzzle}, v.Limits, job.Watch{})
	if err != nil {
		return err
	}
	switch {
	case v.AsJSON:
		return v.JSON(shown)
	case v.format != nil && shown.Cover != nil:
		return usage("--%[1]s draws a board, but a cover has no board: use --json, or omit --%[1]s for text", v.format.Name)
	case v.format != nil:
		return v.draw(shown.Puzzle)
	}
	// The text is written at the end, so that a failure writes no part of the result.
	var page bytes.Buffer
	if err := v.page(&page, shown); err != nil {
		return err
	}
	_, err = page.WriteTo(v.Out)
	return err
}

func (v *showVerb) check() error {
	const want = "--svg, --png or --tikz"
	f := v.format
	switch {
	case v.Paper != "" && (f == nil || pen.Of(f.Extension) == nil):
		return usage("--paper given without %s", want)
	case f == nil:
		return v.checkPicture(v.Call, "", "svg", "png", "tikz", "stl", "gltf")
	case v.AsJSON:
		return usage("both --%s and --json given, expected one or the other", f.Name)
	}
	return v.checkFile(v.Call)
}

// draw writes one file, such as a.svg. For several sheets of paper it writes a-1.svg, a-2.svg and
// so on.
func (v *showVerb) draw(p *tiling.Puzzle) error {
	o := v.PictureOptions
	for _, f := range solid.Formats {
		if f.Name == v.format.Name {
			return atomicfile.Write(v.path, func(w io.Writer) error { return render.Plate(w, p, f, o) })
		}
	}
	if v.Paper == "" {
		return atomicfile.Write(v.path, func(w io.Writer) error { return render.Overview(w, p, o) })
	}
	sheets, err := render.NewCutouts(p, v.Paper, o)
	if err != nil {
		return err
	}
	name := func(page int) string { return v.path }
	if sheets.Pages() > 1 {
		extension := filepath.Ext(v.path)
		name = func(page int) string {
			return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(v.path, extension), page+1, extension)
		}
		fmt.Fprintf(v.Err, "%d sheets: %s to %s\n", sheets.Pages(), name(0), name(sheets.Pages()-1))
	}
	for page := range sheets.Pages() {
		if err := atomicfile.Write(name(page), func(w io.Writer) error { return sheets.Write(w, page) }); err != nil {
			return err
		}
	}
	return nil
}

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
		_, err := fmt.Fprintf(w, "\n%s, %s\n", wording.Plural(s.Items, "item"), wording.Plural(s.Options, "option"))
		return err
	}
	if err := render.Text(w, s.Puzzle, nil, render.TextOptions{Color: colored(v.Config.Color, v.Out)}); err != nil {
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
	fmt.Fprintf(w, "\n%s, %s, %s\n", wording.Plural(s.Cells, "cell"), wording.Plural(s.Items, "item"), wording.Plural(s.Options, "option"))
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
	for _, pair := range s.Walls {
		fmt.Fprintf(w, "wall: between %s\n", strings.Join(cellNames(pair), " and "))
	}
	for _, pair := range s.Joined {
		fmt.Fprintf(w, "joined: %s\n", strings.Join(cellNames(pair), " and "))
	}
	for _, r := range s.Regions {
		fmt.Fprintf(w, "region %s: sum %s of %s\n", r.Name, r.Sum, strings.Join(cellNames(r.Cells), " "))
	}
	for _, r := range s.Reasons {
		fmt.Fprintf(w, "no tiling: %s\n", r.Text)
	}
	for _, text := range s.Warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
	return nil
}

func cellNames(cells [][]int) (all []string) {
	for _, cell := range cells {
		all = append(all, strings.Trim(strings.ReplaceAll(fmt.Sprint(cell), " ", ","), "[]"))
	}
	return all
}

func writeParts(w io.Writer, what string, p *tiling.Puzzle, parts []tiling.Part) {
	for _, part := range parts {
		fmt.Fprintf(w, "%s: %s", what, p.Pieces[part.Piece].Name)
		if len(part.Cells) > 0 {
			var cells []tiling.Cell
			for _, c := range part.Cells {
				cells = append(cells, p.Board.Cells[c])
			}
			verb := "covers"
			if len(part.Cells) == len(p.Pieces[part.Piece].Shape) {
				verb = "at"
			}
			fmt.Fprintf(w, " %s %s", verb, strings.Join(cellNames(p.Board.Lattice.Written(cells)), " "))
		}
		fmt.Fprintln(w)
	}
}

package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

type showVerb struct {
	*app
	source
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
cover is.`,
		Example: `  pavage show name:pentominoes-6x10
  pavage show --board 4x4x4 --piece bedlam --json`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	cmd.Flags().BoolVar(&v.json, "json", false, "write one JSON object")
	return cmd
}

func (v *showVerb) run(ctx context.Context, args []string) error {
	model, err := v.model(ctx, v.In, args)
	if err != nil {
		return err
	}
	if v.json {
		return writeJSON(v.Out, showObject(model))
	}
	// First all, then out: a failure writes no half result.
	var page bytes.Buffer
	if err := v.page(&page, model); err != nil {
		return err
	}
	_, err = page.WriteTo(v.Out)
	return err
}

// showJSON is the object of show --json.
type showJSON struct {
	Title    string      `json:"title"`
	Lattice  string      `json:"lattice"`
	Cells    int         `json:"cells"`
	Optional int         `json:"optional"` // cells that may stay empty
	Pieces   []pieceJSON `json:"pieces"`
	Items    int         `json:"items"`
	Options  int         `json:"options"`
}

type pieceJSON struct {
	Name         string  `json:"name"`
	Orientations int     `json:"orientations"`
	Placements   int     `json:"placements"`
	Copies       string  `json:"copies"`
	Cells        [][]int `json:"cells"` // row, column; on a cube board layer, row, column
}

func showObject(m *tiling.Model) showJSON {
	board := m.Puzzle.Board
	o := showJSON{
		Title: m.Puzzle.Title, Lattice: board.Lattice.String(), Cells: len(board.Cells),
		Items: len(m.Problem.Items), Options: len(m.Problem.Options),
	}
	for _, optional := range board.Optional {
		if optional {
			o.Optional++
		}
	}
	for _, p := range m.Puzzle.Pieces {
		o.Pieces = append(o.Pieces, pieceJSON{
			Name: p.Name, Orientations: len(p.Orientations()), Copies: copies(p.Min, p.Max), Cells: board.Lattice.Written(p.Shape),
		})
	}
	for _, p := range m.Placements {
		o.Pieces[p.Piece].Placements++
	}
	return o
}

// copies writes bounds as a puzzle file does.
func copies(low, high int) string {
	switch {
	case low == high:
		return fmt.Sprint(low)
	case high != cover.Unbounded:
		return fmt.Sprintf("%d..%d", low, high)
	case low == 0:
		return "any"
	}
	return fmt.Sprintf("%d..", low)
}

// page writes what show writes without --json.
func (v *showVerb) page(w io.Writer, m *tiling.Model) error {
	if m.Puzzle.Title != "" {
		fmt.Fprintf(w, "%s\n\n", m.Puzzle.Title)
	}
	if err := render.Text(w, m.Puzzle, nil, render.TextOptions{Color: colored(v.config.Color, v.Out)}); err != nil {
		return err
	}
	o := showObject(m)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\npiece\torientations\tplacements\tcopies")
	for _, p := range o.Pieces {
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", p.Name, p.Orientations, p.Placements, p.Copies)
	}
	if err := errors.Join(table.Flush(), writeShapes(w, m.Puzzle.Pieces)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%d cells, %d items, %d options\n", o.Cells, o.Items, o.Options)
	return err
}

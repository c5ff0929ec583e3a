package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/tiling"
	"github.com/pavage/pavage/verify"
)

type convertVerb struct {
	*app
	source
	to string
}

// conversions write a model in another format, by the name that --to has.
var conversions = []struct {
	name  string
	write func(context.Context, io.Writer, *tiling.Model) error
}{
	{"cover", writeCover},
	{"dimacs", writeDIMACS},
}

func newConvert(a *app) *cobra.Command {
	v := &convertVerb{app: a}
	cmd := &cobra.Command{
		Use:   "convert PUZZLE --to FORMAT",
		Short: "Write a puzzle in the format of other programs",
		Long: `Write a puzzle in the format of other programs.

--to dimacs writes a formula in conjunctive normal form, for SAT solvers and
model counters. Its models are the tilings, one to one. Comments say which
placement a variable stands for. Some bounds need more variables. The
placements determine these, and "c p show" lines name the variables of the
placements, to project on.

--to cover writes the exact cover: its items (the cells and pieces) with their
bounds, and its options (the placements), one a line.`,
		Example: `  pavage convert name:pentominoes-6x10 --to dimacs > pentominoes.cnf
  pavage convert --board 2x3 --piece domino=any --to cover`,
		RunE: a.run(v.run),
	}
	v.takePuzzle(cmd)
	cmd.Flags().StringVar(&v.to, "to", "", "write as `FORMAT`: "+formats(" or "))
	config.Flags(cmd.Flags(), "timeout")
	return cmd
}

// formats are the names that --to knows.
func formats(between string) string {
	var names []string
	for _, c := range conversions {
		names = append(names, c.name)
	}
	return strings.Join(names, between)
}

func (v *convertVerb) run(ctx context.Context, args []string) error {
	for _, c := range conversions {
		if c.name != v.to {
			continue
		}
		model, err := v.model(ctx, v.In, args)
		if err != nil {
			return err
		}
		return c.write(ctx, v.Out, model)
	}
	if !v.given("to") {
		return usage("no format given, want --to %s", formats(" or --to "))
	}
	return usage("--to is %.40q, want %s", v.to, formats(" or "))
}

func writeCover(_ context.Context, w io.Writer, m *tiling.Model) error {
	_, err := m.Problem.WriteTo(w)
	return err
}

func writeDIMACS(ctx context.Context, w io.Writer, m *tiling.Model) error {
	formula, err := verify.Encode(ctx, m.Problem)
	if err != nil {
		return err
	}
	return formula.WriteDIMACS(w, func(option int) string { return placementName(m, option) })
}

// placementName is the piece and the cells of a placement, as JSON has them.
func placementName(m *tiling.Model, option int) string {
	p := m.Placements[option]
	cells, err := json.Marshal(coordinates(m.Puzzle.Board, p))
	if err != nil { // numbers always have a JSON
		return m.Puzzle.Pieces[p.Piece].Name
	}
	return fmt.Sprintf("%s %s", m.Puzzle.Pieces[p.Piece].Name, cells)
}

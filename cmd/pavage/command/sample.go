package command

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/job"
)

type sampleVerb struct {
	*Call
	output
	request job.Sample
}

func newSample(c *Call) *cobra.Command {
	v := &sampleVerb{Call: c, request: job.Sample{Number: 1, Method: job.AutoMethod}}
	return c.Verb(&cobra.Command{
		Use:   "sample PUZZLE",
		Short: "Draw uniformly random tilings of a puzzle",
		Long: `Draw random tilings of a puzzle: all are equally likely, and the draws are
independent. The same puzzle, --method and --seed give the same tilings in every
run. A puzzle without a tiling is a failure (exit code 1).

With --distinct all classes of tilings up to symmetry are equally likely; the
tiling that is drawn is the tiling of its class whose placements come first.
With --weight the probability of a tiling is exactly proportional to the product
of the weights of its placements, which are 1 by default; such tilings have no
rank.

With --tree spanning trees are drawn in place of tilings: the cells are
vertices, and the placements of the pieces, all of two cells, are edges. So with
domino=any each cell may be joined to each neighbour. A file of edges is a graph
already.

Tilings are drawn as text. --json writes one object a line, with the rank of the
tiling. --compact, for many tilings of large boards, writes one object with all
placements of the puzzle, then a line for each tiling: an array of the numbers
of its placements. For pictures see pavage help formats.

--method chooses how tilings are drawn, see pavage help methods. auto, the
default, draws from a diagram of all tilings, or else from the levels of a sweep
or, for pieces of two cells, by dimer. Ranks of a diagram and of a sweep differ.`,
		Example: `  pavage sample name:pentominoes-6x10 -n 1000 --seed 7 --json
  pavage sample --board 8x8 --piece domino=any -n 12 --sheet dominoes.svg
  pavage sample --board diamond:100 --piece domino=any --color-by kind --sheet dominoes.png
  pavage sample name:pentominoes-6x10 -n 20 --distinct --json
  pavage sample --board 8x8 --piece domino=any --weight domino:1=2 --json
  pavage sample --board 20x30 --piece domino=any --tree --svg maze
  pavage sample --lattice triangle --board hexagon:20 --piece lozenge=any --weight volume=9/10 --svg pile`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

func (v *sampleVerb) run(ctx context.Context) error {
	wanted, most := uint64(v.request.Number), uint64(v.request.Number)
	if v.request.Grow { // draws one tiling of each order
		wanted, most = 0, manyTilings
	}
	err := v.checkOutput(v.Call, wanted)
	if err != nil {
		return err
	}
	switch {
	case v.request.Grow && v.Double:
		return usage("both --grow and --double given, expected one or the other")
	case v.request.Grow && v.format != nil && v.format.Most == 1 && v.oneFile():
		return usage("--grow draws a tiling of each order, but %s is a file for one picture, expected the name of a folder", v.path)
	}
	v.request.Puzzle = v.Puzzle
	w, explain, drawing := v.watch(job.Compiling, v.lines()), v.request.Explain, false
	w.tilings(&v.output, most)
	w.Drawing = func(s *job.Sampled) {
		if s.Method != "sweep" || explain {
			w.bar.done()
		}
		if explain {
			writeDrawing(v.Err, s)
		}
		drawing = true
	}
	if _, err = do(ctx, w, &v.request); err != nil {
		if explain && !drawing && job.KindOf(err) != job.BadInput {
			writeLastPlan(v.Err, w.plan)
		}
		return err
	}
	return w.close(nil)
}

func writeDrawing(w io.Writer, s *job.Sampled) {
	if s.Classes == "" {
		fmt.Fprintf(w, "method  %s, since %s\n", s.Method, s.Reason)
	}
	if s.Plan != nil {
		writeTaken(w, s.Plan, s.Engine, s.Effort, nil)
		return
	}
	if s.Count == "" && s.Effort.States == 0 {
		fmt.Fprintf(w, "took    %s bytes\n", human.Grouped(s.Bytes))
		return
	}
	fmt.Fprintf(w, "took    %s, %s bytes\n", human.Count(human.Grouped(s.Effort.States), "state"), human.Grouped(s.Bytes))
}

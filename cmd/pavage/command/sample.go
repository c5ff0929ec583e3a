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
		Long: `Draw random tilings of a puzzle. All tilings are equally likely, and the draws
do not depend on each other. The same puzzle and --seed give the same tilings
in every run. Without --seed the system's random numbers are used.

With --distinct, all tilings that are the same up to rotations and reflections
of the board (on a solid board: rotations) form a class, and all classes are
equally likely. A class is drawn as the member whose placements come first.

With --unique no tiling is drawn twice. All tilings that are left are equally
likely. Together with --distinct no class is drawn twice.

With --weight some placements have a weight; all others have the weight 1. The
weight of a tiling is the product of the weights of its placements. The chance
of a tiling is exactly proportional to its weight. With --weight
domino@0,0=3/2, each tiling with a domino on the cell 0,0 is one and a half
times as likely as each tiling without. Tilings that are drawn by weight have no
rank.

Tilings are drawn as text. --json writes one object a line, with the rank of
the tiling among all tilings. --svg, --png and --tikz draw one picture for each
tiling, --sheet draws all of them on one picture. A piece has the same colour in
every picture of its puzzle; if there is only one piece, neighbours have
different colours. --color-by chooses other colours. --stl and --gltf write each
tiling as a solid. On flat boards the pieces are plates, one cell thick.

--compact is for many tilings of large boards. The first line is a JSON object
with all placements of the puzzle. Each line below it is one tiling: an array of
the numbers of its placements, which count from 0.

There are three methods. --method diagram makes a decision diagram of all
tilings and draws from it. --method walk keeps the levels of a sweep and walks
back through them. If --memory does not hold all levels, it recomputes the
missing ones; one pass back serves all draws. A walk takes far less memory. It
gives other tilings for the same seed, and a walk_rank in place of a rank,
because it orders the tilings in its own way. --method coupling is for dominoes,
lozenges and other pieces of two cells, in any number, that have to cover a flat
board of any size: it lets two tilings change at random until they meet
(coupling from the past). It counts nothing, so its tilings have no rank.
--method auto, the default, walks if a diagram would begin with over eight
million states or does not fit in memory. If a walk would be too long as well,
it draws by coupling, where that can be done: from 26x26 dominoes on.

If a puzzle has no tiling, there is none to draw. This is a failure (exit code
1).`,
		Example: `  pavage sample name:pentominoes-6x10
  pavage sample name:pentominoes-6x10 -n 1000 --seed 7 --json
  pavage sample name:pentominoes-6x10 --distinct --json
  pavage sample --board 8x8 --piece domino=any -n 12 --sheet dominoes.svg
  pavage sample --board 20x20 --piece domino=any --method walk -n 1000 --json
  pavage sample --board 100x100 --piece domino=any --sheet dominoes.svg
  pavage sample name:pentominoes-6x10 -n 20 --unique --with X5@2,2 --json
  pavage sample --board 8x8 --piece domino=any --weight domino:1=2 --json`,
	}, v.run, []string{"threads", "memory", "timeout"}, v, &v.request)
}

func (v *sampleVerb) run(ctx context.Context) error {
	err := v.checkOutput(v.Call, uint64(v.request.Number))
	if err != nil {
		return err
	}
	if v.request.Puzzle, err = v.Puzzle(ctx); err != nil {
		return err
	}
	w, explain, drawing := v.watch(job.Compiling, v.lines()), v.request.Explain, false
	w.tilings(&v.output, uint64(v.request.Number))
	w.Drawing = func(s *job.Sampled) {
		if s.Method != "walk" || explain {
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
	return w.close()
}

// writeDrawing writes why tilings are drawn from a diagram or by a walk, and what
// that took so far.
func writeDrawing(w io.Writer, s *job.Sampled) {
	if s.Classes == "" {
		fmt.Fprintf(w, "method  %s, since %s\n", s.Method, s.Reason)
	}
	if s.Plan != nil {
		writeTaken(w, s.Plan, s.Engine, s.Effort)
		return
	}
	if s.Method == "coupling" {
		fmt.Fprintf(w, "took    %s bytes\n", human.Grouped(s.Bytes))
		return
	}
	fmt.Fprintf(w, "took    %s, %s bytes\n", human.Count(human.Grouped(s.Effort.States), "state"), human.Grouped(s.Bytes))
}

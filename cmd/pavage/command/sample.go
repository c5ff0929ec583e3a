package command

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

type sampleVerb struct {
	*app
	source
	output
	number   whole
	seed     whole
	seeded   bool
	distinct distinct
	explain  explain
	method   method
}

func newSample(a *app) *cobra.Command {
	v := &sampleVerb{app: a, number: 1, method: method{sample.Auto}}
	cmd := &cobra.Command{
		Use:   "sample PUZZLE",
		Short: "Draw uniformly random tilings of a puzzle",
		Long: `Draw random tilings of a puzzle. All tilings are equally likely, and the draws
do not depend on each other. The same puzzle and --seed give the same tilings
in every run. Without --seed the system's random numbers are used.

With --distinct, all tilings that are the same up to rotations and reflections
of the board (on a solid board: rotations) form a class, and all classes are
equally likely. A class is drawn as the member whose placements come first.

Tilings are drawn as text. --json writes one object a line, with the rank of
the tiling among all tilings. --svg draws one picture for each tiling, --sheet
draws all of them on one picture.

There are two methods. --method diagram makes a decision diagram of all tilings
and draws from it. --method walk keeps the levels of a sweep and walks back
through them. If --memory does not hold all levels, it recomputes the missing
ones; one pass back serves all draws. A walk takes far less memory. It gives
other tilings for the same seed, and a walk_rank in place of a rank, because it
orders the tilings in its own way. --method auto, the default, walks if a
diagram would begin with over eight million states or does not fit in memory.

If a puzzle has no tiling, there is none to draw. This is a failure (exit code
1).`,
		Example: `  pavage sample name:pentominoes-6x10
  pavage sample name:pentominoes-6x10 -n 1000 --seed 7 --json
  pavage sample name:pentominoes-6x10 --distinct --json
  pavage sample --board 8x8 --piece domino=any -n 12 --sheet dominoes.svg
  pavage sample --board 20x20 --piece domino=any --method walk -n 1000 --json`,
	}
	cmd.RunE = a.run(func(ctx context.Context, args []string) error {
		v.seeded = cmd.Flags().Changed("seed")
		return v.run(ctx, args)
	})
	v.takePuzzle(cmd)
	v.output.flags(cmd.Flags())
	cmd.Flags().VarP(&v.number, "number", "n", "draw `N` tilings")
	cmd.Flags().Var(&v.seed, "seed", "begin the random numbers with `N`, 0 to 2^64-1; without it every run draws others")
	cmd.Flags().Lookup("seed").DefValue = "" // 0 is a seed, not the default
	v.distinct.flag(cmd.Flags(), "draw classes of tilings that differ")
	cmd.Flags().Var(&v.method, "method", "how to draw, `METHOD`: "+methods())
	v.explain.flag(cmd.Flags())
	config.Flags(cmd.Flags(), "threads", "memory", "timeout")
	return cmd
}

// whole is a flag of a whole number, 0 to 2^64-1.
type whole uint64

var _ pflag.Value = (*whole)(nil)

func (w *whole) String() string { return strconv.FormatUint(uint64(*w), 10) }
func (w *whole) Type() string   { return "N" }

func (w *whole) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a whole number, 0 to 2^64-1")
	}
	*w = whole(n)
	return nil
}

func (v *sampleVerb) run(ctx context.Context, args []string) error {
	if err := v.check("-n", uint64(v.number)); err != nil {
		return err
	}
	if v.distinct != "" && v.method.Method == sample.ByWalk {
		return usage("--distinct draws from diagrams, want --method auto or diagram with it")
	}
	model, err := v.model(ctx, v.In, args)
	if err != nil {
		return err
	}
	bar := v.newBar("compiling")
	defer bar.done()
	d, err := v.compile(ctx, model, bar)
	if err != nil {
		bar.done()
		v.explain.writeLast(v.Err)
		return err
	}
	if d.Check() != nil {
		return errors.New("the puzzle has no tiling, so there is none to draw")
	}
	out, err := v.begin(v.app, model.Puzzle, uint64(v.number))
	if err != nil {
		return err
	}
	if v.distinct != "" && !v.json {
		v.distinct.tell(v.Err, model)
	}
	if err := draw(ctx, model, d, v.source64(), uint64(v.number), out, bar); err != nil {
		return err
	}
	return out.close()
}

func (v *sampleVerb) source64() rand.Source {
	if v.seeded {
		return sample.Seeded(uint64(v.seed))
	}
	return sample.Fresh()
}

// compile makes what is drawn from. Its progress goes on while the first are
// drawn, unless something is to be told in between.
func (v *sampleVerb) compile(ctx context.Context, m *tiling.Model, b *bar) (*sample.Source, error) {
	o := v.options(b.report)
	v.explain.ask(&o)
	r := sample.Request{Method: v.method.Method}
	if v.distinct != "" {
		r.Group = v.distinct.group(m).Symmetries()
	}
	s, err := sample.From(ctx, m.Problem, r, o)
	if err != nil {
		return nil, err
	}
	if s.Method != sample.ByWalk || v.explain.wanted {
		b.done()
	}
	v.log.Info().Str("method", string(s.Method)).Int64("states", s.Result.States).Int64("nodes", s.Result.Nodes).
		Int64("bytes", s.Result.Bytes).Stringer("count", s.Result.Count).Stringer("to draw", s.Count()).Msg("made what is drawn from, since " + s.Reason)
	return s, v.explain.writeSource(v.Err, s)
}

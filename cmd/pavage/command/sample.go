package command

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pavage/pavage/config"
	"github.com/pavage/pavage/count"
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
}

func newSample(a *app) *cobra.Command {
	v := &sampleVerb{app: a, number: 1}
	cmd := &cobra.Command{
		Use:   "sample PUZZLE",
		Short: "Draw uniformly random tilings of a puzzle",
		Long: `Draw random tilings, each of all tilings equally likely, independent of each
other. The same puzzle and --seed draw the same tilings in every run; without
--seed the system's randomness is used.

With --distinct, tilings that are the same up to rotations and reflections of the
board (in space: rotations) are one, and each class of these is equally likely. It
is drawn as the member whose placements come first.

Tilings are drawn as text. --json writes an object a line, with the tiling's rank
among all tilings, --svg a picture a tiling, --sheet all of them on one picture.

A puzzle without a tiling has none to draw: that is a failure, exit code 1.`,
		Example: `  pavage sample name:pentominoes-6x10
  pavage sample name:pentominoes-6x10 -n 1000 --seed 7 --json
  pavage sample name:pentominoes-6x10 --distinct --json
  pavage sample --board 8x8 --piece domino=any -n 12 --sheet dominoes.svg`,
	}
	cmd.RunE = a.run(func(ctx context.Context, args []string) error {
		v.seeded = cmd.Flags().Changed("seed")
		return v.run(ctx, args)
	})
	v.takePuzzle(cmd)
	v.output.flags(cmd.Flags())
	cmd.Flags().VarP(&v.number, "number", "n", "draw this many tilings, `N`")
	cmd.Flags().Var(&v.seed, "seed", "draw the tilings of this seed, `N` from 0 to 2^64-1; without it other ones in every run")
	cmd.Flags().Lookup("seed").DefValue = "" // 0 is a seed, not the default
	v.distinct.flag(cmd.Flags(), "draw classes of tilings")
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
	puzzle, err := v.read(ctx, v.In, args)
	if err != nil {
		return err
	}
	model, err := puzzle.Model(ctx)
	if err != nil {
		return err
	}
	d, err := v.compile(ctx, model)
	if err != nil {
		return err
	}
	if d.Check() != nil {
		return errors.New("the puzzle has no tiling, so there is none to draw")
	}
	out, err := v.begin(v.app, puzzle, uint64(v.number))
	if err != nil {
		return err
	}
	if err := draw(ctx, model, d.draws(v.source64()), uint64(v.number), out); err != nil {
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

// drawer draws tilings as sets of options, with their ranks.
type drawer interface {
	Check() error
	draws(src rand.Source) iter.Seq2[sample.Member, error]
}

func (v *sampleVerb) compile(ctx context.Context, m *tiling.Model) (drawer, error) {
	bar := v.newBar("compiling")
	o := v.options(bar.report)
	o.Explain = bool(v.explain)
	var d drawer
	var r *count.Result
	var err error
	if v.distinct != "" {
		d, r, err = v.distinct.compile(ctx, v.app, m, o)
	} else {
		d, r, err = v.compileAll(ctx, m, o)
	}
	bar.done()
	if err != nil {
		return nil, err
	}
	return d, v.explain.write(v.Err, r)
}

// compileAll makes the diagram that tilings are drawn from.
func (v *sampleVerb) compileAll(ctx context.Context, m *tiling.Model, o count.Options) (drawer, *count.Result, error) {
	compiled, err := count.Compile(ctx, m.Problem, o)
	if err != nil {
		return nil, nil, err
	}
	s := sample.FromCounts(compiled.Diagram, compiled.Counts)
	r := &compiled.Result
	v.log.Info().Int64("states", r.States).Int64("nodes", r.Nodes).Int64("bytes", r.Bytes).Stringer("count", s.Count()).Msg("compiled")
	return &tilingDrawer{compiled, s}, r, nil
}

// draw hands n tilings to out, one at a time.
func draw(ctx context.Context, m *tiling.Model, draws iter.Seq2[sample.Member, error], n uint64, out sink) error {
	if n == 0 {
		return nil
	}
	for draw, err := range draws {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		t := make([]tiling.Placement, len(draw.Options))
		for i, o := range draw.Options {
			t[i] = m.Placements[o]
		}
		if err := out.add(label{rank: draw.Rank}, t); err != nil {
			return err
		}
		if n--; n == 0 {
			break
		}
	}
	return nil
}

// tilingDrawer draws from all tilings.
type tilingDrawer struct {
	compiled *count.Compiled
	*sample.Sampler
}

// draws gives options in the order of the variables.
func (d *tilingDrawer) draws(src rand.Source) iter.Seq2[sample.Member, error] {
	return func(yield func(sample.Member, error) bool) {
		for draw := range d.Draws(src) {
			m := sample.Member{Rank: draw.Rank, Options: make([]int, len(draw.Set))}
			for i, x := range draw.Set {
				m.Options[i] = d.compiled.Options[x]
			}
			if !yield(m, nil) {
				return
			}
		}
	}
}

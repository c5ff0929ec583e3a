package command

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// method is the flag --method: what tilings are drawn from.
type method struct{ count.Method }

var _ pflag.Value = (*method)(nil)

func (m *method) String() string { return string(m.Method) }
func (m *method) Type() string   { return "METHOD" }

func (m *method) Set(text string) error {
	if !slices.Contains(count.Methods(), count.Method(text)) {
		return errors.New("want " + methods())
	}
	m.Method = count.Method(text)
	return nil
}

// methods are the values of the flag, as a sentence has them.
func methods() string {
	var all []string
	for _, m := range count.Methods() {
		all = append(all, string(m))
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// drawn is a tiling drawn as a set of options.
type drawn struct {
	label
	options []int
}

// drawer draws tilings.
type drawer interface {
	Check() error
	// draws yields n draws or more.
	draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[drawn, error]
}

// draw hands n tilings to out, one at a time. The bar goes before the first.
func draw(ctx context.Context, m *tiling.Model, draws iter.Seq2[drawn, error], n uint64, out sink, b *bar) error {
	if n == 0 {
		return nil
	}
	for d, err := range draws {
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		t := make([]tiling.Placement, len(d.options))
		for i, o := range d.options {
			t[i] = m.Placements[o]
		}
		b.done()
		if err := out.add(d.label, t); err != nil {
			return err
		}
		if n--; n == 0 {
			break
		}
	}
	return nil
}

// tilingDrawer draws from the diagram of all tilings.
type tilingDrawer struct {
	compiled *count.Compiled
	*sample.Sampler
}

// draws gives options in the order of the variables.
func (d *tilingDrawer) draws(_ context.Context, src rand.Source, _ uint64) iter.Seq2[drawn, error] {
	return func(yield func(drawn, error) bool) {
		for draw := range d.Draws(src) {
			if !yield(drawn{label{rank: draw.Rank}, d.compiled.OptionsOf(draw.Set)}, nil) {
				return
			}
		}
	}
}

// walkDrawer draws from the levels of a sweep.
type walkDrawer struct{ *sample.Walk }

func (d walkDrawer) draws(ctx context.Context, src rand.Source, n uint64) iter.Seq2[drawn, error] {
	return func(yield func(drawn, error) bool) {
		for way, err := range d.Draws(ctx, src, n) {
			if !yield(drawn{label{walkRank: way.Rank}, way.Options}, err) {
				return
			}
		}
	}
}

// distinctDrawer draws from the classes of tilings.
type distinctDrawer struct{ *sample.Distinct }

func (d distinctDrawer) draws(_ context.Context, src rand.Source, _ uint64) iter.Seq2[drawn, error] {
	return func(yield func(drawn, error) bool) {
		for m, err := range d.Draws(src) {
			if !yield(drawn{label{rank: m.Rank}, m.Options}, err) {
				return
			}
		}
	}
}

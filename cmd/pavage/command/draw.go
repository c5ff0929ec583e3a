package command

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// method is the flag --method: what tilings are drawn from.
type method struct{ sample.Method }

var _ pflag.Value = (*method)(nil)

func (m *method) String() string { return string(m.Method) }
func (m *method) Type() string   { return "METHOD" }

func (m *method) Set(text string) error {
	if !slices.Contains(sample.Methods(), sample.Method(text)) {
		return errors.New("want " + methods())
	}
	m.Method = sample.Method(text)
	return nil
}

// methods are the values of the flag, as a sentence has them.
func methods() string {
	var all []string
	for _, m := range sample.Methods() {
		all = append(all, string(m))
	}
	last := len(all) - 1
	return strings.Join(all[:last], ", ") + " or " + all[last]
}

// draw hands n tilings to out, one at a time. The bar goes before the first.
func draw(ctx context.Context, m *tiling.Model, from sample.Sampler, src rand.Source, n uint64, out sink, b *bar) error {
	for d, err := range from.Draws(ctx, src, n) {
		if err != nil {
			return err
		}
		t := make([]tiling.Placement, len(d.Options))
		for i, o := range d.Options {
			t[i] = m.Placements[o]
		}
		b.done()
		if err := out.add(ranked(d), t); err != nil {
			return err
		}
	}
	return nil
}

// ranked is the label of a draw: its rank, by the name of the order it is of.
func ranked(d sample.Draw) label {
	if d.Order == sample.OfWalk {
		return label{walkRank: d.Rank}
	}
	return label{rank: d.Rank}
}

package job

import (
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// placements are those of a set of options.
func placements(m *tiling.Model, options []int) []tiling.Placement {
	t := make([]tiling.Placement, len(options))
	for i, o := range options {
		t[i] = m.Placements[o]
	}
	return t
}

// begin tells that tilings of the puzzle can come.
func (w *work) begin(p *tiling.Puzzle) error {
	if w.watch.Begin == nil {
		return nil
	}
	return w.watch.Begin(p)
}

// tiling hands a tiling over.
func (w *work) tiling(t render.Tiling) error {
	if w.watch.Tiling == nil {
		return nil
	}
	return w.watch.Tiling(t)
}

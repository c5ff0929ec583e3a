package job

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// Lines is a watch that writes the tilings of a Sample or List, and then the answer,
// as JSON, one a line: what a server sends to its client, or a worker to its server.
func Lines(out io.Writer) Watch {
	var tilings render.Writer
	return Watch{
		Begin: func(p *tiling.Puzzle) error {
			tilings = render.FormatOf("json").Begin(out, p, render.Options{})
			return nil
		},
		Tiling: func(t render.Tiling) error { return tilings.Add(t) },
		Brief:  true,
		Answer: func(a Answer) error {
			lines := json.NewEncoder(out)
			lines.SetEscapeHTML(false)
			return lines.Encode(a)
		},
	}
}

// of gives a tiling the placements of a set of options or, where there is only a
// cover, the options.
func of(m *tiling.Model, options []int, t render.Tiling) render.Tiling {
	t.Model, t.Numbers = m, options
	if m.IsAbstract() {
		for _, o := range options {
			t.Options = append(t.Options, m.Words(o))
		}
		return t
	}
	if t.Placements == nil {
		t.Placements = make([]tiling.Placement, 0, len(options))
	}
	for _, o := range options {
		t.Placements = append(t.Placements, m.Placements[o])
	}
	return t
}

// of returns a tiling for Watch.Tiling. The next call may overwrite its options and, with Watch.Brief, its
// placements.
func (w *work) of(m *tiling.Model, options []int, t render.Tiling) render.Tiling {
	if !w.watch.Brief {
		options = slices.Clone(options)
	}
	t.Placements = w.room
	t = of(m, options, t)
	if w.watch.Brief && t.Placements != nil {
		w.room = t.Placements[:0]
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

// placementName is the piece and the cells of a placement, as JSON has them.
func placementName(m *tiling.Model, option int) string {
	if m.IsAbstract() {
		return strings.Join(m.Words(option), " ")
	}
	t := render.Tiling{Placements: m.Placements[option : option+1]}
	p := t.JSON(m.Puzzle).Placements[0]
	cells, err := json.Marshal(p.Cells)
	if err != nil { // numbers always have a JSON
		return p.Piece
	}
	return fmt.Sprintf("%s %s", p.Piece, cells)
}

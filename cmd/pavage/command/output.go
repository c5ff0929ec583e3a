package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/pavage/pavage/internal/atomicfile"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/tiling"
)

// maxSheet bounds the tilings of one sheet, which are all held in memory and
// which a viewer of pictures must hold too.
const maxSheet = 1000

// output is how sample and list write tilings.
type output struct {
	json  bool
	svg   string // a folder
	sheet string // a file
	given *pflag.FlagSet
}

func (o *output) flags(flags *pflag.FlagSet) {
	o.given = flags
	flags.BoolVar(&o.json, "json", false, "write one JSON object for each tiling, one a line")
	flags.StringVar(&o.svg, "svg", "", "draw each tiling as an SVG file in the folder `DIR`; files of earlier runs stay there")
	flags.StringVar(&o.sheet, "sheet", "", fmt.Sprintf("draw all tilings, at most %d, on one SVG picture, `FILE`", maxSheet))
}

// check reports a wrong choice of outputs for n tilings, as many as flag says.
func (o *output) check(flag string, n uint64) error {
	for _, path := range []string{"svg", "sheet"} {
		if o.given.Changed(path) && o.given.Lookup(path).Value.String() == "" {
			return usage("--%s is empty, want a path", path)
		}
	}
	chosen := 0
	for _, yes := range []bool{o.json, o.svg != "", o.sheet != ""} {
		if yes {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return usage("more than one of --json, --svg and --sheet given, want one")
	case o.sheet != "" && n > maxSheet:
		return usage("%s is %d, a --sheet holds at most %d tilings", flag, n, maxSheet)
	}
	return nil
}

// label tells a tiling from the others: by rank if it is drawn, among all
// tilings or among the ways of a walk, by cursor if it is listed.
type label struct {
	rank, walkRank *big.Int // nil: none
	cursor         string
}

// sink takes tilings one after the other; close ends the output.
type sink interface {
	add(l label, t []tiling.Placement) error
	close() error
}

// begin starts the output of n tilings of a puzzle, or of at most n if nobody
// knows how many there are.
func (o *output) begin(a *app, p *tiling.Puzzle, n uint64) (sink, error) {
	out := bufio.NewWriter(a.Out)
	switch {
	case o.json:
		return &jsonSink{out, p}, nil
	case o.svg != "":
		return &svgSink{puzzle: p, dir: o.svg, digits: len(fmt.Sprint(n))}, os.MkdirAll(o.svg, 0o777)
	case o.sheet != "":
		return &sheetSink{puzzle: p, path: o.sheet}, nil
	}
	return &textSink{Writer: out, puzzle: p, options: render.TextOptions{Color: colored(a.config.Color, a.Out), Letters: true}}, nil
}

// textSink draws tilings under a line with their number and rank.
type textSink struct {
	*bufio.Writer
	puzzle  *tiling.Puzzle
	options render.TextOptions
	number  int
}

func (s *textSink) add(l label, t []tiling.Placement) error {
	if s.number++; s.number > 1 {
		fmt.Fprintln(s)
	}
	fmt.Fprintf(s, "tiling %d", s.number)
	if l.rank != nil {
		fmt.Fprintf(s, ", rank %v", l.rank)
	}
	if l.walkRank != nil {
		fmt.Fprintf(s, ", walk rank %v", l.walkRank)
	}
	fmt.Fprintln(s)
	return errors.Join(render.Text(s, s.puzzle, t, s.options), s.Flush())
}

func (s *textSink) close() error { return s.Flush() }

// jsonSink writes objects, and each line at once: another program may be
// waiting for it.
type jsonSink struct {
	*bufio.Writer
	puzzle *tiling.Puzzle
}

// tilingJSON is a line of sample --json, which has a rank, as large as a count,
// of a diagram or of a walk, or of list --json, which has a cursor.
type tilingJSON struct {
	Rank       string          `json:"rank,omitempty"`
	WalkRank   string          `json:"walk_rank,omitempty"`
	Cursor     string          `json:"cursor,omitempty"`
	Placements []placementJSON `json:"placements"`
}

type placementJSON struct {
	Piece string  `json:"piece"`
	Cells [][]int `json:"cells"` // row, column; on a cube board layer, row, column
}

func (s *jsonSink) add(l label, t []tiling.Placement) error {
	o := tilingJSON{Cursor: l.cursor, Placements: make([]placementJSON, len(t))}
	if l.rank != nil {
		o.Rank = l.rank.String()
	}
	if l.walkRank != nil {
		o.WalkRank = l.walkRank.String()
	}
	for i, p := range t {
		o.Placements[i] = placementJSON{s.puzzle.Pieces[p.Piece].Name, coordinates(s.puzzle.Board, p)}
	}
	return errors.Join(writeJSON(s, o), s.Flush())
}

func coordinates(b *tiling.Board, p tiling.Placement) [][]int {
	cells := make([]tiling.Cell, len(p.Cells))
	for i, c := range p.Cells {
		cells[i] = b.Cells[c]
	}
	return b.Lattice.Written(cells)
}

func (s *jsonSink) close() error { return s.Flush() }

// svgSink writes tiling k of n to file k of a folder; leading zeros keep the
// files of a folder in order.
type svgSink struct {
	puzzle         *tiling.Puzzle
	dir            string
	digits, number int
}

func (s *svgSink) add(_ label, t []tiling.Placement) error {
	s.number++
	name := fmt.Sprintf("tiling-%0*d.svg", s.digits, s.number)
	return atomicfile.Write(filepath.Join(s.dir, name), func(w io.Writer) error {
		return render.SVG(w, s.puzzle, t, render.SVGOptions{})
	})
}

func (s *svgSink) close() error { return nil }

// sheetSink keeps all tilings for one picture.
type sheetSink struct {
	puzzle  *tiling.Puzzle
	path    string
	tilings [][]tiling.Placement
}

func (s *sheetSink) add(_ label, t []tiling.Placement) error {
	if len(s.tilings) == maxSheet {
		return usage("there are more tilings than the %d that a --sheet holds, want a --limit", maxSheet)
	}
	s.tilings = append(s.tilings, t)
	return nil
}

func (s *sheetSink) close() error {
	if len(s.tilings) == 0 {
		return nil // as of the other outputs, nothing
	}
	return atomicfile.Write(s.path, func(w io.Writer) error {
		return render.Sheet(w, s.puzzle, s.tilings, render.SVGOptions{})
	})
}

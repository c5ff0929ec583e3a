package job

import (
	"cmp"
	"context"
	"strconv"

	"github.com/pavage/pavage/tiling"
)

// Show asks how a puzzle is understood.
type Show struct {
	Puzzle Puzzle `json:"puzzle"`
}

// Kind implements [Request].
func (*Show) Kind() Kind { return "show" }

// Check implements [Request].
func (r *Show) Check() error { return r.Puzzle.check() }

// Run does the work.
func (r *Show) Run(ctx context.Context, l Limits, w Watch) (*Shown, error) {
	return run[Shown](ctx, r, l, w)
}

func (r *Show) do(ctx context.Context, w *work) (Answer, error) {
	m, err := w.own(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	if m.IsAbstract() {
		return shownCover(m), nil
	}
	board := m.Puzzle.Board
	s := &Shown{
		Title: m.Puzzle.Title, Lattice: board.Lattice.String(),
		Cells: len(board.Cells),
		Items: len(m.Problem.Items), Options: len(m.Problem.Options), Puzzle: m.Puzzle,
		Marks: marksOf(m.Puzzle), Reasons: m.Obstructions(),
		Warnings: m.Puzzle.Warnings(),
	}
	for _, optional := range board.Optional {
		if optional {
			s.Optional++
		}
	}
	for _, p := range m.Puzzle.Pieces {
		piece := Piece{
			Name: p.Name, Orientations: len(p.Orientations()), Copies: p.Copies(),
			Cells:   board.Lattice.Written(p.Shape),
			Colours: namesOfColours(m.Puzzle, p.Colours), Color: p.Color,
		}
		if p.Motions != board.Lattice.Motions() {
			piece.Motions = p.Motions.String()
		}
		s.Pieces = append(s.Pieces, piece)
	}
	for _, p := range m.Placements {
		s.Pieces[p.Piece].Placements++
	}
	return s, nil
}

// Shown is the answer to [Show].
type Shown struct {
	Title    string  `json:"title"`
	Lattice  string  `json:"lattice"`
	Cells    int     `json:"cells"`
	Optional int     `json:"optional" doc:"cells that may stay empty"`
	Pieces   []Piece `json:"pieces"`
	Items    int     `json:"items"`
	Options  int     `json:"options"`
	Cover    []Item  `json:"cover,omitempty" doc:"of a cover, in place of lattice, cells and pieces: its items"`

	Marks

	Reasons  []tiling.Obstruction `json:"reasons,omitempty" doc:"why there is no tiling, as far as that can be seen without a search"`
	Warnings []string             `json:"warnings,omitempty" doc:"what may be meant otherwise than it says"`

	Puzzle *tiling.Puzzle `json:"-"` // to be drawn
}

// Piece is a piece of a puzzle.
type Piece struct {
	Name         string  `json:"name"`
	Orientations int     `json:"orientations"`
	Placements   int     `json:"placements"`
	Copies       string  `json:"copies" doc:"as in a puzzle file: 2, 0..7, 2.. or any"`
	Cells        [][]int `json:"cells" doc:"row, column; on a cube board layer, row, column"`

	Colours []string `json:"colours,omitempty" doc:"of each of its cells, empty for none, if some have one"`
	Motions string   `json:"motions,omitempty" doc:"free, one-sided or fixed; left out where it is free on a flat board, one-sided on a solid one"`
	Color   string   `json:"color,omitempty" doc:"the colour of the piece in pictures, #rrggbb; absent if the puzzle gives none"`
}

// Item is an item of a cover.
type Item struct {
	Name    string `json:"name"`
	Uses    string `json:"uses" doc:"how often it is to be used: 1, 0..2 or 0.."`
	Options int    `json:"options" doc:"how many use it"`
}

// shownCover is the answer about a cover, which has only items and options.
func shownCover(m *tiling.Model) *Shown {
	p := m.Problem
	s := &Shown{Title: m.Puzzle.Title, Pieces: []Piece{}, Cover: make([]Item, len(p.Items)), Items: len(p.Items), Options: len(p.Options), Puzzle: m.Puzzle}
	for i, it := range p.Items {
		s.Cover[i] = Item{Name: cmp.Or(it.Name, strconv.Itoa(i)), Uses: it.Bounds()}
	}
	for _, o := range p.Options {
		for _, u := range o {
			s.Cover[u.Item].Options++
		}
	}
	return s
}

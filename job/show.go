package job

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"github.com/pavage/pavage/tiling"
)

// Show asks for a description of a puzzle: its board, its pieces and its other rules.
type Show struct {
	Puzzle Puzzle `json:"puzzle"`
}

// Kind implements [Request].
func (*Show) Kind() Kind { return "show" }

func (*Show) predict(context.Context, *tiling.Model) Forecast { return Forecast{Known: true} }

func (r *Show) do(ctx context.Context, w *work) (*Shown, error) {
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
		Marks: marksOf(m.Puzzle), Reasons: m.Obstructions(ctx),
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
			Colours: namesOfColours(m.Puzzle, p.Colours), Marks: p.Marks, Color: p.Color,
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
	Cover    []Item  `json:"cover,omitempty" doc:"for a cover, in place of lattice, cells and pieces: the items"`

	Marks

	Reasons  []tiling.Obstruction `json:"reasons,omitempty" doc:"why there is no tiling, as far as that can be seen without a search"`
	Warnings []string             `json:"warnings,omitempty" doc:"parts of the puzzle that may be meant otherwise"`

	Puzzle *tiling.Puzzle `json:"-"` // puzzle for a picture
}

// Piece is a piece of a puzzle.
type Piece struct {
	Name         string  `json:"name"`
	Orientations int     `json:"orientations"`
	Placements   int     `json:"placements"`
	Copies       string  `json:"copies" doc:"as in a puzzle file: 2, 0..7, 2.. or any"`
	Cells        [][]int `json:"cells" doc:"row, column; on a cube board, layer, row, column"`

	Colours []string `json:"colours,omitempty" doc:"the colour of each cell of the piece, empty for a cell without a colour; absent if no cell has a colour"`
	Marks   string   `json:"marks,omitempty" doc:"a digit for each cell of the piece; absent if the piece has no marks"`
	Motions string   `json:"motions,omitempty" doc:"free, one-sided or fixed; absent if it is free on a flat board, or one-sided on a solid board"`
	Color   string   `json:"color,omitempty" doc:"the colour of the piece in pictures, #rrggbb; absent if the puzzle gives none"`
}

// Item is an item of a cover.
type Item struct {
	Name    string `json:"name"`
	Uses    string `json:"uses" doc:"how often the item must be used, such as 1, 0..2 or 0.."`
	Options int    `json:"options" doc:"the number of options that use the item"`
}

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

// Marks has what a puzzle has in addition to a plain board and pieces.
type Marks struct {
	Wrap       string      `json:"wrap,omitempty" doc:"which borders of the board are glued together, if some are"`
	Names      []Name      `json:"names,omitempty" doc:"the names of cells, by layer, row and column"`
	Colours    []Colour    `json:"colours,omitempty" doc:"the colours that cells of the board and of pieces may have"`
	Groups     []Group     `json:"groups,omitempty" doc:"bounds on the copies of several pieces together"`
	Place      []Part      `json:"place,omitempty" doc:"placements that must be used"`
	Forbid     []Part      `json:"forbid,omitempty" doc:"placements that must not be used"`
	Walls      [][][]int   `json:"walls,omitempty" doc:"pairs of cells that no placement covers together"`
	Joined     [][][]int   `json:"joined,omitempty" doc:"pairs of cells that one placement covers together"`
	Regions    []Region    `json:"regions,omitempty" doc:"sets of cells of the board"`
	Parameters []Parameter `json:"parameters,omitempty" doc:"the parameters of the puzzle file"`
}

// Name is a cell with a name.
type Name struct {
	Name string `json:"name"`
	Cell []int  `json:"cell" doc:"row, column"`
	Open bool   `json:"open,omitempty" doc:"the cell stays free, and is not among the cells of the board"`
}

// Colour is a colour of cells.
type Colour struct {
	Name  string   `json:"name"`
	On    []string `json:"on" doc:"the colours of the cells of the board on which a cell of a piece with this colour may lie; a cell without a colour goes with every colour"`
	Cells [][]int  `json:"cells" doc:"the cells of the board that have the colour"`
}

// Group bounds the copies of several pieces.
type Group struct {
	Of     []string `json:"of" doc:"names of pieces"`
	Copies string   `json:"copies" doc:"bounds on the copies of all these pieces together"`
}

// Part selects placements of a piece. If Cells is set, they are the placements on these cells.
type Part struct {
	Piece string  `json:"piece"`
	Cells [][]int `json:"cells,omitempty" doc:"all or some of the cells of the placement; absent for every placement of the piece"`
}

// Region is a set of cells.
type Region struct {
	Name  string  `json:"name"`
	Cells [][]int `json:"cells"`
	Sum   string  `json:"sum" doc:"bounds on the sum of the marks on the cells of the region, written like copies: 7, 0..3 or any"`
}

// Parameter is a parameter of a puzzle file.
type Parameter struct {
	Name   string   `json:"name"`
	Value  string   `json:"value" doc:"the value of the parameter in this puzzle"`
	Values []string `json:"values" doc:"the values that the parameter may have"`
}

func marksOf(p *tiling.Puzzle) Marks {
	m := Marks{Place: partsOf(p, p.Place), Forbid: partsOf(p, p.Forbid), Walls: pairsOf(p, p.Walls), Joined: pairsOf(p, p.Joined)}
	for c, name := range p.Board.Names {
		m.Names = append(m.Names, Name{name, slices.Clone(p.Board.Lattice.Coordinates(c)), p.Board.Index(c) < 0})
	}
	slices.SortFunc(m.Names, func(a, b Name) int { return slices.Compare(a.Cell, b.Cell) })
	cells := make([][]tiling.Cell, len(p.Colours)+1)
	for i, k := range p.Board.Colours {
		cells[k] = append(cells[k], p.Board.Cells[i])
	}
	for k, name := range p.Colours {
		m.Colours = append(m.Colours, Colour{name, []string{}, p.Board.Lattice.Written(cells[k+1])})
	}
	for _, pair := range p.Allow {
		c := &m.Colours[pair.Piece-1]
		c.On = append(c.On, p.Colours[pair.Board-1])
	}
	if p.Board.Wrap != tiling.NoWrap {
		m.Wrap = p.Board.Wrap.String()
	}
	for _, g := range p.Groups {
		group := Group{Copies: g.Copies()}
		for _, k := range g.Pieces {
			group.Of = append(group.Of, p.Pieces[k].Name)
		}
		m.Groups = append(m.Groups, group)
	}
	for _, r := range p.Regions {
		m.Regions = append(m.Regions, Region{r.Name, writtenCells(p, r.Cells), r.Sum()})
	}
	if p.Parameters != nil {
		for i, q := range p.Parameters.All {
			m.Parameters = append(m.Parameters, Parameter{q.Name, p.Setting[i], q.Values})
		}
	}
	return m
}

func partsOf(p *tiling.Puzzle, parts []tiling.Part) (all []Part) {
	for _, part := range parts {
		all = append(all, Part{p.Pieces[part.Piece].Name, writtenCells(p, part.Cells)})
	}
	return all
}

func pairsOf(p *tiling.Puzzle, pairs [][2]int) (all [][][]int) {
	for _, pair := range pairs {
		all = append(all, writtenCells(p, pair[:]))
	}
	return all
}

func writtenCells(p *tiling.Puzzle, indices []int) [][]int {
	cells := make([]tiling.Cell, len(indices))
	for i, c := range indices {
		cells[i] = p.Board.Cells[c]
	}
	return p.Board.Lattice.Written(cells)
}

func namesOfColours(p *tiling.Puzzle, colours []int) (names []string) {
	for _, k := range colours {
		name := ""
		if k > 0 {
			name = p.Colours[k-1]
		}
		names = append(names, name)
	}
	return names
}

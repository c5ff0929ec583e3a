package job

import (
	"slices"

	"github.com/pavage/pavage/tiling"
)

// Marks is what a puzzle has besides a plain board and pieces.
type Marks struct {
	Wrap       string      `json:"wrap,omitempty" doc:"which borders of the board are glued together, if some are"`
	Names      []Name      `json:"names,omitempty" doc:"the names of cells, by layer, row and column"`
	Colours    []Colour    `json:"colours,omitempty" doc:"that cells of the board and of pieces may have"`
	Groups     []Group     `json:"groups,omitempty" doc:"bounds on the copies of several pieces together"`
	Place      []Part      `json:"place,omitempty" doc:"placements that have to be used"`
	Forbid     []Part      `json:"forbid,omitempty" doc:"placements that must not be used"`
	Parameters []Parameter `json:"parameters,omitempty" doc:"of the puzzle file"`
}

// Name is a cell with a name.
type Name struct {
	Name string `json:"name"`
	Cell []int  `json:"cell" doc:"row, column"`
	Open bool   `json:"open,omitempty" doc:"it stays free, and is not among the cells of the board"`
}

// Colour is a colour of cells.
type Colour struct {
	Name  string   `json:"name"`
	On    []string `json:"on" doc:"the colours of board cells on which cells of pieces may lie that have this one; a cell without a colour goes with every other"`
	Cells [][]int  `json:"cells" doc:"those of the board that have it"`
}

// Group bounds the copies of several pieces.
type Group struct {
	Of     []string `json:"of" doc:"names of pieces"`
	Copies string   `json:"copies" doc:"of all of them together"`
}

// Part is a piece and cells of the board that its placement covers.
type Part struct {
	Piece string  `json:"piece"`
	Cells [][]int `json:"cells,omitempty" doc:"all cells of the placement, or some; none: every placement of the piece"`
}

// Parameter is a parameter of a puzzle file.
type Parameter struct {
	Name   string   `json:"name"`
	Value  string   `json:"value" doc:"that it has here"`
	Values []string `json:"values" doc:"that it may have"`
}

func marksOf(p *tiling.Puzzle) Marks {
	m := Marks{Place: partsOf(p, p.Place), Forbid: partsOf(p, p.Forbid)}
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
	if p.Parameters != nil {
		for i, q := range p.Parameters.All {
			m.Parameters = append(m.Parameters, Parameter{q.Name, p.Setting[i], q.Values})
		}
	}
	return m
}

func partsOf(p *tiling.Puzzle, parts []tiling.Part) (all []Part) {
	for _, part := range parts {
		cells := make([]tiling.Cell, len(part.Cells))
		for i, c := range part.Cells {
			cells[i] = p.Board.Cells[c]
		}
		all = append(all, Part{p.Pieces[part.Piece].Name, p.Board.Lattice.Written(cells)})
	}
	return all
}

// namesOfColours are the names of colours by their numbers, "" for 0.
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

package differential

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// place is a cell: layer, row, column.
type place [3]int

// unlimited as a piece's most means any number of copies.
const unlimited = -1

// shape is a piece of a random puzzle.
type shape struct {
	name        string
	known       bool // the name is a known piece of the parser
	cells       []place
	motions     string // "" for the puzzle's
	least, most int
	style       int // of writing it
}

// puzzle is a random puzzle before it is written: relations change it, and the shrinker cuts it
// down.
type puzzle struct {
	solid   bool
	size    place  // layers, rows, columns
	cells   []byte // '#', 'o' or '.', by layer, row, column
	wrap    string // "" for none
	atMost  bool
	motions string // "" for the lattice's
	shapes  []shape
}

func (p *puzzle) clone() *puzzle {
	q := *p
	q.cells, q.shapes = slices.Clone(p.cells), slices.Clone(p.shapes)
	return &q
}

// at is the index of a cell.
func (p *puzzle) at(c place) int { return (c[0]*p.size[1]+c[1])*p.size[2] + c[2] }

// places are all cells of the box, holes included, in the order of cells.
func (p *puzzle) places() (all []place) {
	for l := range p.size[0] {
		for r := range p.size[1] {
			for c := range p.size[2] {
				all = append(all, place{l, r, c})
			}
		}
	}
	return all
}

// motionsOf is how a shape may be moved.
func (p *puzzle) motionsOf(s shape) string {
	switch {
	case s.motions != "":
		return s.motions
	case p.motions != "":
		return p.motions
	case p.solid:
		return "one-sided"
	}
	return "free"
}

// text is the puzzle as a puzzle file.
func (p *puzzle) text() string {
	var b strings.Builder
	if p.solid {
		b.WriteString("lattice: cube\n")
	}
	b.WriteString("board: |\n")
	for i := range len(p.cells) / p.size[2] {
		if i > 0 && i%p.size[1] == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "  %s\n", p.cells[i*p.size[2]:(i+1)*p.size[2]])
	}
	if p.full() {
		b.Reset()
		fmt.Fprintf(&b, "board: %s\n", p.box())
	}
	if p.wrap != "" {
		fmt.Fprintf(&b, "wrap: %s\n", p.wrap)
	}
	if p.atMost {
		b.WriteString("cover: at-most\n")
	}
	if p.motions != "" {
		fmt.Fprintf(&b, "motions: %s\n", p.motions)
	}
	b.WriteString("pieces:\n")
	for _, s := range p.shapes {
		fmt.Fprintf(&b, "  - %s\n", s.text(p.solid))
	}
	return b.String()
}

// full reports whether every cell of the box must be covered.
func (p *puzzle) full() bool {
	return !slices.ContainsFunc(p.cells, func(b byte) bool { return b != '#' })
}

func (p *puzzle) box() string {
	if p.solid {
		return fmt.Sprintf("%dx%dx%d", p.size[0], p.size[1], p.size[2])
	}
	return fmt.Sprintf("%dx%d", p.size[1], p.size[2])
}

// text is the shape as an entry of a puzzle file.
func (s shape) text(solid bool) string {
	fields := []string{"name: " + s.name}
	if !s.known {
		fields = append(fields, s.drawn(solid))
	}
	if s.motions != "" {
		fields = append(fields, "motions: "+s.motions)
	}
	if s.least != 1 || s.most != 1 || s.style%2 == 0 {
		fields = append(fields, "copies: "+s.copies())
	}
	if s.known && len(fields) == 1 {
		return s.name
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func (s shape) copies() string {
	switch {
	case s.most == unlimited && s.least == 0 && s.style%3 > 0:
		return "any"
	case s.most == unlimited:
		return fmt.Sprintf("%d..", s.least)
	case s.least == s.most:
		return fmt.Sprint(s.least)
	}
	return fmt.Sprintf("%d..%d", s.least, s.most)
}

// drawn is the shape as a list of cells, or drawn where it is flat.
func (s shape) drawn(solid bool) string {
	low, high := extent(s.cells)
	if low[0] != high[0] || s.style%4 == 1 {
		var cells []string
		for _, c := range s.cells {
			if solid {
				cells = append(cells, fmt.Sprintf("[%d, %d, %d]", c[0], c[1], c[2]))
			} else {
				cells = append(cells, fmt.Sprintf("[%d, %d]", c[1], c[2]))
			}
		}
		return "cells: [" + strings.Join(cells, ", ") + "]"
	}
	var rows []string
	for r := low[1]; r <= high[1]; r++ {
		row := []byte(strings.Repeat(".", high[2]-low[2]+1))
		for _, c := range s.cells {
			if c[1] == r {
				row[c[2]-low[2]] = '#'
			}
		}
		rows = append(rows, string(row))
	}
	return `shape: "` + strings.Join(rows, `\n`) + `"`
}

// extent is the least and the greatest of each coordinate.
func extent(cells []place) (low, high place) {
	low, high = cells[0], cells[0]
	for _, c := range cells {
		for axis, v := range c {
			low[axis], high[axis] = min(low[axis], v), max(high[axis], v)
		}
	}
	return low, high
}

// generator draws the parts of a puzzle.
type generator struct {
	*rand.Rand
	kind Kind
}

func (g generator) chance(percent int) bool     { return g.IntN(100) < percent }
func (g generator) between(least, most int) int { return least + g.IntN(most-least+1) }
func pick[T any](rng *rand.Rand, all []T) T     { return all[rng.IntN(len(all))] }
func volume(size place) int                     { return size[0] * size[1] * size[2] }
func (g generator) sides(a, b, c int) place {
	return place{g.between(1, a), g.between(1, b), g.between(1, c)}
}
func allBytes(n int, b byte) []byte   { return []byte(strings.Repeat(string(b), n)) }
func has(cells []place, c place) bool { return slices.Contains(cells, c) }
func plus(a, b place) place           { return place{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// randomPuzzle draws a puzzle: a box, full or with holes and cells that may
// stay empty, mostly with some symmetry; up to four pieces, known or grown at
// random, with bounds of every kind.
func randomPuzzle(rng *rand.Rand, kind Kind) *puzzle {
	g := generator{rng, kind}
	if kind == Wide {
		return g.wide()
	}
	p := &puzzle{solid: kind == Solid, size: g.size(), atMost: g.chance(20)}
	p.cells = allBytes(volume(p.size), '#')
	if g.chance(60) {
		g.holes(p)
	}
	if g.chance(30) {
		p.motions = pick(rng, []string{"free", "one-sided", "fixed"})
	}
	for range g.between(1, 3) {
		p.shapes = append(p.shapes, g.shape(p))
	}
	if g.chance(60) {
		p.shapes = append(p.shapes, g.named(p, "monomino", []place{{}}))
	} else {
		p.atMost = p.atMost || g.chance(40) // there would hardly be a solution
	}
	if kind != Large && g.chance(12) {
		p.shapes = append(p.shapes, g.mirrored(p))
	}
	if kind == Flat && g.chance(30) {
		if p.wrap = pick(rng, wraps); slices.ContainsFunc(p.shapes, p.liesOnItself) {
			p.wrap = ""
		}
	}
	return p
}

// mirrored is the mirror image of a piece, both one-sided, mostly within equal bounds: then a
// reflection may map the placements of one to the placements of the other.
func (g generator) mirrored(p *puzzle) shape {
	first := &p.shapes[g.IntN(len(p.shapes))]
	first.motions = "one-sided"
	s := *first
	s.name, s.known = fmt.Sprintf("p%d", len(p.shapes)), false
	s.cells = moved(motion{place{0, 1, 2}, place{1, 1, -1}}, first.cells)
	if g.chance(40) {
		s.least, s.most = g.bounds()
	}
	return s
}

// wide draws a board that has many states: nearly all of it there, pieces of
// four cells that do not merge much.
func (g generator) wide() *puzzle {
	p := &puzzle{size: g.size()}
	p.cells = allBytes(volume(p.size), '#')
	for range g.between(0, 4) {
		p.cells[g.IntN(len(p.cells))] = pick(g.Rand, []byte("o."))
	}
	for _, f := range familiar {
		if len(f.cells) == 4 && f.name != "O4" {
			p.shapes = append(p.shapes, shape{name: f.name, known: true, cells: f.cells, most: unlimited})
		}
	}
	s := g.shape(p)
	s.least, s.most = 0, unlimited
	p.shapes = append(p.shapes, s)
	return p
}

func (g generator) size() place {
	for {
		var size place
		switch g.kind {
		case Solid:
			size = g.sides(3, 3, 4)
		case Large:
			size = pick(g.Rand, []place{{1, g.between(6, 8), g.between(6, 9)}, {1, g.between(3, 5), g.between(20, 45)}})
		case Wide:
			size = place{1, 8, g.between(8, 9)}
		default:
			size = g.sides(1, 4, 5)
		}
		if g.kind == Large || g.kind == Wide || volume(size) <= 16 {
			return size
		}
	}
}

// holes removes cells from the board, and lets others be optional, mostly in a way that a
// reflection or a half turn leaves alone. One cell stays.
func (g generator) holes(p *puzzle) {
	for i := range p.cells {
		p.cells[i] = draw(g.Rand, []weighted[byte]{{'#', 7}, {'o', 1}, {'.', 1}})
	}
	if g.chance(60) {
		axes := 1 + g.IntN(7)
		for i, c := range p.places() {
			for axis := range c {
				if axes>>axis&1 == 1 {
					c[axis] = p.size[axis] - 1 - c[axis]
				}
			}
			p.cells[i] = p.cells[p.at(c)]
		}
	}
	if !slices.ContainsFunc(p.cells, func(b byte) bool { return b != '.' }) {
		p.cells[g.IntN(len(p.cells))] = '#'
	}
}

// familiar are pieces that have names in puzzle files, with their cells.
var familiar = []struct {
	name  string
	cells []place
}{
	{"domino", []place{{0, 0, 0}, {0, 0, 1}}},
	{"I3", []place{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}},
	{"L3", []place{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}}},
	{"L4", []place{{0, 0, 0}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}},
	{"O4", []place{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}}},
	{"S4", []place{{0, 0, 1}, {0, 0, 2}, {0, 1, 0}, {0, 1, 1}}},
	{"T4", []place{{0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 1, 2}}},
	{"P5", []place{{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 1}, {0, 2, 0}}},
}

// shape draws a piece that p does not have yet: a familiar one, under its name
// or another, or one grown at random.
func (g generator) shape(p *puzzle) shape {
	if g.chance(45) {
		f := familiar[min(g.IntN(len(familiar)), g.IntN(len(familiar)))] // small ones more often
		return g.named(p, f.name, f.cells)
	}
	s := g.named(p, "", g.grow(1+min(g.IntN(5), g.IntN(5))))
	s.known = false
	return s
}

// named is a piece of a known name, which only one of them can have.
func (g generator) named(p *puzzle, name string, cells []place) shape {
	s := shape{name: name, known: true, cells: cells, style: g.IntN(12)}
	taken := slices.ContainsFunc(p.shapes, func(other shape) bool { return other.name == name })
	if name == "" || taken || g.chance(20) {
		s.name, s.known = fmt.Sprintf("p%d", len(p.shapes)), false
	}
	if g.chance(30) {
		s.motions = pick(g.Rand, []string{"free", "one-sided", "fixed"})
	}
	s.least, s.most = g.bounds()
	return s
}

// bounds of copies; large boards have few that bind, or their states are many.
func (g generator) bounds() (least, most int) {
	small := g.between(0, 2)
	choices := []weighted[pair]{
		{pair{0, unlimited}, 6},
		{pair{1, 1}, 2},
		{pair{0, 1}, 2},
		{pair{small, small}, 1},
		{pair{small, small + g.between(1, 3)}, 2},
		{pair{small, unlimited}, 1},
	}
	if g.kind == Large {
		choices = []weighted[pair]{{pair{0, unlimited}, 8}, {pair{0, 1 + small}, 1}, {pair{small, unlimited}, 1}}
	}
	drawn := draw(g.Rand, choices)
	return drawn[0], drawn[1]
}

type pair [2]int

// grow grows a shape of n cells, now and then a shape that is not connected.
func (g generator) grow(n int) []place {
	cells := []place{{}}
	steps := []place{{0, 0, 1}, {0, 1, 0}, {0, 0, -1}, {0, -1, 0}}
	if g.kind == Solid {
		steps = append(steps, place{1, 0, 0}, place{-1, 0, 0})
	}
	for len(cells) < n {
		next := plus(pick(g.Rand, cells), pick(g.Rand, steps))
		if g.chance(4) {
			next = plus(next, pick(g.Rand, steps))
		}
		if !has(cells, next) {
			cells = append(cells, next)
		}
	}
	return cells
}

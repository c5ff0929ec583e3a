package job

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// The pictures of doc/how-it-works.md show the work of the program. This command makes them again:
//
//	go test ./job -run TestMethods -update

func dominoesOn(board rectangle) Puzzle {
	return Puzzle{Board: board.String(), Pieces: []string{"domino=any"}}
}

func modelOf(t *testing.T, p Puzzle) *tiling.Model {
	t.Helper()
	read, err := p.Read()
	if err != nil {
		t.Fatal(err)
	}
	m, err := read.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// diagramOf returns the diagram of the tilings of a board by dominoes.
func diagramOf(t *testing.T, board rectangle) (*tiling.Model, *count.Compiled) {
	t.Helper()
	m := modelOf(t, dominoesOn(board))
	c, err := count.Compile(t.Context(), m.Problem, count.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return m, c
}

// dominoTilings lists the tilings of a board by rank, each as sorted pairs of cells.
func dominoTilings(t *testing.T, board rectangle) (all [][][]int) {
	t.Helper()
	m, c := diagramOf(t, board)
	var ranks []*big.Int
	for rank := range c.Count().Int64() {
		ranks = append(ranks, big.NewInt(rank))
	}
	for options, err := range c.Unrank(t.Context(), ranks) {
		if err != nil {
			t.Fatal(err)
		}
		var one [][]int
		for _, o := range options {
			one = append(one, m.Placements[o].Cells)
		}
		slices.SortFunc(one, slices.Compare)
		all = append(all, one)
	}
	return all
}

// TestMethodsMerge draws partial tilings that a sweep merges, and the ways to complete them. It
// uses the state with three cells ahead that has the most tilings.
func TestMethodsMerge(t *testing.T) {
	board, first := rectangle{6, 6}, 15
	type merged struct {
		tilings        int
		pasts, futures map[string][][]int
	}
	states := map[uint64]*merged{}
	for _, dominoes := range dominoTilings(t, board) {
		past, covered := 0, uint64(0)
		for ; dominoes[past][0] < first; past++ {
			covered |= 1<<dominoes[past][0] | 1<<dominoes[past][1]
		}
		if bits.OnesCount64(covered) != first+3 {
			continue
		}
		if states[covered] == nil {
			states[covered] = &merged{0, map[string][][]int{}, map[string][][]int{}}
		}
		m := states[covered]
		m.tilings++
		m.pasts[fmt.Sprint(dominoes[:past])] = dominoes[:past]
		m.futures[fmt.Sprint(dominoes[past:])] = dominoes[past:]
	}
	state := slices.MinFunc(slices.Collect(maps.Keys(states)), func(a, b uint64) int {
		return cmp.Or(states[b].tilings-states[a].tilings, cmp.Compare(a, b))
	})
	most, pasts, futures := states[state].tilings, states[state].pasts, states[state].futures
	if most != len(pasts)*len(futures) {
		t.Errorf("%d tilings go through the state, %d pasts, %d futures", most, len(pasts), len(futures))
	}
	s := newSketch(t, 1000, 330, "A merge of partial tilings", fmt.Sprintf("%d partial tilings have the same state, which has %d completions.", len(pasts), len(futures)))
	shade := func(c int) *pen.Colour {
		switch {
		case c < first:
			return decided
		case state>>c&1 == 1:
			return ahead
		}
		return free
	}
	some := func(x float64, ways map[string][][]int, to, from pen.Point) {
		names := slices.Sorted(maps.Keys(ways))
		for k := range 4 {
			corner := at(x+float64(k%2)*150, 45+float64(k/2)*140)
			s.draw(corner.X, corner.Y, 20, board, nil, ways[names[k*(len(names)-1)/3]])
		}
		s.arrow(from, to, 2, strong, false)
	}
	some(10, pasts, at(418, 175), at(295, 175))
	s.draw(428, 103, 24, board, shade, nil)
	some(720, futures, at(700, 175), at(582, 175))
	s.write(145, 22, 15, "4 of %d pasts", len(pasts))
	s.write(500, 85, 15, "one state")
	s.write(500, 268, 15, "%d · %d = %d tilings", len(pasts), len(futures), most)
	s.write(855, 22, 15, "4 of %d futures", len(futures))
	s.compare(t, "how-merge.svg")
}

// TestMethodsSweep draws all states of a sweep and the steps between them.
func TestMethodsSweep(t *testing.T) {
	board := rectangle{3, 4}
	a, err := automaton.Compile(t.Context(), modelOf(t, dominoesOn(board)).Problem)
	if err != nil {
		t.Fatal(err)
	}
	const step, line, side = 82, 84, 13.0
	width, height := side*float64(board.columns), side*float64(board.rows)
	s := newSketch(t, float64(step*(a.Steps()+1)), 3*line+30, "The levels of a sweep", "All states of a sweep of 3x4 cells, with the number of ways to each.")
	run := sweep.Start(a, sweep.Config{Value: sweep.Count{}, Keep: sweep.KeepArcs})
	corner := func(level, state, states int) pen.Point {
		return at(float64(level*step)+15, 30+line*(1+float64(state)-float64(states-1)/2))
	}
	states := 0
	for level := 0; ; level++ {
		here := run.States()
		states += here
		s.write(float64(level*step)+15+width/2, 12, 12, "%d", level)
		k := 0
		err := run.EachState(func(state automaton.State, ways []uint64) error {
			at := corner(level, k, here)
			s.draw(at.X, at.Y, side, board, func(c int) *pen.Colour {
				i := slices.Index(a.Order, c)
				switch {
				case i < level:
					return decided
				case state[0]>>(i-level)&1 == 1:
					return ahead
				}
				return free
			}, nil)
			s.write(at.X+width/2, at.Y+height+9, 13, "%d", ways[0])
			k++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if level == a.Steps() {
			break
		}
		arcs, err := run.Step(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for state := range here {
			for _, child := range arcs.Child[arcs.Start[state]:arcs.Start[state+1]] {
				from, to := corner(level, state, here), corner(level+1, int(child), arcs.Next)
				s.arrow(at(from.X+width+3, from.Y+height/2), at(to.X-3, to.Y+height/2), 1.2, strong, false)
			}
		}
	}
	counted, err := Do(t.Context(), &Count{Puzzle: dominoesOn(board), Engine: "sweep"}, Limits{}, Watch{})
	if err != nil || counted.Count != run.Total().String() {
		t.Errorf("%d states, %s tilings, but the count is %v, %v", states, run.Total(), counted, err)
	}
	s.compare(t, "how-sweep.svg")
}

// TestMethodsLevels draws the numbers of states of the levels of three sweeps.
func TestMethodsLevels(t *testing.T) {
	s := newSketch(t, 820, 370, "States by level", "The numbers of states of the levels of three sweeps, on a scale of powers of ten.")
	const left, right, top, bottom, most = 60, 600, 20, 330, 5
	height := func(states float64) float64 { return bottom - (bottom-top)*math.Log10(states)/most }
	for power := range most + 1 {
		y := height(math.Pow10(power))
		s.line(at(left, y), at(right, y), 0.5, pale, false)
		s.write(left-28, y, 12, "%s", []string{"1", "10", "100", "1,000", "10,000", "100,000"}[power])
	}
	s.write((left+right)/2, bottom+20, 13, "level, from the first to the last")
	largest := 0
	for k, one := range []struct {
		name   string
		puzzle Puzzle
		colour *pen.Colour
	}{
		{"twelve pentominoes, 4x15", Puzzle{Example: "pentominoes-4x15"}, strong},
		{"tetrominoes, 8x8", Puzzle{Board: "8x8", Pieces: []string{"tetrominoes=any"}}, ink("#e08e0b")},
		{"dominoes, 16x16", dominoesOn(rectangle{16, 16}), ink("#1f6fd1")},
	} {
		a, err := automaton.Compile(t.Context(), modelOf(t, one.puzzle).Problem)
		if err != nil {
			t.Fatal(err)
		}
		run := sweep.Start(a, sweep.Config{Value: sweep.Count{}})
		var curve []pen.Point
		for level := 0; ; level++ {
			largest = max(largest, run.States())
			curve = append(curve, at(left+(right-left)*float64(level)/float64(a.Steps()), height(float64(run.States()))))
			if level == a.Steps() {
				break
			}
			if _, err := run.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.Path(pen.Path{Outlines: [][]pen.Point{curve}, Open: true, Bare: true, Stroke: one.colour, Line: 2.5})
		s.line(at(right+85, 60+70*float64(k)), at(right+135, 60+70*float64(k)), 2.5, one.colour, false)
		s.write(right+110, 80+70*float64(k), 13, "%s", one.name)
		s.write(right+110, 98+70*float64(k), 11, "%s tilings", brief(run.Total()))
	}
	if largest > 24_000 {
		t.Errorf("a level of %d states, which the page does not expect", largest)
	}
	s.compare(t, "how-levels.svg")
}

// TestMethodsDiagram draws the decision diagram of the tilings of 2x3, and the way to rank 2.
func TestMethodsDiagram(t *testing.T) {
	board := rectangle{2, 3}
	m, c := diagramOf(t, board)
	domino := func(n uint32) []int { return m.Placements[c.Options[c.Diagram.Var(n)]].Cells }
	d, root := c.Diagram, c.Diagram.Root()
	const top = uint32(1) // ⊤; 0 is ⊥
	column, row := map[uint32]int{}, map[uint32]int{}
	for n := root; n > top; n-- { // hi leads to the right, lo down
		hi, lo := d.Hi(n), d.Lo(n)
		if row[hi] == 0 {
			row[hi] = row[n]
		}
		column[hi] = max(column[hi], column[n]+1)
		if lo != 0 {
			column[lo], row[lo] = column[n], row[n]+1
		}
	}
	s := newSketch(t, 900, 330, "A decision diagram", "The decision diagram of the three tilings of 2x3 by dominoes, and the way to the tiling of rank 2.")
	const dx, dy, side = 150, 100, 18.0
	corner := func(n uint32) pen.Point {
		return at(20+dx*float64(column[n]), 30+dy*float64(row[n]))
	}
	onWay := map[[2]uint32]bool{}
	var chosen [][]int
	for n, rank := root, int64(2); n > top; { // unrank, as doc/how-it-works.md describes it
		next, below := d.Lo(n), c.Counts.At(d.Lo(n)).Int64()
		if rank >= below {
			rank, next = rank-below, d.Hi(n)
			chosen = append(chosen, domino(n))
		}
		onWay[[2]uint32{n, next}] = true
		n = next
	}
	for n := root; n >= top; n-- {
		from := corner(n)
		if n == top {
			s.box(from.X, from.Y, 36, 36, 1.5, free)
			s.write(from.X+18, from.Y+18, 18, "⊤")
			continue
		}
		s.draw(from.X, from.Y, side, board, nil, [][]int{domino(n)})
		s.write(from.X+27, from.Y+49, 14, "%d", c.Counts.At(n))
		for _, next := range []uint32{d.Lo(n), d.Hi(n)} {
			if next == 0 {
				continue
			}
			colour, width := pale, 1.5
			if onWay[[2]uint32{n, next}] {
				colour, width = strong, 3
			}
			to := corner(next)
			if next == d.Lo(n) {
				s.arrow(at(from.X+27, from.Y+58), at(to.X+27, to.Y-4), width, colour, true)
			} else {
				s.arrow(at(from.X+58, from.Y+18), at(to.X-4, to.Y+18), width, colour, false)
			}
		}
	}
	const right = 690
	s.write(right+80, 18, 14, "tilings by rank")
	slices.SortFunc(chosen, slices.Compare)
	for rank, dominoes := range dominoTilings(t, board) {
		y := 40 + 95*float64(rank)
		s.write(right, y+27, 16, "%d", rank)
		s.draw(right+40, y, 27, board, nil, dominoes)
		if rank == 2 && !slices.EqualFunc(dominoes, chosen, slices.Equal) {
			t.Errorf("rank 2 is %v, but the way to it has %v", dominoes, chosen)
		}
	}
	s.compare(t, "how-zdd.svg")
}

// brief returns a count with at most six digits; a larger count is a power of ten.
func brief(n *big.Int) string {
	digits := n.String()
	if len(digits) <= 6 {
		return digits
	}
	return fmt.Sprintf("%s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
}

// motions has the symmetries of a square of 4x4 cells: the images of row r and column c.
var motions = []struct {
	name, plural string
	move         func(r, c int) (int, int)
	elements     int
}{
	{"identity", "the identity", func(r, c int) (int, int) { return r, c }, 1},
	{"reflection left-right", "two reflections, such as left-right", func(r, c int) (int, int) { return r, 3 - c }, 2},
	{"rotation by 180°", "the rotation by 180°", func(r, c int) (int, int) { return 3 - r, 3 - c }, 1},
	{"rotation by 90°", "two rotations by 90°", func(r, c int) (int, int) { return c, 3 - r }, 2},
	{"reflection in the main diagonal", "two reflections in a diagonal", func(r, c int) (int, int) { return c, r }, 2},
}

// TestMethodsBurnside draws the tilings of 4x4 that each symmetry fixes.
func TestMethodsBurnside(t *testing.T) {
	board := rectangle{4, 4}
	counted, err := Do(t.Context(), &Count{Puzzle: dominoesOn(board), Distinct: "usual"}, Limits{}, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	fixed := map[string]string{}
	for _, f := range counted.Distinct.Fix {
		fixed[f.Motion] = f.Count
	}
	all := dominoTilings(t, board)
	s := newSketch(t, 1020, 400, "Burnside's lemma", "The domino tilings of 4x4 that each symmetry of the square leaves as they are.")
	const side, dx, dy, perRow = 8.0, 42, 42, 18
	y := 25.0
	for _, m := range motions {
		of := func(cell int) int {
			r, c := m.move(cell/4, cell%4)
			return 4*r + c
		}
		n := 0
		for _, dominoes := range all {
			var moved [][]int
			for _, d := range dominoes {
				pair := []int{of(d[0]), of(d[1])}
				slices.Sort(pair)
				moved = append(moved, pair)
			}
			slices.SortFunc(moved, slices.Compare)
			if slices.EqualFunc(moved, dominoes, slices.Equal) {
				s.draw(255+dx*float64(n%perRow), y-side*2+dy*float64(n/perRow), side, board, nil, dominoes)
				n++
			}
		}
		if strconv.Itoa(n) != fixed[m.name] {
			t.Errorf("%s: %d tilings stay, the program counts %s", m.name, n, fixed[m.name])
		}
		s.write(120, y-7, 13, "%s", m.plural)
		s.write(120, y+10, 13, "%d · %d", m.elements, n)
		y += 20 + dy*math.Ceil(float64(max(n, 1))/perRow)
	}
	s.write(510, y+8, 16, "(1·36 + 2·12 + 1·8 + 2·2 + 2·0) / 8 = %s tilings up to symmetry", counted.Distinct.Count)
	s.compare(t, "how-burnside.svg")
}

// TestMethodsDeterminant draws the graph of the cells of 2x3, its matrix, and the terms of the
// determinant.
func TestMethodsDeterminant(t *testing.T) {
	board := rectangle{2, 3}
	matrix := [3][3]int{{1, 1, 0}, {1, 0, 1}, {-1, 1, 1}} // row i of cell 2i, column j of cell 2j+1
	words := map[int]string{1: "+1", 0: "0", -1: "−1"}
	names := "abcdef"
	s := newSketch(t, 900, 300, "A determinant", "The cells of 2x3 as a graph, the matrix of its edges with signs, and the three terms of its determinant.")
	place := func(cell int) pen.Point { return at(50+80*float64(cell%3), 90+90*float64(cell/3)) }
	for i, row := range matrix {
		for j, sign := range row {
			if sign != 0 {
				s.line(place(2*i), place(2*j+1), 3, map[int]*pen.Colour{1: ink("#1f6fd1"), -1: ahead}[sign], false)
			}
		}
	}
	for c := range board.rows * board.columns {
		fill, letter := &pen.Ink, *free
		if c%2 == 1 {
			fill, letter = free, pen.Ink
		}
		p := place(c)
		s.box(p.X-13, p.Y-13, 26, 26, 1.5, fill)
		s.Text(pen.Text{At: p, Size: 15, Colour: letter, Text: names[c : c+1]})
	}
	const left, top, step = 330, 85, 45
	for i, row := range matrix {
		s.write(left+step*float64(i), top-35, 15, "%c", names[2*i+1])
		s.write(left-45, top+step*float64(i), 15, "%c", names[2*i])
		for j, sign := range row {
			s.write(left+step*float64(j), top+step*float64(i), 18, "%s", words[sign])
		}
	}
	for _, x := range []float64{left - 25, left + 2*step + 25} {
		s.line(at(x, top-20), at(x, top+2*step+20), 1.5, pale, false)
	}
	determinant := 0
	for n, dominoes := range dominoTilings(t, board) {
		var columns [3]int // of the entries in the term
		for _, d := range dominoes {
			black, white := d[0], d[1]
			if black%2 == 1 {
				black, white = white, black
			}
			columns[black/2] = white / 2
		}
		term := 1
		for _, rows := range [][2]int{{0, 1}, {0, 2}, {1, 2}} {
			if columns[rows[0]] > columns[rows[1]] {
				term = -term
			}
		}
		sign, factors := strings.TrimSuffix(words[term], "1"), []string{}
		for row, column := range columns {
			term *= matrix[row][column]
			factors = append(factors, "("+words[matrix[row][column]]+")")
		}
		determinant += term
		y := 45 + 70*float64(n)
		s.draw(530, y, 24, board, nil, dominoes)
		s.write(740, y+24, 16, "%s %s = %s", sign, strings.Join(factors, " · "), words[term])
	}
	s.write(650, 275, 16, "determinant −%d, so %d tilings", -determinant, -determinant)
	counted, err := Do(t.Context(), &Count{Puzzle: dominoesOn(board), Engine: "dimer"}, Limits{}, Watch{})
	if err != nil || counted.Count != strconv.Itoa(-determinant) {
		t.Errorf("determinant %d, the program counts %v, %v", determinant, counted, err)
	}
	s.compare(t, "how-determinant.svg")
}

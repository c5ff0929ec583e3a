package job

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// The pictures of doc/how-it-works.md show the work of the program. They are made again by
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

func dominoesOf(one render.Tiling) (pairs [][]int) {
	for _, p := range one.Placements {
		pairs = append(pairs, slices.Clone(p.Cells))
	}
	return pairs
}

// tilingsBy lists the tilings of a board by dominoes, each as pairs of cells.
func tilingsBy(t *testing.T, board rectangle) (all [][][]int) {
	t.Helper()
	watch := Watch{Tiling: func(one render.Tiling) error {
		all = append(all, dominoesOf(one))
		return nil
	}}
	if _, err := Run(t.Context(), &List{Puzzle: dominoesOn(board)}, Limits{}, watch); err != nil {
		t.Fatal(err)
	}
	return all
}

// pastOf returns the dominoes of a tiling that cover one of the first cells, by rows, and the set of
// cells that they cover.
func pastOf(dominoes [][]int, first int) (past [][]int, covered uint64) {
	for _, d := range dominoes {
		if d[0] < first {
			past = append(past, d)
			covered |= 1<<d[0] | 1<<d[1]
		}
	}
	slices.SortFunc(past, slices.Compare)
	return past, covered
}

// TestMethodsMerge draws partial tilings that a sweep merges, and the ways to complete them.
func TestMethodsMerge(t *testing.T) {
	board, first := rectangle{6, 6}, 15
	through := map[uint64]int{}
	all := tilingsBy(t, board)
	for _, dominoes := range all {
		if _, covered := pastOf(dominoes, first); bits.OnesCount64(covered) == first+3 {
			through[covered]++
		}
	}
	most := slices.Max(slices.Collect(maps.Values(through)))
	state := slices.Min(slices.Collect(func(yield func(uint64) bool) {
		for covered, n := range through {
			if n == most && !yield(covered) {
				return
			}
		}
	}))
	pasts, futures := map[string][][]int{}, map[string][][]int{}
	for _, dominoes := range all {
		past, covered := pastOf(dominoes, first)
		if covered != state {
			continue
		}
		pasts[fmt.Sprint(past)] = past
		future := slices.DeleteFunc(dominoes, func(d []int) bool { return d[0] < first })
		slices.SortFunc(future, slices.Compare)
		futures[fmt.Sprint(future)] = future
	}
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
	blank := func(int) *pen.Colour { return free }
	some := func(x float64, ways map[string][][]int, to, from pen.Point) {
		names := slices.Sorted(maps.Keys(ways))
		for k := range 4 {
			at := pen.Point{X: x + float64(k%2)*150, Y: 45 + float64(k/2)*140}
			s.draw(at.X, at.Y, 20, board, blank, ways[names[k*(len(names)-1)/3]])
		}
		s.arrow(from, to, 2, strong, false)
	}
	some(10, pasts, pen.Point{X: 418, Y: 175}, pen.Point{X: 295, Y: 175})
	s.draw(428, 103, 24, board, shade, nil)
	some(720, futures, pen.Point{X: 700, Y: 175}, pen.Point{X: 582, Y: 175})
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
		return pen.Point{X: float64(level*step) + 15, Y: 30 + line*(1+float64(state)-float64(states-1)/2)}
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
				s.arrow(pen.Point{X: from.X + width + 3, Y: from.Y + height/2}, pen.Point{X: to.X - 3, Y: to.Y + height/2}, 1.2, strong, false)
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
		s.line(pen.Point{X: left, Y: y}, pen.Point{X: right, Y: y}, 0.5, pale, false)
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
			curve = append(curve, pen.Point{X: left + (right-left)*float64(level)/float64(a.Steps()), Y: height(float64(run.States()))})
			if level == a.Steps() {
				break
			}
			if _, err := run.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		s.Path(pen.Path{Outlines: [][]pen.Point{curve}, Open: true, Bare: true, Stroke: one.colour, Line: 2.5})
		s.line(pen.Point{X: right + 85, Y: 60 + 70*float64(k)}, pen.Point{X: right + 135, Y: 60 + 70*float64(k)}, 2.5, one.colour, false)
		s.write(right+110, 80+70*float64(k), 13, "%s", one.name)
		s.write(right+110, 98+70*float64(k), 11, "%s tilings", brief(run.Total()))
	}
	if largest > 24_000 {
		t.Errorf("a level of %d states, which the page does not expect", largest)
	}
	s.compare(t, "how-levels.svg")
}

var (
	dotNode = regexp.MustCompile(`(\d+) \[label="domino \[\[(\d),(\d)\],\[(\d),(\d)\]\]\\n(\d+)"\]`)
	dotArc  = regexp.MustCompile(`(?m)^\t(\d+) -> (\d+)( \[style=dashed\])?;$`)
)

// node is a node of a diagram as Convert writes it for Graphviz.
type node struct {
	domino      []int
	count       int
	lo, hi      int // 0 is ⊥, 1 is ⊤
	column, row int
}

// TestMethodsDiagram draws the decision diagram of the tilings of 2x3, and the way to rank 2.
func TestMethodsDiagram(t *testing.T) {
	board := rectangle{2, 3}
	var file bytes.Buffer
	if _, err := Run(t.Context(), &Convert{Puzzle: dominoesOn(board), To: "dot"}, Limits{}, Watch{Output: &file}); err != nil {
		t.Fatal(err)
	}
	dot := file.String()
	number := func(text string) int {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	nodes := map[int]*node{1: {count: 1}}
	root := 1
	for _, m := range dotNode.FindAllStringSubmatch(dot, -1) {
		cell := func(k int) int { return number(m[k])*board.columns + number(m[k+1]) }
		nodes[number(m[1])] = &node{domino: []int{cell(2), cell(4)}, count: number(m[6])}
		root = max(root, number(m[1]))
	}
	for _, m := range dotArc.FindAllStringSubmatch(dot, -1) {
		if from := nodes[number(m[1])]; len(m[3]) > 0 {
			from.lo = number(m[2])
		} else {
			from.hi = number(m[2])
		}
	}
	for n := root; n > 1; n-- { // hi leads to the right, lo down
		if hi := nodes[nodes[n].hi]; hi.row == 0 {
			hi.row = nodes[n].row
		}
		nodes[nodes[n].hi].column = max(nodes[nodes[n].hi].column, nodes[n].column+1)
		if lo := nodes[n].lo; lo != 0 {
			nodes[lo].column, nodes[lo].row = nodes[n].column, nodes[n].row+1
		}
	}
	s := newSketch(t, 900, 330, "A decision diagram", "The decision diagram of the three tilings of 2x3 by dominoes, and the way to the tiling of rank 2.")
	const dx, dy, side = 150, 100, 18.0
	corner := func(n int) pen.Point {
		return pen.Point{X: 20 + dx*float64(nodes[n].column), Y: 30 + dy*float64(nodes[n].row)}
	}
	blank := func(int) *pen.Colour { return free }
	onWay := map[[2]int]bool{}
	var chosen [][]int
	for n, rank := root, 2; n > 1; { // unrank, as doc/how-it-works.md describes it
		below := 0
		if lo := nodes[n].lo; lo != 0 {
			below = nodes[lo].count
		}
		next := nodes[n].lo
		if rank >= below {
			rank, next = rank-below, nodes[n].hi
			chosen = append(chosen, nodes[n].domino)
		}
		onWay[[2]int{n, next}] = true
		n = next
	}
	for n := root; n >= 1; n-- {
		at := corner(n)
		if n == 1 {
			s.box(at.X, at.Y, 36, 36, 1.5, free)
			s.write(at.X+18, at.Y+18, 18, "⊤")
			continue
		}
		s.draw(at.X, at.Y, side, board, blank, [][]int{nodes[n].domino})
		s.write(at.X+27, at.Y+49, 14, "%d", nodes[n].count)
		for _, next := range []int{nodes[n].lo, nodes[n].hi} {
			if next == 0 {
				continue
			}
			colour, width := pale, 1.5
			if onWay[[2]int{n, next}] {
				colour, width = strong, 3
			}
			to := corner(next)
			if dashed := next == nodes[n].lo; dashed {
				s.arrow(pen.Point{X: at.X + 27, Y: at.Y + 58}, pen.Point{X: to.X + 27, Y: to.Y - 4}, width, colour, true)
			} else {
				s.arrow(pen.Point{X: at.X + 58, Y: at.Y + 18}, pen.Point{X: to.X - 4, Y: to.Y + 18}, width, colour, false)
			}
		}
	}
	const right = 690
	s.write(right+80, 18, 14, "tilings by rank")
	for rank, dominoes := range ranked(t, board, nodes[root].count) {
		y := 40 + 95*float64(rank)
		s.write(right, y+27, 16, "%d", rank)
		s.draw(right+40, y, 27, board, blank, dominoes)
		if rank == 2 && !slices.EqualFunc(dominoes, chosen, slices.Equal) {
			t.Errorf("rank 2 is %v, but the way to it has %v", dominoes, chosen)
		}
	}
	s.compare(t, "how-zdd.svg")
}

// ranked returns the tilings of ranks 0 to n-1, as pairs of cells.
func ranked(t *testing.T, board rectangle, n int) (all [][][]int) {
	t.Helper()
	q := &Query{Puzzle: dominoesOn(board), Method: queryDiagram}
	for k := range n {
		q.Unrank = append(q.Unrank, strconv.Itoa(k))
	}
	watch := Watch{Tiling: func(one render.Tiling) error {
		all = append(all, dominoesOf(one))
		return nil
	}}
	if _, err := Run(t.Context(), q, Limits{}, watch); err != nil {
		t.Fatal(err)
	}
	return all
}

// brief writes a count in at most six digits, and then as a power of ten.
func brief(n *big.Int) string {
	digits := n.String()
	if len(digits) <= 6 {
		return digits
	}
	return fmt.Sprintf("%s.%s·10^%d", digits[:1], digits[1:2], len(digits)-1)
}

// motions are the symmetries of a square of 4x4 cells, by how they move row r and column c.
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

// TestMethodsBurnside draws the tilings of 4x4 that each symmetry leaves as they are.
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
	all := tilingsBy(t, board)
	s := newSketch(t, 1020, 400, "Burnside's lemma", "The domino tilings of 4x4 that each symmetry of the square leaves as they are.")
	blank := func(int) *pen.Colour { return free }
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
			slices.SortFunc(dominoes, slices.Compare)
			if slices.EqualFunc(moved, dominoes, slices.Equal) {
				s.draw(255+dx*float64(n%perRow), y-side*2+dy*float64(n/perRow), side, board, blank, dominoes)
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
	black, white := []int{0, 2, 4}, []int{1, 3, 5} // the cells a c e and b d f
	matrix := [3][3]int{{1, 1, 0}, {1, 0, 1}, {-1, 1, 1}}
	names := "abcdef"
	s := newSketch(t, 900, 300, "A determinant", "The cells of 2x3 as a graph, the matrix of its edges with signs, and the three terms of its determinant.")
	at := func(cell int) pen.Point {
		return pen.Point{X: 50 + 80*float64(cell%3), Y: 90 + 90*float64(cell/3)}
	}
	for i, row := range matrix {
		for j, sign := range row {
			if sign != 0 {
				colour := ink("#1f6fd1")
				if sign < 0 {
					colour = ahead
				}
				s.line(at(black[i]), at(white[j]), 3, colour, false)
			}
		}
	}
	for c := range board.rows * board.columns {
		fill, letter := free, pen.Ink
		if slices.Contains(black, c) {
			fill, letter = &pen.Ink, *free
		}
		p := at(c)
		s.box(p.X-13, p.Y-13, 26, 26, 1.5, fill)
		s.Text(pen.Text{At: p, Size: 15, Colour: letter, Text: names[c : c+1]})
	}
	const left, top, step = 330, 85, 45
	for k := range 3 {
		s.write(left+step*float64(k), top-35, 15, "%c", names[white[k]])
		s.write(left-45, top+step*float64(k), 15, "%c", names[black[k]])
		for j := range 3 {
			s.write(left+step*float64(j), top+step*float64(k), 18, "%s", map[int]string{1: "+1", -1: "−1", 0: "0"}[matrix[k][j]])
		}
	}
	for _, x := range []float64{left - 25, left + 2*step + 25} {
		s.line(pen.Point{X: x, Y: top - 20}, pen.Point{X: x, Y: top + 2*step + 20}, 1.5, pale, false)
	}
	blank := func(int) *pen.Colour { return free }
	determinant, n := 0, 0.0
	for _, p := range [][4]int{{0, 1, 2, 1}, {0, 2, 1, -1}, {1, 0, 2, -1}, {1, 2, 0, 1}, {2, 0, 1, 1}, {2, 1, 0, -1}} { // column of each row, sign
		term := p[3]
		text := map[int]string{1: "+", -1: "−"}[p[3]]
		var dominoes [][]int
		for i := range 3 {
			term *= matrix[i][p[i]]
			pair := []int{black[i], white[p[i]]}
			slices.Sort(pair)
			dominoes = append(dominoes, pair)
			text += map[int]string{1: " · (+1)", -1: " · (−1)", 0: " · 0"}[matrix[i][p[i]]]
		}
		if term == 0 {
			continue
		}
		determinant += term
		y := 45 + 70*n
		s.draw(530, y, 24, board, blank, dominoes)
		s.write(740, y+24, 16, "%s = %s", strings.Replace(text, " · ", " ", 1), map[int]string{1: "+1", -1: "−1"}[term])
		n++
	}
	s.write(650, 275, 16, "determinant −%d, so %d tilings", -determinant, -determinant)
	counted, err := Do(t.Context(), &Count{Puzzle: dominoesOn(board), Engine: "dimer"}, Limits{}, Watch{})
	if err != nil || counted.Count != strconv.Itoa(-determinant) {
		t.Errorf("determinant %d, the program counts %v, %v", determinant, counted, err)
	}
	s.compare(t, "how-determinant.svg")
}

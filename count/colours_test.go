package count

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// builder makes a cover of names.
type builder struct {
	cover.Problem
	index   map[string]int
	colours map[string]int32
	seen    map[string]bool // options
}

func newBuilder() *builder {
	return &builder{index: map[string]int{}, colours: map[string]int32{}, seen: map[string]bool{}}
}

// item is the item of a name, which is 0..1 if it is new.
func (b *builder) item(name string) int {
	i, known := b.index[name]
	if !known {
		i = len(b.Items)
		b.index[name], b.Items = i, append(b.Items, cover.Item{Name: name, Max: 1})
	}
	return i
}

// exact declares items that are used once.
func (b *builder) exact(name string) { b.Items[b.item(name)].Min = 1 }

// option adds an option of words: NAME or NAME:COLOUR.
func (b *builder) option(words ...string) {
	var o cover.Option
	for _, w := range words {
		name, colour, _ := strings.Cut(w, ":")
		if colour != "" && b.colours[colour] == 0 {
			b.Colours = append(b.Colours, colour)
			b.colours[colour] = int32(len(b.Colours))
		}
		o = append(o, cover.Use{Item: b.item(name), Times: 1, Colour: b.colours[colour]})
	}
	slices.SortFunc(o, func(x, y cover.Use) int { return x.Item - y.Item })
	b.Options = append(b.Options, o)
}

// wantCount has engines count.
func wantCount(t *testing.T, what string, p *cover.Problem, want string, engines ...Engine) {
	t.Helper()
	for _, e := range engines {
		r, err := Count(t.Context(), p, e, Options{})
		if err != nil {
			t.Errorf("%s by %s: %v", what, e, err)
		} else if r.Count.String() != want {
			t.Errorf("%s by %s: %v, want %s", what, e, r.Count, want)
		}
	}
}

// colourings are the proper colourings of a graph without bare vertices with this number of
// colours: for each edge an item, and an option for any two colours of its ends.
func colourings(edges [][2]string, colours int) *cover.Problem {
	b := newBuilder()
	for k, e := range edges {
		edge := fmt.Sprintf("edge%d", k)
		b.exact(edge)
		for x := range colours {
			for y := range colours {
				if x != y {
					b.option(edge, fmt.Sprintf("%s:%d", e[0], x), fmt.Sprintf("%s:%d", e[1], y))
				}
			}
		}
	}
	return &b.Problem
}

// gridGraph are the edges of a grid of rows and columns, by rows.
func gridGraph(rows, columns int) (edges [][2]string) {
	name := func(r, c int) string { return fmt.Sprintf("%d,%d", r, c) }
	for r := range rows {
		for c := range columns {
			if c > 0 {
				edges = append(edges, [2]string{name(r, c-1), name(r, c)})
			}
			if r > 0 {
				edges = append(edges, [2]string{name(r-1, c), name(r, c)})
			}
		}
	}
	return edges
}

// TestColouringsOfGrids: 3 colours on n x n, OEIS A068253.
func TestColouringsOfGrids(t *testing.T) {
	for n, want := range map[int]string{2: "18", 3: "246", 4: "7812"} {
		wantCount(t, fmt.Sprintf("%dx%d", n, n), colourings(gridGraph(n, n), 3), want, anyProblem()...)
	}
	wantCount(t, "5x5", colourings(gridGraph(5, 5), 3), "580986", Sweep, Diagram, Auto)
	wantCount(t, "6x6", colourings(gridGraph(6, 6), 3), "101596896", Sweep, Auto)
	wantCount(t, "7x7", colourings(gridGraph(7, 7), 3), "41869995708", Auto)
}

// TestColouringsOfGraphs: the chromatic polynomial of a cycle is (k-1)^n + (-1)^n (k-1); the
// polynomial of the Petersen graph is 120 at 3 and 12960 at 4.
func TestColouringsOfGraphs(t *testing.T) {
	for n := 3; n <= 7; n++ {
		var edges [][2]string
		for v := range n {
			edges = append(edges, [2]string{fmt.Sprint("v", v), fmt.Sprint("v", (v+1)%n)})
		}
		for k := 2; k <= 5; k++ {
			want := new(big.Int).Exp(big.NewInt(int64(k-1)), big.NewInt(int64(n)), nil)
			want.Add(want, big.NewInt(int64((k-1)*(1-n%2*2))))
			wantCount(t, fmt.Sprintf("cycle of %d, %d colours", n, k), colourings(edges, k), want.String(), anyProblem()...)
		}
	}
	var petersen [][2]string
	for v := range 5 {
		petersen = append(petersen,
			[2]string{fmt.Sprint("out", v), fmt.Sprint("out", (v+1)%5)},
			[2]string{fmt.Sprint("out", v), fmt.Sprint("in", v)},
			[2]string{fmt.Sprint("in", v), fmt.Sprint("in", (v+2)%5)})
	}
	wantCount(t, "Petersen, 3 colours", colourings(petersen, 3), "120", anyProblem()...)
	wantCount(t, "Petersen, 4 colours", colourings(petersen, 4), "12960", anyProblem()...)
}

// squareIce are the ways to put arrows on the edges of an n x n grid, so that two come in at each
// crossing. The arrows of the rim are given: in from left and right, out at top and bottom. They
// are the alternating sign matrices (Kuperberg 1996), OEIS A005130.
func squareIce(n int) *cover.Problem {
	b := newBuilder()
	for r := range n {
		for c := range n {
			crossing := fmt.Sprintf("%d,%d", r, c)
			b.exact(crossing)
			for arrows := range 16 { // a bit each: right on the left and right edge, down on the upper and lower one
				left, right, up, down := arrows&1, arrows>>1&1, arrows>>2&1, arrows>>3&1
				rim := c == 0 && left == 0 || c == n-1 && right == 1 || r == 0 && up == 1 || r == n-1 && down == 0
				if left+up != right+down || rim {
					continue
				}
				b.option(crossing, fmt.Sprintf("lying%d,%d:%d", r, c, left), fmt.Sprintf("lying%d,%d:%d", r, c+1, right),
					fmt.Sprintf("standing%d,%d:%d", r, c, up), fmt.Sprintf("standing%d,%d:%d", r+1, c, down))
			}
		}
	}
	return &b.Problem
}

func TestSquareIce(t *testing.T) {
	for n, want := range map[int]string{1: "1", 2: "2", 3: "7", 4: "42", 5: "429"} {
		wantCount(t, fmt.Sprintf("square ice %d", n), squareIce(n), want, anyProblem()...)
	}
	wantCount(t, "square ice 7", squareIce(7), "218348", Sweep, Auto)
	wantCount(t, "square ice 10", squareIce(10), "129534272700", Auto)
}

// macMahon are the squares whose edges have any of this number of colours, each once, on a board
// of rows and columns where edges that meet agree. With rim set, all edges at the rim have the
// first colour.
func macMahon(colours, rows, columns int, rim bool) *cover.Problem {
	b := newBuilder()
	for r := range rows {
		for c := range columns {
			b.exact(fmt.Sprintf("%d,%d", r, c))
		}
	}
	turned := func(tile [4]int, turn int) (all [4]int) {
		for side := range all {
			all[side] = tile[(side+turn)%4]
		}
		return all
	}
	for code := range colours * colours * colours * colours {
		tile := [4]int{code % colours, code / colours % colours, code / colours / colours % colours, code / colours / colours / colours}
		images := [][4]int{}
		for turn := range 4 {
			if image := turned(tile, turn); !slices.Contains(images, image) {
				images = append(images, image)
			}
		}
		if slices.ContainsFunc(images, func(image [4]int) bool { return slices.Compare(image[:], tile[:]) < 0 }) {
			continue
		}
		name := fmt.Sprint("tile", code)
		b.exact(name)
		for at := range rows * columns {
			for _, image := range images {
				b.square(at/columns, at%columns, rows, columns, name, image, rim)
			}
		}
	}
	return &b.Problem
}

// square adds a tile with the colours of its top, right, bottom and left edge.
func (b *builder) square(r, c, rows, columns int, name string, colours [4]int, rim bool) {
	isRim := [4]bool{r == 0, c == columns-1, r == rows-1, c == 0}
	edges := [4]string{
		fmt.Sprintf("lying%d,%d", r, c), fmt.Sprintf("standing%d,%d", r, c+1),
		fmt.Sprintf("lying%d,%d", r+1, c), fmt.Sprintf("standing%d,%d", r, c),
	}
	words := []string{fmt.Sprintf("%d,%d", r, c), name}
	for side, colour := range colours {
		switch {
		case rim && isRim[side] && colour != 0:
			return
		case !isRim[side]:
			words = append(words, fmt.Sprintf("%s:%d", edges[side], colour))
		}
	}
	if key := strings.Join(words, " "); !b.seen[key] { // edges at the rim do not distinguish turns
		b.seen[key] = true
		b.option(words...)
	}
}

// TestMacMahonSquares: the 24 squares of three colours on 4x6, one colour all around, are
// 13328 up to the 4 symmetries of the board and the change of the 2 other colours (Knuth,
// 7.2.2.1). No arrangement is its own image: it has each tile only once.
func TestMacMahonSquares(t *testing.T) {
	for _, size := range [][2]int{{2, 3}, {3, 2}, {1, 6}} {
		p := macMahon(2, size[0], size[1], false)
		n, err := oracle.Count(p)
		if err != nil || n == 0 {
			t.Fatalf("%v: %d, %v", size, n, err)
		}
		wantCount(t, fmt.Sprintf("two colours, %v", size), p, fmt.Sprint(n), anyProblem()...)
	}
	wantCount(t, "two colours, one around", macMahon(2, 2, 3, true), "0", anyProblem()...)
	if testkit.IsLong() {
		wantCount(t, "three colours", macMahon(3, 4, 6, true), fmt.Sprint(8*13328), Search)
	}
}

// latin are the Latin squares: each line is a permutation, each cell has one colour in its
// row, its column and, if there are any, its box.
func latin(n, boxRows, boxColumns int) *cover.Problem {
	b := newBuilder()
	for k := range n {
		var row, column, box []string
		for i := range n {
			row = append(row, fmt.Sprintf("%d,%d", k, i))
			column = append(column, fmt.Sprintf("%d,%d", i, k))
			if boxRows > 0 {
				across := n / boxColumns
				box = append(box, fmt.Sprintf("%d,%d", k/across*boxRows+i/boxColumns, k%across*boxColumns+i%boxColumns))
			}
		}
		for part, cells := range [][]string{row, column, box} {
			if len(cells) > 0 {
				b.permutations(fmt.Sprintf("part%d,%d", part, k), cells)
			}
		}
	}
	return &b.Problem
}

// permutations adds an exact item, and an option for each way to colour the cells.
func (b *builder) permutations(name string, cells []string) {
	b.exact(name)
	var place func(words []string, left []int)
	place = func(words []string, left []int) {
		if len(left) == 0 {
			b.option(words...)
		}
		for k, colour := range left {
			next := slices.Delete(slices.Clone(left), k, k+1)
			place(append(slices.Clip(words), fmt.Sprintf("%s:%d", cells[len(words)-1], colour)), next)
		}
	}
	colours := make([]int, len(cells))
	for k := range colours {
		colours[k] = k
	}
	place([]string{name}, colours)
}

// TestLatinSquares: OEIS A002860 and A107739.
func TestLatinSquares(t *testing.T) {
	for n, want := range map[int]string{1: "1", 2: "2", 3: "12", 4: "576"} {
		wantCount(t, fmt.Sprintf("Latin squares of order %d", n), latin(n, 0, 0), want, anyProblem()...)
	}
	wantCount(t, "Latin squares of order 5", latin(5, 0, 0), "161280", Search)
	wantCount(t, "sudoku of 4x4", latin(4, 2, 2), "288", anyProblem()...)
}

// sudoku is the cover of a puzzle of 81 digits, 0 for none.
func sudoku(clues string) *cover.Problem {
	b := newBuilder()
	for at, clue := range clues {
		r, c := at/9, at%9
		for digit := '1'; digit <= '9'; digit++ {
			if clue != '0' && clue != digit {
				continue
			}
			words := []string{
				fmt.Sprintf("cell%d,%d", r, c), fmt.Sprintf("row%d=%c", r, digit),
				fmt.Sprintf("column%d=%c", c, digit), fmt.Sprintf("box%d=%c", r/3*3+c/3, digit),
			}
			for _, w := range words {
				b.exact(w)
			}
			b.option(words...)
		}
	}
	return &b.Problem
}

// TestSudoku: of 17 clues and one solution, from Gordon Royle's list.
func TestSudoku(t *testing.T) {
	for _, clues := range []string{
		"000000010400000000020000000000050407008000300001090000300400200050100000000806000",
		"000000010400000000020000000000050604008000300001090000300400200050100000000807000",
		"000000012000035000000600070700000300000400800100000000000120000080000040050000600",
	} {
		wantCount(t, clues, sudoku(clues), "1", Auto, Search)
		wantCount(t, "twice the first row", sudoku(clues[:9]+clues[:9]+clues[18:]), "0", Auto, Search)
	}
}

// TestNoStripOfColours: three rows of a cell whose uses agree on a colour do not repeat.
func TestNoStripOfColours(t *testing.T) {
	b := newBuilder()
	order := []int{}
	for _, cell := range []string{"a", "b", "c"} {
		b.exact(cell)
		order = append(order, b.item(cell))
		b.option(cell, "x:R")
		b.option(cell, "x:G")
	}
	_, err := NewHeights(t.Context(), &b.Problem, order, 1, 3, false, Options{})
	if !errors.Is(err, automaton.ErrNoStrip) || !strings.Contains(err.Error(), "colours") {
		t.Errorf("got %v", err)
	}
}

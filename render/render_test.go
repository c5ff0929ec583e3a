package render

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/internal/test/testkit"
	"github.com/pavage/pavage/tiling"
)

var update = flag.Bool("update", false, "write the files in testdata instead of comparing with them")

// board makes a board of pictures of its layers: # is a cell, o a cell that may stay empty.
func board(layers ...string) *tiling.Board {
	b := &tiling.Board{Lattice: tiling.Square}
	if len(layers) > 1 {
		b.Lattice = tiling.Cube
	}
	for z, layer := range layers {
		for y, row := range strings.Fields(layer) {
			for x, r := range row {
				b.Size = [3]int{max(b.Size[0], z+1), max(b.Size[1], y+1), max(b.Size[2], x+1)}
				if r != '.' {
					b.Cells = append(b.Cells, tiling.Cell{z, y, x})
					b.Optional = append(b.Optional, r == 'o')
				}
			}
		}
	}
	return b
}

func puzzle(title string, b *tiling.Board, names ...string) *tiling.Puzzle {
	p := &tiling.Puzzle{Title: title, Board: b}
	for _, n := range names {
		p.Pieces = append(p.Pieces, tiling.Piece{Name: n})
	}
	return p
}

// placed is short for placements: piece, then cells.
func placed(lists ...[]int) []tiling.Placement {
	var t []tiling.Placement
	for _, l := range lists {
		t = append(t, tiling.Placement{Piece: l[0], Cells: l[1:]})
	}
	return t
}

type example struct {
	name   string
	puzzle *tiling.Puzzle
	tiling []tiling.Placement
}

func examples() []example {
	dominoes := puzzle("2x3 with dominoes", board("### ###"), "domino")
	holed := puzzle("A <hole> & \"more\"", board("####. #..#o #.### ###.."), "ring", "bar", "é\x00")
	cube := puzzle("Two by two by two", board("## ##", "## ##"), "corner-1", "corner-2")
	stairs := puzzle("", board("### ### ###", "### #.. #..", "o.. ... ..."), "step", "slab", "step")
	marked := puzzle("Colours and names", board("##o# #.#. .###"), "bar", "tee")
	marked.Colours = []string{"white", "black", "sea"}
	marked.Board.Colours = []int{1, 2, 1, 2, 2, 1, 0, 0, 3}
	marked.Board.Names = map[tiling.Cell]string{{0, 1, 1}: "monday", {0, 1, 3}: "12", {0, 2, 1}: "aa", {0, 2, 0}: "b"}
	ring := puzzle("A ring", board("### #.# ###"), "domino")
	return []example{
		{"dominoes", dominoes, placed([]int{0, 0, 3}, []int{0, 1, 2}, []int{0, 4, 5})},
		{"dominoes-board", dominoes, nil},
		{"holed", holed, placed([]int{0, 0, 1, 4, 7, 11}, []int{1, 2, 3}, []int{2, 9, 8})},
		{"holed-board", holed, nil},
		{"marked", marked, placed([]int{0, 0, 1}, []int{1, 5, 7, 8})},
		{"marked-board", marked, nil},
		{"ring", ring, placed([]int{0, 0, 1}, []int{0, 2, 4}, []int{0, 3, 5}, []int{0, 6, 7})},
		{"cube", cube, placed([]int{0, 0, 1, 2, 4}, []int{1, 7, 6, 5, 3})},
		{"cube-board", cube, nil},
		{"stairs", stairs, placed([]int{0, 0, 1, 2, 9, 10}, []int{1, 4, 5, 7, 8}, []int{2, 3, 12, 13})},
	}
}

var renderings = []struct {
	suffix string
	draw   func(io.Writer, *tiling.Puzzle, []tiling.Placement) error
}{
	{".txt", func(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) error {
		return Text(w, p, t, TextOptions{})
	}},
	{"-letters.txt", func(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) error {
		return Text(w, p, t, TextOptions{Letters: true, width: 30})
	}},
	{"-colour.txt", func(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) error {
		return Text(w, p, t, TextOptions{Color: true, Letters: true})
	}},
	{".svg", func(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) error {
		return Picture(w, p, t, PictureOptions{Label: letterLabels})
	}},
	{"-sheet.svg", func(w io.Writer, p *tiling.Puzzle, t []tiling.Placement) error {
		return Sheet(w, p, [][]tiling.Placement{t, nil, t}, PictureOptions{Cell: 15})
	}},
}

// TestGolden compares each picture with the file that holds it; look at the changes before you
// write them with -update.
func TestGolden(t *testing.T) {
	for _, e := range examples() {
		for _, r := range renderings {
			t.Run(e.name+r.suffix, func(t *testing.T) {
				var got bytes.Buffer
				if err := r.draw(&got, e.puzzle, e.tiling); err != nil {
					t.Fatal(err)
				}
				golden(t, e.name+r.suffix, got.Bytes())
			})
		}
	}
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("not what %s holds:\n%s", file, got)
	}
}

// TestRunningExample has the picture of the package comment in full.
func TestRunningExample(t *testing.T) {
	e := examples()[0]
	want := `┌───┬───────┐
│   │   d   │
│ d ├───────┤
│   │   d   │
└───┴───────┘
`
	if got := text(t, e.puzzle, e.tiling, TextOptions{Letters: true}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestHoles: exactly the holes that are enclosed in their layer are shaded, even if they are open
// to the layer above or touch the outside at a corner.
func TestHoles(t *testing.T) {
	p := puzzle("", board("##### #..## #..#. ###.#", "##### #...# #.### #.###"), "all")
	want := `layer 0                 layer 1
┌───┬───┬───┬───┬───┐   ┌───┬───┬───┬───┬───┐
│   │   │   │   │   │   │   │   │   │   │   │
├───┼───┴───┼───┼───┤   ├───┼───┴───┴───┼───┤
│   │░░░░░░░│   │   │   │   │           │   │
├───┤░░░░░░░├───┼───┘   ├───┤   ┌───┬───┼───┤
│   │░░░░░░░│   │       │   │   │   │   │   │
├───┼───┬───┼───┼───┐   ├───┤   ├───┼───┼───┤
│   │   │   │   │   │   │   │   │   │   │   │
└───┴───┴───┘   └───┘   └───┘   └───┴───┴───┘
`
	if got := text(t, p, nil, TextOptions{}); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func text(t *testing.T, p *tiling.Puzzle, pls []tiling.Placement, o TextOptions) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, p, pls, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBadInput(t *testing.T) {
	good := puzzle("", board("### ###"), "domino")
	with := func(change func(b *tiling.Board)) *tiling.Puzzle {
		b := board("### ###")
		change(b)
		return puzzle("", b, "domino")
	}
	for _, c := range []struct {
		name   string
		puzzle *tiling.Puzzle
		tiling []tiling.Placement
		want   string
	}{
		{"no puzzle", nil, nil, "the puzzle has no board"},
		{"no board", &tiling.Puzzle{}, nil, "the puzzle has no board"},
		{"piece too high", good, placed([]int{1, 0}), "placement 0 has the piece number 1, expected a number from 0 to 0"},
		{"piece negative", good, placed([]int{0, 1}, []int{-1, 0}), "placement 1 has the piece number -1"},
		{"no cells", good, placed([]int{0}), "placement 0 has no cells"},
		{"cell too high", good, placed([]int{0, 5, 6}), "placement 0 covers cell 6, but the board has only 6 cells"},
		{"cell negative", good, placed([]int{0, -1, 6}), "placement 0 covers cell -1"},
		{"over itself", good, placed([]int{0, 4, 4}), "placement 0 covers the cell [0 1 1] twice"},
		{"overlap", good, placed([]int{0, 0, 1}, []int{0, 1, 2}), "placements 0 and 1 both cover the cell [0 0 1]"},
		{"no size", with(func(b *tiling.Board) { b.Size[0] = 0 }), nil, "0 layers on the square lattice"},
		{"huge", with(func(b *tiling.Board) { b.Size = [3]int{1, 1 << 40, 1 << 40} }), nil, "a side of 1099511627776, expected sides of 1..4096"},
		{"colours", with(func(b *tiling.Board) { b.Colours = []int{0} }), nil, "1 colours for 6 cells"},
		{"no colour", with(func(b *tiling.Board) { b.Colours = make([]int, 6); b.Colours[3] = 1 }), nil, "a cell has the colour 1, expected a colour number from 0 to 0"},
		{"marks", with(func(b *tiling.Board) { b.Optional = b.Optional[1:] }), nil, "5 optional marks for 6 cells"},
		{"off the box", with(func(b *tiling.Board) { b.Cells[2][2] = 3 }), nil, "cell [0 0 3] is outside"},
		{"cell twice", with(func(b *tiling.Board) { b.Cells[2] = b.Cells[1] }), nil, "cell [0 0 1] comes after cell [0 0 1], expected sorted and distinct cells"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range renderings {
				var out bytes.Buffer
				wantInvalid(t, r.draw(&out, c.puzzle, c.tiling), c.want)
				if out.Len() > 0 {
					t.Errorf("%s wrote %d bytes", r.suffix, out.Len())
				}
			}
		})
	}
}

func wantInvalid(t *testing.T, err error, part string) {
	t.Helper()
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v, want ErrInvalid with %q", err, part)
	}
}

func TestBadOptions(t *testing.T) {
	p := puzzle("", board("##"), "domino")
	wantInvalid(t, Picture(io.Discard, p, nil, PictureOptions{Cell: 1001}), "sides of a cell have 1001 pixels")
	wantInvalid(t, Picture(io.Discard, p, nil, PictureOptions{Cell: -1}), "sides of a cell have -1 pixels")
	wantInvalid(t, Sheet(io.Discard, p, nil, PictureOptions{}), "0 tilings are on one sheet")
	wantInvalid(t, Sheet(io.Discard, p, make([][]tiling.Placement, maxSheet+1), PictureOptions{}), "1001 tilings")
	wantInvalid(t, Sheet(io.Discard, p, [][]tiling.Placement{nil, placed([]int{3, 0})}, PictureOptions{}), "tiling 1: ")
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	e := examples()[0]
	for _, r := range renderings {
		if err := r.draw(full{}, e.puzzle, e.tiling); !errors.Is(err, errFull) {
			t.Errorf("%s: error %v, want %v", r.suffix, err, errFull)
		}
	}
}

// randomScene returns a board with holes and placements of any cells, in some cases none.
func randomScene(rng *rand.Rand) (*tiling.Puzzle, []tiling.Placement) {
	b := &tiling.Board{Lattice: tiling.Square, Size: [3]int{1 + rng.IntN(3), 1 + rng.IntN(6), 1 + rng.IntN(6)}}
	if b.Size[0] > 1 {
		b.Lattice = tiling.Cube
	}
	for at := range b.Size[0] * b.Size[1] * b.Size[2] {
		if rng.IntN(6) > 0 || at == 0 {
			row := at / b.Size[2]
			b.Cells = append(b.Cells, tiling.Cell{row / b.Size[1], row % b.Size[1], at % b.Size[2]})
			b.Optional = append(b.Optional, rng.IntN(4) == 0)
		}
	}
	p := puzzle("random", b)
	for k := range 1 + rng.IntN(40) {
		p.Pieces = append(p.Pieces, tiling.Piece{Name: fmt.Sprintf("piece %d", k)})
	}
	free := rng.Perm(len(b.Cells))
	var t []tiling.Placement
	if rng.IntN(8) == 0 {
		return p, nil
	}
	for len(free) > 0 {
		n := min(len(free), 1+rng.IntN(5))
		if rng.IntN(5) > 0 {
			t = append(t, tiling.Placement{Piece: rng.IntN(len(p.Pieces)), Cells: free[:n]})
		}
		free = free[n:]
	}
	return p, t
}

// TestRandom draws random, mostly torn placements: the SVG must be well-formed,
// the bytes the same whatever the order of the placements, and each line of the
// text must join its neighbours.
func TestRandom(t *testing.T) {
	for seed := range uint64(testkit.Size(100, 2000)) {
		rng := rand.New(rand.NewPCG(seed, 0))
		p, pls := randomScene(rng)
		other := slices.Clone(pls)
		rng.Shuffle(len(other), func(i, j int) { other[i], other[j] = other[j], other[i] })
		for _, r := range renderings {
			var a, b bytes.Buffer
			if err := errors.Join(r.draw(&a, p, pls), r.draw(&b, p, other)); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Fatalf("seed %d: %s depends on the order of the placements", seed, r.suffix)
			}
			if strings.HasSuffix(r.suffix, ".svg") {
				checkSVG(t, a.Bytes())
			}
		}
		checkJoined(t, text(t, p, pls, TextOptions{width: 1000}))
	}
}

// checkSVG reads a document to its end. It requires a title, a description, a picture, and that all
// paths are closed.
func checkSVG(t *testing.T, doc []byte) {
	t.Helper()
	elements := make(map[string]int)
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, doc)
		}
		if e, ok := token.(xml.StartElement); ok {
			elements[e.Name.Local]++
		}
	}
	if elements["svg"] != 1 || elements["title"] < 1 || elements["desc"] != 1 {
		t.Fatalf("elements %v in\n%s", elements, doc)
	}
	if bytes.Contains(doc, []byte("NaN")) || bytes.Contains(doc, []byte("Inf")) {
		t.Fatalf("not a number in\n%s", doc)
	}
}

// checkJoined requires that every line character is joined to its neighbours.
func checkJoined(t *testing.T, picture string) {
	t.Helper()
	var grid [][]rune
	for line := range strings.Lines(picture) {
		grid = append(grid, []rune(strings.TrimSuffix(line, "\n")))
	}
	arms := func(y, x int) int {
		if y < 0 || y >= len(grid) || x < 0 || x >= len(grid[y]) {
			return 0
		}
		return max(0, slices.Index(boxes, grid[y][x]))
	}
	for y := range grid {
		for x := range grid[y] {
			right, left := arms(y, x)&4 != 0, arms(y, x+1)&1 != 0
			down, up := arms(y, x)&8 != 0, arms(y+1, x)&2 != 0
			if right != left || down != up {
				t.Fatalf("line %d, column %d is not joined in\n%s", y, x, picture)
			}
		}
	}
}

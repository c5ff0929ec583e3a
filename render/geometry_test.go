package render

import (
	"bytes"
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/render/pen"
	"github.com/pavage/pavage/tiling"
)

// TestSeen compares the visible faces of random stacks with the painter's algorithm, which paints
// all faces of all cubes from the back to the front.
func TestSeen(t *testing.T) {
	for seed := range uint64(300) {
		s := mustScene(t, seed)
		cells := slices.Clone(s.puzzle.Board.Cells)
		slices.SortFunc(cells, func(a, b tiling.Cell) int { return a[0] + a[1] + a[2] - b[0] - b[1] - b[2] })
		want := make(map[triangle]face)
		for _, c := range cells {
			for look, halves := range halves(c) {
				for _, h := range halves {
					if s.solid(c) {
						want[h] = face{s.at(c), look, c[look]}
					}
				}
			}
		}
		if got := s.seen(); !maps.Equal(got, want) {
			t.Fatalf("seed %d: seen %v, painted %v", seed, got, want)
		}
	}
}

func mustScene(t *testing.T, seed uint64) *scene {
	t.Helper()
	s, err := newScene(randomScene(rand.New(rand.NewPCG(seed, 1))))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestTriangleSides: each side is, reversed, a side of the other triangle too.
func TestTriangleSides(t *testing.T) {
	for _, one := range []triangle{{point{0, 0}, 1}, {point{3, -5}, -1}} {
		edges, beyond := one.sides()
		for k, n := range beyond {
			back, home := n.sides()
			at := slices.Index(home[:], one)
			if at < 0 || back[at] != (edge{edges[k].to, edges[k].from}) {
				t.Errorf("%v: side %v is not a side of %v", one, edges[k], n)
			}
		}
	}
}

// TestTraceArea traces random scenes: the paths of a part enclose, by the shoelace formula, an area
// of one for each of its cells, and no path goes straight on or back.
func TestTraceArea(t *testing.T) {
	for seed := range uint64(300) {
		s := mustScene(t, seed)
		for layer := range s.layers() {
			cells := make(map[int]int)
			for c := range s.cells(layer) {
				cells[min(s.at(c), s.empty())]++
			}
			edges, _, _ := s.layerEdges(layer)
			for owner, own := range edges {
				if got := area(t, trace(own)); got != 2*cells[owner] {
					t.Fatalf("seed %d, layer %d: owner %d has area %d/2, want %d cells", seed, layer, owner, got, cells[owner])
				}
			}
		}
	}
}

// TestStackArea does the same with triangles, which have the area 1 in units of their lattice.
func TestStackArea(t *testing.T) {
	for seed := range uint64(300) {
		s := mustScene(t, seed)
		triangles := make(map[int]int)
		for _, f := range s.seen() {
			triangles[min(f.owner, s.empty())]++
		}
		faces, outlines := s.stackEdges()
		for k := range outlines {
			inFaces := 0
			for _, edges := range faces[k] {
				inFaces += area(t, trace(edges))
			}
			if whole := area(t, trace(outlines[k])); whole != 2*triangles[k] || inFaces != whole {
				t.Fatalf("seed %d: owner %d has area %d/2, its faces %d/2, want %d", seed, k, whole, inFaces, triangles[k])
			}
		}
	}
}

// area returns twice the area inside closed paths.
func area(t *testing.T, paths [][]point) int {
	t.Helper()
	sum := 0
	for _, p := range paths {
		for k, a := range p {
			b, c := p[(k+1)%len(p)], p[(k+2)%len(p)]
			if turn(edge{a, b}, edge{b, c}) == 0 || (b.x-a.x)*(c.y-b.y) == (b.y-a.y)*(c.x-b.x) {
				t.Fatalf("path %v does not turn at %v", p, b)
			}
			sum += a.x*b.y - b.x*a.y
		}
	}
	return sum
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		names, wide, narrow []string
	}{
		{[]string{"F5", "I5", "O4"}, []string{"F", "I", "O"}, []string{"F", "I", "O"}},
		{[]string{"L4", "L5", "I3"}, []string{"L4", "L5", "I"}, []string{"4", "5", "I"}},
		{[]string{"bedlam-01", "bedlam-13"}, []string{"01", "13"}, []string{"b", "A"}},
		{[]string{"small", "square", "shape"}, []string{"A", "B", "C"}, []string{"A", "B", "C"}},
		{[]string{"", "\x1b[2J", "一"}, []string{"A", "2", "B"}, []string{"A", "2", "B"}},
		{[]string{"bar", "A", "bag", "bay", "a"}, []string{"bar", "A", "bag", "bay", "B"}, []string{"B", "A", "C", "D", "E"}},
		{[]string{"x", "x", "x"}, []string{"x", "A", "B"}, []string{"x", "A", "B"}},
	} {
		p := puzzle("", nil, c.names...).Pieces
		if got := labels(p, 3); !slices.Equal(got, c.wide) {
			t.Errorf("%q: wide labels %q, want %q", c.names, got, c.wide)
		}
		if got := labels(p, 1); !slices.Equal(got, c.narrow) {
			t.Errorf("%q: narrow labels %q, want %q", c.names, got, c.narrow)
		}
	}
}

// TestPaintNeighbours: neighbours of one piece have different colours, and a wall of 20x20 bricks
// has at most four colours.
func TestPaintNeighbours(t *testing.T) {
	p := puzzle("", tiling.NewBoard(tiling.Square, [3]int{1, 20, 20}), "domino")
	var pls []tiling.Placement
	for at := range 400 {
		if row := at / 20; (at+row)%2 == 0 && at%20 < 19 {
			pls = append(pls, tiling.Placement{Cells: []int{at, at + 1}})
		}
	}
	s, err := newScene(p, pls)
	if err != nil {
		t.Fatal(err)
	}
	painted, used := s.paint(""), make(map[pen.Colour]bool)
	for k, near := range s.neighbours() {
		used[painted[k]] = true
		for _, n := range near {
			if painted[n] == painted[k] {
				t.Errorf("neighbours %d and %d are both %s", n, k, painted[k].Hex())
			}
		}
	}
	if len(used) > 4 {
		t.Errorf("%d colours, want 4 or fewer", len(used))
	}
}

// TestLabelsAreApart: no two labels of up to a thousand names are the same but for
// case, and each letter of a picture is explained.
func TestLabelsAreApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		var names []string
		for range 1 + rng.IntN(100)*rng.IntN(11) {
			name := ""
			for range 1 + rng.IntN(5) {
				name += string([]rune("aAbBßſ1é-")[rng.IntN(9)])
			}
			names = append(names, name)
		}
		for _, width := range []int{1, 3} {
			met := map[string]string{}
			pieces := puzzle("", nil, names...).Pieces
			for k, label := range labels(pieces, width) {
				if other, twice := met[strings.ToUpper(label)]; twice || label == "" {
					t.Fatalf("%q: label %q of %q beside %q", names, label, names[k], other)
				}
				met[strings.ToUpper(label)] = label
			}
			shown := &scene{placements: []tiling.Placement{{Piece: 0}, {Piece: len(names) - 1}}}
			for _, e := range legend(pieces, labels(pieces, width), true, shown) {
				if e[1] != names[0] && e[1] != names[len(names)-1] {
					t.Fatalf("%q: %q is explained, which is not shown", names, e)
				}
			}
		}
	}
}

// TestLegendNamesEveryPiece: the legend is complete if the labels of a puzzle are only partly
// initials.
func TestLegendNamesEveryPiece(t *testing.T) {
	p := puzzle("", board("######"), "soma-V", "soma-A", "bar", "A")
	pls := placed([]int{0, 0}, []int{1, 1, 2}, []int{2, 3}, []int{3, 4, 5})
	var text, svg bytes.Buffer
	if err := errors.Join(
		Text(&text, p, pls, TextOptions{Letters: true}), Picture(&svg, p, pls, PictureOptions{Label: letterLabels}),
	); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"s  soma-V\n", "C  soma-A\n", "b  bar\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if want := ">C: soma-A</text>"; !strings.Contains(svg.String(), want) {
		t.Errorf("no %q in\n%s", want, svg.String())
	}
}

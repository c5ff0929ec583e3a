package tiling

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/test/oracle"
	"github.com/pavage/pavage/internal/test/testkit"
)

// randomMarked returns a small puzzle on the square lattice. Colours, marks, groups, places,
// forbidden places, walls, joined pairs and regions are each in at most about half of the puzzles.
func randomMarked(rng *rand.Rand) *Puzzle {
	size := [3]int{1, 2 + rng.IntN(2), 2 + rng.IntN(2)}
	p := &Puzzle{Board: &Board{Lattice: Square, Size: size}}
	for _, c := range boxCells(size) {
		if rng.IntN(12) > 0 {
			p.Board.Cells = append(p.Board.Cells, c)
			p.Board.Optional = append(p.Board.Optional, rng.IntN(6) == 0)
		}
	}
	if len(p.Board.Cells) == 0 {
		return randomMarked(rng)
	}
	shapes := []string{"#", "##", "###", "##\n#.", "##\n##"}
	for k := range 1 + rng.IntN(3) {
		read, err := Square.ReadShape(shapes[rng.IntN(len(shapes))], "")
		if err != nil {
			panic(err)
		}
		least := rng.IntN(2)
		p.Pieces = append(p.Pieces, Piece{
			Name: fmt.Sprint("p", k), Shape: read.Shape, Lattice: Square, Motions: Motions(rng.IntN(3)),
			Min: least, Max: []int{least, 3, cover.Unbounded}[rng.IntN(3)],
		})
	}
	if rng.IntN(2) == 0 {
		p.randomColours(rng)
	}
	if len(p.Pieces) == 3 && rng.IntN(2) == 0 {
		p.twins()
	}
	for k := range p.Pieces {
		if rng.IntN(3) == 0 {
			for range p.Pieces[k].Shape {
				p.Pieces[k].Marks += fmt.Sprint(rng.IntN(3))
			}
		}
	}
	p.randomGroups(rng)
	p.randomParts(rng)
	p.randomPairs(rng)
	if rng.IntN(2) == 0 {
		p.randomRegions(rng)
	}
	return p
}

// randomPairs adds walls and joined pairs.
func (p *Puzzle) randomPairs(rng *rand.Rand) {
	known := map[[2]int]bool{}
	for range rng.IntN(2) * rng.IntN(4) {
		i := rng.IntN(len(p.Board.Cells))
		j := p.Board.Index(p.Board.Cells[i].Plus([]Cell{{0, 0, 1}, {0, 1, 0}}[rng.IntN(2)]))
		pair := [2]int{i, j}
		switch {
		case j < 0 || known[pair]:
		case rng.IntN(4) == 0:
			p.Joined = append(p.Joined, pair)
		default:
			p.Walls = append(p.Walls, pair)
		}
		known[pair] = true
	}
}

// randomRegions adds up to three regions, in some cases equal on both halves of the board, and sums
// on some of them.
func (p *Puzzle) randomRegions(rng *rand.Rand) {
	alike, last := rng.IntN(2) == 0, len(p.Board.Cells)-1
	in := make([]int, last+1)
	for i := range in {
		in[i] = rng.IntN(4)
		if alike && i > last/2 {
			in[i] = in[last-i]
		}
	}
	known := map[int]int{0: -1}
	for i, k := range in {
		at, met := known[k]
		if !met {
			at, known[k] = len(p.Regions), len(p.Regions)
			r := Region{Name: fmt.Sprint("r", k), Max: cover.Unbounded}
			if p.hasMarks() && rng.IntN(3) > 0 {
				r.Min = rng.IntN(4)
				r.Max = r.Min + rng.IntN(3)
			}
			p.Regions = append(p.Regions, r)
		}
		if at >= 0 {
			p.Regions[at].Cells = append(p.Regions[at].Cells, i)
		}
	}
}

func (p *Puzzle) randomColours(rng *rand.Rand) {
	p.Colours = []string{"white", "black"}
	dye := func(cells int) (colours []int) {
		for range cells {
			colours = append(colours, rng.IntN(3))
		}
		return colours
	}
	p.Board.Colours = dye(len(p.Board.Cells))
	if rng.IntN(2) == 0 { // a chessboard
		for i, c := range p.Board.Cells {
			p.Board.Colours[i] = 1 + (c[1]+c[2])%2
		}
	}
	for k := range p.Pieces {
		if rng.IntN(3) > 0 {
			p.Pieces[k].Colours = dye(len(p.Pieces[k].Shape))
		}
	}
	for _, pair := range []Pair{{1, 1}, {1, 2}, {2, 1}, {2, 2}} {
		if pair.Piece == pair.Board || rng.IntN(4) == 0 {
			p.Allow = append(p.Allow, pair)
		}
	}
}

// twins makes two pieces mirror images of each other, so that reflections exchange them.
func (p *Puzzle) twins() {
	for k, text := range []string{"##\n#.", "##\n.#"} {
		read, err := Square.ReadShape(text, "")
		if err != nil {
			panic(err)
		}
		p.Pieces[k] = Piece{Name: p.Pieces[k].Name, Shape: read.Shape, Lattice: Square, Motions: Fixed, Max: p.Pieces[2].Max}
	}
}

func (p *Puzzle) randomGroups(rng *rand.Rand) {
	for range rng.IntN(3) {
		g := PieceGroup{Min: rng.IntN(3)}
		g.Max = g.Min + rng.IntN(3)
		for k := range p.Pieces {
			if rng.IntN(2) == 0 {
				g.Pieces = append(g.Pieces, k)
			}
		}
		_ = p.AddGroup(g) // AddGroup refuses bounds that cannot be satisfied
	}
}

func (p *Puzzle) randomParts(rng *rand.Rand) {
	for range rng.IntN(2) * rng.IntN(3) {
		part := Part{Piece: rng.IntN(len(p.Pieces))}
		piece := p.Pieces[part.Piece]
		at := p.Board.Cells[rng.IntN(len(p.Board.Cells))]
		for _, c := range piece.Shape[:1+rng.IntN(len(piece.Shape))] {
			if i := p.Board.Index(at.Plus(c.minus(piece.Shape[0]))); i >= 0 {
				part.Cells = append(part.Cells, i)
			}
		}
		if rng.IntN(2) == 0 {
			p.Place = append(p.Place, part)
		} else {
			p.Forbid = append(p.Forbid, part)
		}
	}
}

// slowPlacements returns the allowed placements of a puzzle on the square lattice, found from the
// rules of puzzle files: each piece is turned, cell by cell, and put everywhere.
func slowPlacements(p *Puzzle) []Placement {
	found := map[string]Placement{}
	turns := [][4]int{{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}, {1, 0, 0, -1}, {-1, 0, 0, 1}, {0, 1, 1, 0}, {0, -1, -1, 0}}
	for k, piece := range p.Pieces {
		for _, t := range turns[:map[Motions]int{Free: 8, OneSided: 4, Fixed: 1}[piece.Motions]] {
			for dr := -4; dr <= 8; dr++ {
				for dc := -4; dc <= 8; dc++ {
					var cells []int
					marks := map[int]string{}
					goes := true
					for i, c := range piece.Shape {
						at := p.Board.Index(Cell{0, t[0]*c[1] + t[1]*c[2] + dr, t[2]*c[1] + t[3]*c[2] + dc})
						if goes = goes && at >= 0 && slowlyGoes(p, piece, i, at); !goes {
							break
						}
						cells = append(cells, at)
						if piece.Marks != "" {
							marks[at] = piece.Marks[i : i+1]
						}
					}
					slices.Sort(cells)
					if goes && slowlyLeft(p, k, cells) {
						placement := Placement{Piece: k, Cells: cells}
						for _, c := range cells {
							placement.Marks += marks[c]
						}
						found[fmt.Sprint(placement)] = placement
					}
				}
			}
		}
	}
	return slices.SortedFunc(maps.Values(found), comparePlacements)
}

// slowlyGoes reports whether cell i of a piece may lie on a board cell.
func slowlyGoes(p *Puzzle, piece Piece, i, at int) bool {
	if piece.Colours == nil || p.Board.Colours == nil || piece.Colours[i] == 0 || p.Board.Colours[at] == 0 {
		return true
	}
	return slices.Contains(p.Allow, Pair{piece.Colours[i], p.Board.Colours[at]})
}

// slowlyLeft reports whether the puzzle allows a placement.
func slowlyLeft(p *Puzzle, k int, cells []int) bool {
	covers := func(part Part) (some, all bool) {
		all = true
		for _, c := range part.Cells {
			some, all = some || slices.Contains(cells, c), all && slices.Contains(cells, c)
		}
		return some, all
	}
	for _, pair := range p.Walls {
		if slices.Contains(cells, pair[0]) && slices.Contains(cells, pair[1]) {
			return false
		}
	}
	for _, pair := range p.Joined {
		if slices.Contains(cells, pair[0]) != slices.Contains(cells, pair[1]) {
			return false
		}
	}
	for _, part := range p.Forbid {
		if _, all := covers(part); all && part.Piece == k {
			return false
		}
	}
	for _, part := range p.Place {
		if some, all := covers(part); some && !(all && part.Piece == k) {
			return false
		}
	}
	return true
}

// slowlyImpossible reports whether some place has no placement, or more copies of a piece are
// required than there are.
func slowlyImpossible(p *Puzzle, placements []Placement) bool {
	whole := map[int]map[string]bool{}
	for _, part := range p.Place {
		if !slices.ContainsFunc(placements, func(at Placement) bool {
			return at.Piece == part.Piece && containsAll(at.Cells, part.Cells)
		}) {
			return true
		}
		if len(part.Cells) == len(p.Pieces[part.Piece].Shape) {
			if whole[part.Piece] == nil {
				whole[part.Piece] = map[string]bool{}
			}
			whole[part.Piece][fmt.Sprint(part.Cells)] = true
		}
	}
	for k, cells := range whole {
		if len(cells) > p.Pieces[k].Max {
			return true
		}
	}
	return false
}

// slowTilings returns the sets of placements that satisfy every bound, each sorted, as text.
func slowTilings(p *Puzzle, placements []Placement) map[string][]Placement {
	found := map[string][]Placement{}
	var taken []Placement
	used, copies := make([]bool, len(p.Board.Cells)), make([]int, len(p.Pieces))
	var next func(i int)
	next = func(i int) {
		if i == len(placements) {
			if slowlyKept(p, used, copies) && slowlySums(p, taken) {
				found[fmt.Sprint(taken)] = slices.Clone(taken)
			}
			return
		}
		next(i + 1)
		at := placements[i]
		if slices.ContainsFunc(at.Cells, func(c int) bool { return used[c] }) {
			return
		}
		set := func(to bool, copy int) {
			for _, c := range at.Cells {
				used[c] = to
			}
			copies[at.Piece] += copy
		}
		set(true, 1)
		taken = append(taken, at)
		next(i + 1)
		taken = taken[:len(taken)-1]
		set(false, -1)
	}
	next(0)
	return found
}

// slowlyKept reports whether the bounds are satisfied.
func slowlyKept(p *Puzzle, used []bool, copies []int) bool {
	for i, yes := range used {
		asked := slices.ContainsFunc(p.Place, func(part Part) bool { return slices.Contains(part.Cells, i) })
		asked = asked || slices.ContainsFunc(p.Joined, func(pair [2]int) bool { return slices.Contains(pair[:], i) })
		if !yes && (asked || !p.Board.Optional[i]) {
			return false
		}
	}
	for k, piece := range p.Pieces {
		if copies[k] < piece.Min || copies[k] > piece.Max {
			return false
		}
	}
	for _, g := range p.Groups {
		sum := 0
		for _, k := range g.Pieces {
			sum += copies[k]
		}
		if sum < g.Min || sum > g.Max {
			return false
		}
	}
	return true
}

// slowlySums reports whether the marks on each region have a sum within its bounds.
func slowlySums(p *Puzzle, tiling []Placement) bool {
	for _, r := range p.Regions {
		sum := 0
		for _, at := range tiling {
			for i, mark := range at.Marks {
				if slices.Contains(r.Cells, at.Cells[i]) {
					sum += int(mark - '0')
				}
			}
		}
		if sum < r.Min || sum > r.Max {
			return false
		}
	}
	return true
}

// TestMarked: the placements and the tilings of random puzzles with colours, marks, groups, places,
// forbidden places, walls, joined pairs and sums agree with a slow program. Obstructions reports
// nothing for a puzzle with a tiling.
func TestMarked(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	some, refused := 0, 0
	for range testkit.Size(1000, 10_000) {
		p := randomMarked(rng)
		m, err := p.Model(context.Background())
		want := slowPlacements(p)
		if impossible := slowlyImpossible(p, want); (err != nil) != impossible {
			t.Fatalf("%+v: error %v, want one: %t", p, err, impossible)
		}
		if err != nil {
			if text := err.Error(); !errors.Is(err, ErrPuzzle) || !strings.HasPrefix(text, "place ") {
				t.Fatalf("%+v: %v", p, err)
			}
			refused++
			continue
		}
		if err := m.Problem.Validate(); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		got := slices.Clone(m.Placements)
		slices.SortFunc(got, comparePlacements)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%+v on %+v: placements %v, want %v", p, p.Board, got, want)
		}
		solutions, err := oracle.Within(m.Problem, 1<<14)
		if err != nil {
			continue
		}
		tilings := slowTilings(p, want)
		if len(solutions) != len(tilings) {
			t.Fatalf("%+v on %+v: %d tilings, want %d", p, p.Board, len(solutions), len(tilings))
		}
		if len(tilings) > 0 {
			some++
		}
		for _, s := range solutions {
			var tiling []Placement
			for _, o := range s {
				tiling = append(tiling, m.Placements[o])
			}
			slices.SortFunc(tiling, comparePlacements)
			if _, known := tilings[fmt.Sprint(tiling)]; !known {
				t.Fatalf("%+v: tiling %v, which the slow program does not have", p, tiling)
			}
		}
		if len(p.Regions) > 0 {
			checkSumBound(t, rng, m)
		}
		if o := m.Obstructions(t.Context()); len(o) > 0 && len(tilings) > 0 {
			t.Fatalf("%+v on %+v has %d tilings, and obstructions: %v", p, p.Board, len(tilings), o)
		}
	}
	if some < 100 || refused < 20 {
		t.Errorf("%d puzzles with tilings and %d with impossible places, want more to compare", some, refused)
	}
}

// checkSumBound compares a bound on the sum of a region with the same region of the puzzle.
func checkSumBound(t *testing.T, rng *rand.Rand, m *Model) {
	t.Helper()
	p := *m.Puzzle
	p.Regions = slices.Clone(p.Regions)
	r := &p.Regions[rng.IntN(len(p.Regions))]
	if !r.IsFree() || !p.hasMarks() {
		return
	}
	r.Min = rng.IntN(3)
	r.Max = r.Min + rng.IntN(2)
	want, err := p.Model(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.WithBounds(t.Context(), []cover.Bound{m.SumBound(r.Cells, r.Min, r.Max)})
	if err != nil {
		t.Fatal(err)
	}
	before, _ := oracle.Solutions(want.Problem)
	after, _ := oracle.Solutions(got.Problem)
	if !slices.EqualFunc(before, after, slices.Equal) {
		t.Fatalf("%+v on %+v: %d tilings with a bound, want %d", p, p.Board, len(after), len(before))
	}
}

// TestMarkedClasses: the symmetries of random puzzles agree with a slow program, which looks for
// motions that map the board with its colours, the placements and the groups onto themselves. They
// are a group, and the number of classes of tilings is the number of orbits.
func TestMarkedClasses(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 2))
	several := 0
	for range testkit.Size(1500, 15_000) {
		p := randomMarked(rng)
		m, err := p.Model(context.Background())
		if err != nil {
			continue // an impossible place: see TestMarked
		}
		want := slowSymmetries(m)
		var got []string
		for _, e := range m.Group(true).Elements {
			if _, err := m.Problem.Images(e.Items); err != nil {
				t.Fatalf("%+v on %+v: %s: %v", p, p.Board, e.Motion, err)
			}
			got = append(got, fmt.Sprint(e.Items[:len(p.Board.Cells)]))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v on %+v: symmetries %v, want %v", p, p.Board, got, want)
		}
		if len(got) > 1 && (p.Board.Colours != nil || len(p.Place)+len(p.Forbid) > 0) {
			several++
		}
	}
	if several < 50 {
		t.Errorf("%d puzzles with symmetries, want more to compare", several)
	}
}

// slowSymmetries returns the motions of the cells that map the whole puzzle onto itself, as text.
// Pieces with the same placements and bounds keep their order.
func slowSymmetries(m *Model) (all []string) {
	p := m.Puzzle
	turns := [][4]int{{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}, {1, 0, 0, -1}, {-1, 0, 0, 1}, {0, 1, 1, 0}, {0, -1, -1, 0}}
	for _, t := range turns {
		for dr := -4; dr <= 4; dr++ {
			for dc := -4; dc <= 4; dc++ {
				var cells []int
				for i, c := range p.Board.Cells {
					at := p.Board.Index(Cell{0, t[0]*c[1] + t[1]*c[2] + dr, t[2]*c[1] + t[3]*c[2] + dc})
					if at < 0 || p.Board.Optional[i] != p.Board.Optional[at] || m.Problem.Items[i].Min != m.Problem.Items[at].Min {
						break
					}
					if p.Board.Colours != nil && p.Board.Colours[i] != p.Board.Colours[at] {
						break
					}
					cells = append(cells, at)
				}
				if len(cells) == len(p.Board.Cells) && slowlyMaps(m, cells) {
					all = append(all, fmt.Sprint(cells))
				}
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// slowlyMaps reports whether pieces go to pieces and groups to groups if cells go to these.
func slowlyMaps(m *Model, cells []int) bool {
	p := m.Puzzle
	look := func(k int, moved bool) string {
		var all []string
		for _, at := range m.Placements {
			if at.Piece != k {
				continue
			}
			var to []string
			for i, c := range at.Cells {
				if moved {
					c = cells[c]
				}
				mark := "0"
				if at.Marks != "" {
					mark = at.Marks[i : i+1]
				}
				to = append(to, fmt.Sprint(c, ":", mark))
			}
			slices.Sort(to)
			all = append(all, fmt.Sprint(to))
		}
		slices.Sort(all)
		return fmt.Sprint(p.Pieces[k].Min, p.Pieces[k].Max, all)
	}
	to := make([]int, len(p.Pieces))
	for k := range p.Pieces {
		rank, same := 0, []int{}
		for j := range p.Pieces {
			if j < k && look(j, false) == look(k, false) {
				rank++
			}
			if look(j, false) == look(k, true) {
				same = append(same, j)
			}
		}
		if rank >= len(same) {
			return false
		}
		to[k] = same[rank]
	}
	var before, after []string
	for _, g := range p.Groups {
		var image []int
		for _, k := range g.Pieces {
			image = append(image, to[k])
		}
		slices.Sort(image)
		before = append(before, fmt.Sprint(g.Min, g.Max, g.Pieces))
		after = append(after, fmt.Sprint(g.Min, g.Max, image))
	}
	for _, r := range p.Regions {
		var image []int
		for _, c := range r.Cells {
			image = append(image, cells[c])
		}
		slices.Sort(image)
		before = append(before, fmt.Sprint("region", r.Min, r.Max, r.Cells))
		after = append(after, fmt.Sprint("region", r.Min, r.Max, image))
	}
	slices.Sort(before)
	slices.Sort(after)
	return slices.Equal(before, after)
}

// TestCanonicalMarks: marks with the same meaning have one form, and marks with different meanings
// have different forms.
func TestCanonicalMarks(t *testing.T) {
	const base = "board: 2x3\ncolours: {w: white, b: black, pattern: wb/bw}\npieces: [{name: d, shape: wb, copies: any}, {name: e, shape: bw, copies: 0..1}, monomino]\n"
	form := func(text string) string {
		p, err := parse("f", []byte(text))
		if err != nil {
			t.Fatalf("%s\n%v", text, err)
		}
		return string(p.Canonical())
	}
	of := func(what ...string) string {
		text := base
		for i := 0; i+1 < len(what); i += 2 {
			text = strings.ReplaceAll(text, what[i], what[i+1])
		}
		return text
	}
	for _, same := range []string{
		of("white", "red", "black", "green"),
		of("w: white, b: black", "b: white, w: black", "pattern: wb/bw", "pattern: wb/bw"),
		of("shape: wb", "shape: bw"),
		of("{name: d, shape: wb, copies: any}, {name: e, shape: bw, copies: 0..1}, monomino", "monomino, {name: x, shape: bw, copies: 0..1}, {name: y, shape: wb, copies: any}"),
		of("copies: any}, {name: e", "copies: any}, {name: e") + "allow: []",
		of("shape: wb", "shape: \"w\\nb\""),
	} {
		if form(same) != form(base) {
			t.Errorf("another form of\n%s\nthan of\n%s", same, base)
		}
	}
	const groups = "groups: [{of: [d, e], copies: 1..3}, {of: all, copies: 2..4}]\n"
	for _, pair := range [][2]string{
		{base + groups, base + "groups: [{of: all, copies: 2..4}, {of: [e, d], copies: 1..3}]"},
		{base + "place: [\"d@0,0\", \"e@1,2\"]", base + "place: [\"e@1,2\", {piece: d, covers: [[0, 0]]}]"},
	} {
		if form(pair[0]) != form(pair[1]) {
			t.Errorf("%s\nand\n%s\nhave other forms", pair[0], pair[1])
		}
	}
	seen := map[string]string{}
	for _, text := range []string{
		base, base + groups, base + "groups: [{of: [d, e], copies: 1..3}]", base + "groups: [{of: [d, e], copies: 1..4}]",
		base + "groups: [{of: [d, monomino], copies: 1..3}]",
		base + "allow: [[white, black]]", base + "allow: [[black, white]]", base + "allow: {only: []}",
		base + `place: ["d@0,0"]`, base + `place: ["d@0,1"]`, base + `forbid: ["d@0,0"]`, base + `forbid: ["e@0,0"]`,
		base + "forbid: [{piece: d}]", of("wb/bw", "ww/bb"), of("shape: wb", "shape: ww"), of("shape: wb", `shape: "w#"`),
		"board: 2x3\npieces: [{name: d, shape: \"##\", copies: any}, {name: e, shape: \"##\", copies: 0..1}, monomino]\n",
	} {
		if other, met := seen[form(text)]; met {
			t.Errorf("one form of\n%s\nand of\n%s", text, other)
		}
		seen[form(text)] = text
	}
}

func comparePlacements(a, b Placement) int {
	return cmp.Or(cmp.Compare(a.Piece, b.Piece), slices.Compare(a.Cells, b.Cells), cmp.Compare(a.Marks, b.Marks))
}

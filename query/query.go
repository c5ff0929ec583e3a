// Package query reads selectors, conditions and weights: texts about the placements of a
// puzzle.
//
// [Of] returns the [Index] of a model. [Index.Options] returns the placements of a selector,
// [Index.Bound] and similar methods parse a condition, and [Weights] parses weights.
//
// # Purpose
//
// A selector is a text that names placements of a [tiling.Model]: X5@1,2 names the placements
// of the piece X5 that cover the cell 1,2. A condition limits the number of placements of a set
// in a tiling. It becomes a [cover.Bound], which adds one item to the cover. So engines,
// samplers and checkers need no code for conditions:
//
//	"X5@1,2" ─► Index.Options ─► placements 17 18 40 ─► Index.Bound ─► bound 1..∞ of them
//	                                                                         │
//	tiling.Model ─────────────────────────────────────► Model.WithBounds ◄───┘
//
// The conditions become these bounds:
//
//	With, Without, Exactly, AtLeast, AtMost    one bound
//	Apart              a bound 0..1 for each pair of neighbouring cells
//	NoFourCorners      a bound for each corner of four cells
//	FaultFree          a bound 1..∞ for each line through the rectangle
//
// Each placement has a weight, a rational number ≥ 0. [Weights] describes the texts for weights.
//
// # Non-goals
//
// The package does not count. Selectors are short texts for a command line; puzzle files have
// another syntax.
//
// # Cost
//
// [Of] and each condition need time and memory proportional to the number of cells of all
// placements. Apart multiplies this by the number of neighbours of a cell.
package query

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/tiling"
)

// ErrQuery is wrapped by every error about a selector, a condition or a weight.
var ErrQuery = errors.New("no such placements")

// Index finds the pieces, cells and placements of a model by name.
type Index struct {
	model  *tiling.Model
	pieces map[string]int
	items  map[string]int // indices of the items, by name; empty if the model has a board
	cells  map[string]tiling.Cell
	cover  [][]int // for each cell, the placements that cover it, ascending

	longest int // length of the longest name of a cell, in bytes
	largest int // size of the largest piece, in cells
}

// Of returns the index of a model.
func Of(m *tiling.Model) *Index {
	x := &Index{model: m, pieces: map[string]int{}, items: map[string]int{}, cells: map[string]tiling.Cell{}}
	if m.IsAbstract() {
		for i, it := range m.Problem.Items {
			x.items[it.Name] = i
		}
		return x
	}
	for k, p := range m.Puzzle.Pieces {
		x.pieces[p.Name], x.largest = k, max(x.largest, len(p.Shape))
	}
	for c, name := range m.Puzzle.Board.Names {
		x.cells[name], x.longest = c, max(x.longest, len(name))
	}
	all := make([]int, len(m.Placements))
	for i := range all {
		all[i] = i
	}
	x.cover = x.byCell(all)
	return x
}

// Parsing cannot be cancelled. These limits keep it short.
const (
	maxText   = 1 << 14 // bytes of a text for Options
	maxCommas = 100     // commas of a text for Pair, which tries each comma
	// maxDivisor is the largest M of AmodM.
	maxDivisor = 1 << 30
)

// Options returns the placements of a text, ascending. A text is one of
//
//	PIECE        all placements of the piece
//	PIECE:K      the placements of the piece in orientation K; the first orientation is 1
//	CELL         all placements that cover the cell
//	PIECE@CELL   the placements of the piece that cover the cell; CELL=PIECE means the same
//	P@CELL/CELL  the placements of the piece P that cover both cells; more cells may follow
//	PIECE@@CELL  the placements of the piece whose first cell is the cell
//	#N           placement N; the first placement is 0
//	A+B          the placements of A or B
//
// PIECE may be PIECE:K everywhere. CELL may mean several cells. Then a placement must cover at
// least one of them. The CELL 0,* means all cells of row 0; 0,2..4 means its cells in columns 2
// to 4; 0,1mod2 means its cells in the columns that have the remainder 1 when divided by 2.
//
// The text has at most 16 KiB. Errors wrap ErrQuery.
func (x *Index) Options(text string) ([]int, error) {
	if len(text) > maxText {
		return nil, bad("the text %s… has %d bytes, expected at most %d bytes", quote(text), len(text), maxText)
	}
	all, err := x.single(text) // try the whole text, since a name may contain a +
	if err == nil || !strings.Contains(text, "+") {
		return all, err
	}
	named := make([]bool, len(x.model.Problem.Options))
	for part := range strings.SplitSeq(text, "+") {
		some, err := x.single(part)
		if err != nil {
			return nil, err
		}
		for _, o := range some {
			named[o] = true
		}
	}
	all = nil
	for o, is := range named {
		if is {
			all = append(all, o)
		}
	}
	return all, nil
}

// Pair has two texts for [Index.Options], and the placements of each text.
type Pair struct {
	Names   [2]string
	Options [2][]int
}

// Pair parses A,B. Since names of cells have commas too, Pair tries each comma of the text. It
// fails unless A and B are valid for exactly one comma.
func (x *Index) Pair(text string) (*Pair, error) {
	if n := strings.Count(text, ","); n > maxCommas {
		return nil, bad("the text of the pair has %d commas, expected at most %d commas", n, maxCommas)
	}
	var found *Pair
	var wrong, nearly error // nearly is about a half, and the other half is valid
	for i, r := range text {
		if r != ',' {
			continue
		}
		p := &Pair{Names: [2]string{strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])}}
		var errs [2]error
		for k, name := range p.Names {
			p.Options[k], errs[k] = x.Options(name)
		}
		switch err := cmp.Or(errs[0], errs[1]); {
		case errs[0] != nil && errs[1] != nil:
			wrong = cmp.Or(wrong, err)
		case err != nil:
			nearly = cmp.Or(nearly, err)
		case found != nil:
			return nil, bad("the text has two meanings, %.40q and %.40q, or %.40q and %.40q, expected other names or numbers such as #17",
				found.Names[0], found.Names[1], p.Names[0], p.Names[1])
		default:
			found = p
		}
	}
	if found != nil {
		return found, nil
	}
	if _, err := x.Options(text); err == nil {
		return nil, bad("the text means only one set of placements, expected two sets A,B with a comma between them, such as V5@0,0,X5")
	}
	return nil, cmp.Or(nearly, wrong, bad("expected two sets of placements A,B with a comma between them, such as V5@0,0,X5"))
}

func (x *Index) single(selector string) ([]int, error) {
	if i, found := x.items[selector]; found && selector != "" {
		var all []int
		for o, option := range x.model.Problem.Options {
			if slices.ContainsFunc(option, func(u cover.Use) bool { return u.Item == i }) {
				all = append(all, o)
			}
		}
		return all, nil
	}
	if _, found := x.pieces[selector]; found {
		return x.named(selector)
	}
	if _, found := x.cells[selector]; found {
		return x.onCells(selector)
	}
	if number, sharp := strings.CutPrefix(selector, "#"); sharp {
		return x.number(number)
	}
	if x.model.IsAbstract() {
		return nil, bad("the cover has no item %s, expected an item, or #N for the option with the number N%s", quote(selector), meant(selector, x.items))
	}
	if isNumber(selector) {
		return nil, bad("%s is a number, expected #%[1]s for the placement with this number", shown(selector))
	}
	if selector == "" {
		return nil, bad("no placement is given, expected placements such as X5, X5@0,1 or #17")
	}
	colon := strings.LastIndexByte(selector, ':')
	_, known := x.pieces[selector[:max(colon, 0)]] // in a@b:2, the name may be a@b
	oriented := known && isNumber(selector[colon+1:])
	if piece, cell, both := x.split(selector); both && !oriented {
		return x.pieceAt(piece, cell)
	}
	if strings.ContainsRune(selector, ',') && !strings.ContainsRune(selector, ':') {
		return x.onCells(selector)
	}
	return x.named(selector)
}

func (x *Index) named(text string) ([]int, error) {
	name, number := text, ""
	k, found := x.pieces[text]
	if i := strings.LastIndexByte(text, ':'); !found && i >= 0 {
		name, number = text[:i], text[i+1:]
		k, found = x.pieces[name]
	}
	if !found {
		return nil, bad("the puzzle has no piece %s%s", quote(name), meant(name, x.pieces))
	}
	first, _ := slices.BinarySearchFunc(x.model.Placements, k, func(p tiling.Placement, k int) int { return p.Piece - k })
	var of []int
	for i := first; i < len(x.model.Placements) && x.model.Placements[i].Piece == k; i++ {
		of = append(of, i)
	}
	if name == text {
		return of, nil
	}
	all := len(x.model.Puzzle.Pieces[k].Orientations())
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > all {
		return nil, bad("the piece %[2]s has no orientation %[1]s, expected a number from 1 to %[3]d", shown(number), name, all)
	}
	return slices.DeleteFunc(of, func(i int) bool { return x.model.Orientation(i) != n-1 }), nil
}

// split cuts PIECE@CELL at the @ after the name of a piece of the puzzle, or else at the last @. It
// cuts CELL=PIECE at the first =.
func (x *Index) split(selector string) (piece, cell string, both bool) {
	for i, r := range selector {
		before, after := selector[:i], selector[i+1:]
		switch _, first := x.pieces[before]; {
		case r == '@' && first:
			return before, after, true
		case r == '=':
			return after, before, true // the name of a piece has no =
		case r == '@' && !strings.HasSuffix(before, "@"): // at @@, cut at the first @
			piece, cell, both = before, after, true
		}
	}
	return piece, cell, both
}

func isNumber(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// wrong is an error about a text. It wraps ErrQuery.
type wrong struct{ text string }

func (w *wrong) Error() string { return w.text }
func (w *wrong) Unwrap() error { return ErrQuery }

func bad(format string, args ...any) error { return &wrong{fmt.Sprintf(format, args...)} }

func (x *Index) number(text string) ([]int, error) {
	all := len(x.model.Problem.Options)
	n, err := strconv.Atoi(text)
	if err != nil || !isNumber(text) || n >= all {
		return nil, bad("there is no placement #%s, expected a number from 0 to %d", shown(text), all-1)
	}
	return []int{n}, nil
}

func meant[V any](name string, names map[string]V) string {
	var all []string
	for n := range names {
		all = append(all, n)
	}
	slices.Sort(all)
	if near := spell.Nearest(name, all); near != "" {
		return fmt.Sprintf(", did you mean %s?", near)
	}
	return ""
}

func quote(text string) string { return fmt.Sprintf("%.40q", text) }

func shown(text string) string { return strings.Trim(fmt.Sprintf("%.20q", text), `"`) }

func (x *Index) cell(text string) (tiling.Cell, error) {
	if c, found := x.cells[text]; found {
		return c, nil
	}
	axes := x.model.Puzzle.Board.Lattice.Axes()
	numbers := strings.Split(text, ",")
	var c tiling.Cell
	for i, number := range numbers {
		n, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || len(numbers) != len(axes) {
			return c, bad("%s is not a cell, expected %s, or the name of a cell%s", quote(text), strings.Join(axes, ","), meant(text, x.cells))
		}
		c[len(c)-len(axes)+i] = n
	}
	return c, nil
}

func (x *Index) onCells(text string) ([]int, error) {
	cells, err := x.cellsOf(text)
	if err != nil {
		return nil, err
	}
	var all []int
	for _, c := range cells {
		all = append(all, x.cover[c]...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// cellsOf returns the cells that text describes, ascending. A text is the name of a cell, or a list
// with commas that has a number, A..B, AmodM or * for each axis.
func (x *Index) cellsOf(text string) ([]int, error) {
	board := x.model.Puzzle.Board
	_, named := x.cells[text]
	if named || !strings.Contains(text, "*") && !strings.Contains(text, "..") && !strings.Contains(text, "mod") {
		c, err := x.cell(text)
		if err != nil {
			return nil, err
		}
		i := board.Index(c)
		if i < 0 {
			return nil, bad("the cell %s is not on the board", quote(text))
		}
		return []int{i}, nil
	}
	axes, parts := board.Lattice.Axes(), strings.Split(text, ",")
	spans := make([]span, len(parts))
	for i, part := range parts {
		var ok bool
		if spans[i], ok = newSpan(strings.TrimSpace(part)); !ok || len(parts) != len(axes) {
			return nil, bad("%s is not a set of cells, expected %s, where each part is a number, A..B, AmodM with A below M, or *", quote(text), strings.Join(axes, ","))
		}
	}
	var all []int
	for k, c := range board.Cells {
		inside := true
		for i, n := range board.Lattice.Coordinates(c) {
			inside = inside && spans[i].has(n)
		}
		if inside {
			all = append(all, k)
		}
	}
	if len(all) == 0 {
		return nil, bad("the board has none of the cells %s", quote(text))
	}
	return all, nil
}

type span struct{ low, high, remainder, divisor int }

func (s span) has(n int) bool {
	return s.low <= n && n <= s.high && (n%s.divisor+s.divisor)%s.divisor == s.remainder
}

func newSpan(text string) (s span, ok bool) {
	s = span{math.MinInt, math.MaxInt, 0, 1}
	if text == "*" {
		return s, true
	}
	var err, also error
	if remainder, divisor, two := strings.Cut(text, "mod"); two {
		s.remainder, err = strconv.Atoi(strings.TrimSpace(remainder))
		s.divisor, also = strconv.Atoi(strings.TrimSpace(divisor))
		return s, err == nil && also == nil && 0 <= s.remainder && s.remainder < s.divisor && s.divisor <= maxDivisor
	}
	first, last, two := strings.Cut(text, "..")
	if !two {
		last = first
	}
	s.low, err = strconv.Atoi(first)
	s.high, also = strconv.Atoi(last)
	return s, err == nil && also == nil && s.low <= s.high
}

// pieceAt returns the placements of PIECE or PIECE:K at a place. CELL/CELL/… means that they cover
// all of these cells. @CELL means that their first cell is one of the cells of CELL.
func (x *Index) pieceAt(name, at string) ([]int, error) {
	of, err := x.named(name)
	if err != nil {
		return nil, err
	}
	_, named := x.cells[at[:x.placeEnd(at)]]
	if first, cut := strings.CutPrefix(at, "@"); cut && !named {
		cells, err := x.cellsOf(first)
		if err != nil {
			return nil, err
		}
		return slices.DeleteFunc(of, func(i int) bool {
			_, found := slices.BinarySearch(cells, slices.Min(x.model.Placements[i].Cells))
			return !found
		}), nil
	}
	for most := x.largest; ; most-- {
		end := x.placeEnd(at)
		some, err := x.onCells(at[:end])
		switch {
		case err != nil:
			return nil, err
		case most == 0:
			return nil, bad("more than %d cells are joined by /, but no piece has more than %d cells", x.largest, x.largest)
		}
		if of = common(of, some); end == len(at) {
			return of, nil
		}
		at = at[end+1:]
	}
}

// placeEnd returns the length of the first CELL in CELL/CELL/…: the longest prefix that is the name
// of a cell, or else the text before the first /.
func (x *Index) placeEnd(text string) int {
	for end := min(len(text), x.longest); end > 0; end-- {
		if _, named := x.cells[text[:end]]; named && (end == len(text) || text[end] == '/') {
			return end
		}
	}
	before, _, _ := strings.Cut(text, "/")
	return len(before)
}

func common(a, b []int) []int {
	return slices.DeleteFunc(slices.Clone(b), func(i int) bool {
		_, found := slices.BinarySearch(a, i)
		return !found
	})
}

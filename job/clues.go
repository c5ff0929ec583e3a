package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/clues"
	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/exchange"
	"github.com/pavage/pavage/internal/kit/human"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/render"
	"github.com/pavage/pavage/sample"
	"github.com/pavage/pavage/tiling"
)

// Clues asks for puzzles with exactly one tiling. The tiling is random, and clues exclude all
// others. If Run returns an error after the search began, it also returns the puzzles so far.
type Clues struct {
	Puzzle Puzzle   `json:"puzzle"`
	Number Whole    `json:"number" query:"n" name:"number" short:"n" flag:"N" doc:"how many puzzles, 1 to 1000" example:"3"`
	Seed   *Whole   `json:"seed,omitempty" flag:"N" doc:"try the seeds N, N+1, …, where N is 0 to 2^64-1; each seed determines a tiling and its clues; without N the first seed is random" example:"7"`
	Kinds  []string `json:"kinds,omitempty" flag:"KIND" list:"," doc:"kinds of clues that may be used: placement (a piece in its place), piece (the piece that covers a cell), wall (no piece covers both of two cells), joined (one piece covers both of two cells) or sum (the sum of the marks in a region, or in a cell of a puzzle without regions); placement by default" example:"[\"wall\"]"`
	Fewest bool     `json:"fewest,omitempty" flag:"" doc:"find a smallest set of clues for each puzzle, with proof; by default, find a set of clues without a needless clue"`
	Grade  string   `json:"grade,omitempty" flag:"GRADE" words:"easy medium hard" doc:"only puzzles of this difficulty: easy (each step is forced), medium (some placements are excluded by looking one step ahead) or hard (a guess is needed)"`
}

// Kind implements [Request].
func (*Clues) Kind() Kind { return "clues" }

const (
	mostClued = 1000 // an answer with 1000 puzzles on 12x12 cells has 30 MB
	fruitless = 1000
)

func (r *Clues) kinds() []string {
	if len(r.Kinds) == 0 {
		return []string{"placement"}
	}
	return slices.Compact(slices.Sorted(slices.Values(r.Kinds)))
}

func (r *Clues) check() error {
	if r.Number < 1 || r.Number > mostClued {
		return bad("{number} is %d, expected 1 to %d", r.Number, mostClued)
	}
	for _, kind := range r.Kinds {
		if clueKinds[kind] == nil {
			return bad("{kinds} has %.40q, expected placement, piece, wall, joined or sum", kind)
		}
	}
	return r.Puzzle.whole()
}

func (r *Clues) shared() bool { return r.Seed != nil }

// Clued is the answer to [Clues].
type Clued struct {
	Title   string        `json:"title"`
	Puzzles []CluedPuzzle `json:"puzzles"`
	Next    Whole         `json:"next" doc:"a request with this seed makes further puzzles, but may draw the tilings of this answer again"`
}

// CluedPuzzle is a puzzle with exactly one tiling.
type CluedPuzzle struct {
	Puzzle   json.RawMessage   `json:"puzzle" doc:"a puzzle file: the puzzle of the request with the clues"`
	Clues    []Clue            `json:"clues"`
	Solution render.TilingJSON `json:"solution" doc:"the only tiling"`
	Grade    string            `json:"grade" doc:"easy, medium or hard: the hardest step"`
	Steps    []Step            `json:"steps" doc:"how a person may find the tiling"`
	Seed     Whole             `json:"seed" doc:"a request with this seed and the number 1 makes the same puzzle"`

	Model  *tiling.Puzzle `json:"-"` // the puzzle that the field Puzzle describes
	Tiling render.Tiling  `json:"-"` // the tiling in the field Solution
}

// Clue is a condition in a puzzle. The only tiling of the puzzle meets it.
type Clue struct {
	Kind  string  `json:"kind" doc:"placement, piece, wall, joined or sum"`
	Piece string  `json:"piece,omitempty" doc:"the piece of the placement, or the piece that covers the cell"`
	Cells [][]int `json:"cells" doc:"the cells that the clue is about (a placement, one cell, two cells or a region), each as row, column or, in space, as layer, row, column"`
	Sum   *int    `json:"sum,omitempty" doc:"the sum of the marks on the cells"`
}

// Step is one decision of a person who solves the puzzle.
type Step struct {
	Rule string `json:"rule" doc:"easy: the placement is forced; medium: the placement is crossed out, since choosing it leads to a contradiction; hard: the placement is guessed"`
	Out  bool   `json:"out,omitempty" doc:"the placement is crossed out, not chosen"`
	render.PlacementJSON
}

// candidate is a possible clue. The function give adds the clue to a puzzle.
type candidate struct {
	clue  Clue
	bound cover.Bound
	give  func(*tiling.Puzzle)
}

var clueKinds = map[string]func(*solved) []candidate{
	"placement": (*solved).placements,
	"piece":     (*solved).pieces,
	"wall":      (*solved).walls,
	"joined":    (*solved).joined,
	"sum":       (*solved).sums,
}

type solved struct {
	*tiling.Model
	options []int // options of the tiling
	tiling  []tiling.Placement
	at      []int   // indexed by cell; index of its placement in the slice tiling, or -1
	on      [][]int // indexed by cell; options that cover the cell
}

func (f *solved) covering(cells []int, piece int) (options []int) {
	for _, o := range f.on[cells[0]] {
		p := f.Placements[o]
		if (piece < 0 || p.Piece == piece) && !slices.ContainsFunc(cells, func(c int) bool { return !slices.Contains(p.Cells, c) }) {
			options = append(options, o)
		}
	}
	return options
}

func (f *solved) part(kind string, piece int, cells []int) candidate {
	return candidate{
		Clue{Kind: kind, Piece: f.Puzzle.Pieces[piece].Name, Cells: writtenCells(f.Puzzle, cells)},
		cover.Bound{Options: f.covering(cells, piece), Min: 1, Max: cover.Unbounded},
		func(p *tiling.Puzzle) { p.Place = append(p.Place, tiling.Part{Piece: piece, Cells: cells}) },
	}
}

func (f *solved) placements() (all []candidate) {
	for _, p := range f.tiling {
		all = append(all, f.part("placement", p.Piece, p.Cells))
	}
	return all
}

func (f *solved) pieces() (all []candidate) {
	for c, k := range f.at {
		if k >= 0 {
			all = append(all, f.part("piece", f.tiling[k].Piece, []int{c}))
		}
	}
	return all
}

func (f *solved) walls() (all []candidate) {
	for pair, together := range f.pairs {
		if !together {
			all = append(all, candidate{
				Clue{Kind: "wall", Cells: writtenCells(f.Puzzle, pair[:])},
				cover.Bound{Options: f.covering(pair[:], -1)},
				func(p *tiling.Puzzle) { p.Walls = append(p.Walls, pair) },
			})
		}
	}
	return all
}

func (f *solved) joined() (all []candidate) {
	for pair, together := range f.pairs {
		if together {
			all = append(all, candidate{
				Clue{Kind: "joined", Cells: writtenCells(f.Puzzle, pair[:])},
				cover.Bound{Options: f.covering(pair[:], -1), Min: 1, Max: cover.Unbounded},
				func(p *tiling.Puzzle) { p.Joined = append(p.Joined, pair) },
			})
		}
	}
	return all
}

func (f *solved) pairs(yield func(pair [2]int, together bool) bool) {
	for a, neighbours := range f.Puzzle.Board.Neighbours() {
		for _, b := range neighbours {
			if a < b && !yield([2]int{a, b}, f.at[a] >= 0 && f.at[a] == f.at[b]) {
				return
			}
		}
	}
}

func (f *solved) sums() (all []candidate) {
	add := func(cells []int, give func(p *tiling.Puzzle, sum int)) {
		b := f.SumBound(cells, 0, cover.Unbounded)
		sum := b.Count(f.options)
		b.Min, b.Max = sum, sum
		clue := Clue{Kind: "sum", Cells: writtenCells(f.Puzzle, cells), Sum: &sum}
		all = append(all, candidate{clue, b, func(p *tiling.Puzzle) { give(p, sum) }})
	}
	for i, region := range f.Puzzle.Regions {
		if region.Min < region.Max {
			add(region.Cells, func(p *tiling.Puzzle, sum int) { p.Regions[i].Min, p.Regions[i].Max = sum, sum })
		}
	}
	for c := range f.at {
		if len(f.Puzzle.Regions) == 0 {
			add([]int{c}, func(p *tiling.Puzzle, sum int) {
				p.Regions = append(p.Regions, tiling.Region{Name: regionName(len(p.Regions)), Cells: []int{c}, Min: sum, Max: sum})
			})
		}
	}
	return all
}

// The first names are single letters, since a file with a solid board has a letter for each cell.
func regionName(number int) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	if number < len(letters) {
		return letters[number : number+1]
	}
	return "r" + strconv.Itoa(number)
}

func (r *Clues) do(ctx context.Context, w *work) (*Clued, error) {
	m, err := w.own(ctx, &r.Puzzle)
	if err != nil {
		return nil, err
	}
	switch {
	case m.IsAbstract():
		return nil, bad("a cover has no board, expected a puzzle with a board")
	case slices.Contains(r.Kinds, "sum") && !slices.ContainsFunc(m.Puzzle.Pieces, func(p tiling.Piece) bool { return p.Marks != "" }):
		return nil, bad("{kinds} contains \"sum\", but no piece has marks: expected pieces such as double-six, or other kinds of clues")
	}
	source, err := sample.From(ctx, m.Problem, sample.Request{Unranked: true}, w.options(Compiling))
	if err != nil {
		return nil, err
	}
	if source.Check() != nil {
		return nil, whyNone(ctx, m, nil, "")
	}
	n := source.Count()
	if n != nil && n.Cmp(new(big.Int).SetUint64(uint64(r.Number))) < 0 {
		return nil, bad("{number} is %d, but the puzzle has only %s", r.Number, human.Count(n.String(), "tiling"))
	}
	seed := rand.Uint64()
	if r.Seed != nil {
		seed = uint64(*r.Seed)
	}
	maker := &clueMaker{
		model: m, request: r, source: source, memory: limit.Left(w.limits.Memory, source.Bytes()),
		on: make([][]int, len(m.Puzzle.Board.Cells)), known: map[string]bool{},
	}
	for o, p := range m.Placements {
		for _, c := range p.Cells {
			maker.on[c] = append(maker.on[c], o)
		}
	}
	answer := &Clued{Title: m.Puzzle.Title, Puzzles: []CluedPuzzle{}, Next: Whole(seed)}
	misses, why := 0, map[string]int{} // how many seeds gave no puzzle since the last puzzle, in all and for each reason
	for ; len(answer.Puzzles) < int(r.Number); answer.Next++ {
		if w.watch.Progress != nil {
			tried := int64(uint64(answer.Next) - seed)
			w.watch.Progress(Progress{Doing: Hinting, Fraction: float64(len(answer.Puzzles)) / float64(r.Number), Done: tried, Unit: "seeds"})
		}
		p, err := maker.make(ctx, uint64(answer.Next))
		none := noClues("")
		if errors.As(err, &none) {
			misses++
			why[string(none)]++
			all := n != nil && n.IsInt64() && n.Int64() == int64(len(maker.known))
			if misses < fruitless && !all {
				continue
			}
			if all && len(answer.Puzzles) == 0 {
				text := fmt.Sprintf("found no puzzle: all %s are %s", human.Count(n.String(), "tiling"), ambiguous)
				return answer, &told{text: text, is: []error{ErrNoClues}}
			}
			var reasons []string
			for _, reason := range slices.Sorted(maps.Keys(why)) {
				reasons = append(reasons, fmt.Sprintf("%d %s", why[reason], reason))
			}
			text := fmt.Sprintf("found %s, but the last %s gave no puzzle: %s", human.Count(strconv.Itoa(len(answer.Puzzles)), "puzzle"),
				human.Count(strconv.Itoa(misses), "random tiling"), strings.Join(reasons, ", "))
			return answer, &told{text: text, is: []error{ErrNoClues}}
		}
		if err != nil {
			return answer, err
		}
		misses = 0
		clear(why)
		answer.Puzzles = append(answer.Puzzles, *p)
	}
	return answer, nil
}

const ambiguous = noClues("ambiguous even with all clues of these kinds")

// noClues is the reason why a tiling leads to no puzzle, such as "drawn before".
type noClues string

func (e noClues) Error() string { return string(e) }

type clueMaker struct {
	model   *tiling.Model
	request *Clues
	source  *sample.Source
	memory  int64           // bytes that the search for clues may use; 0 means no limit
	on      [][]int         // indexed by cell; options that cover the cell
	known   map[string]bool // cursors of tilings that gave a puzzle, or that all clues together do not determine
}

func (k *clueMaker) make(ctx context.Context, seed uint64) (*CluedPuzzle, error) {
	m, r := k.model, k.request
	var options []int
	for d, err := range k.source.Draws(ctx, sample.Seeded(seed), 1) {
		if err != nil {
			return nil, err
		}
		options = slices.Sorted(slices.Values(d.Options))
	}
	key := formatCursor(options)
	if k.known[key] {
		return nil, noClues("drawn before")
	}
	f := &solved{Model: m, options: options, tiling: m.Tiling(options), at: slices.Repeat([]int{-1}, len(k.on)), on: k.on}
	for number, p := range f.tiling {
		for _, c := range p.Cells {
			f.at[c] = number
		}
	}
	var given []candidate
	for _, kind := range r.kinds() {
		given = append(given, clueKinds[kind](f)...)
	}
	slices.SortStableFunc(given, func(a, b candidate) int { return slices.CompareFunc(a.clue.Cells, b.clue.Cells, slices.Compare) })
	bounds := make([]cover.Bound, len(given))
	for i, c := range given {
		bounds[i] = c.bound
	}
	finder, err := clues.New(ctx, m.Problem, options, bounds, k.memory)
	if err != nil {
		return nil, err
	}
	wanted := clues.Hard // without a grade in the request, even the hardest puzzles are accepted
	for g := clues.Easy; g <= clues.Hard; g++ {
		if g.String() == r.Grade {
			wanted = g
		}
	}
	var chosen []int
	if r.Fewest {
		chosen, err = finder.Fewest(ctx, wanted)
	} else {
		chosen, err = finder.Minimal(ctx, rand.New(rand.NewPCG(seed, 1)), wanted)
	}
	if errors.Is(err, clues.ErrAmbiguous) {
		k.known[key] = true
		return nil, ambiguous
	}
	if err != nil {
		return nil, err
	}
	steps, err := finder.Steps(ctx, chosen)
	if err != nil {
		return nil, err
	}
	grade := clues.GradeOf(steps)
	if r.Grade != "" && grade != wanted {
		return nil, noClues("graded " + grade.String())
	}
	k.known[key] = true
	with := *m.Puzzle
	with.Place, with.Walls, with.Joined = slices.Clip(with.Place), slices.Clip(with.Walls), slices.Clip(with.Joined)
	with.Regions = slices.Clone(with.Regions)
	puzzle := &CluedPuzzle{Grade: grade.String(), Seed: Whole(seed), Clues: []Clue{}, Tiling: render.Tiling{Placements: f.tiling}, Model: &with}
	for _, number := range chosen {
		given[number].give(&with)
		puzzle.Clues = append(puzzle.Clues, given[number].clue)
	}
	for _, s := range steps {
		placed := render.Tiling{Placements: m.Tiling([]int{s.Option})}.JSON(m.Puzzle).Placements[0]
		_, in := slices.BinarySearch(options, s.Option)
		puzzle.Steps = append(puzzle.Steps, Step{Rule: s.Grade.String(), Out: !in, PlacementJSON: placed})
	}
	puzzle.Solution = puzzle.Tiling.JSON(m.Puzzle)
	var file bytes.Buffer
	if err := exchange.Write(ctx, "json", &file, &tiling.Model{Puzzle: &with}); err != nil {
		return nil, err
	}
	puzzle.Puzzle = file.Bytes()
	return puzzle, nil
}

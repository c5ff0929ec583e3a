package tiling

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/wording"
)

// layout finds the placements of a puzzle in two steps. The method measure finds the places where
// the shapes fit, and adds up the memory that the method make will need. The method make lists the
// placements in a few large arrays. Pieces of the same shape and motions share their places.
//
//	2x3 board   a b c     ##   with its first cell on a, b, d, e:   ab bc de ef
//	            d e f     #    with its first cell on a, b, c:      ad be cf
//	                      #
type layout struct {
	puzzle  *Puzzle
	fitter  *fitter
	matcher *matcher
	rules   *rules
	groups  [][]int // for each piece, the indices of its groups, ascending
	sums    []int   // see Puzzle.sumItems
	looks   *interrupt.Watch
	only    map[int]bool      // pieces to lay out; nil means all pieces
	memory  int64             // limit in bytes; 0 means no limit
	shared  map[string]*where // the places of pieces, indexed by the result of layout.key
	pieces  []*where          // for each piece, its places; nil if it is too large or not laid out

	looked           int64 // upper bound on the number of cells that the method find has looked at
	placements, uses int   // numbers for all pieces; uses is an upper bound, see usesOf
	places, cells    int   // numbers; a place that several pieces share counts once
	marked           int   // number of places of pieces with marks
}

type where struct {
	orientations []tinted
	starts       [][]int32       // for each orientation, indices into fitter.table of its first cell
	places       int             // number of places of all orientations
	cells        [][]int         // cells of each place; nil before the method fill
	marks        []string        // marks of the cells of each place; nil if the piece has no marks
	sets         map[string]bool // texts of the places found so far; nil if no place can occur twice
}

func newLayout(ctx context.Context, p *Puzzle, memory int64) *layout {
	looks := interrupt.Context(ctx)
	l := &layout{
		puzzle: p, fitter: newFitter(p.Board), matcher: newMatcher(p), rules: newRules(p), sums: p.sumItems(), looks: &looks, memory: memory,
		groups: make([][]int, len(p.Pieces)), shared: map[string]*where{}, pieces: make([]*where, len(p.Pieces)),
	}
	for i, g := range p.Groups {
		for _, k := range g.Pieces {
			l.groups[k] = append(l.groups[k], i)
		}
	}
	return l
}

// measure finds all places. It returns an error if there are too many, or if memory is too small.
func (l *layout) measure() error {
	if err := l.checkMemory(); err != nil {
		return err
	}
	for k, piece := range l.puzzle.Pieces {
		if l.only != nil && !l.only[k] || len(piece.Shape) > len(l.puzzle.Board.Cells) {
			continue
		}
		key := l.key(k)
		w, known := l.shared[key]
		if !known {
			w = &where{orientations: piece.tints()}
			l.shared[key] = w
		}
		for i, o := range w.orientations {
			if !known {
				if err := l.work(k, o.shape); err != nil {
					return err
				}
				if err := l.find(w, k, o); err != nil {
					return err
				}
			}
			if err := l.count(k, o.shape, len(w.starts[i])); err != nil {
				return err
			}
		}
		w.sets = nil
		l.pieces[k] = w
	}
	return nil
}

// work adds to l.looked the most cells that find may look at for one orientation: one for each
// entry of the table, and all cells of the shape for each position of the shape within the box.
func (l *layout) work(piece int, o Shape) error {
	tries := int64(1)
	for axis, side := range l.fitter.room {
		if size := o.Size()[axis]; l.puzzle.Board.Wrap == NoWrap {
			side = max(0, side-size+1)
		}
		tries *= int64(side)
	}
	cells := int64(len(l.fitter.table))
	l.looked += cells + min(tries, cells)*int64(len(o))
	if l.looked > maxLooks {
		return &Error{Text: fmt.Sprintf("too many places to try: the pieces up to %s need more than %d comparisons of cells, expected a smaller board or fewer pieces",
			wording.Quote(l.puzzle.Pieces[piece].Name), int64(maxLooks))}
	}
	return nil
}

// maxLooks is the largest value of layout.looked. The search needs a few seconds for 2^32 cells.
const maxLooks = 1 << 32

// key returns equal texts only for pieces with the same places.
func (l *layout) key(k int) string {
	piece := l.puzzle.Pieces[k]
	if l.puzzle.alone(k) {
		return fmt.Sprint(k)
	}
	return fmt.Sprint(piece.Motions, " ", tinted{piece.Shape, piece.Colours, piece.Marks}.key())
}

// find appends the places of one orientation to w. It tries to put the first cell of the
// orientation at each entry of the table. On a Möbius band, a board cell has two entries, so find
// tries the orientation both as it is and turned over.
//
// A place is a set of board cells with marks. A place that several orientations share counts once.
func (l *layout) find(w *where, piece int, o tinted) error {
	again := l.puzzle.Board.Wrap != NoWrap || o.colours != nil
	if again && w.sets == nil {
		w.sets = map[string]bool{}
	}
	var starts []int32
	var cells []int
	shape := l.fitter.lay(o.shape)
	for at := range l.fitter.table {
		if err := l.looks.Work(len(o.shape)); err != nil {
			return err
		}
		cells = l.fitter.cover(cells[:0], shape, at)
		if len(cells) == 0 {
			continue
		}
		goes := l.matcher.goes(o.colours, cells)
		marks := sortMarked(cells, o.marks)
		onItself := len(slices.Compact(cells)) < len(cells)
		if onItself || !goes || !l.rules.leaves(piece, cells) {
			continue
		}
		if again {
			key := cellsKey(cells) + marks
			if w.sets[key] {
				continue
			}
			w.sets[key] = true
			if tooMany(l.placements+len(starts), l.uses+len(starts)*l.usesOf(piece, o.shape)) {
				break // w.sets would need too much memory; the method count returns the error
			}
		}
		starts = append(starts, int32(at))
	}
	w.starts = append(w.starts, starts)
	w.places += len(starts)
	l.places += len(starts)
	l.cells += len(starts) * len(o.shape)
	if o.marks != "" {
		l.marked += len(starts)
	}
	return nil
}

func sortMarked(cells []int, marks string) string {
	if marks == "" || slices.IsSorted(cells) {
		slices.Sort(cells)
		return marks
	}
	for i := range cells {
		cells[i] = cells[i]<<8 | int(marks[i])
	}
	slices.Sort(cells)
	moved := make([]byte, len(cells))
	for i, c := range cells {
		cells[i], moved[i] = c>>8, byte(c)
	}
	return string(moved)
}

func (l *layout) count(piece int, o Shape, placements int) error {
	l.placements += placements
	l.uses += placements * l.usesOf(piece, o)
	if tooMany(l.placements, l.uses) {
		return &Error{Text: fmt.Sprintf(
			"too many placements: %d with %d cells together, up to piece %s; expected at most %d, with %d cells together",
			l.placements, l.uses, wording.Quote(l.puzzle.Pieces[piece].Name), cover.MaxOptions, MaxUses)}
	}
	if err := l.checkMemory(); err != nil {
		return err
	}
	return l.looks.Look()
}

func (l *layout) checkMemory() error {
	if l.memory == 0 || l.bytes() <= l.memory {
		return nil
	}
	if l.placements == 0 {
		return fmt.Errorf("%w: a board of %d cells needs over %s, expected a smaller board or more memory",
			cover.ErrMemory, len(l.puzzle.Board.Cells), wording.Plural(l.memory, "byte"))
	}
	return fmt.Errorf("%w: the first %d placements need over %s, expected fewer pieces, a smaller board or more memory",
		cover.ErrMemory, l.placements, wording.Plural(l.memory, "byte"))
}

// usesOf returns an upper bound on the number of items that a placement uses.
func (l *layout) usesOf(piece int, o Shape) int {
	uses := len(o) + 1 + len(l.groups[piece])
	if l.puzzle.Pieces[piece].Marks != "" {
		if uses += len(o); l.sums != nil {
			uses += len(o)
		}
	}
	return uses
}

func tooMany(placements, uses int) bool { return placements > cover.MaxOptions || uses > MaxUses }

// The constants are numbers of bytes of memory, on a machine with words of 8 bytes.
const (
	bytesPerPlacement = 48 + 24
	bytesPerUse       = 16
	bytesPerCell      = 8
	bytesPerPlace     = 4 + 24
	bytesPerMarks     = 16
	bytesPerItem      = 32 + 8 // for an item and its name
	bytesPerRank      = 8      // for the rank of an item in an order, or its image in a symmetry
)

// bytes returns the memory for items, for their orders and symmetries, and for placements found.
func (l *layout) bytes() int64 {
	p := l.puzzle
	items := p.markItem() + len(p.Regions)
	if p.hasMarks() {
		items += len(p.Board.Cells)
	}
	ranks := p.Board.mostOrders() + p.Board.mostSymmetries(&l.fitter.glue)
	return int64(items)*(bytesPerItem+bytesPerRank*int64(ranks)) +
		int64(l.placements)*bytesPerPlacement + int64(l.uses)*bytesPerUse +
		int64(l.places)*bytesPerPlace + int64(l.cells)*bytesPerCell + int64(l.marked)*bytesPerMarks
}

func (l *layout) firsts() [][]int {
	all := make([][]int, len(l.pieces))
	next := 0
	for k, w := range l.pieces {
		if w == nil {
			continue
		}
		for _, starts := range w.starts {
			all[k] = append(all[k], next)
			next += len(starts)
		}
	}
	return all
}

func (l *layout) make() ([]Placement, []cover.Option, error) {
	placements := make([]Placement, 0, l.placements)
	options := make([]cover.Option, 0, l.placements)
	uses, cells := make([]cover.Use, 0, l.uses), make([]int, 0, l.cells)
	for k, w := range l.pieces {
		if w == nil {
			continue
		}
		var err error
		if cells, err = l.fill(w, cells); err != nil {
			return nil, nil, err
		}
		item := len(l.puzzle.Board.Cells) + k
		groups := len(l.puzzle.Board.Cells) + len(l.puzzle.Pieces)
		for i, place := range w.cells {
			if err := l.looks.Look(); err != nil {
				return nil, nil, err
			}
			marks := ""
			if w.marks != nil {
				marks = w.marks[i]
			}
			first := len(uses)
			for _, c := range place {
				uses = append(uses, cover.Use{Item: c, Times: 1})
			}
			uses = append(uses, cover.Use{Item: item, Times: 1})
			for _, g := range l.groups[k] {
				uses = append(uses, cover.Use{Item: groups + g, Times: 1})
			}
			uses = l.appendMarks(uses, place, marks)
			placements = append(placements, Placement{k, place, marks})
			options = append(options, uses[first:len(uses):len(uses)])
		}
	}
	return placements, options, nil
}

func (l *layout) appendMarks(uses []cover.Use, cells []int, marks string) []cover.Use {
	item := l.puzzle.markItem()
	var sums []cover.Use // a use for each cell with a mark above 0 in a region
	for i, c := range cells[:len(marks)] {
		times := int32(marks[i] - '0')
		if times == 0 {
			continue
		}
		uses = append(uses, cover.Use{Item: item + c, Times: times})
		if l.sums != nil && l.sums[c] > 0 {
			sums = append(sums, cover.Use{Item: l.sums[c], Times: times})
		}
	}
	slices.SortFunc(sums, func(a, b cover.Use) int { return a.Item - b.Item })
	for i, u := range sums {
		if i > 0 && sums[i-1].Item == u.Item {
			uses[len(uses)-1].Times += u.Times
		} else {
			uses = append(uses, u)
		}
	}
	return uses
}

// fill appends the cells of all places of w to cells, and sets w.cells and w.marks. It does nothing
// if they were set for an earlier piece.
func (l *layout) fill(w *where, cells []int) ([]int, error) {
	if w.cells != nil {
		return cells, nil
	}
	w.cells = make([][]int, 0, w.places)
	for i, o := range w.orientations {
		shape := l.fitter.lay(o.shape)
		for _, at := range w.starts[i] {
			if err := l.looks.Work(len(o.shape)); err != nil {
				return nil, err
			}
			first := len(cells)
			cells = l.fitter.cover(cells, shape, int(at))
			marks := sortMarked(cells[first:], o.marks)
			if marks != "" {
				w.marks = append(w.marks, marks)
			}
			w.cells = append(w.cells, cells[first:len(cells):len(cells)])
		}
	}
	return cells, nil
}

// fitter finds the index of a board cell in a table. The table has an entry for each cell of the
// box or, if the board wraps, for each cell that gluing.reduce can return: at most 2·MaxVolume
// entries. An entry is -1 if gluing.fold moves no board cell to it.
type fitter struct {
	board *Board
	glue  gluing
	room  [3]int
	table []int32
}

func newFitter(b *Board) *fitter {
	glue, _ := b.gluing()
	f := &fitter{board: b, glue: glue, room: glue.room(b.Size)}
	f.table = make([]int32, f.room[0]*f.room[1]*f.room[2])
	for i := range f.table {
		f.table[i] = -1
	}
	for i, c := range b.Cells {
		f.table[f.place(glue.fold(c))] = int32(i)
	}
	return f
}

func (f *fitter) place(c Cell) int { return (c[0]*f.room[1]+c[1])*f.room[2] + c[2] }

// cell returns the index of the board cell at c, or -1 if there is no cell.
func (f *fitter) cell(c Cell) int {
	if f.board.Wrap != NoWrap {
		c = f.glue.fold(c)
	}
	if !f.inBox(c) {
		return -1
	}
	return int(f.table[f.place(c)])
}

func (f *fitter) inBox(c Cell) bool {
	for axis, side := range f.room {
		if uint(c[axis]) >= uint(side) { // as an unsigned number a negative coordinate is large
			return false
		}
	}
	return true
}

// Unrolled returns a function that maps a cell of the infinite lattice to the index of a board
// cell, or to -1 if the board has no cell there. A board that wraps repeats over the lattice.
// Unrolled returns an error if b.Wrap is not possible on b.
func (b *Board) Unrolled() (func(Cell) int, error) {
	if _, err := b.gluing(); err != nil {
		return nil, err
	}
	return newFitter(b).cell, nil
}

// Neighbours returns, for each cell, the indices of the other cells that share a side with it,
// ascending. On a board that wraps, cells may share a side across its borders.
func (b *Board) Neighbours() [][]int {
	f, all := newFitter(b), make([][]int, len(b.Cells))
	for i, c := range b.Cells {
		for _, step := range b.Lattice.Steps(c) {
			if to := f.cell(c.Plus(step)); to >= 0 && to != i {
				all[i] = append(all[i], to)
			}
		}
		slices.Sort(all[i])
		all[i] = slices.Compact(all[i])
	}
	return all
}

// cover appends the board cells that o covers if the first cell of o is at the entry f.table[at].
// It appends nothing if o is not on the board. Without wrap, it checks only once that the box of o
// is in the box of the board. To check this for each cell needs almost twice the time.
func (f *fitter) cover(cells []int, o *laid, at int) []int {
	layer, rest := at/(f.room[1]*f.room[2]), at%(f.room[1]*f.room[2])
	shift := Cell{layer, rest / f.room[2], rest % f.room[2]}.minus(o.shape[0])
	if !f.board.Lattice.isTranslation(shift) {
		return cells
	}
	before := len(cells)
	if f.board.Wrap == NoWrap {
		if !f.inBox(o.least.Plus(shift)) || !f.inBox(o.most.Plus(shift)) {
			return cells
		}
		for _, step := range o.steps {
			i := f.table[at+step]
			if i < 0 {
				return cells[:before]
			}
			cells = append(cells, int(i))
		}
		return cells
	}
	for _, c := range o.shape {
		i := f.cell(c.Plus(shift))
		if i < 0 {
			return cells[:before]
		}
		cells = append(cells, i)
	}
	return cells
}

type laid struct {
	shape       Shape
	least, most Cell  // corners of the box of the shape
	steps       []int // for each cell, the distance in the table from the first cell
}

func (f *fitter) lay(o Shape) *laid {
	l := &laid{shape: o}
	l.least, l.most = corners(o)
	for _, c := range o {
		l.steps = append(l.steps, f.place(c)-f.place(o[0]))
	}
	return l
}

func cellsKey(cells []int) string {
	key := make([]byte, 0, 4*len(cells))
	for _, c := range cells {
		key = binary.LittleEndian.AppendUint32(key, uint32(c))
	}
	return string(key)
}

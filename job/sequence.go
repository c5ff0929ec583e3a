package job

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/pavage/pavage/count"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/internal/kit/recurrence"
	"github.com/pavage/pavage/job/sequence"
	"github.com/pavage/pavage/tiling"
)

// Boxes has the pieces of a puzzle, and the sizes of the boxes that they tile.
type Boxes struct {
	Puzzle  Puzzle `json:"puzzle" doc:"the puzzle for the pieces, and whether cells may stay empty; the size of the board is ignored, and pieces can be given without a board"`
	Layers  string `json:"layers,omitempty" flag:"RANGE" doc:"range of layers, A..B or one number; it may begin with 0; solid boards only"`
	Rows    string `json:"rows,omitempty" flag:"RANGE" doc:"range of rows, A..B or one number; it may begin with 0"`
	Columns string `json:"columns,omitempty" flag:"RANGE" doc:"range of columns, A..B or one number; it may begin with 0"`
}

func (b *Boxes) sides() (sides [3]sequence.Range, err error) {
	for axis, text := range [3]string{b.Layers, b.Rows, b.Columns} {
		if text == "" {
			continue
		}
		if sides[axis], err = sequence.ParseRange(text); err != nil {
			return sides, bad("{"+sequence.SideNames[axis]+"} is %.40q, %w", text, err)
		}
	}
	return sides, nil
}

func (b *Boxes) check() error {
	if _, err := b.sides(); err != nil {
		return err
	}
	if err := b.Puzzle.whole(); err != nil {
		return err
	}
	if p := b.puzzle(); len(p.Pieces) == 0 && !p.hasFile() && p.Example == "" {
		return bad("no pieces given, expected a puzzle, or at least one piece, such as {pieces} domino=any")
	}
	return nil
}

func (b *Boxes) puzzle() *Puzzle {
	p := *b.Puzzle.inside()
	switch {
	case p.Board != "" || p.hasFile() || p.Example != "":
	case b.Layers != "":
		p.Board = "1x1x1"
	default:
		p.Board = "1x1"
	}
	return &p
}

func (b *Boxes) family() (*tiling.Family, error) {
	p, err := b.puzzle().Read()
	if err != nil {
		return nil, err
	}
	f, err := tiling.NewFamily(p)
	if err != nil {
		var e *tiling.Error
		if errors.As(err, &e) && e.Name == "" {
			e.Name = b.puzzle().called()
		}
		return nil, err
	}
	switch flat := f.Lattice.Dimensions() == 2; {
	case flat && b.Layers != "":
		return nil, bad("{layers} given, but the puzzle has a flat board: expected only {rows} and {columns}")
	case !flat && b.Layers == "":
		return nil, bad("no {layers} given, but the puzzle has a solid board: expected {layers}, {rows} and {columns}")
	}
	return f, nil
}

// command returns the equivalent command line, without default values.
func (b *Boxes) command() string {
	text := "pavage sequence"
	p := &b.Puzzle
	switch {
	case p.Example != "":
		text += " " + ExamplePrefix + p.Example
	case p.hasFile():
		name := p.Name
		if name == "" || strings.ContainsAny(name, " \t\n") {
			name = fmt.Sprintf("%q", name)
		}
		text += " " + name
	}
	if p.From != "" {
		text += " --from " + p.From
	}
	if p.Problem != "" {
		text += fmt.Sprintf(" --problem %q", p.Problem)
	}
	lattice, motions := tiling.Square, tiling.Free // defaults
	if b.Layers != "" {
		lattice, motions = tiling.Cube, tiling.OneSided
	}
	if p.Lattice != "" && p.Lattice != lattice.String() {
		text += " --lattice " + p.Lattice
	}
	for _, piece := range p.Pieces {
		text += " --piece " + piece
	}
	if p.Cover != "" && p.Cover != "exact" {
		text += " --cover " + p.Cover
	}
	if p.Motions != "" && p.Motions != motions.String() {
		text += " --motions " + p.Motions
	}
	sides, _ := b.sides()
	for axis, s := range sides {
		if s.Given() {
			text += fmt.Sprintf(" --%s %v", sequence.SideNames[axis], s)
		}
	}
	return text
}

// digest returns a comment with a digest of the puzzle, by which Open detects other tables.
func (b *Boxes) digest() string {
	in := b.Puzzle.inside()
	if !in.hasFile() {
		return ""
	}
	return fmt.Sprintf(" # puzzle %.4x", sha256.Sum256(in.bytes()))
}

// Sequence asks for the counts of boards of many sizes.
type Sequence struct {
	Boxes
	Conditions
	Diagonal bool            `json:"diagonal,omitempty" flag:"" doc:"only square boards (or cubes)"`
	Distinct Distinct        `json:"distinct,omitempty" flag:"" alone:"usual" doc:"count also up to the symmetries of each board: usual (of solid boards only rotations), rotations or all"`
	PerCell  bool            `json:"per_cell,omitempty" flag:"" doc:"also give ln(count)/cells: the natural logarithm of each count, divided by the number of cells"`
	Engine   string          `json:"engine,omitempty" words:"auto sweep search diagram dimer" doc:"the engine for boards that are counted one by one: auto, sweep, search, diagram or dimer, which counts all boards one by one; auto by default"`
	Format   sequence.Format `json:"format,omitempty" doc:"text, csv, json or bfile, which also determines the order of the sizes; json by default"`
	// Known has the first values, which are not counted again.
	Known []sequence.Value `json:"-"`
}

// Kind implements [Request].
func (*Sequence) Kind() Kind { return "sequence" }

func (r *Sequence) check() error {
	if err := r.Boxes.check(); err != nil {
		return err
	}
	const want = "} given, expected ranges A..B of rows and columns, or only one of the two ranges for a recurrence"
	switch {
	case r.Diagonal && (r.Rows == "" || r.Columns == ""):
		return bad("{diagonal} needs both {rows} and {columns}")
	case r.Rows == "":
		return bad("no {rows" + want)
	case r.Columns == "":
		return bad("no {columns" + want)
	}
	return nil
}

func (r *Sequence) keep(ctx context.Context, m *tiling.Model) (*tiling.Model, error) {
	bounds, err := r.Conditions.read(m)
	var wrong *misuse
	if errors.As(err, &wrong) {
		b := m.Puzzle.Board
		return nil, bad(wrong.format+" (board %s)",
			append(slices.Clone(wrong.args), b.Lattice.SizeName(b.Size))...)
	}
	if err != nil {
		return nil, err
	}
	return m.WithBounds(ctx, bounds)
}

// Table returns the table of the request. A sequence.Writer writes it.
func (r *Sequence) Table(ctx context.Context) (*sequence.Table, error) {
	if err := Validate(r); err != nil {
		return nil, err
	}
	f, err := interrupt.Await(ctx, r.family)
	if err != nil {
		return nil, err
	}
	sides, _ := r.sides() // Validate has returned any error
	s := sequence.Spec{Family: f, Sides: sides, Diagonal: r.Diagonal, Engine: count.Engine(r.Engine), Format: r.Format, Command: r.command()}
	if s.Format == "" {
		s.Format = sequence.JSON
	}
	s.PerCell = r.PerCell
	if r.PerCell {
		s.Command += " --per-cell"
	}
	if r.Diagonal {
		s.Command += " --diagonal"
	}
	if r.Distinct != "" {
		s.Distinct, s.Reflections = true, r.Distinct.reflections(f.Lattice)
		s.Command += " --distinct"
		if r.Distinct != DistinctUsual {
			s.Command += "=" + string(r.Distinct)
		}
	}
	if !r.Conditions.IsEmpty() {
		s.Conditions, s.Kept = r.keep, r.Conditions.spelt()
		s.Command += r.Conditions.flags()
	}
	s.Command += r.digest()
	return sequence.New(s)
}

// shared is false if the request has known values, since the key does not have them.
func (r *Sequence) shared() bool { return len(r.Known) == 0 }

func (r *Sequence) do(ctx context.Context, w *work) (*Sequenced, error) {
	t, err := r.Table(ctx)
	if err != nil {
		return nil, err
	}
	answer := &Sequenced{Command: t.Command, Values: make([]SequenceValue, 0, t.Sizes())}
	for i, v := range r.Known {
		answer.add(t, i, v)
	}
	var last sequence.Value
	err = t.Count(ctx, r.Known, func(i int, v sequence.Value, row bool) error {
		answer.add(t, i, v)
		last = v
		if w.watch.Values == nil {
			return nil
		}
		return w.watch.Values(i, v, row)
	}, w.options(Counting))
	if err == nil {
		w.note(Detail, "counted", "values", len(answer.Values), "read", len(r.Known))
	}
	if err == nil && last.Count != nil && last.Count.Sign() == 0 && !t.Family.Unbounded() {
		w.reasonsForLast(ctx, t)
	}
	return answer, err
}

// reasonsForLast sends remarks with reasons why the last board of t has no tiling. For example, a
// domino without =any is a single domino, which covers no larger board. The table is done, so an
// error only means that there are no reasons.
func (w *work) reasonsForLast(ctx context.Context, t *sequence.Table) {
	size := t.Size(t.Sizes() - 1)
	p, err := t.Family.Puzzle(size)
	if err != nil {
		return
	}
	for _, o := range reasonsFor(ctx, p) {
		w.note(Remark, t.Family.SizeName(size)+": "+o.Text)
	}
}

// Sequenced is the answer to [Sequence]. With an error it has the values counted so far.
type Sequenced struct {
	Command string          `json:"command"`
	Values  []SequenceValue `json:"values"`
}

// SequenceValue is the count of one board.
type SequenceValue struct {
	Layers   int    `json:"layers,omitempty" doc:"the layers of a solid board"`
	Rows     int    `json:"rows"`
	Columns  int    `json:"columns"`
	Count    string `json:"count,omitempty" doc:"absent if the value was read from a file without this count"`
	Distinct string `json:"distinct,omitempty"`
	PerCell  string `json:"per_cell,omitempty" doc:"the natural logarithm of the count, divided by the number of cells, to 20 digits after the decimal point, all of them correct; absent where the count is 0"`
}

func (s *Sequenced) add(t *sequence.Table, i int, v sequence.Value) {
	size := t.Size(i)
	value := SequenceValue{Rows: size[1], Columns: size[2]}
	if !t.Flat() {
		value.Layers = size[0]
	}
	if v.Count != nil {
		value.Count = v.Count.String()
	}
	if v.Distinct != nil {
		value.Distinct = v.Distinct.String()
	}
	value.PerCell = t.Logarithm(i, v)
	s.Values = append(s.Values, value)
}

// Recurrence asks for a linear recurrence of the counts of boxes with heights 0, 1, 2, … and the
// same other sides. With Height, it asks for the count of this height.
type Recurrence struct {
	Boxes
	Terms  int    `json:"terms,omitempty" flag:"N" doc:"count at most this number of heights to find a recurrence and to prove it, 2 to 100000; 8192 by default"`
	Height *Whole `json:"height,omitempty" flag:"N" doc:"count the board of this height by the recurrence, for boards of one width: 0 to 1000000, or 0 to 10^18 modulo a number"`
	Modulo *Whole `json:"modulo,omitempty" flag:"M" doc:"count the board of this height only modulo this number, 1 to 2^63"`
}

// Kind implements [Request].
func (*Recurrence) Kind() Kind { return "recurrence" }

func (r *Recurrence) check() error {
	switch {
	case r.Modulo != nil && r.Height == nil:
		return bad("{modulo} is given without {height}, expected both")
	case r.Modulo != nil && (*r.Modulo < 1 || *r.Modulo > recurrence.MaxModulus):
		return bad("{modulo} is %d, expected 1 to %d", *r.Modulo, uint64(recurrence.MaxModulus))
	case r.Modulo != nil && *r.Height > sequence.MaxFarHeight:
		return bad("{height} is %d, expected at most %d", *r.Height, sequence.MaxFarHeight)
	case r.Height != nil && r.Modulo == nil && *r.Height > sequence.MaxHeight:
		return bad("{height} is %d, but without {modulo} the height is at most %d", *r.Height, sequence.MaxHeight)
	case r.Terms != 0 && (r.Terms < 2 || r.Terms > sequence.MaxTerms):
		return bad("{terms} is %d, expected 2 to %d", r.Terms, sequence.MaxTerms)
	}
	return r.Boxes.check()
}

func (r *Recurrence) do(ctx context.Context, w *work) (*Recurred, error) {
	f, err := interrupt.Await(ctx, r.family)
	if err != nil {
		return nil, err
	}
	sides, _ := r.sides() // Validate has returned any error
	h := &sequence.Heights{Family: f, Sides: sides, Terms: r.Terms, Height: (*uint64)(r.Height), Command: r.command() + " --recurrence" + r.digest()}
	if h.Terms == 0 {
		h.Terms = sequence.UsualTerms
	}
	found, err := h.Find(ctx, w.options(Counting))
	if err != nil {
		return nil, err
	}
	w.note(Detail, "found", "terms", found.Terms(), "states", found.States(), "proved", found.Proved())
	a, certain := &Recurred{}, true
	if r.Height == nil {
		if a.Object, err = found.Object(); err == nil {
			a.Text, err = found.Text()
		}
	} else {
		var modulo Whole // 0 if there is none
		if r.Modulo != nil {
			modulo = *r.Modulo
		}
		var n *big.Int
		if n, certain, err = found.Term(ctx, uint64(modulo), w.limits.Memory); err == nil {
			a.Height = &Height{Height: *r.Height, Modulo: r.Modulo, Count: n.String(), Certain: certain}
		}
	}
	if err != nil {
		return nil, err
	}
	if !certain {
		w.note(Remark, "not proved: "+found.Established())
	}
	return a, nil
}

// Recurred is the answer to [Recurrence]: the recurrence, or the count of the requested height.
type Recurred struct {
	*sequence.Object
	Height *Height `json:"height,omitempty"`

	Text string `json:"-"` // result of sequence.Found.Text
}

// Height is the count of one height.
type Height struct {
	Height  Whole  `json:"height"`
	Modulo  *Whole `json:"modulo,omitempty"`
	Count   string `json:"count"`
	Certain bool   `json:"certain" doc:"false if it is computed by a recurrence that is not proved"`
}

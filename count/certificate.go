package count

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/big"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/engine/sweep"
	"github.com/pavage/pavage/internal/kit/interrupt"
)

var (
	// ErrNoCertificate is wrapped when there are no levels to certify: the engine
	// has none.
	ErrNoCertificate = errors.New("no certificate")
	// ErrDisagrees is wrapped when two ways to one number come to different ones.
	ErrDisagrees = errors.New("counts disagree")
)

// Certify counts by a sweep that drops no state, and writes all its levels with
// the arcs between them: a certificate, see doc/certificate.md, from which a
// program that knows nothing of this one sees that the count is right. Where some
// item cannot be used as often as it has to be, the certificate says which, and
// that the count is 0.
//
//	level i, level i+1 ──► keys, counts ─┐
//	arcs of step i     ──► children    ──┴─► numbers ─► SHA-256 and zstd ─► w
//
// The engine is Auto or Sweep, and the result that of the certified sweep, or
// Diagram: then the diagram is built and counted too, the levels go in its
// order, and the two counts must be equal, or the error wraps ErrDisagrees.
// Two levels are kept in memory, or on disk as those of a count; the arcs of a step
// are found between them. Errors are those of Count and of w, or wrap
// ErrNoCertificate; what is written is of no use then.
func Certify(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := certifies(e); err != nil {
		return nil, err
	}
	return certifyValid(ctx, p, w, e, o)
}

// certifies is the error of an engine that writes no certificates.
func certifies(e Engine) error {
	switch e {
	case "", Auto, Sweep, Diagram:
		return nil
	case Search:
		return fmt.Errorf("%w of a search, which keeps no states: want the engine %s or %s", ErrNoCertificate, Sweep, Diagram)
	}
	return fmt.Errorf("%w %q, want one of %q", ErrEngine, e, Engines())
}

// certifyValid is Certify of a problem as countValid has it, by an engine that can.
func certifyValid(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	if e == Diagram {
		return certifyDiagram(ctx, p, w, o)
	}
	return certify(ctx, p, w, o, false)
}

func certifyDiagram(ctx context.Context, p *cover.Problem, w io.Writer, o Options) (*Result, error) {
	all := newWork(o.Progress)
	o.Progress = all.part(0.5, Progress{})
	c, err := compileValid(ctx, p, o)
	if err != nil {
		return nil, err
	}
	o.Progress = all.part(1, Progress{})
	swept, err := certify(ctx, p, w, o, true)
	if err != nil {
		return nil, err
	}
	r := c.Result
	if err := sameCount(r.Count, swept.Count); err != nil {
		return nil, err
	}
	r.Bytes = max(r.Bytes, swept.Bytes)
	return &r, nil
}

func sameCount(diagram, levels *big.Int) error {
	if diagram.Cmp(levels) != 0 {
		return fmt.Errorf("%w: the diagram has %v solutions, its levels have %v",
			ErrDisagrees, diagram, levels)
	}
	return nil
}

func certify(ctx context.Context, p *cover.Problem, w io.Writer, o Options, inFirstOrder bool) (*Result, error) {
	a, err := compile(ctx, p, inFirstOrder)
	if err != nil {
		return nil, err
	}
	if !a.Feasible {
		return certifyUnmet(ctx, p, w, Sweep)
	}
	magic := certificateMagic
	if p.Coloured() {
		magic = colouredMagic
	}
	to, err := newNumbers(w, magic)
	if err != nil {
		return nil, err
	}
	s := &sweeper{automaton: a, meter: newMeter(foreseen(a), o.Progress)}
	config := s.config(o)
	config.Keep, config.Whole = sweep.KeepLevel, true
	s.run = sweep.Start(a, config)
	c := &certificate{sweeper: s, numbers: to, ctx: ctx, problem: p, layout: a.Layout()}
	if err := c.write(ctx); err != nil {
		_ = to.zstd.Close() // which may fail like what came before
		return nil, err
	}
	r := s.result()
	r.Count = c.count
	return r, to.close()
}

// certificate is one under way.
type certificate struct {
	*sweeper
	*numbers
	ctx     context.Context
	problem *cover.Problem
	layout  automaton.Layout
	count   *big.Int
}

// write writes the body up to its checksum.
func (c *certificate) write(ctx context.Context) error {
	c.head()
	if err := c.level(); err != nil {
		return err
	}
	for i := range c.layout.Steps {
		if err := c.step(ctx, i); err != nil {
			return err
		}
	}
	return c.total()
}

// step writes the level behind a step, and the children in it.
func (c *certificate) step(ctx context.Context, i int) error {
	if c.run.States() == 0 {
		return c.level() // empty as well, and nobody's child
	}
	if _, err := c.run.Step(ctx); err != nil {
		return err
	}
	c.meter.next(c.states())
	if err := c.level(); err != nil {
		return err
	}
	return c.children(ctx, i)
}

// head writes what stands before the levels.
func (c *certificate) head() {
	digest := Digest(c.problem)
	c.raw(digest[:])
	c.number(uint64(c.layout.Window))
	c.number(uint64(len(c.layout.Counters)))
	for _, f := range c.layout.Counters {
		kind := uint64(0)
		if f.Saturating {
			kind = 1
		}
		c.number(uint64(f.Item), kind, uint64(f.At), uint64(f.Width))
	}
	c.number(uint64(len(c.layout.Steps)))
	for _, d := range c.layout.Steps {
		if d.Item >= 0 {
			c.number(2 * uint64(d.Item))
		} else {
			c.number(2*uint64(d.Option) + 1)
		}
	}
}

// Digest tells covers apart: see doc/certificate.md. Names of items and hints are not in it.
func Digest(p *cover.Problem) [sha256.Size]byte {
	coloured := p.Coloured()
	n := &numbers{sum: sha256.New()}
	n.to = bufio.NewWriter(n.sum)
	n.number(uint64(len(p.Items)))
	for _, it := range p.Items {
		n.number(uint64(it.Min), uint64(it.Max))
	}
	n.number(uint64(len(p.Options)))
	for _, o := range p.Options {
		n.number(uint64(len(o)))
		for _, u := range o {
			n.number(uint64(u.Item), uint64(u.Times))
			if coloured {
				n.number(uint64(u.Colour))
			}
		}
	}
	_ = n.to.Flush() // a hash takes everything
	return [sha256.Size]byte(n.sum.Sum(nil))
}

// level writes the present level.
func (c *certificate) level() error {
	c.number(uint64(c.run.States()))
	var last automaton.State
	c.each(func(s automaton.State, _ []uint64) {
		rise := s.Sub(last)
		c.large(rise[:])
		last = s
	})
	c.each(func(_ automaton.State, ways []uint64) { c.large(ways) })
	return c.err
}

func (c *certificate) each(do func(automaton.State, []uint64)) {
	n := 0
	err := c.run.EachState(func(s automaton.State, ways []uint64) error {
		if do(s, ways); c.err == nil && n&(1<<14-1) == 1<<14-1 {
			c.err = c.ctx.Err()
		}
		n++
		return c.err
	})
	c.err = cmp.Or(c.err, err)
}

// children writes those of step i. They are by state, and those of a state as
// the form wants its choices: options by index, nothing last.
func (c *certificate) children(ctx context.Context, i int) error {
	from, to := c.automaton.StepVariables(i)
	last := make([]int64, to-from+1)
	return c.run.EachChild(ctx, func(v, child uint32) error {
		choice := to - from
		if v != automaton.Skip {
			choice = int(v) - from
		}
		c.difference(int64(child) - last[choice])
		last[choice] = int64(child)
		return c.err
	})
}

// total sums up the states of the last level that keep every min, and writes
// the sum.
func (c *certificate) total() error {
	c.count = new(big.Int)
	c.each(func(s automaton.State, ways []uint64) {
		for _, f := range c.layout.Counters {
			if s.Uses(f) < c.problem.Items[f.Item].Min {
				return
			}
		}
		c.count.Add(c.count, limb.Int(ways))
	})
	c.large(words(c.count))
	return c.err
}

// words are those of a number, the lowest first.
func words(n *big.Int) []uint64 { return limb.Of(n, n.BitLen()/64+1) }

// numbers writes bytes and numbers in base 128. After the first error it writes
// no more.
type numbers struct {
	to    *bufio.Writer // to sum and zstd
	sum   hash.Hash
	zstd  *zstd.Encoder // nil where only the sum is wanted
	buf   []byte
	words []uint64 // of large
	err   error
}

// What a certificate begins with: format and version.
const (
	certificateMagic = "pavage certificate 1\n"
	unmetMagic       = "pavage certificate 2\n" // a bound that cannot be met
	colouredMagic    = "pavage certificate 3\n" // of covers with colours
	distinctMagic    = "pavage certificate 4\n" // of counts up to symmetry
)

func newNumbers(w io.Writer, magic string) (*numbers, error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	n := &numbers{sum: sha256.New(), zstd: z}
	n.to = bufio.NewWriterSize(io.MultiWriter(n.sum, z), 1<<16)
	return n, nil
}

func (n *numbers) raw(b []byte) {
	if n.err == nil {
		_, n.err = n.to.Write(b)
	}
}

func (n *numbers) number(all ...uint64) {
	n.buf = n.buf[:0]
	for _, x := range all {
		n.buf = binary.AppendUvarint(n.buf, x)
	}
	n.raw(n.buf)
}

// difference writes an integer, small ones of either sign as small numbers.
func (n *numbers) difference(d int64) {
	n.buf = binary.AppendVarint(n.buf[:0], d)
	n.raw(n.buf)
}

// large writes a number of several words, the lowest first.
func (n *numbers) large(words []uint64) {
	n.words = append(n.words[:0], words...)
	n.buf = n.buf[:0]
	for w := trimmed(n.words); ; w = trimmed(w) {
		if len(w) == 1 {
			n.raw(binary.AppendUvarint(n.buf, w[0]))
			return
		}
		const digit = 7
		n.buf = append(n.buf, byte(w[0])|1<<digit)
		for i := range w {
			w[i] >>= digit
			if i+1 < len(w) {
				w[i] |= w[i+1] << (64 - digit)
			}
		}
	}
}

// trimmed is a number without the zeros at its high end.
func trimmed(words []uint64) []uint64 {
	n := len(words)
	for n > 1 && words[n-1] == 0 {
		n--
	}
	return words[:n]
}

// close writes the checksum, and what is still on its way.
func (n *numbers) close() error {
	if n.err == nil {
		n.err = n.to.Flush()
	}
	n.raw(n.sum.Sum(nil)) // to sum as well, which has done its work
	if n.err == nil {
		n.err = n.to.Flush()
	}
	if n.zstd == nil {
		return n.err
	}
	return cmp.Or(n.err, n.zstd.Close())
}

// certifyUnmet writes a certificate about a problem with an item whose min cannot be reached: that the count
// is 0, and for which item there are not enough options. No level is made.
func certifyUnmet(ctx context.Context, p *cover.Problem, w io.Writer, e Engine) (*Result, error) {
	u, err := findUnmet(ctx, p)
	if err != nil {
		return nil, err
	}
	to, err := newNumbers(w, unmetMagic)
	if err != nil {
		return nil, err
	}
	digest := Digest(p)
	to.raw(digest[:])
	to.number(uint64(u.item), uint64(len(u.shared)))
	for _, i := range u.shared {
		to.number(uint64(i))
	}
	to.number(0) // the count
	return &Result{Engine: e, Count: new(big.Int)}, to.close()
}

// unmet is an item whose min cannot be reached, and items with max 1 that tell why:
// options that use the same one of them exclude each other.
type unmet struct {
	item   int
	shared []int
}

// findUnmet finds such an item, with the items of each order as those that are
// shared out, or with none.
func findUnmet(ctx context.Context, p *cover.Problem) (*unmet, error) {
	orders, err := automaton.Orders(ctx, p)
	if err != nil {
		return nil, err
	}
	coloured := p.ColouredItems() // several options may use such an item
	for _, order := range append([][]int{nil}, orders...) {
		shared := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return coloured[i] || p.Items[i].Max != 1 })
		item, err := unmetItem(ctx, p, shared)
		if err != nil {
			return nil, err
		}
		if item >= 0 {
			return &unmet{item, shared}, nil
		}
	}
	return nil, fmt.Errorf("%w: the count is 0, for the bounds of some item cannot be met whatever is chosen", ErrNoCertificate)
}

// unmetItem is the first item, not one of those shared, whose min is more than the
// options can reach; -1 if there is none. doc/certificate.md says why that is so.
func unmetItem(ctx context.Context, p *cover.Problem, shared []int) (int, error) {
	isShared := make([]bool, len(p.Items))
	for _, i := range shared {
		isShared[i] = true
	}
	looks := interrupt.Context(ctx)
	total, lone := make([]int64, len(p.Items)), make([]int64, len(p.Items))
	each := func(do func(u cover.Use, size int64)) error {
		for _, o := range p.Options {
			if err := looks.Work(len(o)); err != nil {
				return err
			}
			if size, possible := sharedBy(p, o, isShared); possible {
				for _, u := range o {
					do(u, size)
				}
			}
		}
		return nil
	}
	if err := each(func(u cover.Use, size int64) {
		total[u.Item] += int64(u.Times)
		if size == 0 {
			lone[u.Item]++
		}
	}); err != nil {
		return -1, err
	}
	reached := make([]bool, len(p.Items)) // some option may be often enough in a solution
	if err := each(func(u cover.Use, size int64) {
		n := int64(len(shared)) + lone[u.Item]
		reached[u.Item] = reached[u.Item] || int64(u.Times)*n >= int64(p.Items[u.Item].Min)*max(1, size)
	}); err != nil {
		return -1, err
	}
	for i, it := range p.Items {
		if least := int64(it.Min); !isShared[i] && least > 0 && (total[i] < least || !reached[i]) {
			return i, nil
		}
	}
	return -1, nil
}

// sharedBy is how many of the shared items an option uses, and whether it is
// possible.
func sharedBy(p *cover.Problem, o cover.Option, isShared []bool) (size int64, possible bool) {
	for _, u := range o {
		if int(u.Times) > p.Items[u.Item].Max {
			return 0, false
		}
		if isShared[u.Item] {
			size++
		}
	}
	return size, true
}

// A certificate of a count up to symmetry has the whole certificate of each quotient
// that the mean is made of, one behind the other:
//
//	cover, order of the group
//	  class 1: elements, the least of them, certificate, its count    the identity
//	  class 2: …
//	number of classes of solutions, SHA-256

// pieceBytes are those of a piece of a certificate within another, but for the last.
const pieceBytes = 1 << 16

// CertifyDistinct is [Distinct] with a certificate: of all solutions, and of those that an
// element of each class fixes. The element is the least of its class; Class.Elements begin
// with it. Engines and errors are those of [Certify] and Distinct; Memory holds for each.
func CertifyDistinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, w io.Writer, e Engine, o Options) (*DistinctResult, error) {
	if err := certifies(e); err != nil {
		return nil, err
	}
	sorted, index := sortedGroup(group)
	d := &distinctCertificate{problem: p, group: sorted, engine: e, file: w, mean: burnside{group: len(group)}}
	err := eachClass(ctx, p, sorted, o, func(elements []int, q *cover.Quotient, o Options) error {
		fixed, err := d.class(ctx, elements, q, o)
		if err != nil {
			return err
		}
		given := make([]int, len(elements)) // indices in the group as it was given
		for i, k := range elements {
			given[i] = index[k]
		}
		d.result.Classes = append(d.result.Classes, Class{given, fixed})
		return nil
	})
	if err != nil {
		return nil, err
	}
	d.result.Total = d.result.Classes[0].Fixed
	if d.result.Count, err = d.mean.classes(); err != nil {
		return nil, err
	}
	d.large(words(d.result.Count))
	return &d.result, d.close()
}

// sortedGroup has the elements of a group by their images, so the identity first, and the
// index that each had.
func sortedGroup(group []cover.Symmetry) (sorted []cover.Symmetry, index []int) {
	for k := range group {
		index = append(index, k)
	}
	slices.SortFunc(index, func(a, b int) int { return slices.Compare(group[a], group[b]) })
	for _, k := range index {
		sorted = append(sorted, group[k])
	}
	return sorted, index
}

// distinctCertificate is one under way.
type distinctCertificate struct {
	*numbers // nil before the first class: until then the group may be none
	problem  *cover.Problem
	group    []cover.Symmetry
	engine   Engine
	file     io.Writer
	mean     burnside
	result   DistinctResult
}

// class writes what there is of a class of elements.
func (d *distinctCertificate) class(ctx context.Context, elements []int, q *cover.Quotient, o Options) (*Result, error) {
	if err := d.begin(); err != nil {
		return nil, err
	}
	d.number(uint64(len(elements)))
	for _, to := range d.group[elements[0]] {
		d.number(uint64(to))
	}
	file := &pieces{to: d.numbers}
	fixed, err := certifyValid(ctx, q.Problem, file, d.engine, o)
	if err != nil {
		return nil, err
	}
	file.piece()
	d.mean.add(len(elements), fixed.Count)
	d.large(words(fixed.Count))
	return fixed, d.err
}

// begin writes what stands before the classes.
func (d *distinctCertificate) begin() error {
	if d.numbers != nil {
		return nil
	}
	if _, err := io.WriteString(d.file, distinctMagic); err != nil {
		return err
	}
	d.numbers = &numbers{sum: sha256.New()}
	d.to = bufio.NewWriterSize(io.MultiWriter(d.sum, d.file), 1<<16)
	digest := Digest(d.problem)
	d.raw(digest[:])
	d.number(uint64(len(d.group)))
	return d.err
}

// pieces writes a certificate within another, in pieces: their lengths, and their bytes.
type pieces struct {
	to  *numbers
	buf []byte
}

func (p *pieces) Write(b []byte) (int, error) {
	n := len(b)
	for len(p.buf)+len(b) >= pieceBytes {
		some := pieceBytes - len(p.buf)
		p.buf = append(p.buf, b[:some]...)
		b = b[some:]
		p.piece()
	}
	p.buf = append(p.buf, b...)
	return n, p.to.err
}

// piece writes what there is. The last piece is shorter than the others, perhaps empty.
func (p *pieces) piece() {
	p.to.number(uint64(len(p.buf)))
	p.to.raw(p.buf)
	p.buf = p.buf[:0]
}

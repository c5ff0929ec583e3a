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
	// ErrNoCertificate is wrapped when the engine keeps no levels: Search and Dimer.
	ErrNoCertificate = errors.New("no certificate")
	// ErrDisagrees is wrapped when the count of the diagram and the count of the levels differ.
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
	case Search, Dimer:
		return fmt.Errorf("%w of the engine %s, which keeps no states: want the engine %s or %s", ErrNoCertificate, e, Sweep, Diagram)
	}
	return fmt.Errorf("%w %q, want one of %q", errEngine, e, Engines())
}

// certifyValid is Certify of a problem as countValid has it, by an engine that can.
func certifyValid(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	if e != Diagram {
		return certify(ctx, p, w, o, false)
	}
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
	r.Bytes = max(r.Bytes, swept.Bytes)
	return &r, sameCount(r.Count, swept.Count)
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
	c.head()
	c.level()
	for i := range c.layout.Steps {
		if c.run.States() == 0 {
			c.level() // empty as well, and nobody's child
			continue
		}
		if c.err == nil {
			_, c.err = c.run.Step(ctx)
		}
		if c.err != nil {
			break
		}
		c.meter.next(c.states())
		c.level()
		c.children(i)
	}
	total := c.total()
	if c.err != nil {
		_ = to.zstd.Close() // which may fail like what came before
		return nil, c.err
	}
	r := s.result()
	r.Count = total
	return r, to.close()
}

// certificate is one under way. After the first error it writes no more.
type certificate struct {
	*sweeper
	*numbers
	ctx     context.Context
	problem *cover.Problem
	layout  automaton.Layout
}

// head writes what stands before the levels.
func (c *certificate) head() {
	c.digest(c.problem)
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

// level writes the present level.
func (c *certificate) level() {
	c.number(uint64(c.run.States()))
	var last automaton.State
	c.each(func(s automaton.State, _ []uint64) {
		rise := s.Sub(last)
		c.large(rise[:])
		last = s
	})
	c.each(func(_ automaton.State, ways []uint64) { c.large(ways) })
}

// each calls do with every state of the present level.
func (c *certificate) each(do func(automaton.State, []uint64)) {
	if c.err != nil {
		return
	}
	n := 0
	c.err = c.run.EachState(func(s automaton.State, ways []uint64) error {
		if do(s, ways); c.err == nil && n&(1<<14-1) == 1<<14-1 {
			c.err = c.ctx.Err()
		}
		n++
		return c.err
	})
}

// children writes those of step i. They are by state, and those of a state as
// the form wants its choices: options by index, nothing last.
func (c *certificate) children(i int) {
	if c.err != nil {
		return
	}
	from, to := c.automaton.StepVariables(i)
	last := make([]int64, to-from+1)
	c.err = c.run.EachChild(c.ctx, func(v, child uint32) error {
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
func (c *certificate) total() *big.Int {
	total := new(big.Int)
	c.each(func(s automaton.State, ways []uint64) {
		for _, f := range c.layout.Counters {
			if s.Uses(f) < c.problem.Items[f.Item].Min {
				return
			}
		}
		total.Add(total, limb.Int(ways))
	})
	c.count(total)
	return total
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

// numbers writes bytes and numbers in base 128. After the first error it writes
// no more.
type numbers struct {
	to    *bufio.Writer // to sum and zstd
	sum   hash.Hash
	zstd  *zstd.Encoder // nil where nothing is packed
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

// newNumbers begins a file. That of a count up to symmetry is not packed, for the certificates
// in it are.
func newNumbers(w io.Writer, magic string) (n *numbers, err error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	n = &numbers{sum: sha256.New()}
	if magic != distinctMagic {
		if n.zstd, err = zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)); err != nil {
			return nil, err
		}
		w = n.zstd
	}
	n.to = bufio.NewWriterSize(io.MultiWriter(n.sum, w), 1<<16)
	return n, nil
}

func (n *numbers) digest(p *cover.Problem) {
	digest := Digest(p)
	n.raw(digest[:])
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

// count writes a number of solutions.
func (n *numbers) count(x *big.Int) { n.large(limb.Of(x, x.BitLen()/64+1)) }

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
	item, shared, err := findUnmet(ctx, p)
	if err != nil {
		return nil, err
	}
	to, err := newNumbers(w, unmetMagic)
	if err != nil {
		return nil, err
	}
	to.digest(p)
	to.number(uint64(item), uint64(len(shared)))
	for _, i := range shared {
		to.number(uint64(i))
	}
	to.number(0) // the count
	return &Result{Engine: e, Count: new(big.Int)}, to.close()
}

// findUnmet finds an item whose min cannot be reached, and items with max 1 that tell why:
// options that use the same one of them exclude each other. These are all such items of an
// order, or none.
func findUnmet(ctx context.Context, p *cover.Problem) (item int, shared []int, err error) {
	orders, err := automaton.Orders(ctx, p)
	if err != nil {
		return -1, nil, err
	}
	coloured := p.ColouredItems() // several options may use such an item
	for _, order := range append([][]int{nil}, orders...) {
		shared = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return coloured[i] || p.Items[i].Max != 1 })
		if item, err = unmetItem(ctx, p, shared); err != nil || item >= 0 {
			return item, shared, err
		}
	}
	return -1, nil, fmt.Errorf("%w: the count is 0, for the bounds of some item cannot be met whatever is chosen", ErrNoCertificate)
}

// unmetItem is the first item, not one of those shared, whose min is more than the
// options can reach; -1 if there is none. doc/certificate.md says why that is so.
func unmetItem(ctx context.Context, p *cover.Problem, shared []int) (int, error) {
	isShared := make([]bool, len(p.Items))
	for _, i := range shared {
		isShared[i] = true
	}
	type uses struct {
		total, lone int64 // of all options, and options that share nothing
		most, size  int64 // times of the option that is used most for its size
	}
	all := slices.Repeat([]uses{{size: 1}}, len(p.Items))
	looks := interrupt.Context(ctx)
	for _, o := range p.Options {
		if err := looks.Work(len(o)); err != nil {
			return -1, err
		}
		if slices.ContainsFunc(o, func(u cover.Use) bool { return int(u.Times) > p.Items[u.Item].Max }) {
			continue
		}
		size, lone := int64(0), int64(0)
		for _, u := range o {
			if isShared[u.Item] {
				size++
			}
		}
		if size == 0 {
			size, lone = 1, 1
		}
		for _, u := range o {
			x, times := &all[u.Item], int64(u.Times)
			x.total, x.lone = x.total+times, x.lone+lone
			if times*x.size > x.most*size {
				x.most, x.size = times, size
			}
		}
	}
	for i, x := range all {
		least := int64(p.Items[i].Min)
		few := x.most*(int64(len(shared))+x.lone) < least*x.size
		if !isShared[i] && least > 0 && (x.total < least || few) {
			return i, nil
		}
	}
	return -1, nil
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
	var sorted []cover.Symmetry // by their images, so the identity first
	var index []int             // that each has in the group
	for k := range group {
		index = append(index, k)
	}
	slices.SortFunc(index, func(a, b int) int { return slices.Compare(group[a], group[b]) })
	for _, k := range index {
		sorted = append(sorted, group[k])
	}
	var to *numbers // nil before the first class: until then the group may be none
	r, mean := &DistinctResult{}, burnside{group: len(group)}
	err := eachClass(ctx, p, sorted, o, func(elements []int, q *cover.Quotient, o Options) (err error) {
		if to == nil {
			if to, err = newNumbers(w, distinctMagic); err != nil {
				return err
			}
			to.digest(p)
			to.number(uint64(len(group)))
		}
		to.number(uint64(len(elements)))
		for _, image := range sorted[elements[0]] {
			to.number(uint64(image))
		}
		file := &pieces{to: to}
		fixed, err := certifyValid(ctx, q.Problem, file, e, o)
		if err != nil {
			return err
		}
		file.piece()
		to.count(fixed.Count)
		mean.add(len(elements), fixed.Count)
		var given []int
		for _, k := range elements {
			given = append(given, index[k])
		}
		r.Classes = append(r.Classes, Class{given, fixed})
		return to.err
	})
	if err != nil {
		return nil, err
	}
	r.Total = r.Classes[0].Fixed
	if r.Count, err = mean.classes(); err != nil {
		return nil, err
	}
	to.count(r.Count)
	return r, to.close()
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

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
	"github.com/pavage/pavage/internal/kit/wording"
)

var (
	// ErrNoCertificate is wrapped for Search and Dimer, and if no item shows why the count is 0.
	ErrNoCertificate = errors.New("no certificate")
	// ErrDisagrees is wrapped when the counts of the diagram and of the sweep differ.
	ErrDisagrees = errors.New("counts disagree")
)

// Certify counts by a sweep that drops no state, and writes a certificate to w. The certificate has
// the levels and arcs of the sweep, from which an independent program can check the count. If the
// options cannot reach the Min of an item, the certificate instead names this item and has the
// count 0. The format is in doc/certificate.md.
//
//	level i, level i+1 ──► keys, counts ─┐
//	arcs of step i     ──► children    ──┴─► numbers ─► SHA-256 and zstd ─► w
//
// With Auto or Sweep, Certify returns the result of the certified sweep. With Diagram, it also
// builds a diagram, in the same order of items, and compares the two counts. The sweep keeps two
// levels, in memory or on disk. The error wraps ErrDisagrees or ErrNoCertificate, or is an error of
// Count or w. After an error the bytes in w are no certificate.
func Certify(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	if err := p.Check(ctx); err != nil {
		return nil, err
	}
	if err := certifies(e); err != nil {
		return nil, err
	}
	return certifyValid(ctx, p, w, e, o)
}

func certifies(e Engine) error {
	switch e {
	case "", Auto, Sweep, Diagram:
		return nil
	case Search, Dimer:
		return fmt.Errorf("%w of the engine %s, which keeps no states: expected the engine %s or %s", ErrNoCertificate, e, Sweep, Diagram)
	}
	return fmt.Errorf("%w %q, expected %s", errEngine, e, wording.List(Engines()))
}

func certifyValid(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	s, err := apart(ctx, p, Auto, true)
	if err != nil {
		return nil, err
	}
	if s == nil {
		return certifyPart(ctx, p, w, e, o)
	}
	return certifyParts(ctx, p, s, w, e, o)
}

func certifyPart(ctx context.Context, p *cover.Problem, w io.Writer, e Engine, o Options) (*Result, error) {
	if e != Diagram {
		return certify(ctx, p, w, o, false)
	}
	all := newWork(o.Progress)
	o.Progress = all.part(0.5, Progress{})
	c, err := compilePart(ctx, p, o)
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
		return fmt.Errorf("%w: the diagram has %v solutions, but its levels have %v solutions",
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
			c.level() // no state is left: write empty levels
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
		_ = to.zstd.Close() // the error of Close adds nothing to c.err
		return nil, c.err
	}
	r := s.result()
	r.Count = total
	return r, to.close()
}

type certificate struct {
	*sweeper
	*numbers
	ctx     context.Context
	problem *cover.Problem
	layout  automaton.Layout
}

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

// children writes the children of each state in step i: one child for each option that can be
// chosen, and then the child for the choice of no option.
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

// total writes and returns the sum of the counts of the states that reach the Min of every item.
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

// Digest returns the hash of a problem's bounds and options, without names and hints.
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
	_ = n.to.Flush() // writing to a hash never fails
	return [sha256.Size]byte(n.sum.Sum(nil))
}

// numbers writes the numbers of a certificate in base 128. After an error it writes nothing more.
type numbers struct {
	to    *bufio.Writer
	sum   hash.Hash
	zstd  *zstd.Encoder // nil if the file is not compressed
	buf   []byte
	words []uint64
	err   error
}

const (
	certificateMagic = "pavage certificate 1\n"
	unmetMagic       = "pavage certificate 2\n" // covers with a Min that cannot be reached
	colouredMagic    = "pavage certificate 3\n" // covers with colours
	distinctMagic    = "pavage certificate 4\n" // counts up to symmetry
	partsMagic       = "pavage certificate 5\n" // covers of several parts
)

// newNumbers writes magic to w. Later bytes are compressed, unless certificates are among them.
func newNumbers(w io.Writer, magic string) (n *numbers, err error) {
	if _, err := io.WriteString(w, magic); err != nil {
		return nil, err
	}
	n = &numbers{sum: sha256.New()}
	if magic != distinctMagic && magic != partsMagic {
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

func (n *numbers) difference(d int64) {
	n.buf = binary.AppendVarint(n.buf[:0], d)
	n.raw(n.buf)
}

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

func (n *numbers) count(x *big.Int) { n.large(limb.Of(x, x.BitLen()/64+1)) }

func trimmed(words []uint64) []uint64 {
	n := len(words)
	for n > 1 && words[n-1] == 0 {
		n--
	}
	return words[:n]
}

func (n *numbers) close() error {
	if n.err == nil {
		n.err = n.to.Flush()
	}
	n.raw(n.sum.Sum(nil)) // changes n.sum, which is not used afterwards
	if n.err == nil {
		n.err = n.to.Flush()
	}
	if n.zstd == nil {
		return n.err
	}
	return cmp.Or(n.err, n.zstd.Close())
}

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

// findUnmet returns an item whose Min cannot be reached, and the shared items that prove it. The
// list of shared items is empty, or has the items of one order that have Max 1 and no colour.
// Options with the same shared item exclude each other.
func findUnmet(ctx context.Context, p *cover.Problem) (item int, shared []int, err error) {
	orders, err := automaton.Orders(ctx, p)
	if err != nil {
		return -1, nil, err
	}
	coloured := p.ColouredItems() // several options of one solution may use a coloured item
	for _, order := range append([][]int{nil}, orders...) {
		shared = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return coloured[i] || p.Items[i].Max != 1 })
		if item, err = unmetItem(ctx, p, shared); err != nil || item >= 0 {
			return item, shared, err
		}
	}
	return -1, nil, fmt.Errorf("%w: the count is 0, because the bounds of some item cannot be met, whatever is chosen", ErrNoCertificate)
}

// unmetItem returns an item that is not shared and whose Min the options cannot reach, or -1.
func unmetItem(ctx context.Context, p *cover.Problem, shared []int) (int, error) {
	isShared := make([]bool, len(p.Items))
	for _, i := range shared {
		isShared[i] = true
	}
	type uses struct {
		total, lone int64 // uses by all options, and number of options without a shared item
		// most/size is the largest ratio for an option: its uses of the item, divided by the number
		// of its shared items, or by 1 if there are none.
		most, size int64
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

// A certificate of a count up to symmetry contains a certificate for each class of symmetries. It
// certifies the number of solutions that the least element of the class fixes:
//
//	cover, number of elements of the group
//	  class 1: its size, its least element, certificate, its count    class of the identity
//	  class 2: …
//	number of classes of solutions, SHA-256
//
// A certificate of several parts contains one certificate for each group of equal parts:
//
//	cover, steps of the simplification
//	  part 1: its items, its options, 0, certificate, its count  0: not equal to an earlier part
//	  part 2: its items, its options, 1                          1: equal to part 1
//	  …
//	count, SHA-256

const pieceBytes = 1 << 16

// CertifyDistinct is like [Distinct], and writes a certificate to w. For each class, it certifies
// the number of solutions that the least element, Class.Elements[0], fixes. Each count may use
// Options.Memory bytes. CertifyDistinct returns the errors of Certify and Distinct.
func CertifyDistinct(ctx context.Context, p *cover.Problem, group []cover.Symmetry, w io.Writer, e Engine, o Options) (*DistinctResult, error) {
	if err := certifies(e); err != nil {
		return nil, err
	}
	var sorted []cover.Symmetry // group, sorted by images of the items; the identity is first
	var index []int             // index[k] is the index in group of sorted[k]
	for k := range group {
		index = append(index, k)
	}
	slices.SortFunc(index, func(a, b int) int { return slices.Compare(group[a], group[b]) })
	for _, k := range index {
		sorted = append(sorted, group[k])
	}
	var to *numbers // nil until the group is checked
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

// pieces writes a certificate inside another, in pieces. Each piece begins with its length.
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

// piece writes the buffer as a piece. The last piece is shorter than pieceBytes and may be empty.
func (p *pieces) piece() {
	p.to.number(uint64(len(p.buf)))
	p.to.raw(p.buf)
	p.buf = p.buf[:0]
}

func certifyParts(ctx context.Context, p *cover.Problem, s *cover.Split, w io.Writer, e Engine, o Options) (*Result, error) {
	to, err := newNumbers(w, partsMagic)
	if err != nil {
		return nil, err
	}
	to.digest(p)
	to.number(uint64(len(s.Steps)))
	for _, step := range s.Steps {
		to.number(uint64(step.Rule), uint64(step.Item))
		if step.Rule == cover.Only || step.Rule == cover.Implied {
			to.number(uint64(step.By))
		}
	}
	all := newJoint(s, e, o)
	times, first := timesOf(s), map[*cover.Problem]int{} // first: 1 + index of the first equal part
	if !s.Impossible {
		to.number(uint64(len(s.Parts)))
	}
	for k, part := range s.Parts {
		to.list(part.Items)
		to.list(part.Options)
		to.number(uint64(first[part.Problem]))
		if first[part.Problem] > 0 {
			continue
		}
		first[part.Problem] = k + 1
		file := &pieces{to: to}
		r, err := certifyPart(ctx, part.Problem, file, e, all.next(part.Problem))
		if err != nil {
			return nil, err
		}
		file.piece()
		to.count(r.Count)
		all.add(part.Problem, times[part.Problem], r)
		if to.err != nil {
			return nil, to.err
		}
	}
	all.work.finish()
	all.Plan = nil
	to.count(all.Count)
	return &all.Result, to.close()
}

func (n *numbers) list(list []int) {
	n.number(uint64(len(list)))
	for _, x := range list {
		n.number(uint64(x))
	}
}

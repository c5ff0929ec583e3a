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

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/engine/automaton"
	"github.com/pavage/pavage/internal/engine/limb"
	"github.com/pavage/pavage/internal/engine/sweep"
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
	config.Children, config.Whole = true, true
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

// What a certificate begins with: form and version. Version 3 is that of covers with
// colours; see also unmetMagic and distinctMagic.
const (
	certificateMagic = "pavage certificate 1\n"
	colouredMagic    = "pavage certificate 3\n"
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

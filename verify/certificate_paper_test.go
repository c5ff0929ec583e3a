package verify

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// paper is a certificate as doc/certificate.md defines it, with indices and keys in full. Tests can
// change every part of it.
type paper struct {
	magic  string
	digest []byte
	plan
	levels   []paperLevel
	children [][][]arc // by step and state
	count    *big.Int
	tail     []byte // bytes after the SHA-256 of the body
	fits     bool   // whether each number of uses fits in its field
}

type paperCounter struct{ item, kind, place, width uint64 }

type paperLevel struct{ keys, counts []*big.Int }

// arc is a choice, the index of an option of the step or the number of these options for no option,
// and the index of the child.
type arc struct{ choice, child int }

// number appends n in base 128. It divides, unlike other code here.
func number(b []byte, n *big.Int) []byte {
	n, digit, base := new(big.Int).Set(n), new(big.Int), big.NewInt(128)
	if n.Sign() < 0 {
		panic("a negative number cannot be written")
	}
	for {
		n.DivMod(n, base, digit)
		if n.Sign() == 0 {
			return append(b, byte(digit.Int64()))
		}
		b = append(b, byte(digit.Int64())+128)
	}
}

func small(b []byte, numbers ...uint64) []byte {
	for _, n := range numbers {
		b = binary.AppendUvarint(b, n)
	}
	return b
}

// body returns the body without the SHA-256.
func (p *paper) body() []byte {
	b := slices.Concat(p.digest, p.plan.header())
	for i, l := range p.levels {
		b = l.append(b)
		if i > 0 {
			b = appendChildren(b, p.children[i-1])
		}
	}
	return number(b, p.count)
}

func (l *paperLevel) append(b []byte) []byte {
	b = small(b, uint64(len(l.keys)))
	for s, k := range l.keys {
		if s > 0 {
			k = new(big.Int).Sub(k, l.keys[s-1])
		}
		b = number(b, k)
	}
	for _, n := range l.counts {
		b = number(b, n)
	}
	return b
}

func appendChildren(b []byte, states [][]arc) []byte {
	before := map[int]int{}
	for _, arcs := range states {
		for _, a := range arcs {
			d := a.child - before[a.choice]
			if before[a.choice] = a.child; d >= 0 {
				b = small(b, uint64(2*d))
			} else {
				b = small(b, uint64(-2*d-1))
			}
		}
	}
	return b
}

// file returns the file of the certificate, with the right SHA-256.
func (p *paper) file(t testing.TB) []byte {
	t.Helper()
	return pack(t, p.magic, append(seal(p.body()), p.tail...))
}

// seal appends the SHA-256 to a body.
func seal(body []byte) []byte {
	sum := sha256.Sum256(body)
	return append(slices.Clip(body), sum[:]...)
}

// encoder is used again, since a new encoder costs more time than a small certificate.
var encoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<16), zstd.WithZeroFrames(true))
})

func pack(t testing.TB, magic string, sealed []byte) []byte {
	t.Helper()
	e, err := encoder()
	if err != nil {
		t.Fatal(err)
	}
	return e.EncodeAll(sealed, []byte(magic))
}

// plan has the choices of a writer: see Steps, window, counters.
type plan struct {
	window   int
	counters []paperCounter
	steps    []uint64
	forge    func(step int, child *node) *node // returns the node to write for a child, or nil to omit the child
	asks     map[int]map[int32][]int           // for each coloured item, the steps that ask for each colour
}

func (p *plan) header() []byte {
	b := small(nil, uint64(p.window), uint64(len(p.counters)))
	for _, c := range p.counters {
		b = small(b, c.item, c.kind, c.place, c.width)
	}
	return small(small(b, uint64(len(p.steps))), p.steps...)
}

func (p *plan) stepOf(item int) int { return slices.Index(p.steps, uint64(2*item)) }

func (p *plan) counterOf(item int) int {
	return slices.IndexFunc(p.counters, func(c paperCounter) bool { return c.item == uint64(item) })
}

// options returns the possible options that belong to step i.
func (p *plan) options(c *cover.Problem, i int) (options []int) {
	for o, option := range c.Options {
		first := slices.Index(p.steps, uint64(2*o+1))
		for _, step := range p.stepsOf(option) {
			first = max(first, -1)
			if first < 0 || step < first {
				first = step
			}
		}
		if first == i && possible(c, option) {
			options = append(options, o)
		}
	}
	return options
}

func (p *plan) stepsOf(option cover.Option) (steps []int) {
	for _, u := range option {
		if step := p.stepOf(u.Item); step >= 0 && p.asks[u.Item] == nil {
			steps = append(steps, step)
		}
	}
	return steps
}

func possible(c *cover.Problem, option cover.Option) bool {
	return !slices.ContainsFunc(option, func(u cover.Use) bool { return int(u.Times) > c.Items[u.Item].Max })
}

// cannotPass reports condition 3, without its first case.
func (p *plan) cannotPass(c *cover.Problem, item int) bool {
	sum, spread := 0, true
	for _, option := range c.Options {
		for _, u := range option {
			if u.Item == item && possible(c, option) {
				sum += int(u.Times)
				size := max(1, len(p.stepsOf(option)))
				spread = spread && int(u.Times)*p.decisions() < (c.Items[item].Max+1)*size
			}
		}
	}
	return sum <= c.Items[item].Max || spread
}

// randomPlan returns a random plan that satisfies the conditions: steps for some of the items that
// can have a step, in any order, single options anywhere, a window and fields that are wide enough,
// and each kind of counter.
func randomPlan(rng *rand.Rand, c *cover.Problem) *plan {
	p := &plan{}
	p.look(c)
	for _, i := range rng.Perm(len(c.Items)) {
		if c.Items[i].Max == 1 && !coloured(c, i) && rng.IntN(8) > 0 {
			p.steps = append(p.steps, uint64(2*i))
		}
	}
	for o, option := range c.Options {
		if possible(c, option) && len(p.stepsOf(option)) == 0 {
			p.steps = slices.Insert(p.steps, rng.IntN(len(p.steps)+1), uint64(2*o+1))
		}
	}
	p.window = 1
	p.drawFields(rng, c)
	for _, option := range c.Options {
		if steps := p.stepsOf(option); len(steps) > 0 && possible(c, option) {
			p.window = max(p.window, slices.Max(steps)-slices.Min(steps)+1)
		}
	}
	p.window += rng.IntN(2) * rng.IntN(70)
	end := p.window
	for _, i := range rng.Perm(len(c.Items)) {
		if p.stepOf(i) < 0 && p.asks[i] == nil {
			end = p.decide(rng, c, i, end)
		}
	}
	return p
}

// decide draws a counter or nothing for an item without a step. The counter begins at end or after
// it. decide returns the new end.
func (p *plan) decide(rng *rand.Rand, c *cover.Problem, item, end int) int {
	it, sum := c.Items[item], 0
	for _, option := range c.Options {
		for _, u := range option {
			if u.Item == item {
				sum += int(u.Times)
			}
		}
	}
	harmless := it.Max == cover.Unbounded || p.cannotPass(c, item)
	if harmless && it.Min == 0 && rng.IntN(3) > 0 {
		return end
	}
	n := paperCounter{item: uint64(item), place: uint64(end + rng.IntN(2)*rng.IntN(20)), width: uint64(max(1, bits.Len(uint(min(sum, it.Max)))))}
	if harmless && rng.IntN(2) == 0 {
		n.kind, n.width = 1, uint64(max(1, bits.Len(uint(it.Min))))
	}
	if rng.IntN(3) == 0 {
		n.width += uint64(rng.IntN(30))
	}
	p.counters = append(p.counters, n)
	return int(n.place + n.width)
}

// node is a state as doc/certificate.md describes it.
type node struct {
	used  map[int]bool   // steps ahead whose items are used
	says  map[int]uint64 // by coloured item: the code in its field, if not 0
	uses  []int          // by counter
	count *big.Int
	arcs  map[int]string // for each choice, the child
}

// String distinguishes states even if a field is too narrow for them.
func (n *node) String() string { return fmt.Sprint(n.used, n.says, n.uses) }

func (p *plan) key(step int, n *node) *big.Int {
	k := new(big.Int)
	for j := range p.window {
		if n.used[step+j] || p.fieldBit(n, step+j) {
			k.Add(k, new(big.Int).Lsh(big.NewInt(1), uint(j)))
		}
	}
	for x, c := range p.counters {
		k.Add(k, new(big.Int).Lsh(big.NewInt(int64(n.uses[x])), uint(c.place)))
	}
	return k
}

// take returns the state after an option, or nil if the option does not fit.
func (p *plan) take(c *cover.Problem, n *node, i int, option cover.Option) *node {
	child := &node{used: map[int]bool{}, says: map[int]uint64{}, uses: slices.Clone(n.uses), count: new(big.Int)}
	maps.Copy(child.says, n.says)
	for step := range n.used {
		child.used[step] = true
	}
	for _, u := range option {
		if step := p.stepOf(u.Item); step >= 0 && p.asks[u.Item] != nil {
			if !p.paint(child, i, u) {
				return nil
			}
		} else if step >= 0 {
			if child.used[step] {
				return nil
			}
			child.used[step] = true
		}
		if x := p.counterOf(u.Item); x >= 0 {
			it := c.Items[u.Item]
			child.uses[x] += int(u.Times)
			if p.counters[x].kind == 1 {
				child.uses[x] = min(child.uses[x], it.Min)
			} else if child.uses[x] > it.Max {
				return nil
			}
		}
	}
	return child
}

// nodes has the states of a level by their names.
type nodes map[string]*node

func (l nodes) sorted(p *plan, step int) []*node {
	var list []*node
	for _, n := range l {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b *node) int { return p.key(step, a).Cmp(p.key(step, b)) })
	return list
}

// next makes the next level, with the arcs to it.
func (p *plan) next(c *cover.Problem, i int, states []*node) nodes {
	level, options := nodes{}, p.options(c, i)
	for _, n := range states {
		n.arcs = map[int]string{}
		lead := func(choice int, child *node) {
			delete(child.used, i)
			p.shift(child, i)
			if p.forge != nil {
				child = p.forge(i, child)
			}
			if child == nil {
				return
			}
			name := child.String()
			if level[name] == nil {
				level[name] = child
			}
			level[name].count.Add(level[name].count, n.count)
			n.arcs[choice] = name
		}
		for x, o := range options {
			if child := p.take(c, n, i, c.Options[o]); child != nil {
				lead(x, child)
			}
		}
		lone := p.steps[i]%2 == 1
		if lone || n.used[i] || c.Items[p.steps[i]/2].Min == 0 {
			lead(len(options), p.take(c, n, i, nil))
		}
	}
	return level
}

// write returns the certificate of a plan.
func (p *plan) write(c *cover.Problem) *paper {
	p.look(c)
	doc := &paper{
		magic: magicOf(c), digest: coverDigest(c), count: new(big.Int), fits: true,
		plan: plan{window: p.window, counters: slices.Clone(p.counters), steps: slices.Clone(p.steps)},
	}
	root := &node{used: map[int]bool{}, uses: make([]int, len(p.counters)), count: big.NewInt(1)}
	states := []*node{root}
	doc.levels = append(doc.levels, p.paperLevel(0, states))
	for i := range p.steps {
		level := p.next(c, i, states)
		after := level.sorted(p, i+1)
		index := map[string]int{}
		for s, n := range after {
			index[n.String()] = s
		}
		doc.levels = append(doc.levels, p.paperLevel(i+1, after))
		doc.children = append(doc.children, paperChildren(states, index))
		states = after
		doc.fits = doc.fits && !slices.ContainsFunc(states, p.tooLarge)
	}
	for _, n := range states {
		if !slices.ContainsFunc(p.counters, func(x paperCounter) bool { return n.uses[p.counterOf(int(x.item))] < c.Items[x.item].Min }) {
			doc.count.Add(doc.count, n.count)
		}
	}
	return doc
}

func (p *plan) tooLarge(n *node) bool {
	for x, uses := range n.uses {
		if bits.Len(uint(uses)) > int(p.counters[x].width) {
			return true
		}
	}
	return false
}

func (p *plan) paperLevel(i int, states []*node) (l paperLevel) {
	for _, n := range states {
		l.keys, l.counts = append(l.keys, p.key(i, n)), append(l.counts, n.count)
	}
	return l
}

func paperChildren(states []*node, index map[string]int) (children [][]arc) {
	for _, n := range states {
		var arcs []arc
		for choice, name := range n.arcs {
			arcs = append(arcs, arc{choice, index[name]})
		}
		slices.SortFunc(arcs, func(a, b arc) int { return a.choice - b.choice })
		children = append(children, arcs)
	}
	return children
}

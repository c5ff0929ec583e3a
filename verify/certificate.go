package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// ErrCertificate is wrapped by every reason not to accept a certificate.
var ErrCertificate = errors.New("certificate rejected")

// ErrMemory is wrapped by the error about a certificate that needs more memory
// than it may have: it is neither accepted nor rejected.
var ErrMemory = errors.New("memory limit reached")

// CertificateOptions are limits and a reporter; the zero value has none.
type CertificateOptions struct {
	Memory   int64           // bytes of two levels, a little more while one grows; 0 for no limit
	Progress func(Certified) // called after every level, when Count is not yet known
}

// Certified is what an accepted certificate says, and what it took to see.
type Certified struct {
	Count        *big.Int // of the cover's solutions
	Digest       string   // SHA-256 of the cover, in hexadecimal
	Levels       int
	States, Arcs int64 // of all levels, and the choices in them
	Bytes        int64 // of the body
	Elapsed      time.Duration
}

// CheckCertificate reads a certificate about p, a validated problem, and
// accepts it or says why not, by the rules of doc/certificate.md, which the
// comments here take as known. The error wraps ErrCertificate, ErrMemory, what
// reading r failed with, or ctx's, which is looked at every 2^14 choices.
//
// Time is linear in the body, and in the options of the step for each state.
// Memory is some 80 bytes for each state of two levels while counts are below
// 2^64.
func CheckCertificate(ctx context.Context, p *cover.Problem, r io.Reader, o CertificateOptions) (*Certified, error) {
	start, source := time.Now(), &patient{ctx: ctx, r: r}
	c := &certificate{ctx: ctx, p: p, limit: cmp.Or(o.Memory, math.MaxInt64)}
	c.progress = func() {
		if c.Elapsed = time.Since(start); o.Progress != nil {
			o.Progress(c.Certified)
		}
	}
	err := c.check(bufio.NewReader(source))
	c.Elapsed = time.Since(start)
	switch {
	case err == nil:
		return &c.Certified, nil
	case source.err != nil:
		return nil, fmt.Errorf("the certificate cannot be read: %w", source.err)
	case errors.Is(err, ErrMemory), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, fmt.Errorf("the certificate is not checked: %w", err)
	}
	return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
}

// certificate is one that is being checked.
type certificate struct {
	Certified
	ctx      context.Context
	p        *cover.Problem
	limit    int64 // bytes
	progress func()
	work     int // choices since ctx was looked at

	body     body
	window   int
	counters []counter
	steps    []int   // 2 · item, or 2 · option + 1
	options  [][]int // by step

	stepOf    []int       // by item; -1 for none
	counterOf []*counter  // by item; nil for none
	lone      map[int]int // the steps of options that have their own
	fields    key         // all bits that a key may have
	ahead     key         // those of the window

	now, next level
	sums      []big.Word // of what leads to next's states, laid out as its counts
	wide      int        // at most 2^wide ways lead to the next level

	sum, count big.Int // views of words
}

func (c *certificate) check(r *bufio.Reader) error {
	if err := readMagic(r); err != nil {
		return err
	}
	f, err := newFrame(r)
	if err != nil {
		return err
	}
	d, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return err
	}
	defer d.Close()
	c.body = newBody(d)
	for _, part := range []func() error{c.digest, c.header, c.assign, c.bounds, c.levels, c.total, c.body.finish} {
		if err := part(); err != nil {
			return err
		}
	}
	if _, err := r.Peek(1); err != io.EOF {
		return errors.New("bytes follow the zstd frame, want none")
	}
	c.Bytes = c.body.bytes
	return nil
}

func (c *certificate) digest() error {
	want, got := coverDigest(c.p), make([]byte, sha256.Size)
	if err := c.body.read(got); err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	if c.Digest = fmt.Sprintf("%x", want); !bytes.Equal(got, want) {
		return fmt.Errorf("it is about another cover: digest %x, the puzzle's is %x", got, want)
	}
	return nil
}

// header reads window, counters and steps, each number within its range.
func (c *certificate) header() (err error) {
	if c.window, err = c.body.within(1, keyBits); err != nil {
		return fmt.Errorf("window: %w", err)
	}
	c.ahead.set(0, c.window)
	c.fields.set(0, c.window)
	n, err := c.body.within(0, keyBits-c.window)
	if err != nil {
		return fmt.Errorf("number of counters: %w", err)
	}
	for k, end := 0, c.window; k < n; k++ {
		if end, err = c.readCounter(end); err != nil {
			return fmt.Errorf("counter %d: %w", k, err)
		}
	}
	if n, err = c.body.within(0, len(c.p.Items)+len(c.p.Options)); err != nil {
		return fmt.Errorf("number of steps: %w", err)
	}
	for i := range n {
		step, err := c.body.within(0, 2*max(len(c.p.Items), len(c.p.Options)))
		if err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
		c.steps = append(c.steps, step)
	}
	return nil
}

// readCounter reads a counter whose place is start or more, and returns the
// end of its field.
func (c *certificate) readCounter(start int) (end int, err error) {
	var v [4]int
	for k, what := range []string{"item", "kind", "place", "width"} {
		low := []int{0, 0, start, 1}[k]
		high := []int{len(c.p.Items) - 1, 1, keyBits - 1, keyBits - v[2]}[k]
		if v[k], err = c.body.within(low, high); err != nil {
			return 0, fmt.Errorf("%s: %w", what, err)
		}
	}
	// No item is used more than MaxOptions · MaxTimes = 2^44 times, so that 62
	// bits of a wider field do.
	full := uint64(1)<<min(v[3], 62) - 1
	it := c.p.Items[v[0]]
	c.counters = append(c.counters, counter{v[0], v[1] == 1, uint(v[2]), full, uint64(it.Min), uint64(it.Max)})
	c.fields.set(v[2], v[2]+v[3])
	return v[2] + v[3], nil
}

// assign gives every possible option its step: conditions 1 and 2.
func (c *certificate) assign() error {
	c.stepOf = slices.Repeat([]int{-1}, len(c.p.Items))
	c.options, c.lone = make([][]int, len(c.steps)), map[int]int{}
	for i, step := range c.steps {
		if err := c.claim(i, step/2, step%2 == 1); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	c.counterOf = make([]*counter, len(c.p.Items))
	for k := range c.counters {
		item := c.counters[k].item
		if c.stepOf[item] >= 0 || c.counterOf[item] != nil {
			return fmt.Errorf("counter %d: item %d has a step or a counter already", k, item)
		}
		c.counterOf[item] = &c.counters[k]
	}
	for o, option := range c.p.Options {
		if err := c.place(o, option); err != nil {
			return fmt.Errorf("option %d %w", o, err)
		}
	}
	return nil
}

// claim notes what step i decides: an item, or an option alone.
func (c *certificate) claim(i, what int, option bool) error {
	if option {
		if _, twice := c.lone[what]; twice || what >= len(c.p.Options) {
			return fmt.Errorf("option %d has a step already, or is none", what)
		}
		c.lone[what] = i
		return nil
	}
	if what >= len(c.p.Items) || c.stepOf[what] >= 0 || c.p.Items[what].Max != 1 {
		return fmt.Errorf("item %d has a step already, or a max that is not 1, or is none", what)
	}
	c.stepOf[what] = i
	return nil
}

func (c *certificate) place(o int, option cover.Option) error {
	step, alone := c.lone[o]
	first, last, size := c.span(option)
	switch {
	case slices.ContainsFunc(option, func(u cover.Use) bool { return u.Times > c.p.Items[u.Item].Max }):
		if alone {
			return fmt.Errorf("has step %d, but passes the max of an item", step)
		}
		return nil
	case size == 0 && !alone:
		return errors.New("uses no item of a step and has no step of its own")
	case size > 0 && alone:
		return fmt.Errorf("has step %d, but uses an item of step %d", step, first)
	case last-first >= c.window:
		return fmt.Errorf("uses items of steps %d and %d, too far apart for a window of %d", first, last, c.window)
	case size > 0:
		step = first
	}
	c.options[step] = append(c.options[step], o)
	return nil
}

// span is the first and the last step that an option's items have, and how
// many of them.
func (c *certificate) span(option cover.Option) (first, last, size int) {
	first = len(c.steps)
	for _, u := range option {
		if step := c.stepOf[u.Item]; step >= 0 {
			first, last, size = min(first, step), max(last, step), size+1
		}
	}
	return first, last, size
}

// bounds checks conditions 3 and 4, those on items whose max nobody looks at.
func (c *certificate) bounds() error {
	times, dense := make([]int64, len(c.p.Items)), make([]bool, len(c.p.Items))
	for _, options := range c.options {
		for _, o := range options {
			_, _, size := c.span(c.p.Options[o])
			for _, u := range c.p.Options[o] {
				times[u.Item] += int64(u.Times)
				dense[u.Item] = dense[u.Item] || int64(u.Times)*int64(len(c.steps)) >= (int64(c.p.Items[u.Item].Max)+1)*int64(max(1, size))
			}
		}
	}
	for i, it := range c.p.Items {
		n := c.counterOf[i]
		switch free := c.stepOf[i] < 0 && n == nil; {
		case free && it.Min > 0:
			return fmt.Errorf("item %d has min %d, but neither step nor counter", i, it.Min)
		case (free || n != nil && n.saturating) && it.Max != cover.Unbounded && times[i] > int64(it.Max) && dense[i]:
			return fmt.Errorf("item %d can pass its max %d, want a step or an exact counter", i, it.Max)
		}
	}
	return nil
}

func (c *certificate) levels() error {
	if err := c.readLevel(); err != nil {
		return fmt.Errorf("level 0: %w", err)
	}
	if x := c.next; len(x.keys) != 1 || x.keys[0] != (key{}) || x.words[0] != 1 {
		return errors.New("level 0: want the state 0 with the count 1, and no other")
	}
	for i, options := range c.options {
		c.progress()
		c.now, c.next = c.next, c.now
		c.wide += bits.Len(uint(len(options)))
		if err := c.readLevel(); err != nil {
			return fmt.Errorf("level %d: %w", i+1, err)
		}
		if err := c.children(i); err != nil {
			return fmt.Errorf("level %d, %w", i, err)
		}
		if err := c.compare(); err != nil {
			return fmt.Errorf("level %d, %w", i+1, err)
		}
	}
	c.progress()
	return nil
}

// level is its states' keys and counts. Each count has a word 0 behind it, so
// that a sum that is larger has its place.
type level struct {
	keys  []key
	words []big.Word
	ends  []int // of the counts in words: ends[s] to ends[s+1] has state s
}

// of is the place of state s in words laid out as the counts.
func (l *level) of(words []big.Word, s int) []big.Word {
	return words[l.ends[s]:l.ends[s+1]:l.ends[s+1]]
}

// readLevel reads the next level.
func (c *certificate) readLevel() error {
	n, err := c.body.short()
	switch {
	case err != nil:
		return fmt.Errorf("number of states: %w", err)
	case n > uint64(c.limit/stateSize):
		return fmt.Errorf("%w: %d states need more than %d bytes", ErrMemory, n, c.limit)
	}
	x := &c.next
	x.keys, x.words, x.ends = x.keys[:0], x.words[:0], append(x.ends[:0], 0)
	for _, read := range []func() error{c.readKey, c.readCount} {
		for s := range n {
			if err := cmp.Or(c.look(1), c.afford()); err != nil {
				return err
			}
			if err := read(); err != nil {
				return fmt.Errorf("state %d: %w", s, err)
			}
		}
	}
	c.sums = slices.Grow(c.sums[:0], len(x.words))[:len(x.words)]
	clear(c.sums)
	c.Levels, c.States = c.Levels+1, c.States+int64(n)
	return nil
}

// stateSize is what a state of the next level takes at least: a key, an end
// and two words for its count and its sum each.
const stateSize = 32 + (1+2+2)*wordSize

const wordSize = bits.UintSize / 8

// afford reports whether two levels and the sums are within the limit.
func (c *certificate) afford() error {
	words := cap(c.now.words) + cap(c.next.words) + max(cap(c.sums), cap(c.next.words)) + cap(c.now.ends) + cap(c.next.ends)
	if 32*int64(cap(c.now.keys)+cap(c.next.keys))+wordSize*int64(words) > c.limit {
		return fmt.Errorf("%w: more than %d bytes are needed", ErrMemory, c.limit)
	}
	return nil
}

// look looks at ctx when that was not done for many choices.
func (c *certificate) look(choices int) error {
	if c.work += choices; c.work < 1<<14 {
		return nil
	}
	c.work = 0
	return c.ctx.Err()
}

func (c *certificate) readKey() error {
	x := &c.next
	if err := c.body.long(keyBits); err != nil {
		return fmt.Errorf("key: %w", err)
	}
	k := c.body.key()
	if s := len(x.keys); s > 0 {
		if k == (key{}) {
			return errors.New("its key is that of the state before, want a larger one")
		}
		k = k.plus(x.keys[s-1])
	}
	for w := range k {
		if k[w]&^c.fields[w] != 0 {
			return errors.New("its key has a bit that is in neither window nor counter")
		}
	}
	x.keys = append(x.keys, k)
	return nil
}

// readCount reads a count. It is at most the product of the numbers of choices
// in the steps so far, since a way makes one choice a step: no longer one is
// taken.
func (c *certificate) readCount() error {
	x := &c.next
	if err := c.body.long(c.wide + 1); err != nil {
		return fmt.Errorf("count: %w", err)
	}
	if len(c.body.digits) == 0 {
		return errors.New("its count is 0, want 1 or more")
	}
	x.words = append(append(x.words, c.body.digits...), 0)
	x.ends = append(x.ends, len(x.words))
	return nil
}

// children follows every choice of every state before step i.
func (c *certificate) children(i int) error {
	choices := c.choices(i)
	for s := range c.now.keys {
		if err := c.look(len(choices)); err != nil {
			return err
		}
		k := &c.now.keys[s]
		for x := range choices {
			h := &choices[x]
			if !h.fits(k) {
				continue
			}
			if err := c.follow(s, h); err != nil {
				return fmt.Errorf("state %d: choice %v %w", s, h, err)
			}
		}
	}
	return nil
}

// follow reads where a choice leads and adds the state's count to the sum
// there. The sum is never more than the count: its words are enough.
func (c *certificate) follow(s int, h *choice) error {
	d, err := c.body.short()
	if err != nil {
		return fmt.Errorf("leads nowhere: %w", err)
	}
	to := h.before + int(d>>1)
	if d&1 == 1 {
		to = h.before - int(d>>1) - 1
	}
	if to < 0 || to >= len(c.next.keys) {
		return fmt.Errorf("leads to state %d, want one of %d", to, len(c.next.keys))
	}
	h.before = to
	child, err := h.child(c.now.keys[s], &c.ahead)
	if err != nil {
		return err
	}
	if child != c.next.keys[to] {
		return fmt.Errorf("leads to state %d, whose key is not that of the child", to)
	}
	place := c.next.of(c.sums, to)
	c.sum.SetBits(place)
	c.sum.Add(&c.sum, c.count.SetBits(c.now.of(c.now.words, s)))
	if c.count.SetBits(c.next.of(c.next.words, to)); c.sum.Cmp(&c.count) > 0 {
		return fmt.Errorf("leads to state %d, which has a count of %s, but %s ways and more", to, brief(&c.count), brief(&c.sum))
	}
	copy(place, c.sum.Bits()) // to itself, but that is math/big's affair
	c.Arcs++
	return nil
}

// compare compares the counts of the next level with the sums.
func (c *certificate) compare() error {
	for s := range c.next.keys {
		c.count.SetBits(c.next.of(c.next.words, s))
		if c.sum.SetBits(c.next.of(c.sums, s)); c.sum.Cmp(&c.count) != 0 {
			return fmt.Errorf("state %d: its count is %s, but %s ways lead to it", s, brief(&c.count), brief(&c.sum))
		}
	}
	return nil
}

// total compares the count of the cover with the states at the end that have
// every counter's min.
func (c *certificate) total() error {
	c.Count = new(big.Int)
	for s := range c.next.keys {
		if !slices.ContainsFunc(c.counters, func(n counter) bool { return n.read(&c.next.keys[s]) < n.min }) {
			c.Count.Add(c.Count, c.count.SetBits(c.next.of(c.next.words, s)))
		}
	}
	if err := c.body.long(c.wide + 1); err != nil {
		return fmt.Errorf("count of the cover: %w", err)
	}
	if c.sum.SetBits(c.body.digits); c.sum.Cmp(c.Count) != 0 {
		return fmt.Errorf("it says that the count of the cover is %s, but the last level sums up to %s", brief(&c.sum), brief(c.Count))
	}
	return nil
}

// brief is a number as far as it fits in an error.
func brief(n *big.Int) string {
	if n.BitLen() > 128 {
		return fmt.Sprintf("%x… (hexadecimal, %d bits)", new(big.Int).Rsh(n, uint(n.BitLen()-64)), n.BitLen())
	}
	return n.String()
}

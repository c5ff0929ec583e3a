package verify

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// ErrCertificate is wrapped by the error about a certificate that is not accepted.
var ErrCertificate = errors.New("certificate rejected")

// ErrMemory is wrapped if more memory is needed than may be taken.
var ErrMemory = cover.ErrMemory

// CertificateOptions are a limit of memory and who is told of the progress. The zero value
// has neither.
type CertificateOptions struct {
	Memory   int64           // bytes for two levels; 0 for no limit
	Disk     string          // if not "", a directory for what does not fit in Memory
	Progress func(Certified) // called after every level, when Count is not yet known
	// Group, if not nil, is the group of so many symmetries that solutions may be counted
	// up to, or another one of the puzzle; nil if it has none. Certificates of such counts
	// are then accepted.
	Group func(order int) []cover.Symmetry
}

// Certified is what an accepted certificate says, and what its check took.
type Certified struct {
	Count        *big.Int // of the cover's solutions
	Digest       string   // SHA-256 of the cover, in hexadecimal
	Levels       int
	States, Arcs int64 // of all levels, and the choices in them
	Bytes        int64 // of the body
	Elapsed      time.Duration
	Unmet        *Unmet // why there is no solution; nil of version 1

	Distinct *CertifiedDistinct // of version 4; then the other numbers are sums, and Count is that of all solutions
}

// CheckCertificate reads a certificate about p, a validated problem. It accepts the
// certificate or says why not, by the rules of doc/certificate.md; the words and the
// conditions 1 to 4 of that page are used here. The error wraps ErrCertificate if the
// certificate is not accepted, ErrMemory if the check needs more memory than it may take,
// or it is that of reading r, or ctx's: ctx is looked at every 2^14 choices.
//
// The time is proportional to the length of the file and, for each state, to the options of
// its step. The memory is 32 bytes for each state of two levels, while keys and counts are
// below 2^64, and at most 128 MiB for zstd.
func CheckCertificate(ctx context.Context, p *cover.Problem, r io.Reader, o CertificateOptions) (*Certified, error) {
	c := &certificate{ctx: ctx, p: p, file: r, o: o, start: time.Now(), hash: sha256.New(), place: "first line", state: -1}
	if err := c.accept(); err != nil {
		return nil, err
	}
	return &c.Certified, nil
}

// accept is why the certificate is not accepted, nil if it is.
func (c *certificate) accept() (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = reason.(stop).error // the check panics with nothing else
		}
	}()
	c.check()
	return nil
}

// maxBits is how many bits a state has at most, by doc/certificate.md.
const maxBits = 511

// certificate is a certificate during its check. A mistake in it ends the check at once, by
// a panic with a stop. So the code behind a check may rely on it.
type certificate struct {
	Certified
	ctx       context.Context
	p         *cover.Problem
	o         CertificateOptions
	start     time.Time
	work      int // choices since ctx was looked at
	file      io.Reader
	fault     error         // file's or ctx's, not the certificate's
	body      *bufio.Reader // what zstd makes of file
	hash      hash.Hash     // of the body
	hashed    *bufio.Writer // to hash
	where     string        // the class that it is of, for errors; "" of all solutions
	place     string        // what is read, for errors
	state     int           // its state, or -1
	window    big.Int       // its bits in a key
	counters  []*counter    // by item; nil for none
	fields    []*field      // by item: of those with colours; nil of others
	blanks    int           // steps of fields, at most
	first     []int         // step of each option; -1 if it is not possible
	steps     map[int]int   // by 2 · item or 2 · option + 1
	choices   [][]choice    // by step, nothing and then the options, rising
	now, next *level        // two levels
	pool      pool          // their memory
	wide      int           // at most 2^wide ways lead to the next level
	keyWords  int           // of the longest key
	words     int           // of the longest count
	x, y, z   big.Int       // for a moment
}

type counter struct {
	cover.Item
	saturating   bool
	place, width uint
	field        big.Int // its bits in a key
}

// choice is an option, or nothing.
type choice struct {
	window  big.Int     // the bits of the option's items of steps
	uses    []cover.Use // of items with counters
	colours []colourUse // of items with fields
	needs   uint        // 1 if nothing can be chosen only where bit 0 is set
	child   int         // the index that it led to last
}

// check goes through the file.
func (c *certificate) check() {
	version := c.readVersion()
	if version == distinctMagic {
		c.checkDistinct()
		return
	}
	c.coloured()
	d, err := zstd.NewReader(c, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	c.want(err == nil, "zstd: %v", err)
	defer d.Close()
	c.body, c.hashed = bufio.NewReaderSize(d, 1<<16), bufio.NewWriter(c.hash)
	if version == unmetMagic {
		c.checkUnmet()
		return
	}
	c.readHeader()
	c.assignOptions()
	c.now, c.next, c.words = &level{}, &level{}, 1
	c.pool = pool{limit: c.o.Memory, dir: c.o.Disk}
	for _, choices := range c.choices {
		c.pool.least = max(c.pool.least, len(choices)+8)
	}
	defer c.pool.close()
	c.readLevel(0)
	if c.next.n == 1 {
		c.next.keys.get(0, &c.x)
	}
	c.want(c.next.n == 1 && c.x.Sign() == 0, "want the state 0 and no other") // its count is 1: no larger one is read
	for i, choices := range c.choices {
		c.now, c.next = c.next, c.now
		c.wide += bits.Len(uint(len(choices) - 1)) // since a way makes one choice a step
		c.readLevel(i + 1)
		c.readChildren(i)
	}
	c.readEnd()
}

// readVersion reads the first line. Of version 4 is a whole file, none of its parts.
func (c *certificate) readVersion() string {
	known := []string{"pavage certificate 1\n", unmetMagic}
	if c.p.Coloured() {
		known[0] = "pavage certificate 3\n"
	}
	if c.where == "" {
		known = append(known, distinctMagic)
	}
	line := make([]byte, len(known[0]))
	n, _ := io.ReadFull(c, line)
	version := string(line[:n])
	c.want(slices.Contains(known, version), "%q, want one of %q: no certificate of this puzzle, or another version", version, known)
	return version
}

// readHeader reads digest, window, counters and steps. No item has two steps, or
// two counters, or both, and an item with a step has max 1 (condition 1).
func (c *certificate) readHeader() {
	c.readDigest()
	c.at("header")
	items, options := c.p.Items, c.p.Options
	c.counters, c.steps = make([]*counter, len(items)), map[int]int{}
	one, end := big.NewInt(1), c.within("window", 1, maxBits)
	c.window.Sub(c.window.Lsh(one, uint(end)), one)
	c.keyWords = (end + bits.UintSize - 1) / bits.UintSize
	for range c.within("number of counters", 0, maxBits-end) {
		item, kind := c.within("counter's item", 0, len(items)-1), c.within("counter's kind", 0, 1)
		place := c.within("counter's place", end, maxBits-1)
		width := c.within("counter's width", 1, maxBits-place)
		c.want(c.counters[item] == nil, "item %d has two counters", item)
		c.want(c.fields[item] == nil, "item %d has colours and a counter, want a field or none", item)
		n := &counter{Item: items[item], saturating: kind == 1, place: uint(place), width: uint(width)}
		n.field.Lsh(n.field.Sub(n.field.Lsh(one, n.width), one), n.place)
		c.counters[item], end = n, place+width
		c.keyWords = (end + bits.UintSize - 1) / bits.UintSize
	}
	for i := range c.within("number of steps", 0, len(items)+len(options)+c.blanks) {
		step := c.within("step", 0, 2*max(len(items), len(options)))
		x, lone := step/2, step%2 == 1
		c.choices = append(c.choices, []choice{{}}) // so far only to take nothing
		if !lone && x < len(items) && c.fields[x] != nil {
			f := c.fields[x]
			if f.width == 0 {
				f.step = i
			}
			f.width++
			follows := f.step+f.width == i+1 // the one before it in the field (condition 1)
			c.want(follows && f.width <= maxFieldWidth,
				"step %d: the field of item %d, which begins at step %d, goes on, want one of at most %d steps",
				i, x, f.step, maxFieldWidth)
			continue
		}
		before, twice := c.steps[step]
		c.want(!twice, "step %d is step %d again", i, before)
		c.steps[step] = i
		c.want(lone && x < len(options) || !lone && x < len(items) && items[x].Max == 1 && c.counters[x] == nil, "step %d: %d, want 2 · item, with max 1 and no counter, or 2 · option + 1", i, step)
		if !lone {
			c.choices[i][0].needs = uint(items[x].Min)
		}
	}
}

// assignOptions gives every possible option its step (conditions 1 and 2), and
// checks the items whose max no choice looks at (conditions 3 and 4).
func (c *certificate) assignOptions() {
	times, often := make([]int64, len(c.p.Items)), make([]bool, len(c.p.Items))
	c.first = slices.Repeat([]int{-1}, len(c.p.Options))
	for o, option := range c.p.Options {
		first, last, size, possible, h := len(c.choices), 0, 0, true, choice{}
		for _, u := range option {
			possible = possible && int(u.Times) <= c.p.Items[u.Item].Max
			if step, decided := c.steps[2*u.Item]; decided {
				first, last, size = min(first, step), max(last, step), size+1
			}
		}
		step, lone := c.steps[2*o+1]
		c.want(lone == (possible && size == 0), "option %d: a step of its own %t, want one if it is possible (%t) and uses no item of a step (%d)", o, lone, possible, size) // condition 1
		c.want(!possible || last-first < c.window.BitLen(), "option %d uses items of steps %d to %d, too far apart for the window", o, first, last)                          // condition 2
		if !possible {
			continue
		} else if lone {
			first = step
		}
		for _, u := range option {
			if step, decided := c.steps[2*u.Item]; decided {
				h.window.SetBit(&h.window, step-first, 1)
			} else if c.counters[u.Item] != nil {
				h.uses = append(h.uses, u)
			}
			times[u.Item] += int64(u.Times)
			often[u.Item] = often[u.Item] || int64(u.Times)*int64(len(c.steps)) >= (int64(c.p.Items[u.Item].Max)+1)*int64(max(1, size))
		}
		c.first[o], c.choices[first] = first, append(c.choices[first], h)
	}
	c.assignColours()
	for i, it := range c.p.Items {
		n := c.counters[i]
		if _, decided := c.steps[2*i]; !decided && c.fields[i] == nil && (n == nil || n.saturating) {
			c.want(it.Max == cover.Unbounded || times[i] <= int64(it.Max) || !often[i], "item %d can pass its max, want a step or an exact counter", i) // condition 3
			c.want(it.Min == 0 || n != nil, "item %d has a min, but neither step nor counter", i)                                                       // condition 4
		}
	}
}

// readLevel reads level i as the next one.
func (c *certificate) readLevel(i int) {
	c.at("level %d", i)
	l := c.next
	l.n = c.within("number of states", 0, math.MaxInt)
	c.claimed(l.n)
	l.keys.reset(&c.pool, c.keyWords)
	l.counts.reset(&c.pool, c.words)
	for c.state = range l.n {
		if c.long(&c.x, maxBits); c.state > 0 {
			c.want(c.x.Sign() > 0, "its key is that of the state before, want a larger one")
			c.x.Add(&c.x, &c.z)
		}
		if len(c.x.Bits()) > c.keyWords {
			c.want(false, "its key has %d bits, more than any child's", c.x.BitLen())
		}
		l.keys.put(c.state, &c.x)
		c.z.Set(&c.x)
		c.poll(1)
	}
	for c.state = range l.n {
		c.long(&c.x, c.wide+1)
		c.want(c.x.Sign() > 0, "its count is 0, want 1 or more")
		if n := len(c.x.Bits()); n > c.words {
			c.words = n
			l.counts.widen(c.state, n)
		}
		l.counts.put(c.state, &c.x)
		c.poll(1)
	}
	l.sums.reset(&c.pool, c.words+1) // enough for so many counts as there are in a file
	for c.state = range l.n {
		l.sums.put(c.state, c.x.SetInt64(0))
		c.poll(1)
	}
	c.Levels, c.States, c.Elapsed = c.Levels+1, c.States+int64(l.n), time.Since(c.start)
	if c.o.Progress != nil {
		c.o.Progress(c.Certified)
	}
}

// claimed refuses a level of so many states at once if it cannot fit.
func (c *certificate) claimed(states int) {
	limit := int64(math.MaxInt64)
	if c.o.Disk == "" {
		limit = cmp.Or(c.o.Memory, limit)
	}
	if int64(states) > limit/int64((c.keyWords+2*c.words+1)*wordBytes) {
		c.failed(fmt.Errorf("%w: %s needs more than %d bytes", ErrMemory, c.place, limit))
	}
}

// readChildren follows all choices before step i, and compares sums and counts.
func (c *certificate) readChildren(i int) {
	c.at("level %d", i)
	choices := append(c.choices[i][1:], c.choices[i][0]) // where nothing is the last
	var key, count big.Int
	for c.state = range c.now.n {
		c.now.keys.get(c.state, &key)
		c.now.counts.get(c.state, &count)
		for x := range choices {
			h := &choices[x]
			if !c.take(h, &key) {
				continue
			}
			d := c.within("difference", 0, math.MaxInt)
			h.child += d>>1 ^ -(d & 1)
			if h.child < 0 || h.child >= c.next.n || !c.next.keys.is(h.child, &c.x) {
				c.want(false, "choice %d leads to state %d, which is not the child", x, h.child)
			}
			if !c.next.sums.add(h.child, &count) {
				c.want(false, "more ways lead to state %d than there are", h.child)
			}
			c.Arcs++
		}
		c.poll(len(choices))
	}
	c.at("level %d", i+1)
	for c.state = range c.next.n {
		c.next.sums.get(c.state, &c.x)
		c.next.counts.get(c.state, &c.z)
		c.want(c.x.Cmp(&c.z) == 0, "its count is %s, but %s ways lead to it", &c.z, &c.x)
		c.poll(1)
	}
}

// take reports whether a choice fits in state k, and makes x its child.
func (c *certificate) take(h *choice, k *big.Int) bool {
	if k.Bit(0) < h.needs || c.x.And(k, &h.window).Sign() != 0 {
		return false
	}
	c.x.Or(k, &h.window)
	for u := range h.colours {
		if !c.colour(&h.colours[u], k) {
			return false
		}
	}
	narrow := false
	for _, u := range h.uses {
		n := c.counters[u.Item]
		before := c.y.Rsh(c.y.And(k, &n.field), n.place).Int64()
		after := before + int64(u.Times)
		if n.saturating { // and stays at its min
			after = min(after, int64(n.Min))
		} else if after > int64(n.Max) { // not if that is Unbounded: covers are limited
			return false
		}
		narrow = narrow || uint64(after)>>n.width > 0
		c.x.Add(&c.x, c.y.Lsh(c.y.SetInt64(after-before), n.place))
	}
	c.want(!narrow, "a choice that fits uses an item more often than its counter can say")
	c.x.Sub(&c.x, c.y.And(&c.x, &c.window)).Or(&c.x, c.y.Rsh(&c.y, 1)) // the window moves down
	return true
}

// readEnd compares the count of the cover and the SHA-256.
func (c *certificate) readEnd() {
	c.at("end")
	c.Count = new(big.Int)
	states := 0 // of the last level; none of version 2
	if c.next != nil {
		states = c.next.n
	}
	for s := range states {
		c.next.keys.get(s, &c.z)
		few := func(n *counter) bool {
			return n != nil && c.x.Rsh(c.x.And(&c.z, &n.field), n.place).Int64() < int64(n.Min)
		}
		if !slices.ContainsFunc(c.counters, few) {
			c.next.counts.get(s, &c.x)
			c.Count.Add(c.Count, &c.x)
		}
	}
	c.long(&c.x, c.wide+1)
	c.want(c.x.Cmp(c.Count) == 0, "the count of the cover is %s, but the last level sums up to %s", &c.x, c.Count)
	c.readSum()
}

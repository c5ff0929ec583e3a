package verify

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
	"maps"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// The checker of certificates, which is this file alone, but for the memory of two levels (pages.go). It
// shares no code with the writer: it is made from doc/certificate.md. In its order:
//
//	reader    numbers, mistakes and where they are
//	header    window, counters, steps; which options belong to each step
//	levels    states, and the choices of each followed to the next level
//	colours   what version 3 adds
//	unmet     version 2: a bound that cannot be met
//	distinct  version 4: the certificates of quotients, and the group that they are of

// ErrCertificate is wrapped by the error about a certificate that is not accepted.
var ErrCertificate = errors.New("certificate rejected")

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
// certificate is not accepted, cover.ErrMemory if the check needs more memory than it may take,
// or it is that of reading r, or ctx's: ctx is looked at every 2^14 choices.
//
// The time is proportional to the length of the file and, for each state, to the options of
// its step. The memory is 32 bytes for each state of two levels, while keys and counts are
// below 2^64, and at most 128 MiB for zstd.
func CheckCertificate(ctx context.Context, p *cover.Problem, r io.Reader, o CertificateOptions) (*Certified, error) {
	c := newCertificate(ctx, p, r, "", o, time.Now())
	if err := ended(c.check); err != nil {
		return nil, err
	}
	return &c.Certified, nil
}

// certificate is a certificate during its check. A mistake in it ends the check at once, by
// a panic with a stop. So the code behind a check may rely on it.
type certificate struct {
	Certified
	reader
	header
	p     *cover.Problem
	o     CertificateOptions
	start time.Time

	now, next *level  // two levels
	pool      pool    // their memory
	wide      int     // at most 2^wide ways lead to the next level
	words     int     // of the longest count
	x, y, z   big.Int // for a moment
}

// newCertificate is the certificate of a cover in a file, where names the class of a count up to symmetry that it is of.
func newCertificate(ctx context.Context, p *cover.Problem, file io.Reader, where string, o CertificateOptions, start time.Time) *certificate {
	r := reader{ctx: ctx, file: file, hash: sha256.New(), where: where, place: "first line", state: -1}
	return &certificate{reader: r, p: p, o: o, start: start, now: &level{}, next: &level{}, words: 1}
}

// check goes through the file.
func (c *certificate) check() {
	version := c.readVersion()
	if version == distinctMagic {
		c.checkDistinct()
		return
	}
	c.fields = make([]*field, len(c.p.Items))
	for i, coloured := range c.p.ColouredItems() {
		if coloured {
			c.fields[i] = &field{last: -1, asked: map[int32]*asked{}}
			c.blanks += maxFieldWidth
		}
	}
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

// readSum compares the SHA-256.
func (c *certificate) readSum() {
	c.hashed.Flush()
	for _, b := range c.hash.Sum(nil) {
		c.want(c.byte() == b, "the SHA-256 is not that of the body")
	}
	_, err := c.body.ReadByte()
	c.want(err == io.EOF && c.fault == nil, "bytes or an error (%v) follow, want none", err)
	c.Bytes += c.size
	c.Elapsed = time.Since(c.start)
}

// readDigest compares the digest with that of the cover.
func (c *certificate) readDigest() {
	c.at("digest")
	digest := coverDigest(c.p)
	c.Digest = fmt.Sprintf("%x", digest)
	for _, b := range digest {
		c.want(c.byte() == b, "it is about another cover: its digest is not the puzzle's, %s", c.Digest)
	}
}

// coverDigest is the SHA-256 by which a certificate says what it is about.
func coverDigest(p *cover.Problem) []byte {
	coloured := p.Coloured()
	b := binary.AppendUvarint(nil, uint64(len(p.Items)))
	for _, it := range p.Items {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(it.Min)), uint64(it.Max))
	}
	b = binary.AppendUvarint(b, uint64(len(p.Options)))
	for _, o := range p.Options {
		b = binary.AppendUvarint(b, uint64(len(o)))
		for _, u := range o {
			b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(u.Item)), uint64(u.Times))
			if coloured {
				b = binary.AppendUvarint(b, uint64(u.Colour))
			}
		}
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

// reader reads the numbers of a certificate, and knows where in it they are.
type reader struct {
	ctx    context.Context
	work   int // choices since ctx was looked at
	file   io.Reader
	fault  error         // file's or ctx's, not the certificate's
	body   *bufio.Reader // what zstd makes of file
	hash   hash.Hash     // of the body
	hashed *bufio.Writer // to hash
	size   int64         // bytes of the body so far
	number big.Int       // for a moment
	where  string        // the class that it is of, for errors; "" of all solutions
	place  string        // what is read, for errors
	state  int           // its state, or -1
}

// Read reads the file for zstd, until ctx ends.
func (c *reader) Read(b []byte) (n int, err error) {
	if err = c.ctx.Err(); err == nil {
		n, err = c.file.Read(b)
	}
	if err != io.EOF {
		c.fault = cmp.Or(c.fault, err)
	}
	return n, err
}

func (c *reader) byte() byte {
	b, err := c.body.ReadByte()
	if err != nil {
		c.want(false, "the certificate is damaged or ends too early: %v", err)
	}
	c.hashed.WriteByte(b)
	c.size++
	return b
}

// long reads a number of at most so many bits into n.
func (c *reader) long(n *big.Int, most int) {
	words := append(n.Bits()[:0], 0)
	for at, b := 0, byte(128); b >= 128; at += 7 {
		b = c.byte()
		digit, w, low := big.Word(b%128), at/bits.UintSize, at%bits.UintSize
		if at+bits.Len(uint(digit)) > most || b == 0 && at > 0 {
			c.want(false, "a number of more than %d bits, or not in its shortest form", most)
		}
		words = append(words[:w+1], digit>>(bits.UintSize-low))
		words[w] |= digit << low
	}
	n.SetBits(words)
}

// within reads a number within bounds.
func (c *reader) within(what string, low, high int) int {
	c.long(&c.number, bits.UintSize-1)
	n := int(c.number.Int64())
	if n < low || n > high {
		c.want(false, "%s %d, want %d..%d", what, n, low, high)
	}
	return n
}

// at says what is read from here on.
func (c *reader) at(place string, a ...any) { c.place, c.state = fmt.Sprintf(place, a...), -1 }

// stop is why a check ends.
type stop struct{ error }

// ended is why a part of a check ended it, nil if it did not.
func ended(part func()) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = reason.(stop).error // the check panics with nothing else
		}
	}()
	part()
	return nil
}

// want ends the check if something does not hold here.
func (c *reader) want(holds bool, format string, a ...any) {
	if holds {
		return
	}
	failed(c.fault)
	if c.state >= 0 {
		c.place += fmt.Sprintf(", state %d", c.state)
	}
	panic(stop{fmt.Errorf("%w: %s%s: %s", ErrCertificate, c.where, c.place, fmt.Sprintf(format, a...))})
}

// poll looks at ctx every 2^14 choices.
func (c *reader) poll(choices int) {
	if c.work += choices; c.work >= 1<<14 {
		c.work, c.fault = 0, cmp.Or(c.fault, c.ctx.Err())
		c.want(c.fault == nil, "")
	}
}

// failed ends the check for an error that is not the certificate's.
func failed(err error) {
	if err != nil {
		panic(stop{fmt.Errorf("the certificate is not checked: %w", err)})
	}
}

// maxBits is how many bits a state has at most, by doc/certificate.md.
const maxBits = 511

// header is what a certificate says before its levels, and what follows from it.
type header struct {
	window   big.Int     // its bits in a key
	counters []*counter  // by item; nil for none
	fields   []*field    // by item: of those with colours; nil of others
	blanks   int         // steps of fields, at most
	steps    map[int]int // by 2 · item or 2 · option + 1
	choices  [][]choice  // by step, nothing and then the options, rising
	keyWords int         // of the longest key
}

type counter struct {
	cover.Item
	saturating   bool
	place, width uint
	field        big.Int // its bits in a key
}

// choice is an option, or nothing.
type choice struct {
	option  int
	window  big.Int     // the bits of the option's items of steps
	uses    []cover.Use // of items with counters
	colours []colourUse // of items with fields
	needs   uint        // 1 if nothing can be chosen only where bit 0 is set
	child   int         // the index that it led to last
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
	for range c.within("number of counters", 0, maxBits-end) {
		item, kind := c.within("counter's item", 0, len(items)-1), c.within("counter's kind", 0, 1)
		place := c.within("counter's place", end, maxBits-1)
		width := c.within("counter's width", 1, maxBits-place)
		c.want(c.counters[item] == nil, "item %d has two counters", item)
		c.want(c.fields[item] == nil, "item %d has colours and a counter, want a field or none", item)
		n := &counter{Item: items[item], saturating: kind == 1, place: uint(place), width: uint(width)}
		n.field.Lsh(n.field.Sub(n.field.Lsh(one, n.width), one), n.place)
		c.counters[item], end = n, place+width
	}
	c.keyWords = (end + bits.UintSize - 1) / bits.UintSize
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
	for o, option := range c.p.Options {
		first, last, size, possible, h := len(c.choices), 0, 0, c.possible(option), choice{option: o}
		for _, u := range option {
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
		c.choices[first] = append(c.choices[first], h)
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

// possible reports whether an option uses no item more often than the item's max.
func (c *certificate) possible(o cover.Option) bool {
	return !slices.ContainsFunc(o, func(u cover.Use) bool { return int(u.Times) > c.p.Items[u.Item].Max })
}

// readLevel reads level i as the next one.
func (c *certificate) readLevel(i int) {
	c.at("level %d", i)
	l := c.next
	l.n = c.within("number of states", 0, math.MaxInt)
	limit := int64(math.MaxInt64)
	if c.o.Disk == "" {
		limit = cmp.Or(c.o.Memory, limit)
	}
	if int64(l.n) > limit/int64((c.keyWords+2*c.words+1)*wordBytes) { // a level that cannot fit is refused at once
		failed(fmt.Errorf("%w: %s needs more than %d bytes", cover.ErrMemory, c.place, limit))
	}
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
		now := c.Certified
		now.Bytes += c.size
		c.o.Progress(now)
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
	for s := range c.next.n { // none of version 2
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

// field is what a state of a certificate of version 3 says of an item with colours.
type field struct {
	step, width int // of its first step; width 0: there is none
	last        int // the last step with an option that uses the item
	asked       map[int32]*asked
}

// asked is the first and last step that asks for a colour of an item, or for 0 that uses it
// without one.
type asked struct {
	first, last int
	code        uint64 // 0 if it has none
}

// colourUse is a use of an item that has a field.
type colourUse struct {
	place, width uint   // bits of the field, where the step's own item has bit 0
	code         uint64 // of the colour; 0 if it has none
	after        uint64 // what the field says then
	stays        bool   // it stays as it is
}

// maxFieldWidth is more than any field needs.
const maxFieldWidth = 32

// assignColours says what the options do to fields, their steps being known, and checks the
// conditions 2 and 5.
func (c *certificate) assignColours() {
	each := func(do func(step int, h *choice, u cover.Use, f *field)) {
		for step, choices := range c.choices {
			for x := range choices[1:] {
				h := &choices[1+x]
				for _, u := range c.p.Options[h.option] {
					if f := c.fields[u.Item]; f != nil {
						do(step, h, u, f)
					}
				}
				c.poll(len(c.p.Options[h.option]))
			}
		}
	}
	each(func(step int, _ *choice, u cover.Use, f *field) { // steps rise
		if f.asked[u.Colour] == nil {
			f.asked[u.Colour] = &asked{first: step}
		}
		f.last, f.asked[u.Colour].last = step, step
	})
	for item, f := range c.fields {
		if f != nil {
			c.encode(item, f)
		}
	}
	each(func(step int, h *choice, u cover.Use, f *field) {
		if f.width == 0 {
			return
		}
		a := f.asked[u.Colour]
		use := colourUse{uint(f.step - step), uint(f.width), a.code, 1<<f.width - 1, step == f.last}
		if u.Colour != 0 && step < a.last {
			use.after = a.code
		}
		h.colours = append(h.colours, use)
	})
}

// encode finds which colours have codes. It checks that the field is behind all steps that ask
// for it and has room for all it may say, or that it is not needed (conditions 2 and 5).
func (c *certificate) encode(item int, f *field) {
	first, codes, closes := f.last, uint64(0), uint64(0)
	for _, colour := range slices.Sorted(maps.Keys(f.asked)) {
		a := f.asked[colour]
		if colour != 0 && a.first < a.last {
			codes++
			a.code = codes
		}
		if a.last < f.last || colour == 0 && a.first < f.last {
			closes = 1
		}
		first = min(first, a.first)
	}
	if f.width == 0 {
		c.want(first == f.last || len(f.asked) == 1 && f.asked[0] == nil, "options of steps %d to %d may disagree on the colour of item %d, want a field", first, f.last, item) // condition 5
		return
	}
	c.want(f.step > f.last, "the field of item %d begins at step %d, want it behind step %d, which uses it", item, f.step, f.last)                                  // condition 2
	c.want(f.step+f.width-first <= c.window.BitLen(), "the field of item %d ends with step %d, too far from step %d for the window", item, f.step+f.width-1, first) // condition 2
	c.want(uint64(1)<<f.width-1 >= codes+closes, "the field of item %d has %d bits, too few for %d codes", item, f.width, codes+closes)                             // condition 5
}

// colour takes a use of a colour: it reports whether it fits in state k, and puts what the
// field says then into x.
func (c *certificate) colour(u *colourUse, k *big.Int) bool {
	says := c.y.Rsh(k, u.place).Uint64() & (1<<u.width - 1) // Uint64 has the lowest 64 bits
	if says != 0 && (u.code == 0 || says != u.code) {
		return false
	}
	if !u.stays {
		c.x.Or(&c.x, c.y.Lsh(c.y.SetUint64(u.after), u.place))
		c.x.AndNot(&c.x, c.y.Lsh(c.y.SetUint64(says&^u.after), u.place))
	}
	return true
}

// unmetMagic is the first line of version 2.
const unmetMagic = "pavage certificate 2\n"

// Unmet is why a certificate of version 2 says that there is no solution.
type Unmet struct {
	Item int // an item of the cover
	Min  int // how often it has to be used at least
}

// checkUnmet checks the body of a certificate of version 2: an item cannot be used
// as often as it has to be, since the options that use it are too few, or exclude
// each other by items that they share out.
func (c *certificate) checkUnmet() {
	c.readDigest()
	c.at("item")
	items := c.p.Items
	item, shared := c.within("item", 0, len(items)-1), make([]bool, len(items))
	n := c.within("number of shared items", 0, len(items))
	for range n {
		i := c.within("shared item", 0, len(items)-1)
		c.want(i != item && !shared[i] && items[i].Max == 1 && c.fields[i] == nil, "shared item %d, want others than item %d, each once, with max 1 and without colours", i, item)
		shared[i] = true
		c.poll(1)
	}
	c.Unmet = &Unmet{item, items[item].Min}
	least, total, room := int64(items[item].Min), int64(0), int64(n) // room is the shared items
	most, of := int64(0), int64(1)                                   // the most times for a size
	for _, o := range c.p.Options {
		times, size := int64(0), int64(0)
		for _, u := range o {
			if u.Item == item {
				times = int64(u.Times)
			} else if shared[u.Item] {
				size++
			}
		}
		c.poll(len(o))
		if times == 0 || !c.possible(o) {
			continue
		}
		if size == 0 { // it shares nothing: give it an item of its own
			size = 1
			room++
		}
		if total += times; times*of > most*size {
			most, of = times, size
		}
	}
	few := least > 0 && most*room < least*of // each takes more of them for a use than there are for min uses
	c.want(total < least || few, "the options can use item %d so often as its min, %d", item, least)
	c.readEnd()
}

// CertifiedDistinct is what an accepted certificate says of a count up to symmetry.
type CertifiedDistinct struct {
	Count   *big.Int // classes of solutions
	Order   int      // of the group
	Classes []CertifiedClass
}

// CertifiedClass is a class of elements of the group, which fix equally many solutions.
type CertifiedClass struct {
	Elements int
	Element  int      // index of one of them in the group
	Fixed    *big.Int // solutions that it fixes
}

const distinctMagic = "pavage certificate 4\n"

// checkDistinct goes through a certificate of version 4: c reads what is not in the
// certificates of its classes.
func (c *certificate) checkDistinct() {
	c.body, c.hashed = bufio.NewReaderSize(c, 1<<16), bufio.NewWriter(c.hash)
	c.readDigest()
	c.at("group")
	order := c.within("order of the group", 1, cover.MaxSymmetries)
	var elements []cover.Symmetry
	if c.o.Group != nil {
		elements = c.o.Group(order)
	}
	c.want(len(elements) > 0, "it is of a count up to symmetry, by a group of order %d, want one of all solutions", order)
	c.want(len(elements) == order, "it is of a group of order %d, want the order %d", order, len(elements))
	g, met, sum := c.makeGroup(elements), make([]bool, order), new(big.Int)
	c.Distinct = &CertifiedDistinct{Order: order}
	for done := 0; done < order; { // a class: the least of its elements, and how many solutions this fixes
		c.at("class %d", len(c.Distinct.Classes)+1)
		size := c.within("number of elements", 1, order-done)
		s := make(cover.Symmetry, len(c.p.Items))
		for i := range s {
			s[i] = c.within("item", 0, len(s)-1)
		}
		least, found := slices.BinarySearchFunc(g.sorted, s, slices.Compare[cover.Symmetry])
		c.want(found, "its permutation is none of the group")
		c.want(least == slices.Index(met, false), "its element is not the least of those without a class")
		want := g.class(least, met)
		c.want(want == size, "it has %d elements, want %d", size, want)
		done += size
		q := c.p
		if least > 0 { // not the identity
			q = c.quotient(s, g.images(c, s))
		}
		fixed := c.readWithin(q)
		c.long(&c.x, fixed.BitLen()+64)
		c.want(c.x.Cmp(fixed) == 0, "its elements fix %s solutions, but its certificate says %s", &c.x, fixed)
		sum.Add(sum, c.x.Mul(fixed, c.y.SetInt64(int64(size))))
		c.Distinct.Classes = append(c.Distinct.Classes, CertifiedClass{size, g.index[least], fixed})
	}
	c.at("end")
	count, rest := new(big.Int).QuoRem(sum, big.NewInt(int64(order)), new(big.Int))
	c.want(rest.Sign() == 0, "the elements fix %s solutions together, no multiple of their number %d", sum, order)
	c.long(&c.x, count.BitLen()+64)
	c.want(c.x.Cmp(count) == 0, "the number of classes of solutions is %s, but the mean is %s", &c.x, count)
	c.Count, c.Distinct.Count = c.Distinct.Classes[0].Fixed, count
	c.readSum()
}

// readWithin checks a certificate within this one, and returns its count. What it says is added
// to what those before it say.
func (c *certificate) readWithin(q *cover.Problem) *big.Int {
	from := &pieces{of: c}
	in := newCertificate(c.ctx, q, from, c.place+", ", c.o, c.start)
	in.o.Group = nil
	in.Levels, in.States, in.Arcs, in.Bytes = c.Levels, c.States, c.Arcs, c.Bytes
	err := ended(in.check)
	if from.err != nil {
		err = from.err
	}
	if err != nil {
		panic(stop{err})
	}
	_, end := from.Read(make([]byte, 1))
	c.want(end == io.EOF, "bytes follow its certificate (%v), want none", end)
	c.Levels, c.States, c.Arcs, c.Bytes = in.Levels, in.States, in.Arcs, in.Bytes
	if len(c.Distinct.Classes) == 0 {
		c.Unmet = in.Unmet
	}
	return in.Count
}

// pieces reads a certificate within another.
type pieces struct {
	of   *certificate
	left int // bytes of the present piece
	last bool
	err  error // what was wrong with a piece
}

const pieceBytes = 1 << 16

// Read implements [io.Reader], for zstd, which a panic must not leave half done.
func (p *pieces) Read(b []byte) (n int, err error) {
	if p.err != nil {
		return 0, p.err
	}
	p.err = ended(func() {
		if p.left == 0 && !p.last {
			p.left = p.of.within("length of a piece", 0, pieceBytes)
			p.last = p.left < pieceBytes
		}
		if p.left == 0 {
			err = io.EOF
			return
		}
		n, err = p.of.body.Read(b[:min(len(b), p.left)])
		p.of.want(err == nil, "the certificate is damaged or ends too early: %v", err)
		p.of.hashed.Write(b[:n])
		p.left -= n
	})
	return n, cmp.Or(p.err, err)
}

// group is the group of a puzzle, its elements by their images: so the identity is the
// first.
type group struct {
	sorted  []cover.Symmetry
	index   []int // that each had
	mapper  *cover.Mapper
	product [][]int32 // of a after b
}

// makeGroup checks that permutations are a group of symmetries of the cover.
func (c *certificate) makeGroup(elements []cover.Symmetry) (g group) {
	for k := range elements {
		g.index = append(g.index, k)
	}
	slices.SortFunc(g.index, func(a, b int) int { return slices.Compare(elements[a], elements[b]) })
	for _, k := range g.index {
		g.sorted = append(g.sorted, elements[k])
	}
	var err error
	g.mapper, err = c.p.Mapper(c.ctx)
	failed(err)
	for _, s := range g.sorted {
		g.images(c, s)
	}
	after := make(cover.Symmetry, len(c.p.Items))
	for _, s := range g.sorted {
		row := make([]int32, len(g.sorted))
		for b, t := range g.sorted {
			for i, to := range t {
				after[i] = s[to]
			}
			k, found := slices.BinarySearchFunc(g.sorted, after, slices.Compare[cover.Symmetry])
			if !found || k+1 < len(g.sorted) && slices.Equal(g.sorted[k+1], after) {
				failed(errors.New("internal error: the puzzle's symmetries are no group"))
			}
			row[b] = int32(k)
			c.poll(len(after))
		}
		g.product = append(g.product, row)
	}
	return g
}

// images are those of the options under a symmetry, which it is then.
func (g *group) images(c *certificate, s cover.Symmetry) []int {
	images, err := g.mapper.Images(s)
	failed(err)
	return images
}

// class marks the elements whose powers are conjugate to those of g, and returns how many they
// are: t·x·t⁻¹, where x is a power of g and g one of x.
func (g *group) class(of int, marked []bool) (size int) {
	for x, order := of, g.order(of); ; {
		if g.order(x) == order {
			for t := range g.product {
				inverse := slices.Index(g.product[t], 0)
				if k := g.product[g.product[t][x]][inverse]; !marked[k] {
					marked[k] = true
					size++
				}
			}
		}
		if x = int(g.product[of][x]); x == of {
			return size
		}
	}
}

// order is how many powers an element has.
func (g *group) order(of int) int {
	n := 1
	for x := of; x != 0; x = int(g.product[of][x]) {
		n++
	}
	return n
}

// quotient is the cover whose solutions are those that a symmetry fixes. It is made by the
// page alone, and shares nothing with cover.Quotient.
func (c *certificate) quotient(s cover.Symmetry, images []int) *cover.Problem {
	q := &cover.Problem{Colours: c.p.Colours}
	orbit, least := make([]int, len(s)), make([]bool, len(s)) // of an item; whether it is its orbit's least
	cycles(s, func(items []int) {
		for _, i := range items {
			orbit[i] = len(q.Items)
		}
		least[items[0]] = true
		q.Items = append(q.Items, c.p.Items[items[0]])
	})
	cycles(images, func(options []int) {
		if o, fits := c.together(options, orbit, least); fits {
			q.Options = append(q.Options, o)
		}
		c.poll(len(options))
	})
	return q
}

// cycles calls do with each cycle of a permutation, its least first, by rising least.
func cycles(permutation []int, do func(cycle []int)) {
	done := make([]bool, len(permutation))
	var cycle []int
	for first := range permutation {
		cycle = cycle[:0]
		for i := first; !done[i]; i = permutation[i] {
			done[i] = true
			cycle = append(cycle, i)
		}
		if len(cycle) > 0 {
			do(cycle)
		}
	}
}

// together is what options use of the least items, and whether they can be in a solution
// together.
func (c *certificate) together(options, orbit []int, least []bool) (cover.Option, bool) {
	times, colour := map[int]int64{}, map[int]int32{}
	for _, o := range options {
		for _, u := range c.p.Options[o] {
			n := times[u.Item]
			switch {
			case !least[u.Item]:
			case n > 0 && colour[u.Item] != u.Colour:
				return nil, false
			case n == 0 || u.Colour == 0: // as a sum of all options' times, below 2^44
				times[u.Item], colour[u.Item] = n+int64(u.Times), u.Colour
			}
		}
	}
	var all cover.Option
	for _, i := range slices.Sorted(maps.Keys(times)) {
		if it := c.p.Items[i]; it.Max != cover.Unbounded && times[i] > int64(it.Max) {
			return nil, false
		}
		c.want(times[i] <= cover.MaxTimes, "options that go together use item %d more than %d times", i, cover.MaxTimes)
		all = append(all, cover.Use{Item: orbit[i], Times: int32(times[i]), Colour: colour[i]})
	}
	return all, true
}

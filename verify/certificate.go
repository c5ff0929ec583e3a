package verify

import (
	"bufio"
	"bytes"
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
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
)

// This file checks certificates. Two other files belong to the checker: pages.go stores two levels,
// and certificate_parts.go checks covers of several parts. The checker was written from
// doc/certificate.md and shares no code with the writer. The sections of this file, in order:
//
//	reader    reads numbers, and reports mistakes with their places
//	header    reads the window, counters and steps, and assigns options to steps
//	levels    reads states, and follows each choice of a state to the next level
//	colours   checks the fields of items with colours (version 3)
//	unmet     checks that an item cannot be used as often as its min (version 2)
//	distinct  checks the group, and the certificates of the quotients (version 4)

// ErrCertificate is wrapped when a certificate is rejected.
var ErrCertificate = errors.New("certificate rejected")

// CertificateOptions are the options of a check; the zero value sets no limits.
type CertificateOptions struct {
	Memory   int64           // limit in bytes for two levels; 0 means no limit
	Disk     string          // if not "", a directory for pages that do not fit in Memory
	Progress func(Certified) // called after every level, before Certified.Count is set
	// Group returns the puzzle's group of this order. If it returns nil or a group of another
	// order, the certificate is rejected. Without Group, counts up to symmetry are rejected.
	Group func(order int) []cover.Symmetry
}

// Certified has the statements of an accepted certificate, and the cost of the check.
type Certified struct {
	Count        *big.Int // number of the cover's solutions
	Digest       string   // SHA-256 of the cover, in hexadecimal
	Levels       int
	States, Arcs int64 // number of states of all levels, and number of their choices
	Bytes        int64 // size of the body after decompression
	Elapsed      time.Duration
	Unmet        *Unmet // reason why there is no solution; nil if the certificate gives no reason
	Parts        int    // number of parts, if the cover is cut into parts (version 5)

	// Distinct is set for version 4. Then Count is the number of all solutions, and Levels, States,
	// Arcs and Bytes are sums over the certificates of the classes.
	Distinct *CertifiedDistinct
}

// CheckCertificate checks a certificate about p by the rules of doc/certificate.md. The code uses
// the terms of that text and numbers the conditions in the same way. p must be valid. The error
// wraps ErrCertificate if the certificate is rejected, or cover.ErrMemory if the check needs more
// than o.Memory bytes. Otherwise it is an error of r or ctx. ctx is checked every 2^14 choices.
//
// The time is proportional to the length of the file plus the number of choices of all states. Two
// levels are stored: 32 bytes for each state if keys and counts are below 2^64. zstd needs 128 MiB.
func CheckCertificate(ctx context.Context, p *cover.Problem, r io.Reader, o CertificateOptions) (*Certified, error) {
	c := newCertificate(ctx, p, r, "", o, time.Now())
	if err := ended(c.check); err != nil {
		return nil, err
	}
	return &c.Certified, nil
}

// After a mistake, the method want panics with a value of type stop. So the code after a call of
// want may assume that the condition, the first argument of want, is true.
type certificate struct {
	Certified
	reader
	header
	p      *cover.Problem
	o      CertificateOptions
	start  time.Time
	isPart bool // whether this is the certificate of a part, in a file of version 5

	now, next *level  // the current level and the level after it
	pool      pool    // memory of the two levels
	wide      int     // the number of all paths to states of next is at most 2^wide
	words     int     // length of the longest count, in words
	x, y, z   big.Int // scratch
}

func newCertificate(ctx context.Context, p *cover.Problem, file io.Reader, where string, o CertificateOptions, start time.Time) *certificate {
	r := reader{ctx: ctx, file: file, hash: sha256.New(), where: where, place: "first line", state: -1}
	return &certificate{reader: r, p: p, o: o, start: start, now: &level{}, next: &level{}, words: 1}
}

func (c *certificate) check() {
	version := c.readVersion()
	switch version {
	case distinctMagic:
		c.checkDistinct()
		return
	case partsMagic:
		c.checkParts()
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
	c.want(err == nil, "zstd cannot read it: %v", err)
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
	c.want(c.next.n == 1 && c.x.Sign() == 0, "the level has other states, expected only one state, whose key is 0") // readLevel accepts only the count 1 here
	for i, choices := range c.choices {
		c.now, c.next = c.next, c.now
		c.wide += bits.Len(uint(len(choices) - 1)) // at each step, a path makes one of the choices
		c.readLevel(i + 1)
		c.readChildren(i)
	}
	c.readEnd()
}

// readVersion reads the first line. Version 4 is accepted only for a whole file. Version 5 is
// accepted for a whole file and for the certificate of a class in a file of version 4.
func (c *certificate) readVersion() string {
	known := []string{"pavage certificate 1\n", unmetMagic}
	if c.p.Coloured() {
		known[0] = "pavage certificate 3\n"
	}
	if c.where == "" {
		known = append(known, distinctMagic)
	}
	if !c.isPart {
		known = append(known, partsMagic)
	}
	line := make([]byte, len(known[0]))
	n, _ := io.ReadFull(c, line)
	version := string(line[:n])
	c.want(n > 0, "the file is empty")
	if !slices.Contains(known, version) {
		const words = "pavage certificate "
		for i, line := range known {
			known[i] = strings.TrimSpace(strings.TrimPrefix(line, words))
		}
		slices.Sort(known)
		c.want(false, "the file begins with %q and is not a certificate of this puzzle: its first line must be \"%sN\", with N = %s", version, words, wording.List(known))
	}
	return version
}

func (c *certificate) readSum() {
	c.hashed.Flush()
	for _, b := range c.hash.Sum(nil) {
		c.want(c.byte() == b, "the SHA-256 does not match the body")
	}
	_, err := c.body.ReadByte()
	c.want(err == io.EOF && c.fault == nil, "bytes or an error (%v) follow the end, expected neither", err)
	c.Bytes += c.size
	c.Elapsed = time.Since(c.start)
}

func (c *certificate) readDigest() {
	c.at("digest")
	digest := coverDigest(c.p)
	c.Digest = fmt.Sprintf("%x", digest)
	read := make([]byte, len(digest))
	for i := range read {
		read[i] = c.byte()
	}
	c.want(bytes.Equal(read, digest), "the certificate is of another puzzle: its digest is %x, the digest of this puzzle is %s", read, c.Digest)
}

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

type reader struct {
	ctx    context.Context
	work   int // number of choices since the last check of ctx
	file   io.Reader
	fault  error         // error of file or ctx, which is not a mistake in the certificate
	body   *bufio.Reader // decompressed file
	hash   hash.Hash     // SHA-256 of the body
	hashed *bufio.Writer // buffers writes to hash
	size   int64         // number of bytes of the body that were read
	number big.Int       // scratch
	where  string        // class or part that is read, for error messages; "" for the whole file
	place  string        // section that is read, for error messages
	state  int           // index of the state that is read, for error messages; -1 means no state
}

// Read reads compressed bytes of the file. It fails after ctx has ended.
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

// long reads a number into n. It rejects a number with more bits than the limit most.
func (c *reader) long(n *big.Int, most int) {
	words := append(n.Bits()[:0], 0)
	for at, b := 0, byte(128); b >= 128; at += 7 {
		b = c.byte()
		digit, w, low := big.Word(b%128), at/bits.UintSize, at%bits.UintSize
		if at+bits.Len(uint(digit)) > most || b == 0 && at > 0 {
			c.want(false, "a number has more than %d bits, or is not in its shortest form", most)
		}
		words = append(words[:w+1], digit>>(bits.UintSize-low))
		words[w] |= digit << low
	}
	n.SetBits(words)
}

func (c *reader) within(what string, low, high int) int {
	c.long(&c.number, bits.UintSize-1)
	n := int(c.number.Int64())
	if n < low || n > high {
		c.want(false, "the %s is %d, expected %d..%d", what, n, low, high)
	}
	return n
}

// at sets the name of the section that is read next, for error messages.
func (c *reader) at(place string, a ...any) { c.place, c.state = fmt.Sprintf(place, a...), -1 }

type stop struct{ error }

// ended calls the function part. If part panics, ended returns the error in the panic, or else nil.
func ended(part func()) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = reason.(stop).error // every panic of the check has a value of type stop
		}
	}()
	part()
	return nil
}

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

func (c *reader) poll(choices int) {
	if c.work += choices; c.work >= 1<<14 {
		c.work, c.fault = 0, cmp.Or(c.fault, c.ctx.Err())
		c.want(c.fault == nil, "")
	}
}

// failed ends the check if err is not nil. It is not for mistakes in the certificate: see want.
func failed(err error) {
	if err != nil {
		panic(stop{fmt.Errorf("the check of the certificate ended early: %w", err)})
	}
}

// maxBits is the largest number of bits of a key that doc/certificate.md allows.
const maxBits = 511

// header is the part of a certificate before its levels, with tables derived from it.
type header struct {
	window   big.Int     // mask of the window in a key
	counters []*counter  // indexed by item; nil if the item has no counter
	fields   []*field    // indexed by item; nil if the item has no colours
	blanks   int         // limit on the number of steps of all fields
	steps    map[int]int // indices of steps: steps[2*i] for item i, steps[2*o+1] for option o
	choices  [][]choice  // indexed by step; each step begins with the choice without an option
	keyWords int         // length of the longest key, in words
}

type counter struct {
	cover.Item
	saturating   bool
	place, width uint
	field        big.Int // mask of the counter in a key
}

type choice struct {
	option  int
	window  big.Int     // a bit for each item of the option that has a step
	uses    []cover.Use // uses of items with counters
	colours []colourUse // uses of items with fields
	needs   uint        // 1 if bit 0 of the key must be set, as the item has min 1; otherwise 0
	child   int         // index of the last child that was reached by the choice
}

// readHeader reads the header. It checks a part of condition 1: an item without colours has a step,
// a counter or neither, and an item with a step has max 1.
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
		c.want(c.fields[item] == nil, "item %d has colours and a counter, expected no counter for an item with colours", item)
		n := &counter{Item: items[item], saturating: kind == 1, place: uint(place), width: uint(width)}
		n.field.Lsh(n.field.Sub(n.field.Lsh(one, n.width), one), n.place)
		c.counters[item], end = n, place+width
	}
	c.keyWords = (end + bits.UintSize - 1) / bits.UintSize
	for i := range c.within("number of steps", 0, len(items)+len(options)+c.blanks) {
		step := c.within("step", 0, 2*max(len(items), len(options)))
		x, lone := step/2, step%2 == 1
		c.choices = append(c.choices, []choice{{}}) // the choice without an option
		if !lone && x < len(items) && c.fields[x] != nil {
			f := c.fields[x]
			if f.width == 0 {
				f.step = i
			}
			f.width++
			follows := f.step+f.width == i+1 // the steps of a field are consecutive (condition 1)
			c.want(follows && f.width <= maxFieldWidth,
				"step %d belongs to the field of item %d, which begins at step %d, expected a field of at most %d adjacent steps",
				i, x, f.step, maxFieldWidth)
			continue
		}
		before, twice := c.steps[step]
		c.want(!twice, "step %d repeats step %d", i, before)
		c.steps[step] = i
		c.want(lone && x < len(options) || !lone && x < len(items) && items[x].Max == 1 && c.counters[x] == nil, "step %d is %d, expected 2 · item (an item with max 1 and no counter), or 2 · option + 1", i, step)
		if !lone {
			c.choices[i][0].needs = uint(items[x].Min)
		}
	}
}

// assignOptions assigns options to steps (conditions 1 and 2), and checks the items without steps
// (conditions 3 and 4).
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
		c.want(lone == (possible && size == 0), "option %d has its own step (%t), expected a step only if the option is possible (%t) and uses no item of a step (it uses %d)", o, lone, possible, size) // condition 1
		c.want(!possible || last-first < c.window.BitLen(), "option %d uses items of steps %d to %d, too far apart for the window", o, first, last)                                                      // condition 2
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
			c.want(it.Max == cover.Unbounded || times[i] <= int64(it.Max) || !often[i], "item %d may be used more often than its max, expected a step or an exact counter for the item", i) // condition 3
			c.want(it.Min == 0 || n != nil, "item %d has a min, but neither a step nor a counter", i)                                                                                       // condition 4
		}
	}
}

func (c *certificate) possible(o cover.Option) bool {
	return !slices.ContainsFunc(o, func(u cover.Use) bool { return int(u.Times) > c.p.Items[u.Item].Max })
}

func (c *certificate) readLevel(i int) {
	c.at("level %d", i)
	l := c.next
	l.n = c.within("number of states", 0, math.MaxInt)
	limit := int64(math.MaxInt64)
	if c.o.Disk == "" {
		limit = cmp.Or(c.o.Memory, limit)
	}
	if int64(l.n) > limit/int64((c.keyWords+2*c.words+1)*wordBytes) { // the level cannot fit
		failed(fmt.Errorf("%w: %s needs more than %d bytes", cover.ErrMemory, c.place, limit))
	}
	l.keys.reset(&c.pool, c.keyWords)
	l.counts.reset(&c.pool, c.words)
	for c.state = range l.n {
		if c.long(&c.x, maxBits); c.state > 0 {
			c.want(c.x.Sign() > 0, "the key of the state equals the key of the state before, expected a larger key")
			c.x.Add(&c.x, &c.z)
		}
		if len(c.x.Bits()) > c.keyWords {
			c.want(false, "the key of the state has %d bits, more than the key of any child", c.x.BitLen())
		}
		l.keys.put(c.state, &c.x)
		c.z.Set(&c.x)
		c.poll(1)
	}
	for c.state = range l.n {
		c.long(&c.x, c.wide+1)
		c.want(c.x.Sign() > 0, "the count of the state is 0, expected at least 1")
		if n := len(c.x.Bits()); n > c.words {
			c.words = n
			l.counts.widen(c.state, n)
		}
		l.counts.put(c.state, &c.x)
		c.poll(1)
	}
	l.sums.reset(&c.pool, c.words+1) // a sum of all counts in a file needs at most one word more than a count
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

// readChildren follows the choices of all states of level i. It adds the counts of the states that
// lead to each child, and compares the sums with the counts of level i+1.
func (c *certificate) readChildren(i int) {
	c.at("level %d", i)
	choices := append(c.choices[i][1:], c.choices[i][0]) // the choice without an option is last in the file
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
				c.want(false, "choice %d leads to state %d, which does not exist or has the wrong key", x, h.child)
			}
			if !c.next.sums.add(h.child, &count) {
				c.want(false, "the number of ways to state %d is impossibly large", h.child)
			}
			c.Arcs++
		}
		c.poll(len(choices))
	}
	c.at("level %d", i+1)
	for c.state = range c.next.n {
		c.next.sums.get(c.state, &c.x)
		c.next.counts.get(c.state, &c.z)
		c.want(c.x.Cmp(&c.z) == 0, "the count of the state is %s, but %s ways lead to the state", &c.z, &c.x)
		c.poll(1)
	}
}

// take reports whether a choice fits in the state with key k, and sets c.x to the child's key.
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
		if n.saturating { // the counter stays at its min
			after = min(after, int64(n.Min))
		} else if after > int64(n.Max) { // is false if Max is cover.Unbounded
			return false
		}
		narrow = narrow || uint64(after)>>n.width > 0
		c.x.Add(&c.x, c.y.Lsh(c.y.SetInt64(after-before), n.place))
	}
	c.want(!narrow, "a choice that fits uses an item more often than the item's counter can store")
	c.x.Sub(&c.x, c.y.And(&c.x, &c.window)).Or(&c.x, c.y.Rsh(&c.y, 1)) // moves the window to the next step
	return true
}

func (c *certificate) readEnd() {
	c.at("end")
	c.Count = new(big.Int)
	for s := range c.next.n { // c.next has no states in version 2
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
	c.want(c.x.Cmp(c.Count) == 0, "the count of the cover is %s, but the counts of the last level add up to %s", &c.x, c.Count)
	c.readSum()
}

// field says at which steps a key of version 3 has the colour of an item.
type field struct {
	step, width int              // first step and number of steps; width is 0 if there is no field
	last        int              // last step with an option that uses the item
	asked       map[int32]*asked // indexed by colour; index 0 is for uses without a colour
}

// asked has the first and the last step at which an option uses a given item with a given colour.
type asked struct {
	first, last int
	code        uint64 // 0 means no code
}

type colourUse struct {
	place, width uint   // first bit and number of bits of the field in the key before the use
	code         uint64 // code of the colour; 0 means no code
	after        uint64 // value of the field after the use
	stays        bool   // whether the field keeps its value
}

// maxFieldWidth is larger than the width of any field.
const maxFieldWidth = 32

// assignColours computes how options change the fields of items that they use (conditions 2, 5).
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
	each(func(step int, _ *choice, u cover.Use, f *field) { // in ascending order of steps
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

// encode assigns codes to the colours of an item. It checks conditions 2 and 5. A field must have
// enough bits and begin after all steps that use the item. Without a field, all options that use
// the item must use it with the same colour or belong to the same step.
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
		c.want(first == f.last || len(f.asked) == 1 && f.asked[0] == nil, "options of steps %d to %d may disagree on the colour of item %d, expected a field for the colours", first, f.last, item) // condition 5
		return
	}
	c.want(f.step > f.last, "the field of item %d begins at step %d, expected it behind step %d, which uses it", item, f.step, f.last)                              // condition 2
	c.want(f.step+f.width-first <= c.window.BitLen(), "the field of item %d ends with step %d, too far from step %d for the window", item, f.step+f.width-1, first) // condition 2
	c.want(uint64(1)<<f.width-1 >= codes+closes, "the field of item %d has %d bits, too few for %d codes", item, f.width, codes+closes)                             // condition 5
}

// colour reports whether a use of an item with a field fits in the key k. It sets the field in c.x.
func (c *certificate) colour(u *colourUse, k *big.Int) bool {
	says := c.y.Rsh(k, u.place).Uint64() & (1<<u.width - 1) // Uint64 returns the lowest 64 bits
	if says != 0 && (u.code == 0 || says != u.code) {
		return false
	}
	if !u.stays {
		c.x.Or(&c.x, c.y.Lsh(c.y.SetUint64(u.after), u.place))
		c.x.AndNot(&c.x, c.y.Lsh(c.y.SetUint64(says&^u.after), u.place))
	}
	return true
}

const unmetMagic = "pavage certificate 2\n"

// Unmet is an item that no solution can use as often as its min.
type Unmet struct {
	Item int // index of the item in the cover
	Min  int // cover.Item.Min of the item
}

// checkUnmet checks that an item cannot reach its min. Either too few options use the item, or too
// few of these options fit together, because they use shared items, each of which has max 1.
func (c *certificate) checkUnmet() {
	c.readDigest()
	c.at("item")
	items := c.p.Items
	item, shared := c.within("item", 0, len(items)-1), make([]bool, len(items))
	n := c.within("number of shared items", 0, len(items))
	for range n {
		i := c.within("shared item", 0, len(items)-1)
		c.want(i != item && !shared[i] && items[i].Max == 1 && c.fields[i] == nil, "item %d cannot be a shared item, expected items other than %d, each once, with max 1 and without colours", i, item)
		shared[i] = true
		c.poll(1)
	}
	c.Unmet = &Unmet{item, items[item].Min}
	least, total, room := int64(items[item].Min), int64(0), int64(n)
	most, of := int64(0), int64(1) // the largest times/size of an option is most/of
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
		if size == 0 { // counts one more shared item, which only this option uses
			size = 1
			room++
		}
		if total += times; times*of > most*size {
			most, of = times, size
		}
	}
	few := least > 0 && most*room < least*of // the shared items allow at most room*most/of uses
	c.want(total < least || few, "the options can use item %d as often as its min, %d, expected less often", item, least)
	c.readEnd()
}

// CertifiedDistinct has the statements about a count up to symmetry.
type CertifiedDistinct struct {
	Count   *big.Int // number of classes of solutions
	Order   int      // order of the group
	Classes []CertifiedClass
}

// CertifiedClass is a class of elements of the group. They all fix the same number of solutions.
type CertifiedClass struct {
	Elements int
	Element  int      // index of one element in the group
	Fixed    *big.Int // number of solutions that the element fixes
}

const distinctMagic = "pavage certificate 4\n"

func (c *certificate) checkDistinct() {
	c.body, c.hashed = bufio.NewReaderSize(c, 1<<16), bufio.NewWriter(c.hash)
	c.readDigest()
	c.at("group")
	order := c.within("order of the group", 1, cover.MaxSymmetries)
	var elements []cover.Symmetry
	if c.o.Group != nil {
		elements = c.o.Group(order)
	}
	c.want(len(elements) > 0, "the certificate is of a count up to symmetry, by a group of order %d, expected a certificate of all solutions", order)
	c.want(len(elements) == order, "the group of the certificate has the order %d, expected the order %d", order, len(elements))
	g, met, sum := c.makeGroup(elements), make([]bool, order), new(big.Int)
	c.Distinct = &CertifiedDistinct{Order: order}
	for done := 0; done < order; { // reads a class: its size, its least element, and the number of solutions that this element fixes
		c.at("class %d", len(c.Distinct.Classes)+1)
		size := c.within("number of elements", 1, order-done)
		s := make(cover.Symmetry, len(c.p.Items))
		for i := range s {
			s[i] = c.within("item", 0, len(s)-1)
		}
		least, found := slices.BinarySearchFunc(g.sorted, s, slices.Compare[cover.Symmetry])
		c.want(found, "the permutation of the class is not in the group")
		c.want(least == slices.Index(met, false), "the element of the class is not the least element without a class")
		want := g.class(least, met)
		c.want(want == size, "the class has %d elements, expected %d elements", size, want)
		done += size
		q := c.p
		if least > 0 { // the element is not the identity
			q = c.quotient(s, g.images(c, s))
		}
		fixed := c.readWithin(q)
		c.long(&c.x, fixed.BitLen()+64)
		c.want(c.x.Cmp(fixed) == 0, "the elements of the class fix %s solutions, but the certificate of the class counts %s", &c.x, fixed)
		sum.Add(sum, c.x.Mul(fixed, c.y.SetInt64(int64(size))))
		c.Distinct.Classes = append(c.Distinct.Classes, CertifiedClass{size, g.index[least], fixed})
	}
	c.at("end")
	count, rest := new(big.Int).QuoRem(sum, big.NewInt(int64(order)), new(big.Int))
	c.want(rest.Sign() == 0, "together the elements fix %s solutions, expected a multiple of the number of elements, %d", sum, order)
	c.long(&c.x, count.BitLen()+64)
	c.want(c.x.Cmp(count) == 0, "the number of classes of solutions is %s, but the elements fix %s solutions on average", &c.x, count)
	c.Count, c.Distinct.Count = c.Distinct.Classes[0].Fixed, count
	c.readSum()
}

// readWithin checks a certificate of q that is a part of c, and returns the count of q. It adds the
// levels, states, arcs and bytes of the certificate of q to c.
func (c *certificate) readWithin(q *cover.Problem) *big.Int {
	from := &pieces{of: c}
	in := newCertificate(c.ctx, q, from, c.place+", ", c.o, c.start)
	in.o.Group, in.isPart = nil, c.Distinct == nil
	in.Levels, in.States, in.Arcs, in.Bytes = c.Levels, c.States, c.Arcs, c.Bytes
	err := ended(in.check)
	if from.err != nil {
		err = from.err
	}
	if err != nil {
		panic(stop{err})
	}
	_, end := from.Read(make([]byte, 1))
	c.want(end == io.EOF, "bytes or an error (%v) follow the certificate of the part or class, expected neither", end)
	c.Levels, c.States, c.Arcs, c.Bytes = in.Levels, in.States, in.Arcs, in.Bytes
	if c.Distinct != nil && len(c.Distinct.Classes) == 0 {
		c.Unmet, c.Parts = in.Unmet, in.Parts
	}
	return in.Count
}

type pieces struct {
	of   *certificate
	left int // unread bytes of the current piece
	last bool
	err  error // mistake in a piece
}

const pieceBytes = 1 << 16

// Read implements [io.Reader] for zstd. A panic must not interrupt zstd, so Read returns an error.
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

// group has the elements of a group, sorted as lists of images. The identity is first.
type group struct {
	sorted  []cover.Symmetry
	index   []int // index[k] is the original index of sorted[k]
	mapper  *cover.Mapper
	product [][]int32 // product[a][b] is the index of the symmetry: first sorted[b], then sorted[a]
}

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
				failed(errors.New("internal error: the puzzle's symmetries are not a group"))
			}
			row[b] = int32(k)
			c.poll(len(after))
		}
		g.product = append(g.product, row)
	}
	return g
}

func (g *group) images(c *certificate, s cover.Symmetry) []int {
	images, err := g.mapper.Images(s)
	failed(err)
	return images
}

// class marks the elements t·y·t⁻¹ for all t and for all y that generate the same cyclic group as
// sorted[of]. It returns the number of elements that were not marked before.
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

func (g *group) order(of int) int {
	n := 1
	for x := of; x != 0; x = int(g.product[of][x]) {
		n++
	}
	return n
}

// quotient returns the quotient of the cover by s. It shares no code with cover.Quotient.
func (c *certificate) quotient(s cover.Symmetry, images []int) *cover.Problem {
	q := &cover.Problem{Colours: c.p.Colours}
	orbit, least := make([]int, len(s)), make([]bool, len(s)) // indexed by item
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

// cycles calls do with each cycle, in the order of their least members, which come first in them.
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

// together returns one option in place of an orbit of options. For each orbit of items, the option
// has the uses of the least item. together returns false if no solution can have all the options.
func (c *certificate) together(options, orbit []int, least []bool) (cover.Option, bool) {
	times, colour := map[int]int64{}, map[int]int32{}
	for _, o := range options {
		for _, u := range c.p.Options[o] {
			n := times[u.Item]
			switch {
			case !least[u.Item]:
			case n > 0 && colour[u.Item] != u.Colour:
				return nil, false
			case n == 0 || u.Colour == 0: // no overflow: the sum of all times of a cover is below 2^44
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

package verify

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
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
	Memory   int64           // bytes for two levels, some more while one grows; 0 for no limit
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
// Time is linear in the body, and in the options of the step for each state: 2
// to 4 million states of dominoes a second. Memory is some 80 bytes for each
// state of two levels while counts are below 2^64, and what zstd goes back to,
// at most 128 MiB.
func CheckCertificate(ctx context.Context, p *cover.Problem, r io.Reader, o CertificateOptions) (*Certified, error) {
	start, file := time.Now(), &source{ctx: ctx, r: r}
	c := &certificate{ctx: ctx, p: p, limit: cmp.Or(o.Memory, math.MaxInt64)}
	c.progress = func() {
		if o.Progress != nil {
			c.Bytes, c.Elapsed = c.body.bytes, time.Since(start)
			o.Progress(c.Certified)
		}
	}
	err := c.check(bufio.NewReader(file))
	switch {
	case err == nil:
		c.Bytes, c.Elapsed = c.body.bytes, time.Since(start)
		return &c.Certified, nil
	case file.err != nil:
		return nil, fmt.Errorf("the certificate is not checked: %w", file.err)
	case errors.Is(err, ErrMemory), ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, fmt.Errorf("the certificate is not checked: %w", err)
	}
	return nil, fmt.Errorf("%w: %w", ErrCertificate, err)
}

// certificate is one that is being checked. What it says before the levels is
// in certificate_header.go, how bytes become numbers in certificate_read.go,
// and what keys and choices are in certificate_state.go.
type certificate struct {
	Certified
	ctx      context.Context
	p        *cover.Problem
	limit    int64 // bytes
	progress func()
	work     int // choices since ctx was looked at

	body body
	header
	options [][]int // by step, rising

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
	for _, part := range []func() error{c.begin, c.levels, c.total, c.body.finish} {
		if err := part(); err != nil {
			return err
		}
	}
	if _, err := r.Peek(1); err != io.EOF {
		return errors.New("bytes follow the zstd frame, want none")
	}
	return nil
}

// begin reads what comes before the levels.
func (c *certificate) begin() (err error) {
	want, got := coverDigest(c.p), make([]byte, sha256.Size)
	if err := c.body.read(got); err != nil {
		return fmt.Errorf("digest: %w", err)
	}
	if c.Digest = hex.EncodeToString(want); !bytes.Equal(got, want) {
		return fmt.Errorf("it is about another cover: digest %x, the puzzle's is %x", got, want)
	}
	if c.header, err = readHeader(&c.body, c.p); err != nil {
		return err
	}
	if c.options, err = c.assign(c.p); err != nil {
		return err
	}
	return c.bounds(c.p)
}

func (c *certificate) levels() error {
	if err := c.readLevel(); err != nil {
		return fmt.Errorf("level 0, %w", err)
	}
	if x := c.next; len(x.keys) != 1 || x.keys[0] != (key{}) || x.words[0] != 1 {
		return errors.New("level 0: want the state 0 with the count 1, and no other")
	}
	for i, options := range c.options {
		c.progress()
		c.now, c.next = c.next, c.now
		c.wide += bits.Len(uint(len(options)))
		if err := c.readLevel(); err != nil {
			return fmt.Errorf("level %d, %w", i+1, err)
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
			if err := read(); err != nil {
				return fmt.Errorf("state %d: %w", s, err)
			}
			if err := cmp.Or(c.look(1), c.afford()); err != nil {
				return err
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
	to := h.before + int64(d>>1)
	if d&1 == 1 {
		to = h.before - int64(d>>1) - 1
	}
	if to < 0 || to >= int64(len(c.next.keys)) {
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
	place := c.next.of(c.sums, int(to))
	c.sum.SetBits(place)
	c.sum.Add(&c.sum, c.count.SetBits(c.now.of(c.now.words, s)))
	if c.count.SetBits(c.next.of(c.next.words, int(to))); c.sum.Cmp(&c.count) > 0 {
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

package verify

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math/big"
	"math/bits"
	"time"

	"github.com/pavage/pavage/cover"
)

// Read reads the file for zstd, until ctx ends.
func (c *certificate) Read(b []byte) (n int, err error) {
	if err = c.ctx.Err(); err == nil {
		n, err = c.file.Read(b)
	}
	if err != io.EOF {
		c.fault = cmp.Or(c.fault, err)
	}
	return n, err
}

func (c *certificate) byte() byte {
	b, err := c.body.ReadByte()
	if err != nil {
		c.want(false, "the certificate is damaged or ends too early: %v", err)
	}
	c.hashed.WriteByte(b)
	c.Bytes++
	return b
}

// long reads a number of at most so many bits into n.
func (c *certificate) long(n *big.Int, most int) {
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
func (c *certificate) within(what string, low, high int) int {
	c.long(&c.y, bits.UintSize-1)
	n := int(c.y.Int64())
	if n < low || n > high {
		c.want(false, "%s %d, want %d..%d", what, n, low, high)
	}
	return n
}

// at says what is read from here on.
func (c *certificate) at(place string, a ...any) { c.place, c.state = fmt.Sprintf(place, a...), -1 }

// stop is why a check ends.
type stop struct{ error }

// want ends the check if something does not hold here.
func (c *certificate) want(holds bool, format string, a ...any) {
	if holds {
		return
	}
	if c.fault != nil {
		panic(stop{fmt.Errorf("the certificate is not checked: %w", c.fault)})
	}
	if c.state >= 0 {
		c.place += fmt.Sprintf(", state %d", c.state)
	}
	panic(stop{fmt.Errorf("%w: %s%s: %s", ErrCertificate, c.where, c.place, fmt.Sprintf(format, a...))})
}

// poll looks at ctx every 2^14 choices.
func (c *certificate) poll(choices int) {
	if c.work += choices; c.work >= 1<<14 {
		c.work, c.fault = 0, cmp.Or(c.fault, c.ctx.Err())
		c.want(c.fault == nil, "")
	}
}

// readSum compares the SHA-256.
func (c *certificate) readSum() {
	c.hashed.Flush()
	for _, b := range c.hash.Sum(nil) {
		c.want(c.byte() == b, "the SHA-256 is not that of the body")
	}
	_, err := c.body.ReadByte()
	c.want(err == io.EOF && c.fault == nil, "bytes or an error (%v) follow, want none", err)
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

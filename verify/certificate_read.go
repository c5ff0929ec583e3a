package verify

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"math/big"
	"math/bits"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pavage/pavage/cover"
)

// maxWindow limits what zstd holds to go back to: 128 MiB, as the command zstd
// does. Larger ones are refused.
const maxWindow = 128 << 20

// errEarly is the error about a file or a body that ends within something.
var errEarly = errors.New("the certificate ends here, want more")

// readMagic reads the first line of a certificate.
func readMagic(r *bufio.Reader) error {
	const start, known = "pavage certificate ", "1"
	line, _ := r.Peek(len(start) + len(known) + 1)
	end, found := strings.CutPrefix(string(line), start)
	version := strings.TrimSuffix(end, "\n")
	switch _, err := strconv.Atoi(version); {
	case !found || err != nil:
		return fmt.Errorf("it does not begin with %q", start+known+"\n")
	case end != known+"\n":
		return fmt.Errorf("version %s, this checker knows %s", version, known)
	}
	_, err := r.Discard(len(line))
	return err
}

// coverDigest is the SHA-256 by which a certificate says what it is about.
func coverDigest(p *cover.Problem) []byte {
	h := sha256.New()
	w := bufio.NewWriter(h) // none of whose writes fails
	put := func(n int) { w.Write(binary.AppendUvarint(w.AvailableBuffer(), uint64(n))) }
	put(len(p.Items))
	for _, it := range p.Items {
		put(it.Min)
		put(it.Max)
	}
	put(len(p.Options))
	for _, o := range p.Options {
		put(len(o))
		for _, u := range o {
			put(u.Item)
			put(u.Times)
		}
	}
	w.Flush()
	return h.Sum(nil)
}

// source reads from r until ctx ends. It remembers either's error, which is
// not the certificate's fault.
type source struct {
	ctx context.Context
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (n int, err error) {
	if err = s.ctx.Err(); err == nil {
		n, err = s.r.Read(b)
	}
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// frame hands on the bytes of one zstd frame and then ends, where a reader of
// zstd goes on to the next one. RFC 8878 has all that there is to know:
//
//	header    block: 3 bytes, content    …    last block    4 bytes of checksum, or none
type frame struct {
	r        *bufio.Reader
	left     int  // bytes until the next block or the end
	last     bool // there is no next block
	checksum int  // its size
}

func newFrame(r *bufio.Reader) (*frame, error) {
	start, _ := r.Peek(zstd.HeaderMaxSize) // or what there is
	var h zstd.Header
	switch err := h.Decode(start); {
	case err == io.ErrUnexpectedEOF:
		return nil, fmt.Errorf("zstd header: %w", errEarly)
	case err != nil || h.Skippable:
		return nil, errors.New("no zstd frame follows the first line")
	}
	f := &frame{r: r, left: h.HeaderSize}
	if h.HasCheckSum {
		f.checksum = 4
	}
	return f, nil
}

func (f *frame) Read(b []byte) (int, error) {
	if f.left == 0 {
		if f.last {
			return 0, io.EOF
		}
		if err := f.block(); err != nil {
			return 0, err
		}
	}
	n, err := f.r.Read(b[:min(len(b), f.left)])
	if f.left -= n; err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// block looks at the header of a block: bit 0 says that it is the last, bits 1
// and 2 what it is, the others its size, which for a run is that of the output.
func (f *frame) block() error {
	b, err := f.r.Peek(3)
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	const run = 1
	h := int(b[0]) | int(b[1])<<8 | int(b[2])<<16
	if f.left = 3 + h>>3; h>>1&3 == run {
		f.left = 3 + 1
	}
	if f.last = h&1 == 1; f.last {
		f.left += f.checksum
	}
	return nil
}

// body reads bytes and numbers, and hashes what it has read.
type body struct {
	r       io.Reader
	hash    hash.Hash
	buffer  []byte
	at, end int        // in the buffer: of what is not read yet
	passed  int        // in the buffer: what is in hash and Bytes
	bytes   int64      // that hash has
	digits  []big.Word // of the number read last, the lowest first
}

func newBody(r io.Reader) body {
	return body{r: r, hash: sha256.New(), buffer: make([]byte, 1<<16)}
}

// pass puts what is read of the buffer into the hash.
func (b *body) pass() {
	b.hash.Write(b.buffer[b.passed:b.at])
	b.bytes += int64(b.at - b.passed)
	b.passed = b.at
}

// fill makes at least a byte ready, or returns io.EOF at the end.
func (b *body) fill() (err error) {
	if b.at < b.end {
		return nil
	}
	b.pass()
	b.at, b.passed = 0, 0
	if b.end, err = io.ReadAtLeast(b.r, b.buffer, 1); b.end > 0 {
		return nil
	}
	return err
}

func (b *body) next() (byte, error) {
	if b.at == b.end {
		if err := b.fill(); err == io.EOF || err == io.ErrUnexpectedEOF {
			return 0, errEarly
		} else if err != nil {
			return 0, err
		}
	}
	b.at++
	return b.buffer[b.at-1], nil
}

// long reads a number of at most so many bits into digits, none for 0.
func (b *body) long(most int) error {
	b.digits = b.digits[:0]
	for at := 0; ; at += 7 {
		v, err := b.next()
		if err != nil {
			return err
		}
		digit := big.Word(v & 127)
		end := at + bits.Len(uint(digit))
		if end > most {
			return fmt.Errorf("a number of more than %d bits", most)
		}
		for len(b.digits)*bits.UintSize < end {
			b.digits = append(b.digits, 0)
		}
		if digit > 0 {
			w, low := at/bits.UintSize, at%bits.UintSize
			if b.digits[w] |= digit << low; w+1 < len(b.digits) {
				b.digits[w+1] |= digit >> (bits.UintSize - low)
			}
		}
		if v < 128 {
			if v == 0 && at > 0 {
				return errors.New("a number whose last digit is 0, want the shortest form")
			}
			return nil
		}
	}
}

// short reads a number below 2^63.
func (b *body) short() (n uint64, err error) {
	if b.at < b.end && b.buffer[b.at] < 128 {
		b.at++
		return uint64(b.buffer[b.at-1]), nil
	}
	if err = b.long(63); err == nil {
		n = b.key()[0]
	}
	return n, err
}

// key is the number read last, of at most 256 bits.
func (b *body) key() (k key) {
	for w, digit := range b.digits {
		k[w*bits.UintSize/64] |= uint64(digit) << (w * bits.UintSize % 64)
	}
	return k
}

// within reads a number within bounds.
func (b *body) within(low, high int) (int, error) {
	n, err := b.short()
	if err == nil && (int64(n) < int64(low) || int64(n) > int64(high)) {
		err = fmt.Errorf("%d, want %d..%d", n, low, high)
	}
	return int(n), err
}

// read reads bytes as they are.
func (b *body) read(to []byte) (err error) {
	for k := range to {
		if to[k], err = b.next(); err != nil {
			return err
		}
	}
	return nil
}

// finish checks the hash of all that was read, and that nothing follows it.
func (b *body) finish() error {
	b.pass()
	want, got := b.hash.Sum(nil), make([]byte, sha256.Size)
	if err := b.read(got); err != nil {
		return fmt.Errorf("SHA-256: %w", err)
	}
	if !bytes.Equal(got, want) {
		return fmt.Errorf("SHA-256 %x, want %x", got, want)
	}
	switch err := b.fill(); {
	case err == nil:
		return errors.New("bytes follow the SHA-256, want none")
	case err != io.EOF:
		return fmt.Errorf("end of the zstd frame: %w", err)
	}
	b.pass()
	return nil
}

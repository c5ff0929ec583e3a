package blockfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
)

var (
	// ErrDamaged is wrapped by an error about a file that differs from what was written.
	ErrDamaged = errors.New("damaged checkpoint")
	// ErrForeign is wrapped by an error about an undamaged file of another automaton or version.
	ErrForeign = errors.New("the checkpoint cannot be continued")
)

// Reader reads blocks. Its errors name the block.
type Reader struct {
	from   io.Reader
	sum    hash.Hash // SHA-256 of all bytes read; nil if the blocks are not a whole file
	blocks int       // number of the next block
	buf    []byte
}

// Open begins to read a whole file.
func Open(from io.Reader) (*Reader, error) {
	sum := sha256.New()
	r := &Reader{from: io.TeeReader(from, sum), sum: sum}
	return r, r.preamble()
}

// From begins to read blocks that are not a whole file. The first block has the given number.
func From(from io.Reader, number int) *Reader { return &Reader{from: from, blocks: number} }

// Damaged returns an error that names the block that was read last.
func (r *Reader) Damaged(format string, args ...any) error {
	return fmt.Errorf("%w: block %d: %s",
		ErrDamaged, max(0, r.blocks-1), fmt.Sprintf(format, args...))
}

func (r *Reader) preamble() error {
	got, err := r.read(len(preamble(0)))
	if err != nil {
		return err
	}
	version := binary.LittleEndian.Uint32(got[len(magic):])
	switch {
	case !bytes.Equal(got, preamble(version)):
		return r.Damaged("it does not begin as a checkpoint")
	case version != Version:
		return fmt.Errorf("%w: its format is version %d, expected version %d", ErrForeign, version, Version)
	}
	return nil
}

// Block returns the next block, which is valid until the next call. It fails if the block has more
// bytes than the limit most.
func (r *Reader) Block(most int) ([]byte, error) {
	number := r.blocks
	r.blocks++
	head, err := r.read(lengthSize)
	if err != nil {
		return nil, err
	}
	length := int64(binary.LittleEndian.Uint32(head))
	if length > int64(most) {
		return nil, r.Damaged("its length is %d, expected at most %d", length, most)
	}
	b, err := r.more(int(length) + crcSize)
	if err != nil {
		return nil, err
	}
	end := len(b) - crcSize
	if blockSum(number, b[:end]) != binary.LittleEndian.Uint32(b[end:]) {
		return nil, r.Damaged("its checksum is wrong")
	}
	return b[lengthSize:end], nil
}

// Close checks the checksum of a whole file, and checks that nothing follows the checksum.
func (r *Reader) Close() error {
	want := r.sum.Sum(nil)
	got, err := r.read(len(want))
	if err != nil {
		return err
	}
	if !bytes.Equal(got, want) {
		return r.Damaged("the checksum of the whole file, at its end, is wrong")
	}
	if n, err := r.from.Read(make([]byte, 1)); n > 0 {
		return r.Damaged("bytes follow the end, expected none")
	} else if err != nil && err != io.EOF {
		return err
	}
	return nil
}

func (r *Reader) read(n int) ([]byte, error) {
	r.buf = r.buf[:0]
	return r.more(n)
}

func (r *Reader) more(n int) ([]byte, error) {
	at := len(r.buf)
	if need := at + n; cap(r.buf) < need {
		r.buf = append(make([]byte, 0, need), r.buf...)
	}
	r.buf = r.buf[:at+n]
	_, err := io.ReadFull(r.from, r.buf[at:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, r.Damaged("the file ends within this block")
	}
	return r.buf, err
}

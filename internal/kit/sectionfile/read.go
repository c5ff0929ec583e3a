package sectionfile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync/atomic"
)

// Whole is the length up to which a file is read and checked wholly when it is opened.
const Whole = 64 << 20

// Options are limits of a reader. The zero value is for most.
type Options struct {
	Whole    int64 // instead of Whole; below 0: no file is read wholly
	Memory   int64 // limit for a file that is read wholly; 0: no limit
	Unmapped bool  // read one block at a time, as suits a reader that goes from the beginning to the end
}

// File is a file that was opened. Any number of goroutines may read it.
type File struct {
	Digest   [32]byte // tells it from all others
	length   int64
	sections map[string]span
	pages    pages
}

// pages are the bytes of a file, checked before they are told.
type pages interface {
	readAt(p []byte, at int64) error // within the body
	close() error
}

// Open opens a file of a kind. Its errors about the content do not name the file.
func Open(path string, k Kind, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := OpenFile(file, k, o)
	if err != nil {
		_ = file.Close() // it was not written to
		return nil, err
	}
	return f, nil
}

// OpenFile is Open for a file that the system has opened. The File owns it, unless there is an error.
func OpenFile(file *os.File, k Kind, o Options) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() <= cmp.Or(o.Whole, Whole) {
		f, err := Read(context.Background(), file, k, o)
		if err == nil {
			err = file.Close()
		}
		return f, err
	}
	f, sums, err := ends(file, info.Size(), k)
	if err != nil {
		return nil, err
	}
	if !o.Unmapped {
		all, err := mapFile(file)
		if err == nil && int64(len(all)) < f.body() {
			return nil, errors.Join(damaged("it has become shorter than %d bytes", f.body()), unmapFile(all))
		}
		if err == nil {
			f.pages = &mapping{file, all, all[:f.body()], sums, make([]atomic.Uint32, len(sums)/sumBytes/32+1)}
			return f, nil
		}
	}
	f.pages = &paged{file: file, body: f.body(), sums: sums}
	return f, nil
}

// Read reads a file of a kind from a stream, to its end, and checks all of it. It stops early if the
// stream does not begin as a file of the kind.
func Read(ctx context.Context, from io.Reader, k Kind, o Options) (*File, error) {
	head := make([]byte, headerBytes)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if err := k.check(head[:n]); err != nil {
		return nil, err
	}
	all := bytes.NewBuffer(head)
	if file, ok := from.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			if o.Memory > 0 && info.Size() > o.Memory {
				return nil, fmt.Errorf("%w: it has more than the %d bytes allowed", ErrMemory, o.Memory)
			}
			all.Grow(int(info.Size()) + bytes.MinRead) // all at once: a buffer that grows has the bytes twice
		}
	}
	for {
		n, err := io.CopyN(all, from, 1<<20)
		switch {
		case o.Memory > 0 && int64(all.Len()) > o.Memory:
			return nil, fmt.Errorf("%w: it has more than the %d bytes allowed",
				ErrMemory, o.Memory)
		case errors.Is(err, io.EOF):
			return FromBytes(all.Bytes(), k)
		case err != nil:
			return nil, err
		case n > 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// FromBytes reads a file of a kind that is in memory, and checks all of it. The bytes
// must not change.
func FromBytes(data []byte, k Kind) (*File, error) {
	f, sums, err := ends(bytes.NewReader(data), int64(len(data)), k)
	if err != nil {
		return nil, err
	}
	data = data[:f.body()]
	for from := 0; from < len(data); from += blockBytes {
		if err := checkBlock(data[from:min(from+blockBytes, len(data))], sums, int64(from/blockBytes)); err != nil {
			return nil, err
		}
	}
	f.pages = whole(data)
	return f, nil
}

// ends reads what is no section, and checks it. sums are the checksums of the blocks.
func ends(from io.ReaderAt, length int64, k Kind) (f *File, sums []byte, err error) {
	header := make([]byte, min(length, headerBytes))
	if err := readFull(from, header, 0); err != nil {
		return nil, nil, err
	}
	if err := k.check(header); err != nil {
		return nil, nil, err
	}
	end := make([]byte, trailerBytes)
	if length < headerBytes+trailerBytes {
		return nil, nil, damaged("it has %d bytes, want at least %d", length, headerBytes+trailerBytes)
	}
	if err := readFull(from, end, length-trailerBytes); err != nil {
		return nil, nil, err
	}
	body, table := binary.LittleEndian.Uint64(end), binary.LittleEndian.Uint64(end[8:])
	if body < headerBytes || body > uint64(length) || table > maxTable {
		return nil, nil, damaged("it has %d bytes, and its end is cut off or changed", length)
	}
	blocks := (body + blockBytes - 1) / blockBytes
	if want := body + table + sumBytes*blocks + trailerBytes; want != uint64(length) {
		return nil, nil, damaged("it has %d bytes, want %d", length, want)
	}
	rest := make([]byte, table+sumBytes*blocks)
	if err := readFull(from, rest, int64(body)); err != nil {
		return nil, nil, err
	}
	f = &File{Digest: digest(header, rest, end[:16]), length: length}
	if !bytes.Equal(f.Digest[:], end[16:]) {
		return nil, nil, damaged("the digest at its end is wrong")
	}
	f.sections, err = tableOf(rest[:table], int64(body))
	return f, rest[table:], err
}

// readFull fills p; a file that has become shorter is damaged.
func readFull(from io.ReaderAt, p []byte, at int64) error {
	n, err := from.ReadAt(p, at)
	switch {
	case n == len(p):
		return nil
	case errors.Is(err, io.EOF):
		return damaged("it ends at byte %d, want more", at+int64(n))
	}
	return err
}

// checkBlock compares the checksum of a block of the body.
func checkBlock(b, sums []byte, block int64) error {
	if crc32.Checksum(b, castagnoli) != binary.LittleEndian.Uint32(sums[sumBytes*block:]) {
		return damaged("the checksum of bytes %d to %d is wrong", block*blockBytes, block*blockBytes+int64(len(b))-1)
	}
	return nil
}

// body is the number of bytes that are under checksums of blocks.
func (f *File) body() int64 {
	end := int64(headerBytes)
	for _, s := range f.sections {
		end += s.length
	}
	return end
}

// Length is the number of bytes of the file.
func (f *File) Length() int64 { return f.length }

// Close frees what the file holds. Nobody may read it any more.
func (f *File) Close() error { return f.pages.close() }

// Check reads and checks all blocks.
func (f *File) Check(ctx context.Context) error {
	b := make([]byte, blockBytes)
	for at := int64(0); at < f.body(); at += blockBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.pages.readAt(b[:min(blockBytes, f.body()-at)], at); err != nil {
			return err
		}
	}
	return nil
}

// Section is a part of a file. It implements io.ReaderAt.
type Section struct {
	pages pages
	span  span
}

// Section returns the section with a name. The error wraps ErrDamaged if there is none.
func (f *File) Section(name string) (*Section, error) {
	s, ok := f.sections[name]
	if !ok {
		return nil, damaged("it has no section %q", name)
	}
	return &Section{f.pages, s}, nil
}

// Size is the number of bytes of the section.
func (s *Section) Size() int64 { return s.span.length }

// ReadAt implements io.ReaderAt. What it reads was checked; it reads nothing if there is an
// error other than io.EOF.
func (s *Section) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at > s.span.length {
		return 0, io.EOF
	}
	n, err := int(min(int64(len(p)), s.span.length-at)), error(nil)
	if n < len(p) {
		err = io.EOF
	}
	if e := s.pages.readAt(p[:n], s.span.from+at); e != nil {
		return 0, e
	}
	return n, err
}

// Bytes are all bytes of the section, which has at most so many.
func (s *Section) Bytes(most int64) ([]byte, error) {
	if s.span.length > most {
		return nil, damaged("a section has %d bytes, want at most %d", s.span.length, most)
	}
	b := make([]byte, s.span.length)
	_, err := s.ReadAt(b, 0)
	return b, err
}

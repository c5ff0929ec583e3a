package sectionfile

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Whole is the length up to which a file is read and checked wholly when it is opened.
const Whole = 64 << 20

// Options say how a file is read. The zero value is for most.
type Options struct {
	Whole    int64 // instead of Whole; below 0: no file
	Memory   int64 // that a file which is read wholly may take; 0 = no limit
	Unmapped bool  // no file is mapped
}

// whole is the length up to which a file is read wholly.
func (o Options) whole() int64 {
	switch {
	case o.Whole < 0:
		return -1
	case o.Whole > 0:
		return o.Whole
	}
	return Whole
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

// Open opens a file of a kind. Its errors about what is in the file do not name it.
func Open(path string, k Kind, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := open(file, k, o)
	if err != nil {
		_ = file.Close() // it was not written to
		return nil, err
	}
	return f, nil
}

// open owns the file if it returns no error.
func open(file *os.File, k Kind, o Options) (*File, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() <= o.whole() {
		f, err := readWhole(file, info, k, o)
		if err == nil {
			err = file.Close()
		}
		return f, err
	}
	f, sums, err := ends(file, info.Size(), k)
	if err != nil {
		return nil, err
	}
	f.pages = newKept(file, f.body(), sums)
	if o.Unmapped {
		return f, nil
	}
	all, err := mapFile(file)
	switch {
	case err != nil: // it is read block by block
	case int64(len(all)) < f.body():
		return nil, errors.Join(damaged("it has become shorter than %d bytes", f.body()), unmapFile(all))
	default:
		f.pages = newMapping(file, all, f.body(), sums)
	}
	return f, nil
}

// readWhole reads all of a file, whose length is known if it is a regular one.
func readWhole(file *os.File, info fs.FileInfo, k Kind, o Options) (*File, error) {
	if !info.Mode().IsRegular() {
		return Read(context.Background(), file, k, o)
	}
	if o.Memory > 0 && info.Size() > o.Memory {
		return nil, tooLarge(o.Memory)
	}
	data := make([]byte, info.Size())
	if err := readFull(file, data, 0); err != nil {
		return nil, err
	}
	return FromBytes(data, k)
}

// tooLarge is the error about a file that does not fit in so many bytes.
func tooLarge(memory int64) error {
	return fmt.Errorf("%w: it has more than the %d bytes allowed", ErrMemory, memory)
}

// Read reads a file of a kind from a stream, to its end, and checks all of it.
func Read(ctx context.Context, from io.Reader, k Kind, o Options) (*File, error) {
	data, err := readAll(ctx, from, k, o.Memory)
	if err != nil {
		return nil, err
	}
	return FromBytes(data, k)
}

// FromBytes reads a file of a kind that is in memory, and checks all of it. The bytes
// must not change.
func FromBytes(data []byte, k Kind) (*File, error) {
	f, sums, err := ends(bytes.NewReader(data), int64(len(data)), k)
	if err != nil {
		return nil, err
	}
	data = data[:f.body()]
	for block := range blocksOf(f.body()) {
		if err := checkBlock(data, sums, block); err != nil {
			return nil, err
		}
	}
	f.pages = whole(data)
	return f, nil
}

// readAll reads to the end, and not much of what is no file of the kind.
func readAll(ctx context.Context, from io.Reader, k Kind, memory int64) ([]byte, error) {
	head := make([]byte, headerBytes)
	n, err := io.ReadFull(from, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	if err := k.check(head[:n]); err != nil {
		return nil, err
	}
	var all bytes.Buffer
	all.Write(head)
	for {
		if memory > 0 && int64(all.Len()) > memory {
			return nil, tooLarge(memory)
		}
		n, err := io.CopyN(&all, from, 1<<20)
		switch {
		case errors.Is(err, io.EOF):
			return all.Bytes(), nil
		case err != nil:
			return nil, err
		case n > 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
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
	t, err := trailerOf(end, length)
	if err != nil {
		return nil, nil, err
	}
	rest := make([]byte, length-trailerBytes-int64(t.body))
	if err := readFull(from, rest, int64(t.body)); err != nil {
		return nil, nil, err
	}
	f = &File{Digest: digest(header, rest, t), length: length}
	if !bytes.Equal(f.Digest[:], end[16:]) {
		return nil, nil, damaged("the digest at its end is wrong")
	}
	f.sections, err = tableOf(rest[:t.table], int64(t.body))
	return f, rest[t.table:], err
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
func checkBlock(body, sums []byte, block int64) error {
	from := block * BlockBytes
	return checkSum(body[from:min(from+BlockBytes, int64(len(body)))], sums, block)
}

func checkSum(b, sums []byte, block int64) error {
	if sum(b) != binary.LittleEndian.Uint32(sums[sumBytes*block:]) {
		return damaged("the checksum of bytes %d to %d is wrong", block*BlockBytes, block*BlockBytes+int64(len(b))-1)
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
	b := make([]byte, BlockBytes)
	for at := int64(0); at < f.body(); at += BlockBytes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.pages.readAt(b[:min(BlockBytes, f.body()-at)], at); err != nil {
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

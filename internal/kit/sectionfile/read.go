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

// Whole is the length in bytes of the longest file that Open reads as a whole.
const Whole = 64 << 20

// Options says how a file is read. With the zero value, files of more than Whole bytes are mapped.
type Options struct {
	Whole    int64 // replaces the constant Whole unless 0; if negative, no file is read as a whole
	Memory   int64 // largest file to read as a whole, in bytes; 0 means no limit
	Unmapped bool  // do not map the file; for callers that read all bytes in order
}

// File is an open file. Its methods may be called by several goroutines at once.
type File struct {
	Digest   [32]byte // identifies the file
	length   int64
	sections map[string]span
	pages    pages
}

type pages interface {
	readAt(p []byte, at int64) error // fills p with bytes of the body
	close() error
}

// Open opens a file of kind k. Errors wrap [ErrForeign], [ErrVersion], [ErrDamaged] or [ErrMemory].
func Open(path string, k Kind, o Options) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f, err := OpenFile(file, k, o)
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return f, nil
}

// OpenFile is Open for an open file. The caller must close the file after an error, and only then.
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

// Read reads a file of kind k from a stream, and checks all of it. It uses only the option Memory.
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
	fits := func(length int64) error {
		if o.Memory > 0 && length > o.Memory {
			return fmt.Errorf("%w: the file has over %d bytes, expected at most %[2]d bytes", ErrMemory, o.Memory)
		}
		return nil
	}
	if file, ok := from.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			if err := fits(info.Size()); err != nil {
				return nil, err
			}
			all.Grow(int(info.Size()) + bytes.MinRead) // the buffer gets its full length now, so it never copies its bytes
		}
	}
	for {
		n, err := io.CopyN(all, from, 1<<20)
		if err := fits(int64(all.Len())); err != nil {
			return nil, err
		}
		switch {
		case errors.Is(err, io.EOF):
			return FromBytes(all.Bytes(), k)
		case err != nil:
			return nil, err
		case n > 0 && ctx.Err() != nil:
			return nil, ctx.Err()
		}
	}
}

// FromBytes is like Read for the bytes of a file. The caller must not change data afterwards.
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
		return nil, nil, damaged("it has %d bytes, expected at least %d", length, headerBytes+trailerBytes)
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
		return nil, nil, damaged("it has %d bytes, expected %d", length, want)
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

func readFull(from io.ReaderAt, p []byte, at int64) error {
	n, err := from.ReadAt(p, at)
	switch {
	case n == len(p):
		return nil
	case errors.Is(err, io.EOF):
		return damaged("it ends at byte %d, expected more", at+int64(n))
	}
	return err
}

func checkBlock(b, sums []byte, block int64) error {
	if crc32.Checksum(b, castagnoli) != binary.LittleEndian.Uint32(sums[sumBytes*block:]) {
		return damaged("the checksum of bytes %d to %d is wrong", block*blockBytes, block*blockBytes+int64(len(b))-1)
	}
	return nil
}

func (f *File) body() int64 {
	end := int64(headerBytes)
	for _, s := range f.sections {
		end += s.length
	}
	return end
}

// Length returns the length of the file in bytes.
func (f *File) Length() int64 { return f.length }

// Close closes and unmaps the file. Its sections must not be read afterwards.
func (f *File) Close() error { return f.pages.close() }

// Check reads all blocks. If a checksum is wrong, the error wraps [ErrDamaged].
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

// Section returns the named section. If there is none, the error wraps [ErrDamaged].
func (f *File) Section(name string) (*Section, error) {
	s, ok := f.sections[name]
	if !ok {
		return nil, damaged("it has no section %q", name)
	}
	return &Section{f.pages, s}, nil
}

// Size returns the length of the section in bytes.
func (s *Section) Size() int64 { return s.span.length }

// ReadAt implements io.ReaderAt. It checks each block before it copies bytes. With an error other
// than io.EOF, it returns 0 bytes.
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

// Bytes returns the section. If it is longer than the limit most, the error wraps [ErrDamaged].
func (s *Section) Bytes(most int64) ([]byte, error) {
	if s.span.length > most {
		return nil, damaged("a section has %d bytes, expected at most %d", s.span.length, most)
	}
	b := make([]byte, s.span.length)
	_, err := s.ReadAt(b, 0)
	return b, err
}

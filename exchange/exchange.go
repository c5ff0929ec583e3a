// Package exchange reads and writes the puzzle files of other programs.
//
// [Recognise] finds the format of a file, [Read] reads it, and [Write] writes a model in another format.
//
// # Purpose
//
// A file comes in as bytes and a name. [Recognise] finds its format by its first bytes,
// [ByExtension] by its name; [Read] makes a [Content] of it: a puzzle with a board and
// pieces, or an exact cover, which has neither.
//
//	soma.xmpuzzle ──► Recognise ──► "xmpuzzle" ──► Read ──► Content{Puzzle} ──► tiling
//	queens.dlx    ──► Recognise ──► "dlx"      ──► Read ──► Content{Cover}  ──► cover
//
//	tiling.Model  ──► Write ──► a file that the other program reads
//
// The formats are rows of a table, in formats.go. The 2x3 board with dominoes as Knuth's
// programs read it, a line of items and then a line for each option:
//
//	| The 2x3 board with dominoes
//	a b c d e f
//	a b
//	b c
//	d e
//	e f
//	a d
//	b e
//	c f
//
// # What is kept, and what is refused
//
// The rule for each format is: the count of the file, as the other program defines it, is
// the count that Pavage finds. Whatever would change the count and cannot be said in the
// other format is refused, with an error that names it. Whatever does not change it, such as
// solutions that are stored in a file, is left out with a warning. doc/formats.md has the
// list for each format.
//
// # Non-goals
//
// Pavage's own files are not read here: package puzzlefile has puzzle files, package cover the
// text of covers. Nothing is counted, and no file is opened.
//
// # Size and cost
//
// A reader takes time in proportion to the file, and holds it to limits before it takes
// memory: see [MaxBytes], and the limits of the packages tiling and cover. A packed file is
// unpacked to at most MaxBytes. Readers look at their context every 2^14 words.
//
// # References
//
// D. E. Knuth's programs DLX1, DLX2, DLX3 (2016–2020), whose first sections define their
// input. A. Röver's BurrTools, src/lib/puzzle.cpp and the user guide. M. Busche's polycube
// 1.2.1, src/PuzzleParser.cpp. Model Counting Competition 2021, "Competition" (DIMACS).
package exchange

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/interrupt"
	"github.com/pavage/pavage/tiling"
)

// MaxBytes is the longest file of any format, and the most that one may unpack to.
const MaxBytes = cover.MaxTextBytes

// maxProblems is how many problems a file may have.
const maxProblems = 1000

// Content is what a file holds: a puzzle, or a cover without geometry.
type Content struct {
	Puzzle *tiling.Puzzle // nil: there is a Cover
	Cover  *cover.Problem // nil: there is a Puzzle
	Title  string         // of a cover, "" if it has none
	// Warnings say what of the file was left out. None of it changes the count.
	Warnings []string
}

// Options say how to read a file.
type Options struct {
	// Which of several problems: a number from 1, or a name; "" where there is one
	Problem string
	Memory  int64 // most bytes for a cover; 0 for no limit
}

// Read reads a file of a format, one of [Readable]. name is the file's, for errors. An error
// about the file reads "name:line:column: what is wrong, what was expected", is a
// *tiling.Error and wraps tiling.ErrPuzzle. One about memory wraps cover.ErrMemory.
func Read(ctx context.Context, format, name string, data []byte, o Options) (*Content, error) {
	f := find(format)
	s := &source{ctx: ctx, name: name, data: data, options: o, looks: interrupt.Context(ctx)}
	switch {
	case f == nil || f.read == nil:
		return nil, &tiling.Error{Name: name, Text: fmt.Sprintf("format %.40q cannot be read, want one of %q", format, Readable())}
	case len(data) > MaxBytes:
		return nil, s.errorf(1, 1, "more than %d bytes, want at most that many", MaxBytes)
	}
	if !f.binary {
		if err := s.checkText(); err != nil {
			return nil, err
		}
	}
	if o.Problem != "" && !f.several {
		return nil, &tiling.Error{Name: name, Text: fmt.Sprintf("problem %.40q is asked for, but a file of format %s has one problem", o.Problem, format)}
	}
	c, err := f.read(s)
	if err != nil {
		return nil, err
	}
	c.Warnings = append(c.Warnings, s.warnings...)
	return c, nil
}

// source is a file that is read.
type source struct {
	ctx      context.Context
	name     string
	data     []byte
	options  Options
	looks    interrupt.Watch
	warnings []string
}

// errorf is a mistake at a place of the file.
func (s *source) errorf(line, column int, format string, args ...any) error {
	return &tiling.Error{Name: s.name, Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// warn reports a part of the file that was left out.
func (s *source) warn(format string, args ...any) {
	s.warnings = append(s.warnings, fmt.Sprintf(format, args...))
}

// byteOrderMark stands at the beginning of some files in UTF-8.
var byteOrderMark = []byte("\ufeff")

// checkText refuses what is not UTF-8, and takes the byte order mark away.
func (s *source) checkText() error {
	// As in UTF-16 without a mark
	zero := bytes.IndexByte(s.data[:min(4, len(s.data))], 0) >= 0
	if zero || bytes.HasPrefix(s.data, []byte{0xff, 0xfe}) || bytes.HasPrefix(s.data, []byte{0xfe, 0xff}) {
		return s.errorf(1, 1, "the text is in UTF-16, want UTF-8")
	}
	s.data = bytes.TrimPrefix(s.data, byteOrderMark)
	line := 0
	for text := range bytes.Lines(s.data) {
		line++
		if !utf8.Valid(text) {
			return s.errorf(line, invalidAt(text)+1, "the byte %#02x here is not UTF-8 text, want UTF-8 (is the file in Latin-1 or Windows-1252, or packed?)", text[invalidAt(text)])
		}
	}
	return nil
}

// invalidAt is the index of the first byte that is not UTF-8.
func invalidAt(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return at - 1
}

// Write writes a model in a format, one of [writable]. A model that the format cannot say is
// refused before a byte is written, with an error that wraps tiling.ErrPuzzle and says what is in
// the way. Read of what was written has as many solutions.
func Write(ctx context.Context, format string, w io.Writer, m *tiling.Model) error {
	f := find(format)
	if f == nil || f.write == nil {
		return unsaid("format %.40q cannot be written, want one of %q", format, writable())
	}
	if f.needsBoard && m.IsAbstract() {
		return unsaid("a cover has no board, so that it cannot be written as %s: want a puzzle", format)
	}
	return f.write(ctx, interrupt.Writer(ctx, w), m)
}

// unsaid is the error of what a format cannot say.
func unsaid(format string, args ...any) error {
	return &tiling.Error{Text: fmt.Sprintf(format, args...)}
}

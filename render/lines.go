package render

import (
	"bytes"
	"io"
	"sync"

	"github.com/pavage/pavage/tiling"
)

// encoder writes the tilings of a format for any number of them, each alone. number is the place of
// the tiling in its document, from 1.
type encoder interface {
	encode(out *bytes.Buffer, number uint64, t Tiling) error
}

// Lines is the [Writer] of a format for any number of tilings. Its parts may be made in several
// goroutines, and are then written in their order:
//
//	part := lines.Part(7)   // in any goroutine
//	err := part.Add(t)      // tiling 7
//	err = lines.Write(part) // after tilings 1 to 6
type Lines struct {
	out    io.Writer
	parts  sync.Pool
	number uint64 // of the last tiling written
}

// Part is the text of consecutive tilings.
type Part struct {
	encoder encoder
	text    bytes.Buffer
	number  uint64 // of the next tiling
}

// lines is the Begin of a format.
func lines(begin func(*tiling.Puzzle, Options) encoder) func(io.Writer, *tiling.Puzzle, Options) Writer {
	return func(out io.Writer, p *tiling.Puzzle, o Options) Writer {
		l := &Lines{out: out}
		l.parts.New = func() any { return &Part{encoder: begin(p, o)} }
		return l
	}
}

// Part returns an empty part, whose first tiling has the given number, from 1. Goroutines may call
// Part at the same time.
func (l *Lines) Part(first uint64) *Part {
	p := l.parts.Get().(*Part)
	p.number = first
	return p
}

// Add appends the next tiling.
func (p *Part) Add(t Tiling) error {
	n := p.text.Len()
	if err := p.encoder.encode(&p.text, p.number, t); err != nil {
		p.text.Truncate(n)
		return err
	}
	p.number++
	return nil
}

// Write writes a part that begins after the last tiling written. The caller must not use the part
// after that.
func (l *Lines) Write(p *Part) error {
	_, err := p.text.WriteTo(l.out)
	l.number = p.number - 1
	p.text.Reset()
	l.parts.Put(p)
	return err
}

// Add implements Writer.
func (l *Lines) Add(t Tiling) error {
	p := l.Part(l.number + 1)
	if err := p.Add(t); err != nil {
		return err
	}
	return l.Write(p)
}

// Close implements Writer.
func (l *Lines) Close() error { return nil }

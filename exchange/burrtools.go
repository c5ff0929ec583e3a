package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"io"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// A file of BurrTools is XML, packed by gzip unless somebody has unpacked it:
//
//	puzzle version="1|2"
//	  gridType type="0..4"                     cubes, triangles, spheres, two kinds of cut cubes
//	  colors   color …                         their positions are the colours 1..63
//	  shapes   voxel x y z type="0" [name]     text: x·y·z cells, x fastest, then y, then z
//	  problems problem [name] [maxHoles]
//	             shapes  shape id [count | min max]
//	             result  id
//	             bitmap  pair piece result     which colours may meet, numbered from 0
//	  comment
//
// A cell is '_' none, '#' one that must be filled, '+' one that may be, and digits behind it
// are its colour. Ids count the shapes from 0.

// burrtools is what is read of a file.
type burrtools struct {
	*xmlReader
	grid     int
	colours  int
	shapes   []voxels
	problems []*burrProblem
	comment  string
	weights  bool // some shape has a weight
}

// voxels is a shape: a box of cells.
type voxels struct {
	size  [3]int // x, y, z
	cells []voxel
	name  string
	at    *element
}

// voxel is a cell: empty, filled or variable, and its colour.
type voxel struct {
	state  byte // '_', '#' or '+'
	colour uint8
}

// burrProblem is a problem: pieces with bounds, and the shape that they are to fill.
type burrProblem struct {
	name     string
	at       *element
	entries  []burrEntry
	result   int // index of a shape
	resultAt *element
	allow    []tiling.Pair // colours from 1
	holes    int           // maxHoles; -1: none
	// What is there and is left out.
	groups, solutions, assembler bool
}

type burrEntry struct {
	shape, min, max int
	at              *element
}

const (
	maxBurrColours = 63
	maxBurrShapes  = 10_000
)

// isBurrTools reports whether a file begins as gzip or as XML does.
func isBurrTools(data []byte) bool {
	return bytes.HasPrefix(data, gzipMark) ||
		bytes.HasPrefix(bytes.TrimLeft(bytes.TrimPrefix(data, byteOrderMark), " \t\r\n"), []byte("<"))
}

func readBurrTools(s *source) (*Content, error) {
	var from io.Reader = bytes.NewReader(s.data)
	if bytes.HasPrefix(s.data, gzipMark) {
		unpacked, err := gzip.NewReader(from)
		if err != nil {
			return nil, s.errorf(1, 1, "the file begins as gzip does, but %v", err)
		}
		from = unpacked
	} else if err := s.checkText(); err != nil {
		return nil, err
	} else {
		from = bytes.NewReader(s.data) // without the mark that checkText takes away
	}
	tokens := xml.NewDecoder(&capped{from: from, left: maxXMLBytes})
	tokens.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errCharset }
	x := &xmlReader{source: s, tokens: tokens}
	b := &burrtools{xmlReader: x}
	root, err := x.root("puzzle")
	if err != nil {
		return nil, err
	}
	if v := root.attributes["version"]; v != "1" && v != "2" {
		return nil, x.at(root, "version %s of a puzzle, want 1 or 2", wording.Quote(v))
	}
	if err := x.children(b.part); err != nil {
		return nil, err
	}
	if err := x.end(); err != nil {
		return nil, err
	}
	p, err := b.chosen(root)
	if err != nil {
		return nil, err
	}
	puzzle, err := b.puzzle(p)
	return &Content{Puzzle: puzzle}, err
}

// part reads a part of the puzzle.
func (b *burrtools) part(e *element) (err error) {
	switch e.name {
	case "gridType":
		if b.grid, err = b.number(e, "type", 4); err != nil {
			return err
		}
	case "colors":
		return b.children(func(c *element) error {
			if c.name == "color" {
				b.colours++
			}
			return b.skip()
		})
	case "shapes":
		return b.children(b.shape)
	case "problems":
		return b.children(b.problem)
	case "comment":
		b.comment, err = b.text()
		return err
	}
	return b.skip()
}

// shape reads a shape.
func (b *burrtools) shape(e *element) error {
	if e.name != "voxel" {
		return b.skip()
	}
	if len(b.shapes) == maxBurrShapes {
		return b.at(e, "more than %d shapes, want at most that many", maxBurrShapes)
	}
	if kind, err := b.number(e, "type", tiling.MaxSide); err != nil {
		return err
	} else if kind != 0 {
		return b.at(e, "cells of type %d, want type 0", kind)
	}
	v := voxels{name: e.attributes["name"], at: e}
	volume := 1
	for axis, side := range []string{"x", "y", "z"} {
		n, err := b.number(e, side, tiling.MaxSide)
		switch {
		case err != nil:
			return err
		case n == 0:
			return b.at(e, "side %s of a shape is 0, want 1..%d", side, tiling.MaxSide)
		}
		v.size[axis] = n
		volume *= n // at most 2^36
	}
	if volume > tiling.MaxVolume {
		return b.at(e, "a shape in a box of %d cells, want at most %d", volume, tiling.MaxVolume)
	}
	b.weights = b.weights || e.has("weight") && e.attributes["weight"] != "1"
	text, err := b.text()
	if err != nil {
		return err
	}
	if v.cells, err = b.cells(e, text, volume); err == nil {
		b.shapes = append(b.shapes, v)
	}
	return err
}

// cells reads so many cells.
func (b *burrtools) cells(e *element, text string, number int) ([]voxel, error) {
	var cells []voxel
	for i := 0; i < len(text); {
		c := voxel{state: text[i]}
		if !strings.ContainsRune("_#+", rune(c.state)) {
			return nil, b.at(e, "%s in the cells of a shape, want _, #, +, and digits behind them", wording.Quote(firstRune(text[i:])))
		}
		colour := 0
		for i++; i < len(text) && text[i] >= '0' && text[i] <= '9'; i++ {
			if colour = 10*colour + int(text[i]-'0'); colour > maxBurrColours {
				return nil, b.at(e, "a cell of a colour over %d, want 0..%d", maxBurrColours, maxBurrColours)
			}
		}
		if len(cells) == number {
			return nil, b.at(e, "more than %d cells in a shape, want as many as its box has", number)
		}
		if c.state != '_' {
			c.colour = uint8(colour)
		}
		cells = append(cells, c)
	}
	if len(cells) < number {
		return nil, b.at(e, "%d cells in a shape, want the %d of its box", len(cells), number)
	}
	return cells, nil
}

func firstRune(text string) string {
	for _, r := range text {
		return string(r)
	}
	return ""
}

// problem reads a problem.
func (b *burrtools) problem(e *element) error {
	if e.name != "problem" {
		return b.skip()
	}
	if len(b.problems) == maxProblems {
		return b.at(e, "more than %d problems, want at most that many", maxProblems)
	}
	p := &burrProblem{name: e.attributes["name"], at: e, result: -1, holes: -1}
	if e.has("maxHoles") {
		var err error
		if p.holes, err = b.number(e, "maxHoles", 1<<30); err != nil {
			return err
		}
	}
	b.problems = append(b.problems, p)
	return b.children(func(e *element) error {
		switch e.name {
		case "shapes":
			return b.children(func(e *element) error { return b.entry(p, e) })
		case "result":
			id, err := b.number(e, "id", maxBurrShapes)
			if err != nil {
				return err
			}
			p.result, p.resultAt = id, e
		case "bitmap":
			return b.children(func(e *element) error { return b.pair(p, e) })
		case "assembler":
			p.assembler = true
		case "solutions":
			return b.children(func(*element) error {
				p.solutions = true
				return b.skip()
			})
		default:
			b.warn("unknown element %s of a problem is left out: if it says what may be placed, the count is not the program's", wording.Quote(e.name))
		}
		return b.skip()
	})
}

// entry reads a piece and its copies.
func (b *burrtools) entry(p *burrProblem, e *element) error {
	if e.name != "shape" {
		return b.skip()
	}
	if len(p.entries) == tiling.MaxPieces {
		return b.at(e, "more than %d pieces, want at most that many", tiling.MaxPieces)
	}
	of := burrEntry{min: 1, max: 1, at: e}
	var err error
	if of.shape, err = b.number(e, "id", maxBurrShapes); err != nil {
		return err
	}
	switch {
	case e.has("count"):
		of.min, err = b.number(e, "count", tiling.MaxCopies)
		of.max = of.min
	case e.has("min") && e.has("max"):
		if of.min, err = b.number(e, "min", tiling.MaxCopies); err == nil {
			of.max, err = b.number(e, "max", tiling.MaxCopies)
		}
	}
	if err != nil {
		return err
	}
	if of.min > of.max {
		return b.at(e, "min %d and max %d of a piece, want min ≤ max", of.min, of.max)
	}
	p.entries = append(p.entries, of)
	p.groups = p.groups || e.has("group") && e.attributes["group"] != "0"
	return b.children(func(inner *element) error {
		p.groups = p.groups || inner.name == "group"
		return b.skip()
	})
}

// pair reads two colours that may meet.
func (b *burrtools) pair(p *burrProblem, e *element) error {
	if e.name != "pair" {
		return b.skip()
	}
	piece, err := b.number(e, "piece", maxBurrColours-1)
	if err != nil {
		return err
	}
	board, err := b.number(e, "result", maxBurrColours-1)
	if err != nil {
		return err
	}
	p.allow = append(p.allow, tiling.Pair{Piece: piece + 1, Board: board + 1})
	return b.skip()
}

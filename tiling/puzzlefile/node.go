package puzzlefile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/limit"
	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

type kind uint8

const (
	scalar kind = iota
	sequence
	mapping
	missing // null, or no value
)

var kindNames = []string{scalar: "text", sequence: "a list", mapping: "a mapping", missing: "nothing"}

// node is a value and its place. The value is in a puzzle file, or is an argument of a command.
type node struct {
	kind         kind
	text         string // text of a scalar
	folded       bool   // whether YAML has joined the lines of a scalar
	items        []*node
	keys         []*node // keys of a mapping, one for each item
	block        bool    // whether a scalar is a block, whose rows begin on the next line
	indent       int     // number of blanks before each row of a block
	name         string  // name of the file, or of the argument
	line, column int     // numbered from 1; both are 0 for an argument
}

// fault is the value of a panic about a mistake in a puzzle. catch recovers it.
type fault struct{ error }

func catch(err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = f.error
	default:
		panic(f)
	}
}

// check panics with a fault if err is not nil. If err has no place in the file, check adds a place:
// the row and column of a *[tiling.DrawingError] if n is a block, or else the place of n.
func (n *node) check(err error) {
	var placed *tiling.Error
	var row *tiling.DrawingError
	switch {
	case err == nil:
		return
	case errors.As(err, &placed), errors.Is(err, limit.ErrMemory):
		panic(fault{err})
	}
	e := &tiling.Error{Name: n.name, Line: n.line, Column: n.column, Text: err.Error()}
	if n.block && errors.As(err, &row) {
		e.Line, e.Column = n.line+1+row.Row, n.indent+1+row.Column
	}
	panic(fault{e})
}

func (n *node) fail(format string, args ...any) { n.check(fmt.Errorf(format, args...)) }

type fields map[string]*node

func (n *node) fields(what string, allowed []string) fields {
	if n.kind != mapping {
		n.fail("%s is %s, expected a mapping with %s", what, kindNames[n.kind], wording.List(allowed))
	}
	f := fields{}
	for i, key := range n.keys {
		if !slices.Contains(allowed, key.text) {
			key.fail("unknown key %s, %s", wording.Quote(key.text), meant(key.text, wording.List(allowed), allowed))
		}
		if f[key.text] != nil {
			key.fail("key %s is given twice, expected each key once", wording.Quote(key.text))
		}
		f[key.text] = n.items[i]
	}
	return f
}

func (n *node) list(key, form string) []*node {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		n.fail("the value of %q is %s, expected %s", key, kindNames[n.kind], form)
	}
	return n.items
}

// word returns the text of a scalar. For other values it fails, and the error has the form expected.
func (n *node) word(key, form string) string {
	if n.kind == missing {
		n.fail("%s has no value, expected a value (a '#' after a blank begins a comment: quote the text)", key)
	}
	if n.kind != scalar {
		n.fail("%s is %s, expected %s", key, kindNames[n.kind], form)
	}
	return n.text
}

// drawn returns the text of n, which may be a drawing. It fails if YAML has joined the lines.
func (n *node) drawn(key string) string {
	if n.folded {
		n.fail("%s has lines that YAML joins, expected a block that begins with |, or \"…\\n…\" on one line", key)
	}
	return n.word(key, "text")
}

// The method one returns the key that f has among keys, or "" for none. It fails if f has two.
func (f fields) one(keys ...string) (given string) {
	for _, key := range keys {
		switch {
		case f[key] == nil:
		case given != "":
			f[key].fail("the keys %q and %q are both given, expected only one of %s", key, given, wording.List(keys))
		default:
			given = key
		}
	}
	return given
}

func (f fields) choice(key string, names []string, otherwise int) int {
	n := f[key]
	if n == nil {
		return otherwise
	}
	text := n.word(key, "text")
	i := slices.Index(names, text)
	if i < 0 {
		n.fail("unknown %s %s, %s", key, wording.Quote(text), meant(text, wording.List(names), names))
	}
	return i
}

var otherWords = map[string]string{"torus": "both", "toroidal": "both", "cylinder": "columns"}

// meant returns the end of an error about an unknown word: a question with the nearest known word
// or, if no known word is near, "expected" followed by the argument all.
func meant(word, all string, known ...[]string) string {
	words := slices.Concat(known...)
	near := otherWords[strings.ToLower(word)]
	if !slices.Contains(words, near) {
		near = spell.Nearest(word, words)
	}
	if near == "" {
		return "expected " + all
	}
	return fmt.Sprintf("did you mean %s?", near)
}

// bounds reads a text N, A..B, A.. or any. The numbers must not be greater than largest.
func (n *node) bounds(key string, largest int) (least, most int) {
	const form = "N, A..B, A.. or any"
	text := n.word(key, form)
	if text == "any" {
		return 0, cover.Unbounded
	}
	from, to, isRange := strings.Cut(text, "..")
	least, ok := wording.Number(from, largest)
	most = least
	if isRange && to == "" {
		most = cover.Unbounded
	} else if isRange && ok {
		most, ok = wording.Number(to, largest)
	}
	switch {
	case !ok:
		n.fail("bad %s %s, expected %s, with numbers up to %d", key, wording.Quote(text), form, largest)
	case most < least:
		n.fail("the range %s runs backwards, expected %d..%d", wording.Quote(text), most, least)
	}
	return least, most
}

// colorNames has grey, orange and the basic colour keywords of CSS Color Module Level 4, 6.1.
var colorNames = map[string]string{
	"black": "#000000", "silver": "#c0c0c0", "gray": "#808080", "grey": "#808080", "white": "#ffffff",
	"maroon": "#800000", "red": "#ff0000", "purple": "#800080", "fuchsia": "#ff00ff",
	"green": "#008000", "lime": "#00ff00", "olive": "#808000", "yellow": "#ffff00",
	"navy": "#000080", "blue": "#0000ff", "teal": "#008080", "aqua": "#00ffff", "orange": "#ffa500",
}

func (n *node) color() string {
	text := n.word("color", "text")
	low := strings.ToLower(text)
	if color, known := colorNames[low]; known {
		return color
	}
	long := low
	if len(low) == 4 {
		long = string([]byte{low[0], low[1], low[1], low[2], low[2], low[3], low[3]})
	}
	switch {
	case tiling.IsColor(long):
	case strings.HasPrefix(text, "#"):
		n.fail("bad color %s, expected #rgb or #rrggbb", wording.Quote(text))
	default:
		names := slices.Sorted(maps.Keys(colorNames))
		n.fail("unknown color %s, %s", wording.Quote(text), meant(low, "#rgb, #rrggbb or one of "+wording.List(names), names))
	}
	return long
}

func (n *node) cell(dimensions int) (c tiling.Cell) {
	if n.kind != sequence || len(n.items) != dimensions || dimensions < 2 || dimensions > 3 {
		n.fail("bad cell, expected [row, column] or [layer, row, column], the same form for all cells")
	}
	for i, item := range n.items {
		c[3-dimensions+i] = item.coordinate(item.word("a coordinate", "a number"))
	}
	return c
}

func (n *node) coordinate(text string) int {
	digits, negative := strings.CutPrefix(text, "-")
	v, ok := wording.Number(digits, tiling.MaxSide)
	if !ok {
		n.fail("bad coordinate %s, expected a number from -%d to %[2]d", wording.Quote(text), tiling.MaxSide)
	}
	if negative {
		return -v
	}
	return v
}

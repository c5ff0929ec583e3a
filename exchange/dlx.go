package exchange

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// Knuth's input of exact covers. Lines that are blank or begin with '|' mean nothing. The
// first other line has the items, each later one an option:
//
//	| a comment; the first one is taken for the title
//	p q 1:2|r | x y        primary items p q r, of which r is covered once or twice; secondary x y
//	p x:R                  an option: it gives x the colour R
//	p q y
//
// A primary item is used within its bounds, once if there are none. A secondary item is used
// at most once, but all options that give it the same colour may use it together. Options
// that are equal are different choices, and each counts: our covers have no equal options, so
// all but the first get an item of their own, used 0..1 times, called line|N after their line.

// Limits of the programs; names that are longer are read, with a warning.
const (
	maxDLXName   = 8
	maxDLXDigits = 7 // of a bound
)

// What an item, an option and a use take, in bytes, as package cover has them.
const (
	bytesPerItem   = 128
	bytesPerOption = 24 + 8 + 16 + 64 // and a place in the table of equal options
	bytesPerUse    = 16 + 8
)

// dlx is the state of one read.
type dlx struct {
	*source
	line    int
	title   string
	titled  bool // a comment was taken for the title
	problem cover.Problem
	index   map[string]int // of an item, by its name
	primary int            // items before it are primary
	long    int            // names that are too long for Knuth's programs
	colours map[string]int32
	seen    *twins
	uses    int
	named   int          // bytes of the items' names
	scratch cover.Option // of the last line
}

func readDLX(s *source) (*Content, error) {
	d := &dlx{source: s, index: map[string]int{}, colours: map[string]int32{}, seen: newTwins()}
	for text := range bytes.Lines(s.data) {
		d.line++
		if err := d.read(string(bytes.TrimRight(text, "\r\n"))); err != nil {
			return nil, err
		}
	}
	if d.primary == 0 {
		return nil, s.errorf(max(1, d.line), 1, "no line of items, want one such as: a b c | x y")
	}
	if d.long > 0 {
		names := "1 name has"
		if d.long > 1 {
			names = fmt.Sprintf("%d names have", d.long)
		}
		s.warn("%s more than %d bytes, which Knuth's programs refuse", names, maxDLXName)
	}
	if err := d.problem.Check(s.ctx); err != nil {
		return nil, err
	}
	return &Content{Cover: &d.problem, Title: d.title}, nil
}

// read takes a line in.
func (d *dlx) read(text string) error {
	words := fields(text)
	first, ok := firstOf(words)
	switch {
	case !ok:
		return nil
	case first.text[0] == '|':
		d.comment(text)
		return nil
	case d.primary == 0:
		return d.items(words)
	}
	uses := d.uses
	p := &d.problem
	if len(p.Options) == cover.MaxOptions {
		return d.at(first, "more than %d options, want at most that many", cover.MaxOptions)
	}
	option := d.scratch[:0]
	hasPrimary := false
	for w := range words {
		use, err := d.use(w)
		if err != nil {
			return err
		}
		hasPrimary = hasPrimary || use.Item < d.primary
		if option = append(option, use); len(option) > len(p.Items) {
			break // some item is there twice
		}
	}
	slices.SortFunc(option, func(a, b cover.Use) int { return cmp.Compare(a.Item, b.Item) })
	for k := range len(option) - 1 {
		if item := option[k].Item; item == option[k+1].Item {
			twice := p.Items[item].Name
			var first, second word
			for w := range words {
				if name, _, _ := strings.Cut(w.text, ":"); name != twice {
					continue
				}
				if second = w; first.text != "" {
					break
				}
				first = w
			}
			if first.text != second.text {
				return d.at(second, "item %s a second time in the option, as %s after %s, want one colour or none", wording.Quote(twice), wording.Quote(second.text), wording.Quote(first.text))
			}
			return d.at(second, "item %s a second time in the option, want each item once", wording.Quote(twice))
		}
	}
	if !hasPrimary {
		return d.at(first, "the option has secondary items alone, want a primary item too (Knuth's programs never choose such an option)")
	}
	d.uses += len(option)
	d.scratch = option
	option, err := d.distinct(slices.Clone(option))
	p.Options = append(p.Options, option)
	if err != nil {
		return err
	}
	if err := d.looks.Work(1 + d.uses - uses); err != nil {
		return err
	}
	return d.held()
}

// held reports that what was read takes too much memory.
func (d *dlx) held() error {
	p := &d.problem
	bytes := int64(d.named) + int64(len(p.Items))*bytesPerItem + int64(len(p.Options))*bytesPerOption + int64(d.uses)*bytesPerUse
	if d.options.Memory > 0 && bytes > d.options.Memory {
		return fmt.Errorf("%w: %s:%d: %d items, %d options and more take over %d bytes", cover.ErrMemory, d.name, d.line, len(p.Items), len(p.Options), d.options.Memory)
	}
	return nil
}

// comment takes the first comment for the title, if it stands before the items.
func (d *dlx) comment(text string) {
	text = strings.TrimSpace(strings.TrimLeft(text, "| \t"))
	if d.titled || d.primary > 0 || text == "" {
		return
	}
	d.titled = true
	if wording.Printable(text, tiling.MaxTitleRunes) {
		d.title = text
	}
}

// word is a word of a line and its place, from 1.
type word struct {
	text   string
	column int
}

// fields are the words of a line, one after another: a line may be as long as the file.
func fields(line string) iter.Seq[word] {
	return func(yield func(word) bool) {
		begin := -1
		for i, r := range line {
			switch space := unicode.IsSpace(r); {
			case space && begin >= 0:
				if !yield(word{line[begin:i], begin + 1}) {
					return
				}
				begin = -1
			case !space && begin < 0:
				begin = i
			}
		}
		if begin >= 0 {
			yield(word{line[begin:], begin + 1})
		}
	}
}

// firstOf is the first of the words, false if there is none.
func firstOf(words iter.Seq[word]) (word, bool) {
	for w := range words {
		return w, true
	}
	return word{}, false
}

func (d *dlx) at(w word, format string, args ...any) error {
	return d.errorf(d.line, w.column, format, args...)
}

// items reads the line of items.
func (d *dlx) items(words iter.Seq[word]) error {
	secondary := false
	for w := range words {
		if w.text[0] == '|' {
			if secondary {
				return d.at(w, "a second '|' in the line of items, want one before the secondary items")
			}
			secondary = true
			d.primary = len(d.problem.Items)
			w = word{w.text[1:], w.column + 1}
			if w.text == "" {
				continue
			}
		}
		name := w.text
		item := cover.Item{Min: 1, Max: 1}
		if i := strings.LastIndexByte(name, '|'); i >= 0 && !secondary {
			var err error
			if item.Min, item.Max, err = bounds(name[:i]); err != nil {
				return d.at(w, "bounds of %s: %v", wording.Quote(w.text), err)
			}
			name = name[i+1:]
		}
		if secondary {
			item.Min = 0
		}
		_, twice := d.index[name]
		switch {
		case name == "" || strings.ContainsAny(name, ":|"):
			return d.at(w, "bad item %s, want a name without ':' and '|', and bounds such as 1:2| before primary items alone", wording.Quote(w.text))
		case twice:
			return d.at(w, "item %s a second time, want each item once", wording.Quote(name))
		case len(d.problem.Items) == cover.MaxItems:
			return d.at(w, "more than %d items, want at most that many", cover.MaxItems)
		}
		if len(name) > maxDLXName {
			d.long++
		}
		item.Name = strings.Clone(name)
		d.index[item.Name] = len(d.problem.Items)
		d.problem.Items = append(d.problem.Items, item)
		d.named += len(name)
		if err := d.looks.Look(); err != nil {
			return err
		}
		if err := d.held(); err != nil {
			return err
		}
	}
	if !secondary {
		d.primary = len(d.problem.Items)
	}
	return nil
}

// bounds reads b or a:b, how often a primary item is covered.
func bounds(text string) (least, most int, err error) {
	low, high, isRange := strings.Cut(text, ":")
	if !isRange {
		low, high = text, text
	}
	least, ok := digits(low)
	most, fine := digits(high)
	switch {
	case !ok || !fine:
		return 0, 0, fmt.Errorf("%s is no number or range, want b or a:b of at most %d digits each", wording.Quote(text), maxDLXDigits)
	case most == 0:
		return 0, 0, fmt.Errorf("the upper bound is 0, want at least 1")
	case least > most:
		return 0, 0, fmt.Errorf("%s runs backwards, want %d:%d", wording.Quote(text), most, least)
	}
	return least, most, nil
}

// digits reads a bound: decimal digits alone.
func digits(text string) (int, bool) {
	if text == "" || len(text) > maxDLXDigits || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

func (d *dlx) use(w word) (cover.Use, error) {
	name, colour, coloured := strings.Cut(w.text, ":")
	i, known := d.index[name]
	switch {
	case !known && w.text[0] == '|':
		return cover.Use{}, d.at(w, "%s in an option, want items alone (costs, as DLX5 has them, are not read)", wording.Quote(w.text))
	case !known:
		return cover.Use{}, d.at(w, "unknown item %s, want one of the line of items", wording.Quote(name))
	case !coloured:
		return cover.Use{Item: i, Times: 1}, nil
	case i < d.primary:
		return cover.Use{}, d.at(w, "primary item %s has a colour, want colours of secondary items alone", wording.Quote(name))
	case len(colour) != 1 || colour[0] <= ' ' || colour[0] > '~':
		return cover.Use{}, d.at(w, "colour %s of item %s, want one character of ASCII", wording.Quote(colour), wording.Quote(name))
	}
	c, known := d.colours[colour]
	if !known {
		d.problem.Colours = append(d.problem.Colours, strings.Clone(colour))
		c = int32(len(d.problem.Colours))
		d.colours[strings.Clone(colour)] = c
	}
	return cover.Use{Item: i, Times: 1, Colour: c}, nil
}

// distinct gives an option that repeats another one an item of its own.
func (d *dlx) distinct(option cover.Option) (cover.Option, error) {
	if !d.seen.has(option) {
		return option, nil
	}
	i := len(d.problem.Items)
	if i == cover.MaxItems {
		return nil, d.errorf(d.line, 1, "more than %d items and repeated options together, want at most that many", cover.MaxItems)
	}
	d.problem.Items = append(d.problem.Items, cover.Item{Name: fmt.Sprintf("line|%d", d.line), Min: 0, Max: 1})
	d.uses++
	return append(option, cover.Use{Item: i, Times: 1}), nil
}

// isDLX reports whether a file begins with comments of the form '| …', or with items and an
// option of them. No puzzle file does: the first line of one has a key and a colon, or no
// second line that has only words of the first.
func isDLX(data []byte) bool {
	if cover.IsText(data) {
		return false
	}
	names := map[string]bool{}
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case line[0] == '|':
			return true
		case len(names) > 0:
			return every(line, func(w string) bool {
				name, colour, coloured := strings.Cut(w, ":")
				return name != "" && names[name] && (!coloured || len(colour) == 1)
			})
		case !every(line, func(w string) bool { return addItem(names, w) }):
			return false
		}
	}
	return false
}

// every reports whether all words of a line are good, looking no further than the first bad one.
func every(line []byte, good func(string) bool) bool {
	for w := range bytes.FieldsSeq(line) {
		if !good(string(w)) {
			return false
		}
	}
	return true
}

// addItem adds the name in a word of the line of items, if it is one, and a new one.
func addItem(names map[string]bool, w string) bool {
	w = strings.TrimPrefix(w, "|")
	if i := strings.LastIndexByte(w, '|'); i >= 0 {
		if _, _, err := bounds(w[:i]); err != nil {
			return false
		}
		w = w[i+1:]
	}
	if strings.Contains(w, ":") || names[w] {
		return false
	}
	names[w] = true
	return true
}

// twins finds options that equal earlier ones. Other programs take such options for different
// choices; our covers have none, so a reader gives all but the first an item of their own.
type twins struct {
	seen map[string]bool // by the uses of an option
	key  []byte          // scratch
}

func newTwins() *twins { return &twins{seen: map[string]bool{}} }

// has reports whether an option, with its uses sorted, came before, and keeps it.
func (t *twins) has(option cover.Option) bool {
	t.key = t.key[:0]
	for _, u := range option {
		t.key = binary.AppendUvarint(binary.AppendUvarint(t.key, uint64(u.Item)), uint64(u.Colour))
	}
	if t.seen[string(t.key)] {
		return true
	}
	t.seen[string(t.key)] = true
	return false
}

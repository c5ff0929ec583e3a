package exchange

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// This is the input of Knuth's programs for exact covers. Blank lines and lines that begin with '|'
// are ignored. The first other line has the items, and each later line is an option:
//
//	| a comment; the first one is the title
//	p q 1:2|r | x y        primary items p q r, of which r is covered once or twice; secondary x y
//	p x:R                  an option, which uses x with the colour R
//	p q y
//
// The bounds of a primary item are 1..1 by default. A secondary item is used at most once, or by
// any number of options that use it with the same colour. In a file, equal options are different
// choices. A cover has no equal options, so an option in line N that equals an earlier option also
// uses a new item line|N. The bounds of this item are 0..1.

const (
	maxDLXName   = 8
	maxDLXDigits = 7 // largest number of digits of a bound
)

type dlx struct {
	*source
	title   string
	problem cover.Problem
	index   map[string]int // index of each item, by name
	last    []int          // for each item, the last line with an option that uses it
	primary int            // number of primary items, which come first
	long    int            // number of names that are too long for Knuth's programs
	colours map[string]int32
	seen    twins
	uses    int
	named   int          // bytes of the names of all items
	scratch cover.Option // memory for the option of the current line
}

func readDLX(s *source) (*Content, error) {
	d := &dlx{source: s, index: map[string]int{}, colours: map[string]int32{}, seen: twins{}}
	if err := s.lines(d.read); err != nil {
		return nil, err
	}
	if d.primary == 0 {
		return nil, s.here("there is no line of items, expected a line such as: a b c | x y")
	}
	if d.long > 0 {
		s.warn("Knuth's programs refuse %s of more than %d bytes", wording.Plural(d.long, "name"), maxDLXName)
	}
	return &Content{Cover: &d.problem, Title: d.title}, d.problem.Check(s.ctx)
}

func (d *dlx) read(text string) error {
	words := d.words(text)
	first, ok := firstOf(words)
	switch {
	case !ok:
		return nil
	case first.text[0] == '|':
		if d.title == "" && d.primary == 0 {
			d.title = strings.TrimSpace(strings.TrimLeft(text, "| \t"))
		}
		return nil
	case d.primary == 0:
		return d.items(words)
	}
	p := &d.problem
	if len(p.Options) == cover.MaxOptions {
		return d.errorf(first.place, "too many options, expected at most %d", cover.MaxOptions)
	}
	option := d.scratch[:0]
	hasPrimary := false
	for w := range words {
		use, err := d.use(w)
		if err != nil {
			return err
		}
		if d.last[use.Item] == d.line {
			name, _, coloured := strings.Cut(w.text, ":")
			second := ""
			if coloured {
				second = ", the second time as " + wording.Quote(w.text)
			}
			return d.errorf(w.place, "item %s is given twice in the option%s, expected each item once", wording.Quote(name), second)
		}
		d.last[use.Item] = d.line
		hasPrimary = hasPrimary || use.Item < d.primary
		option = append(option, use)
	}
	slices.SortFunc(option, func(a, b cover.Use) int { return cmp.Compare(a.Item, b.Item) })
	if !hasPrimary {
		return d.errorf(first.place, "the option has only secondary items, expected at least one primary item (Knuth's programs never choose such an option)")
	}
	d.scratch = option
	option = slices.Clone(option)
	option, err := d.apart(p, d.seen, option)
	if err != nil {
		return err
	}
	d.uses += len(option)
	p.Options = append(p.Options, option)
	return d.hold(d.named, len(p.Items), len(p.Options), d.uses)
}

func (d *dlx) items(words iter.Seq[word]) error {
	secondary := false
	for w := range words {
		if w.text[0] == '|' {
			if secondary {
				return d.errorf(w.place, "the line of items has a second '|', expected only one, before the secondary items")
			}
			secondary = true
			d.primary = len(d.problem.Items)
			w.text, w.column = w.text[1:], w.column+1
			if w.text == "" {
				continue
			}
		}
		name := w.text
		item := cover.Item{Min: 1, Max: 1}
		if i := strings.LastIndexByte(name, '|'); i >= 0 && !secondary {
			var err error
			if item.Min, item.Max, err = bounds(name[:i]); err != nil {
				return d.errorf(w.place, "bounds of %s: %v", wording.Quote(w.text), err)
			}
			name = name[i+1:]
		}
		if secondary {
			item.Min = 0
		}
		_, twice := d.index[name]
		switch {
		case name == "" || strings.ContainsAny(name, ":|"):
			return d.errorf(w.place, "bad item %s, expected a name without ':' and '|'; only primary items may have bounds before the name, as in 1:2|a", wording.Quote(w.text))
		case twice:
			return d.errorf(w.place, "item %s is given twice, expected each item once", wording.Quote(name))
		case len(d.problem.Items) == cover.MaxItems:
			return d.errorf(w.place, "too many items, expected at most %d", cover.MaxItems)
		}
		if len(name) > maxDLXName {
			d.long++
		}
		item.Name = strings.Clone(name)
		d.index[item.Name], d.last = len(d.problem.Items), append(d.last, 0)
		d.problem.Items = append(d.problem.Items, item)
		d.named += len(name)
		if err := d.hold(d.named, len(d.problem.Items), 0, 0); err != nil {
			return err
		}
	}
	if !secondary {
		d.primary = len(d.problem.Items)
	}
	return nil
}

func bounds(text string) (least, most int, err error) {
	low, high, isRange := strings.Cut(text, ":")
	if !isRange {
		low, high = text, text
	}
	least, isLow := wording.Number(low, maxDLXBound)
	most, isHigh := wording.Number(high, maxDLXBound)
	switch {
	case !isLow || !isHigh:
		return 0, 0, fmt.Errorf("%s is not a number or a range, expected a number such as 2 or a range such as 1:2, with numbers of at most %d digits", wording.Quote(text), maxDLXDigits)
	case most == 0:
		return 0, 0, fmt.Errorf("the upper bound is 0, expected at least 1")
	case least > most:
		return 0, 0, fmt.Errorf("%s runs backwards, expected %d:%d", wording.Quote(text), most, least)
	}
	return least, most, nil
}

func (d *dlx) use(w word) (cover.Use, error) {
	name, colour, coloured := strings.Cut(w.text, ":")
	i, known := d.index[name]
	switch {
	case !known && w.text[0] == '|':
		return cover.Use{}, d.errorf(w.place, "%s in the option is not an item, expected only items (Pavage does not read the costs of DLX5)", wording.Quote(w.text))
	case !known:
		return cover.Use{}, d.errorf(w.place, "unknown item %s, expected an item of the first line", wording.Quote(name))
	case !coloured:
		return cover.Use{Item: i, Times: 1}, nil
	case i < d.primary:
		return cover.Use{}, d.errorf(w.place, "primary item %s has a colour, expected colours only for secondary items", wording.Quote(name))
	case len(colour) != 1 || colour[0] <= ' ' || colour[0] > '~':
		return cover.Use{}, d.errorf(w.place, "the colour %s of item %s is not allowed, expected one character of ASCII", wording.Quote(colour), wording.Quote(name))
	}
	c, known := d.colours[colour]
	if !known {
		d.problem.Colours = append(d.problem.Colours, strings.Clone(colour))
		c = int32(len(d.problem.Colours))
		d.colours[strings.Clone(colour)] = c
	}
	return cover.Use{Item: i, Times: 1, Colour: c}, nil
}

// isDLX reports whether data begins with a comment '| …', or with a line of items and an option of
// these items. No puzzle file begins in this way.
func isDLX(data []byte) bool {
	if cover.IsText(data) {
		return false
	}
	d := &dlx{source: &source{}, index: map[string]int{}}
	for line := range bytes.Lines(bytes.TrimPrefix(data, byteOrderMark)) {
		words := d.words(string(line))
		first, some := firstOf(words)
		switch {
		case !some:
		case first.text[0] == '|':
			return true
		case d.primary == 0:
			if d.items(words) != nil {
				return false
			}
		default:
			for w := range words {
				name, colour, coloured := strings.Cut(w.text, ":")
				if _, known := d.index[name]; !known || coloured && len(colour) != 1 {
					return false
				}
			}
			return true
		}
	}
	return false
}

// twins is a set of options. The key of an option has the items and colours of its uses.
type twins map[string]bool

// has reports whether the set had the option, whose uses must be sorted. It also adds the option.
func (t twins) has(option cover.Option) bool {
	key := make([]byte, 0, 64)
	for _, u := range option {
		key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(u.Item)), uint64(u.Colour))
	}
	before := t[string(key)]
	t[string(key)] = true
	return before
}

// apart returns the option, with a use of a new item added if it equals an earlier option.
func (s *source) apart(p *cover.Problem, seen twins, option cover.Option) (cover.Option, error) {
	if !seen.has(option) {
		return option, nil
	}
	if len(p.Items) == cover.MaxItems {
		return nil, s.here("too many items and repeated options together, expected at most %d", cover.MaxItems)
	}
	option = append(option, cover.Use{Item: len(p.Items), Times: 1})
	p.Items = append(p.Items, cover.Item{Name: fmt.Sprintf("line|%d", s.line), Min: 0, Max: 1})
	return option, nil
}

// The bounds of an item determine how writeDLX writes it:
//
//	1..1      primary
//	0..1      secondary
//	0..       not written, if each of its options also has a primary item
//	others    primary, with bounds; the upper bound is at most the number of options with the item
//
// An option with only secondary items also gets a new item with the bounds 0..1, since Knuth's
// programs never choose an option without a primary item. Comments have the replaced names.

const (
	maxDLXBound = 9_999_999 // maxDLXDigits digits
	// dlxColours has the names that replace colours whose names are longer than one character.
	dlxColours = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'()*+,-./;<=>?@[]^_{}~"
	// Only the names of items that are added to options without a primary item begin with ownMark.
	ownMark = '"'
)

type itemKind uint8

const (
	isPrimary itemKind = iota
	isSecondary
	isBounded
	isLeftOut
)

func writeDLX(w io.Writer, m *tiling.Model) error {
	p := m.Problem
	uses, kinds := make([]int, len(p.Items)), make([]itemKind, len(p.Items)) // uses[i] counts options with item i
	for _, o := range p.Options {
		for _, u := range o {
			uses[u.Item]++
			if u.Times > 1 {
				return unsaid("an option has %d uses of item %s, but in the format of DLX an option uses each item at most once", u.Times, wording.Quote(p.Items[u.Item].Name))
			}
		}
	}
	names, primary := make([]string, len(p.Items)), false
	for i, it := range p.Items {
		names[i] = it.Name
		switch {
		case it.Max == 0:
			return unsaid("item %s is used 0 times, which the format of DLX cannot express", wording.Quote(it.Name))
		case it.Min > maxDLXBound:
			return unsaid("item %s is used %s times, but the format of DLX has only numbers up to %d", wording.Quote(it.Name), it.Bounds(), maxDLXBound)
		case it.Min == 1 && it.Max == 1:
			kinds[i] = isPrimary
		case it.Min == 0 && it.Max == 1:
			kinds[i] = isSecondary
		case it.Min == 0 && it.Max >= uses[i]:
			kinds[i] = isLeftOut
		default:
			kinds[i] = isBounded
		}
		primary = primary || kinds[i] == isPrimary || kinds[i] == isBounded
	}
	if len(p.Options) == 0 && !primary {
		return unsaid("no item must be used, but the format of DLX needs an item that must be used")
	}
	own := map[int]string{} // name of the item that is added to each option without a primary item
	for o, option := range p.Options {
		spare := -1
		i := slices.IndexFunc(option, func(u cover.Use) bool {
			if kinds[u.Item] == isLeftOut {
				spare = u.Item
			}
			return kinds[u.Item] == isPrimary || kinds[u.Item] == isBounded
		})
		switch {
		case i >= 0:
		case spare >= 0: // the item becomes primary, instead of being left out
			kinds[spare] = isBounded
		default:
			own[o] = fmt.Sprintf("%c%x", ownMark, o)
		}
	}
	names = renamed(names, isDLXName, func(i, try int) string {
		name := fmt.Sprintf("i%d", i+try*len(names))
		if len(name) > maxDLXName {
			return ""
		}
		return name
	})
	if names == nil {
		return unsaid("there are too many items for names of %d bytes", maxDLXName)
	}
	colours := renamed(p.Colours, func(name string) bool { return len(name) == 1 && isDLXName(name) }, from(dlxColours))
	if colours == nil {
		return unsaid("the cover has %d colours, but the format of DLX has only one character for each colour", len(p.Colours))
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, strings.TrimSpace("| "+m.Puzzle.Title)) // a line that begins with '|' identifies the format
	for i, it := range p.Items {
		if names[i] != it.Name && it.Name != "" && kinds[i] != isLeftOut {
			fmt.Fprintf(b, "| %s = %s\n", names[i], it.Name)
		}
	}
	for i, name := range p.Colours {
		if colours[i] != name {
			fmt.Fprintf(b, "| :%s = %s\n", colours[i], name)
		}
	}
	var words, secondary []string
	for i, it := range p.Items {
		switch kinds[i] {
		case isPrimary:
			words = append(words, names[i])
		case isBounded:
			words = append(words, fmt.Sprintf("%d:%d|%s", it.Min, max(it.Min, 1, min(it.Max, uses[i])), names[i]))
		case isSecondary:
			secondary = append(secondary, names[i])
		}
	}
	for _, o := range slices.Sorted(maps.Keys(own)) {
		words = append(words, "0:1|"+own[o])
	}
	if len(secondary) > 0 {
		words = append(append(words, "|"), secondary...)
	}
	fmt.Fprintln(b, strings.Join(words, " "))
	for o, option := range p.Options {
		words = words[:0]
		if own[o] != "" {
			words = append(words, own[o])
		}
		for _, u := range option {
			switch {
			case kinds[u.Item] == isLeftOut:
			case u.Colour > 0:
				words = append(words, names[u.Item]+":"+colours[u.Colour-1])
			default:
				words = append(words, names[u.Item])
			}
		}
		fmt.Fprintln(b, strings.Join(words, " "))
	}
	return b.Flush()
}

// renamed replaces names for which good is false, and repeated names. The new name of name i is the
// first unused one of candidate(i, 0), candidate(i, 1), … It returns nil if a candidate is "".
func renamed(names []string, good func(string) bool, candidate func(i, try int) string) []string {
	taken, all := map[string]bool{}, make([]string, len(names))
	for i, name := range names {
		if good(name) && !taken[name] {
			all[i], taken[name] = name, true
		}
	}
	for i := range all {
		for try := 0; all[i] == ""; try++ {
			name := candidate(i, try)
			if name == "" {
				return nil
			}
			if !taken[name] {
				all[i], taken[name] = name, true
			}
		}
	}
	return all
}

func from(text string) func(i, try int) string {
	return func(_, try int) string { return text[min(try, len(text)):min(try+1, len(text))] }
}

func isDLXName(name string) bool {
	if name == "" || name[0] == ownMark || len(name) > maxDLXName || strings.ContainsAny(name, ":|") {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

package exchange

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// An item becomes
//
//	1..1                primary
//	0..1                secondary
//	0.. without end     nothing: it forbids nothing, if each of its options has a primary item besides
//	others              primary with bounds, of which the upper one is at most the number of options
//
// An option whose items are all secondary gets an item 0:1 of its own, since Knuth's programs never
// choose an option without a primary one. Names that they cannot read are replaced, and comments
// say by what.

// dlxWriter is the state of one write.
type dlxWriter struct {
	*bufio.Writer
	problem *cover.Problem
	title   string
	names   []string // of the items
	kinds   []itemKind
	uses    []int    // how many options use an item
	colours []string // one character each, by the problem's colours
	alone   []int    // options without a primary item, by their numbers
}

const maxDLXBound = 9_999_999 // as many digits as maxDLXDigits

type itemKind uint8

const (
	isPrimary itemKind = iota
	isSecondary
	isBounded
	isLeftOut
)

func writeDLX(_ context.Context, w io.Writer, m *tiling.Model) error {
	d := &dlxWriter{Writer: bufio.NewWriter(w), problem: m.Problem, title: m.Puzzle.Title}
	p := d.problem
	d.uses, d.kinds = make([]int, len(p.Items)), make([]itemKind, len(p.Items))
	for _, o := range p.Options {
		for _, u := range o {
			d.uses[u.Item]++
			if u.Times > 1 {
				return unsaid("an option uses item %s %d times, and in the format of DLX an option uses an item once", wording.Quote(p.Items[u.Item].Name), u.Times)
			}
		}
	}
	primary := false
	for i, it := range p.Items {
		switch {
		case it.Max == 0:
			return unsaid("item %s is used 0 times, which the format of DLX cannot say", wording.Quote(it.Name))
		case it.Min > maxDLXBound:
			return unsaid("item %s is used %s times, and the format of DLX has numbers up to %d", wording.Quote(it.Name), it.Bounds(), maxDLXBound)
		case it.Min == 1 && it.Max == 1:
			d.kinds[i] = isPrimary
		case it.Min == 0 && it.Max == 1:
			d.kinds[i] = isSecondary
		case it.Min == 0 && it.Max >= d.uses[i]:
			d.kinds[i] = isLeftOut
		default:
			d.kinds[i] = isBounded
		}
		primary = primary || d.kinds[i] == isPrimary || d.kinds[i] == isBounded
	}
	for o := range p.Options {
		d.keep(o)
	}
	if len(p.Options) == 0 && !primary {
		return unsaid("no item has to be used, and the format of DLX needs one that has")
	}
	taken := map[string]bool{}
	d.names = make([]string, len(d.problem.Items))
	for i, it := range d.problem.Items {
		if isDLXName(it.Name) && !taken[it.Name] {
			d.names[i], taken[it.Name] = it.Name, true
		}
	}
	for i := range d.names {
		for k := i; d.names[i] == ""; k += len(d.names) {
			if name := fmt.Sprintf("i%d", k); !taken[name] {
				d.names[i], taken[name] = name, true
			}
			if len(d.names[i]) > maxDLXName {
				return unsaid("too many items for names of %d bytes", maxDLXName)
			}
		}
	}
	taken = map[string]bool{}
	d.colours = make([]string, len(d.problem.Colours))
	for i, name := range d.problem.Colours {
		if len(name) == 1 && isDLXName(name) && !taken[name] {
			d.colours[i], taken[name] = name, true
		}
	}
	left := dlxColours
	for i := range d.colours {
		for d.colours[i] == "" {
			if left == "" {
				return unsaid("%d colours, and the format of DLX has one character for each", len(d.colours))
			}
			if c := left[:1]; !taken[c] {
				d.colours[i] = c
			}
			left = left[1:]
		}
	}
	d.head()
	for o := range d.problem.Options {
		var words []string
		for _, u := range d.problem.Options[o] {
			if d.kinds[u.Item] == isLeftOut {
				continue
			}
			word := d.names[u.Item]
			if u.Colour > 0 {
				word += ":" + d.colours[u.Colour-1]
			}
			words = append(words, word)
		}
		if len(d.alone) > 0 && d.alone[0] == o {
			words = append([]string{d.own(o)}, words...)
			d.alone = d.alone[1:]
		}
		fmt.Fprintln(d, strings.Join(words, " "))
	}
	return d.Flush()
}

// keep keeps an item that could be left out, if an option has no other that is primary.
func (d *dlxWriter) keep(o int) {
	spare := -1
	for _, u := range d.problem.Options[o] {
		switch d.kinds[u.Item] {
		case isPrimary, isBounded:
			return
		case isLeftOut:
			spare = u.Item
		}
	}
	if spare >= 0 {
		d.kinds[spare] = isBounded
		return
	}
	d.alone = append(d.alone, o)
}

// dlxColours are the characters that stand for colours whose names have more than one.
const dlxColours = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!#$%&'()*+,-./;<=>?@[]^_{}~"

// isDLXName reports whether Knuth's programs read a name.
func isDLXName(name string) bool {
	if name == "" || name[0] == ownMark || len(name) > maxDLXName || strings.ContainsAny(name, ":|") {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r > '~' }) < 0
}

// head writes the comments and the line of items, the secondary ones last.
func (d *dlxWriter) head() {
	// A '|' tells the format, if nothing else does
	fmt.Fprintln(d, strings.TrimSpace("| "+d.title))
	for i, it := range d.problem.Items {
		if d.names[i] != it.Name && it.Name != "" && d.kinds[i] != isLeftOut {
			fmt.Fprintf(d, "| %s = %s\n", d.names[i], it.Name)
		}
	}
	for i, name := range d.problem.Colours {
		if d.colours[i] != name {
			fmt.Fprintf(d, "| :%s = %s\n", d.colours[i], name)
		}
	}
	var words, secondary []string
	for i, it := range d.problem.Items {
		switch d.kinds[i] {
		case isPrimary:
			words = append(words, d.names[i])
		case isBounded:
			words = append(words, fmt.Sprintf("%d:%d|%s", it.Min, max(it.Min, 1, min(it.Max, d.uses[i])), d.names[i]))
		case isSecondary:
			secondary = append(secondary, d.names[i])
		}
	}
	for _, o := range d.alone {
		words = append(words, fmt.Sprintf("0:1|%s", d.own(o)))
	}
	if len(secondary) > 0 {
		words = append(append(words, "|"), secondary...)
	}
	fmt.Fprintln(d, strings.Join(words, " "))
}

// ownMark begins the names below, and no others.
const ownMark = '"'

// own is the name of the item of an option that has no other primary one.
func (d *dlxWriter) own(o int) string { return fmt.Sprintf("%c%x", ownMark, o) }

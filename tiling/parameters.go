package tiling

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/spell"
)

// Parameter is a name that a puzzle file leaves open, and the values that it may have. A
// calendar has two of them, which say which cells stay free:
//
//	board:                              the file is a family of 12 · 31 puzzles
//	  - jan feb mar apr may jun .       without those that `except` leaves out
//	  - …
//	open: [month, day]
//	parameters: {month: [jan, feb, …], day: 1..31}
type Parameter struct {
	Name   string
	Values []string // at least one, all different
}

// Limits on parameters. They are held before memory is taken.
const (
	MaxParameters = 8
	MaxFamily     = 100_000 // puzzles of a family: the product of the numbers of values
	MaxExceptions = 1000    // entries of except
)

// Parameters are those of a file. It describes a puzzle for each setting that it does not
// leave out.
type Parameters struct {
	All    []Parameter
	except [][]string // by parameter; "" stands for every value
}

// Setting is a value for each parameter, in their order.
type Setting []string

// In is the setting in words, such as "month=jan, day=25".
func (f *Parameters) In(s Setting) string {
	words := make([]string, len(s))
	for i, v := range s {
		words[i] = f.All[i].Name + "=" + v
	}
	return strings.Join(words, ", ")
}

// Settings are all settings with these values but for those that the file leaves out.
// allowed has the values of each parameter, or nil for all. The parameters vary in the given
// order, the last one fastest; those that are not in it come before.
func (f *Parameters) Settings(allowed [][]string, order ...int) []Setting {
	return slices.Collect(f.each(allowed, order))
}

// each are the Settings one after another, each made when it is asked for: to read a file of a
// large family takes the first alone.
func (f *Parameters) each(allowed [][]string, order []int) iter.Seq[Setting] {
	values := make([][]string, len(f.All))
	for i, p := range f.All {
		if values[i] = p.Values; allowed != nil && allowed[i] != nil {
			values[i] = allowed[i]
		}
	}
	vary := f.varying(order)
	s := make(Setting, len(f.All))
	var from func(k int, yield func(Setting) bool) bool // whether to go on, behind all values of vary[k:]
	from = func(k int, yield func(Setting) bool) bool {
		if k == len(vary) {
			return f.Excepts(s) || yield(slices.Clone(s))
		}
		for _, s[vary[k]] = range values[vary[k]] {
			if !from(k+1, yield) {
				return false
			}
		}
		return true
	}
	return func(yield func(Setting) bool) { from(0, yield) }
}

// first is the first of the Settings, nil if there is none.
func (f *Parameters) first(allowed [][]string) Setting {
	for s := range f.each(allowed, nil) {
		return s
	}
	return nil
}

// varying are all parameters, those of the order last.
func (f *Parameters) varying(order []int) (all []int) {
	for i := range f.All {
		if !slices.Contains(order, i) {
			all = append(all, i)
		}
	}
	return append(all, order...)
}

// Excepts reports whether the file leaves a setting out.
func (f *Parameters) Excepts(s Setting) bool {
	return slices.ContainsFunc(f.except, func(pattern []string) bool {
		for i, v := range pattern {
			if v != "" && v != s[i] {
				return false
			}
		}
		return true
	})
}

// Range are the values of a parameter that a text names: one value, or FROM..TO with all
// values from one to the other. In place of a value its number in the list may stand, from
// 1, unless the number is a value itself.
func (p *Parameter) Range(text string) ([]string, error) {
	first, last, isRange := strings.Cut(text, "..")
	from, err := p.find(first)
	if err != nil {
		return nil, err
	}
	to := from
	if isRange {
		if to, err = p.find(last); err != nil {
			return nil, err
		}
	}
	if to < from {
		return nil, fmt.Errorf("values %s of %s run backwards, want %s..%s",
			quote(text), p.Name, p.Values[to], p.Values[from])
	}
	return p.Values[from : to+1], nil
}

// find is the place of a value in the list.
func (p *Parameter) find(text string) (int, error) {
	if i := slices.Index(p.Values, text); i >= 0 {
		return i, nil
	}
	if n, ok := parseNumber(text, len(p.Values)); ok && n > 0 {
		return n - 1, nil
	}
	if near := spell.Nearest(text, p.Values); near != "" {
		return 0, fmt.Errorf("no value %s of %s, did you mean %s?", quote(text), p.Name, near)
	}
	return 0, fmt.Errorf("no value %s of %s, want one of %s..%s", quote(text), p.Name, p.Values[0], p.Values[len(p.Values)-1])
}

// Index is the place of the parameter of that name, or an error that names those there are.
func (f *Parameters) Index(name string) (int, error) {
	var names []string
	for i, p := range f.All {
		if p.Name == name {
			return i, nil
		}
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("no parameter %s: the puzzle has none", quote(name))
	}
	return 0, fmt.Errorf("no parameter %s, want %s", quote(name), list(names))
}

// choose is the setting with the given values; of parameters that are not among them it has
// the first values that the file does not leave out together.
func (f *Parameters) choose(values map[string]string) (Setting, error) {
	allowed := make([][]string, len(f.All))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i, err := f.Index(name)
		if err != nil {
			return nil, err
		}
		at, err := f.All[i].find(values[name])
		if err != nil {
			return nil, err
		}
		allowed[i] = f.All[i].Values[at : at+1]
	}
	chosen := f.first(allowed)
	if chosen == nil {
		var given Setting
		for i, p := range f.All {
			if allowed[i] != nil {
				given = append(given, p.Name+"="+allowed[i][0])
			}
		}
		return nil, fmt.Errorf("the puzzle leaves out %s, want another value", strings.Join(given, ", "))
	}
	return chosen, nil
}

// choose reads the family and makes this puzzle the one with the given values. The title
// says which it is.
func (p *Puzzle) choose(root *node, f map[string]*node, values map[string]string) error {
	var err error
	if p.Parameters, err = readFamily(f); err != nil {
		return err
	}
	if p.Setting, err = p.Parameters.choose(values); err != nil {
		return &Error{Name: root.name, Text: err.Error()}
	}
	if len(p.Setting) > 0 && p.Title != "" {
		p.Title += p.Parameters.Suffix(p.Setting)
	}
	return nil
}

// Suffix is what the title of a puzzle of the family ends with.
func (f *Parameters) Suffix(s Setting) string { return " (" + f.In(s) + ")" }

// readFamily reads the keys parameters and except.
func readFamily(f map[string]*node) (*Parameters, error) {
	n := f["parameters"]
	if n == nil {
		if e := f["except"]; e != nil {
			return nil, e.errorf("except without parameters, want parameters: {month: [jan, feb], day: 1..31} or the like")
		}
		return &Parameters{}, nil
	}
	if n.kind != mapping || len(n.items) == 0 {
		return nil, n.errorf("parameters is not a mapping with a parameter in it, want {month: [jan, feb], day: 1..31} or the like")
	}
	family := &Parameters{}
	size := 1
	for i, key := range n.keys {
		if len(family.All) == MaxParameters {
			return nil, key.errorf("more than %d parameters, want at most that many", MaxParameters)
		}
		p, err := readParameter(key, n.items[i])
		if err != nil {
			return nil, err
		}
		if _, err := family.Index(p.Name); err == nil {
			return nil, key.errorf("parameter %s a second time, want it once", quote(p.Name))
		}
		if size *= len(p.Values); size > MaxFamily {
			return nil, key.errorf("a family of more than %d puzzles, want at most that many", MaxFamily)
		}
		family.All = append(family.All, p)
	}
	err := family.readExcept(f["except"])
	if err == nil && family.first(nil) == nil {
		err = f["except"].errorf("except leaves out every puzzle, want one to be left")
	}
	return family, err
}

// readParameter reads a name and its values, a list or numbers A..B.
func readParameter(key, n *node) (Parameter, error) {
	p := Parameter{Name: key.text}
	if !validName(p.Name) {
		return p, key.errorf("bad name %s of a parameter, want 1 to %d printable characters, no blank and none of %s", quote(p.Name), MaxNameRunes, nameReserved)
	}
	if n.kind != sequence {
		text, err := n.word("a parameter")
		if err != nil {
			return p, err
		}
		p.Values, err = numbers(text)
		if err != nil {
			return p, n.wrap(err)
		}
		return p, nil
	}
	if len(n.items) == 0 {
		return p, n.errorf("no values of parameter %s, want at least one", p.Name)
	}
	for _, item := range n.items {
		v, err := item.word("a value")
		switch {
		case err != nil:
			return p, err
		case !validCellName(v):
			return p, item.errorf("bad value %s, want %s", quote(v), cellNameForm)
		case slices.Contains(p.Values, v):
			return p, item.errorf("value %s a second time, want each value once", quote(v))
		}
		p.Values = append(p.Values, v)
	}
	return p, nil
}

// numbers are the values that A..B stands for.
func numbers(text string) ([]string, error) {
	from, to, _ := strings.Cut(text, "..")
	a, ok := parseNumber(from, MaxFamily)
	b, ok2 := parseNumber(to, MaxFamily)
	switch {
	case !ok || !ok2:
		return nil, fmt.Errorf("bad values %s, want a list such as [jan, feb] or numbers such as 1..31", quote(text))
	case b < a:
		return nil, fmt.Errorf("values %s run backwards, want %d..%d", quote(text), b, a)
	}
	var values []string
	for v := a; v <= b; v++ {
		values = append(values, strconv.Itoa(v))
	}
	return values, nil
}

// readExcept reads a list of mappings from parameters to values.
func (f *Parameters) readExcept(n *node) error {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		return n.errorf("except is %s, want a list such as [{month: feb, day: 30}]", kindNames[n.kind])
	}
	if len(n.items) > MaxExceptions {
		return n.errorf("%d exceptions, want at most %d", len(n.items), MaxExceptions)
	}
	for _, item := range n.items {
		if item.kind != mapping || len(item.items) == 0 {
			return item.errorf("bad exception, want values of parameters such as {month: feb, day: 30}")
		}
		pattern := make([]string, len(f.All))
		for k, key := range item.keys {
			i, err := f.Index(key.text)
			if err != nil {
				return key.wrap(err)
			}
			text, err := item.items[k].word(key.text)
			if err != nil {
				return err
			}
			at, err := f.All[i].find(text)
			if err != nil {
				return item.items[k].wrap(err)
			}
			pattern[i] = f.All[i].Values[at]
		}
		f.except = append(f.except, pattern)
	}
	return nil
}

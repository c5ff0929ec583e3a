package tiling

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/pavage/pavage/internal/kit/spell"
	"github.com/pavage/pavage/internal/kit/wording"
)

// Parameter is a value that a puzzle file leaves open, and the list of values from which to
// choose. A calendar has two parameters, which choose the cells that stay free:
//
//	board:                              the file is a family of 12 · 31 puzzles
//	  - jan feb mar apr may jun .       without the puzzles that `except` leaves out
//	  - …
//	open: [month, day]
//	parameters: {month: [jan, feb, …], day: 1..31}
type Parameter struct {
	Name   string
	Values []string // at least one value; all are different
}

// Parameters are the parameters of a file. Each setting except those in Except gives a puzzle.
type Parameters struct {
	All []Parameter

	// Except has patterns of settings, with a value for each parameter of All; "" means any value.
	Except [][]string
}

// Setting has a value for each parameter, in the order of Parameters.All.
type Setting []string

// In returns a setting as a text, such as "month=jan, day=25".
func (f *Parameters) In(s Setting) string {
	words := make([]string, len(s))
	for i, v := range s {
		words[i] = f.All[i].Name + "=" + v
	}
	return strings.Join(words, ", ")
}

// Settings returns the settings with values from the lists in allowed, one list for each parameter;
// if allowed or a list is nil, all values are allowed. The slice order has the indices of the
// parameters that vary faster than the others. The last one of these varies fastest.
func (f *Parameters) Settings(allowed [][]string, order ...int) []Setting {
	return slices.Collect(f.each(allowed, order))
}

// each yields the settings one by one, since Choose needs only the first.
func (f *Parameters) each(allowed [][]string, order []int) iter.Seq[Setting] {
	values := make([][]string, len(f.All))
	for i, p := range f.All {
		if values[i] = p.Values; allowed != nil && allowed[i] != nil {
			values[i] = allowed[i]
		}
	}
	var vary []int
	for i := range f.All {
		if !slices.Contains(order, i) {
			vary = append(vary, i)
		}
	}
	vary = append(vary, order...)
	s := make(Setting, len(f.All))
	var from func(k int, yield func(Setting) bool) bool // false if yield returned false
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

// Excepts reports whether the file excludes a setting.
func (f *Parameters) Excepts(s Setting) bool {
	return slices.ContainsFunc(f.Except, func(pattern []string) bool {
		for i, v := range pattern {
			if v != "" && v != s[i] {
				return false
			}
		}
		return true
	})
}

// Range returns the values that a text describes. The text is one value or FROM..TO. In place of a
// value it may have the number of the value; the first of p.Values has the number 1.
func (p *Parameter) Range(text string) ([]string, error) {
	first, last, isRange := strings.Cut(text, "..")
	from, err := p.Find(first)
	if err != nil {
		return nil, err
	}
	to := from
	if isRange {
		if to, err = p.Find(last); err != nil {
			return nil, err
		}
	}
	if to < from {
		return nil, fmt.Errorf("values %s of parameter %s run backwards, expected %s..%s",
			wording.Quote(text), p.Name, p.Values[to], p.Values[from])
	}
	return p.Values[from : to+1], nil
}

// Find returns the index in p.Values of a value, which may be given by its number, as in Range.
func (p *Parameter) Find(text string) (int, error) {
	if i := slices.Index(p.Values, text); i >= 0 {
		return i, nil
	}
	if n, ok := wording.Number(text, len(p.Values)); ok && n > 0 {
		return n - 1, nil
	}
	if near := spell.Nearest(text, p.Values); near != "" {
		return 0, fmt.Errorf("parameter %s has no value %s, did you mean %s?", p.Name, wording.Quote(text), near)
	}
	values := p.Values
	if n := len(values); n > 12 {
		values = []string{values[0], values[1], "…", values[n-1]}
	}
	return 0, fmt.Errorf("parameter %s has no value %s, expected %s", p.Name, wording.Quote(text), wording.List(values))
}

// Index returns the index in f.All of the parameter with this name. The error lists all names.
func (f *Parameters) Index(name string) (int, error) {
	var names []string
	for i, p := range f.All {
		if p.Name == name {
			return i, nil
		}
		names = append(names, p.Name)
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("unknown parameter %s: the puzzle has no parameters", wording.Quote(name))
	}
	return 0, fmt.Errorf("the puzzle has no parameter %s, expected %s", wording.Quote(name), wording.List(names))
}

// Choose returns the first setting that is not excluded and has the given values. The keys of
// values are names of parameters.
func (f *Parameters) Choose(values map[string]string) (Setting, error) {
	allowed := make([][]string, len(f.All))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i, err := f.Index(name)
		if err != nil {
			return nil, err
		}
		at, err := f.All[i].Find(values[name])
		if err != nil {
			return nil, err
		}
		allowed[i] = f.All[i].Values[at : at+1]
	}
	for s := range f.each(allowed, nil) {
		return s, nil
	}
	var given Setting
	for i, p := range f.All {
		if allowed[i] != nil {
			given = append(given, p.Name+"="+allowed[i][0])
		}
	}
	return nil, fmt.Errorf("the puzzle leaves out the values %s, expected other values", strings.Join(given, ", "))
}

// Suffix returns the setting as the end of a title, such as " (month=jan, day=25)".
func (f *Parameters) Suffix(s Setting) string { return " (" + f.In(s) + ")" }

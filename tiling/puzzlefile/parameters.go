package puzzlefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// Limits on parameters, checked before memory is allocated.
const (
	maxParameters = 8       // parameters of a file
	maxFamily     = 100_000 // settings: the product of the numbers of values
	maxExceptions = 1000    // entries of the key except
)

// choose reads the parameters of p and chooses its setting, which has the given values. It appends
// the setting to the title of p.
func choose(p *tiling.Puzzle, root *node, f map[string]*node, values map[string]string) error {
	var err error
	if p.Parameters, err = readFamily(f); err != nil {
		return err
	}
	if p.Setting, err = p.Parameters.Choose(values); err != nil {
		return &tiling.Error{Name: root.name, Text: err.Error()}
	}
	if len(p.Setting) > 0 && p.Title != "" {
		p.Title += p.Parameters.Suffix(p.Setting)
	}
	return nil
}

// readFamily reads the keys parameters and except.
func readFamily(f map[string]*node) (*tiling.Parameters, error) {
	n := f["parameters"]
	if n == nil {
		if e := f["except"]; e != nil {
			return nil, e.errorf("except without parameters, want parameters: {month: [jan, feb], day: 1..31} or the like")
		}
		return &tiling.Parameters{}, nil
	}
	if n.kind != mapping || len(n.items) == 0 {
		return nil, n.errorf("parameters is not a mapping with a parameter in it, want {month: [jan, feb], day: 1..31} or the like")
	}
	family := &tiling.Parameters{}
	size := 1
	for i, key := range n.keys {
		if len(family.All) == maxParameters {
			return nil, key.errorf("more than %d parameters, want at most that many", maxParameters)
		}
		p, err := readParameter(key, n.items[i])
		if err != nil {
			return nil, err
		}
		if _, err := family.Index(p.Name); err == nil {
			return nil, key.errorf("parameter %s a second time, want it once", wording.Quote(p.Name))
		}
		if size *= len(p.Values); size > maxFamily {
			return nil, key.errorf("a family of more than %d puzzles, want at most that many", maxFamily)
		}
		family.All = append(family.All, p)
	}
	if err := readExcept(family, f["except"]); err != nil {
		return nil, err
	}
	if _, err := family.Choose(nil); err != nil {
		return nil, f["except"].errorf("except leaves out every puzzle, want one to be left")
	}
	return family, nil
}

// readParameter reads the name of a parameter and its values, which are a list or numbers A..B.
func readParameter(key, n *node) (tiling.Parameter, error) {
	p := tiling.Parameter{Name: key.text}
	if !tiling.ValidName(p.Name) {
		return p, key.errorf("bad name %s of a parameter, want %s", wording.Quote(p.Name), tiling.NameForm)
	}
	if n.kind != sequence {
		text, err := n.word("a parameter")
		if err != nil {
			return p, err
		}
		p.Values, err = numbers(text)
		return p, n.placed(err)
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
			return p, item.errorf("bad value %s, want %s", wording.Quote(v), cellNameForm)
		case slices.Contains(p.Values, v):
			return p, item.errorf("value %s a second time, want each value once", wording.Quote(v))
		}
		p.Values = append(p.Values, v)
	}
	return p, nil
}

// numbers returns the numbers of the range A..B.
func numbers(text string) ([]string, error) {
	from, to, _ := strings.Cut(text, "..")
	a, ok := wording.Number(from, maxFamily)
	b, ok2 := wording.Number(to, maxFamily)
	switch {
	case !ok || !ok2:
		return nil, fmt.Errorf("bad values %s, want a list such as [jan, feb] or numbers such as 1..31", wording.Quote(text))
	case b < a:
		return nil, fmt.Errorf("values %s run backwards, want %d..%d", wording.Quote(text), b, a)
	}
	var values []string
	for v := a; v <= b; v++ {
		values = append(values, strconv.Itoa(v))
	}
	return values, nil
}

// readExcept reads a list of mappings from parameters to values.
func readExcept(f *tiling.Parameters, n *node) error {
	if n == nil {
		return nil
	}
	if n.kind != sequence {
		return n.errorf("except is %s, want a list such as [{month: feb, day: 30}]", kindNames[n.kind])
	}
	if len(n.items) > maxExceptions {
		return n.errorf("%d exceptions, want at most %d", len(n.items), maxExceptions)
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
			at, err := f.All[i].Find(text)
			if err != nil {
				return item.items[k].wrap(err)
			}
			pattern[i] = f.All[i].Values[at]
		}
		f.Except = append(f.Except, pattern)
	}
	return nil
}

package puzzlefile

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// The limits on parameters are checked before memory is allocated.
const (
	maxParameters = 8
	maxFamily     = 100_000 // settings of a file, including excluded settings
	maxExceptions = 1000    // entries of the key except
)

func readFamily(f fields) *tiling.Parameters {
	family := &tiling.Parameters{}
	n, except := f["parameters"], f["except"]
	switch {
	case n == nil && except != nil:
		except.fail(`the key "except" needs the key "parameters", such as parameters: {month: [jan, feb], day: 1..31}`)
	case n == nil:
		return family
	case n.kind != mapping || len(n.items) == 0:
		n.fail("the value of \"parameters\" has no parameter, expected a mapping such as {month: [jan, feb], day: 1..31}")
	}
	size := 1
	for i, key := range n.keys {
		if len(family.All) == maxParameters {
			key.fail("too many parameters, expected at most %d", maxParameters)
		}
		p := readParameter(key, n.items[i])
		if _, err := family.Index(p.Name); err == nil {
			key.fail("parameter %s is given twice, expected each parameter once", wording.Quote(p.Name))
		}
		if size *= len(p.Values); size > maxFamily {
			key.fail("the parameters have too many combinations of values, expected at most %d", maxFamily)
		}
		family.All = append(family.All, p)
	}
	exceptions := except.list("except", "a list such as [{month: feb, day: 30}]")
	if len(exceptions) > maxExceptions {
		except.fail("the puzzle has %d exceptions, expected at most %d", len(exceptions), maxExceptions)
	}
	for _, item := range exceptions {
		if item.kind != mapping || len(item.items) == 0 {
			item.fail("bad exception, expected values of parameters such as {month: feb, day: 30}")
		}
		pattern := make([]string, len(family.All))
		for k, key := range item.keys {
			i, err := family.Index(key.text)
			key.check(err)
			at, err := family.All[i].Find(item.items[k].word(key.text, "text"))
			item.items[k].check(err)
			pattern[i] = family.All[i].Values[at]
		}
		family.Except = append(family.Except, pattern)
	}
	if _, err := family.Choose(nil); err != nil {
		except.fail("the key \"except\" leaves out every puzzle, expected at least one puzzle to remain")
	}
	return family
}

func readParameter(key, n *node) tiling.Parameter {
	p := tiling.Parameter{Name: key.text}
	if !tiling.ValidName(p.Name) {
		key.fail("bad name %s of a parameter, expected %s", wording.Quote(p.Name), tiling.NameForm)
	}
	if n.kind != sequence {
		const form = "a list such as [jan, feb] or numbers such as 1..31"
		text := n.word("a parameter", form)
		from, to, _ := strings.Cut(text, "..")
		a, ok := wording.Number(from, maxFamily)
		b, ok2 := wording.Number(to, maxFamily)
		switch {
		case !ok || !ok2:
			n.fail("bad values %s, expected %s", wording.Quote(text), form)
		case b < a:
			n.fail("the range %s runs backwards, expected %d..%d", wording.Quote(text), b, a)
		}
		for v := a; v <= b; v++ {
			p.Values = append(p.Values, strconv.Itoa(v))
		}
		return p
	}
	if len(n.items) == 0 {
		n.fail("parameter %s has no values, expected at least one value", p.Name)
	}
	for _, item := range n.items {
		v := item.word("a value", "text")
		switch {
		case !validCellName(v):
			item.fail("bad value %s, expected %s", wording.Quote(v), cellNameForm)
		case slices.Contains(p.Values, v):
			item.fail("value %s is given twice, expected each value once", wording.Quote(v))
		}
		p.Values = append(p.Values, v)
	}
	return p
}

// readOpen removes from the board the cells that the key open lists. An entry of this list is the
// name of a cell, [row, column], or a parameter. The list must have all parameters.
func readOpen(p *tiling.Puzzle, f fields) {
	b, n, parameters := p.Board, f["open"], f["parameters"]
	named := make(map[string]tiling.Cell, len(b.Names))
	for c, name := range b.Names {
		named[name] = c
	}
	open, used := make([]bool, len(b.Cells)), make([]bool, len(p.Setting))
	for _, item := range n.list("open", "a list of names of cells, parameters, or [row, column]") {
		var c tiling.Cell
		var called string // the cell as in the file
		if item.kind == sequence {
			c = item.cell(b.Lattice.Dimensions())
			called = b.CellName(c)
		} else {
			name := item.word("open", "text")
			called = wording.Quote(name)
			if i, err := p.Parameters.Index(name); err == nil {
				for _, v := range p.Parameters.All[i].Values {
					if _, known := named[v]; !known {
						parameters.items[i].fail("no cell has the name %s, expected values of parameter %s that are names of cells of the board",
							wording.Quote(v), name)
					}
				}
				name, used[i] = p.Setting[i], true
				called = fmt.Sprintf("%s, the value of parameter %s,", wording.Quote(name), p.Parameters.All[i].Name)
			}
			var known bool
			if c, known = named[name]; !known {
				item.fail("no cell has the name %s, expected the name of a cell of the board or of a parameter, or a cell in its own brackets as in [[0, 0]]", wording.Quote(name))
			}
		}
		i := b.Index(c)
		switch {
		case i < 0:
			item.fail("the board has no cell %s, expected cells of the board", called)
		case open[i]:
			item.fail("cell %s is given twice, expected different cells", called)
		}
		open[i] = true
	}
	if i := slices.Index(used, false); i >= 0 {
		parameters.keys[i].fail("parameter %s is used nowhere, expected its name in the key \"open\"", wording.Quote(p.Parameters.All[i].Name))
	}
	if !slices.Contains(open, true) {
		return
	}
	b.Cells, b.Optional, b.Colours = closed(b.Cells, open), closed(b.Optional, open), closed(b.Colours, open)
	if len(b.Cells) == 0 {
		n.fail("the key \"open\" has all cells of the board, expected at least one cell to cover")
	}
}

func closed[T any](values []T, open []bool) (left []T) {
	for i, v := range values {
		if !open[i] {
			left = append(left, v)
		}
	}
	return left
}

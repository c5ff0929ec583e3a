package exchange

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/pavage/pavage/cover"
	"github.com/pavage/pavage/internal/kit/wording"
	"github.com/pavage/pavage/tiling"
)

// A formula in conjunctive normal form is read where it states an exact cover, with a
// variable for each option:
//
//	p cnf 4 8
//	1 3 0       an item of the options 1 and 3: one of them is taken
//	-1 -3 0     and not both
//
// So each clause has either no minus, and then also the clauses with two minuses for every two
// of its variables; or it has two minuses, and then says that two options exclude each other,
// which is an item used 0..1 times; or it is one variable with a minus, an option that is not
// taken. Every other formula is refused: it may have helpers, and its count would be another one.
// A formula written by Pavage has the cover in comments: see readOwn.

// dimacs is the state of one read.
type dimacs struct {
	*source
	line      int
	headed    bool
	variables int
	clauses   int
	clause    []int // that which has begun
	begin     word  // its first word
	beginLine int
	items     []dimacsItem
	// Two variables that exclude each other, the smaller one in the upper half
	pairs []uint64
	never []int // variables that are false
}

// dimacsItem is a clause without minuses: its variables, sorted.
type dimacsItem struct {
	line, column int
	variables    []int
}

// isDIMACS reports whether a formula begins here, behind comments.
func isDIMACS(data []byte) bool {
	for line := range bytes.Lines(data) {
		words := bytes.Fields(line[:min(len(line), 1<<10)])
		switch {
		case len(words) == 0 || string(words[0]) == "c":
		case len(words) >= 2 && string(words[0]) == "p":
			return string(words[1]) == "cnf" || string(words[1]) == "wcnf" || string(words[1]) == "pcnf"
		default:
			return false
		}
	}
	return false
}

func readDIMACS(s *source) (*Content, error) {
	if text := ownCover(s.data); text != nil {
		return s.readOwn(text)
	}
	d := &dimacs{source: s}
	title := ""
	for text := range bytes.Lines(s.data) {
		d.line++
		if d.line == 1 {
			if comment, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "c "); ok && wording.Printable(comment, tiling.MaxTitleRunes) {
				title = comment
			}
		}
		if err := d.read(string(text)); err != nil {
			return nil, err
		}
	}
	switch {
	case !d.headed:
		return nil, s.errorf(max(1, d.line), 1, "no line p cnf, want p cnf VARIABLES CLAUSES before the clauses")
	case len(d.clause) > 0:
		return nil, d.atBegin("the last clause has no end, want a 0 behind it")
	}
	p, err := d.cover()
	return &Content{Cover: p, Title: title}, err
}

func (d *dimacs) at(w word, format string, args ...any) error {
	return d.errorf(d.line, w.column, format, args...)
}

func (d *dimacs) atBegin(format string, args ...any) error {
	return d.errorf(d.beginLine, d.begin.column, format, args...)
}

// read takes a line in.
func (d *dimacs) read(text string) error {
	if err := d.looks.Work(1 + len(text)); err != nil {
		return err
	}
	words := fields(text)
	first, ok := firstOf(words)
	switch {
	case !ok:
		return nil
	case first.text == "c":
		words := begin(words)
		if len(words) < 2 {
			return nil
		}
		switch w := words[1]; {
		case w.text == "t" && len(words) > 2 && words[2].text != "mc":
			return d.at(w, "the formula is for %s, want c t mc: each variable of an exact cover is an option", wording.Quote(words[2].text))
		case w.text == "p" || w.text == "ind":
			return d.at(w, "the comment projects or weighs the count, want a formula whose models alone are counted")
		case w.text == "MUST":
			return d.at(w, "the comment changes the count, want a formula whose models alone are counted")
		}
		return nil
	case first.text == "p":
		words := begin(words)
		w := words[0]
		if d.headed {
			return d.at(w, "a second line p, want one")
		}
		if len(words) != 4 || words[1].text != "cnf" {
			return d.at(w, "a line p of another form, want p cnf VARIABLES CLAUSES (the old forms wcnf and pcnf are not read)")
		}
		var ok [2]bool
		for k, into := range []*int{&d.variables, &d.clauses} {
			n, err := strconv.ParseUint(words[2+k].text, 10, 31)
			*into, ok[k] = int(n), err == nil
		}
		if !ok[0] || !ok[1] || d.variables > cover.MaxOptions {
			return d.at(words[2], "%s variables and %s clauses, want numbers, of variables at most %d", wording.Quote(words[2].text), wording.Quote(words[3].text), cover.MaxOptions)
		}
		d.headed = true
		return nil
	case !d.headed:
		return d.at(first, "%s before the line p cnf, want that first", wording.Quote(first.text))
	}
	for w := range words {
		if err := d.literal(w); err != nil {
			return err
		}
	}
	return nil
}

// begin are the first words of a line, one more than have a meaning.
func begin(words iter.Seq[word]) (some []word) {
	for w := range words {
		if some = append(some, w); len(some) == 5 {
			break
		}
	}
	return some
}

// literal takes a number of a clause in.
func (d *dimacs) literal(w word) error {
	n, err := strconv.Atoi(w.text)
	if err != nil || n < -d.variables || n > d.variables {
		return d.at(w, "%s in a clause, want numbers from -%d to %d", wording.Quote(w.text), d.variables, d.variables)
	}
	if len(d.clause) == 0 {
		d.begin, d.beginLine = w, d.line
	}
	if n != 0 {
		d.clause = append(d.clause, n)
		return nil
	}
	if d.clauses--; d.clauses < 0 {
		return d.at(w, "more clauses than the line p cnf says")
	}
	slices.Sort(d.clause)
	c := slices.Compact(d.clause)
	d.clause = d.clause[:0]
	switch {
	case len(c) == 0:
		return d.atBegin("an empty clause, which nothing fulfils: want at least one variable")
	case c[0] > 0:
		d.items = append(d.items, dimacsItem{d.beginLine, d.begin.column, slices.Clone(c)})
	case len(c) == 2 && c[1] < 0:
		d.pairs = append(d.pairs, pairOf(-c[1], -c[0]))
	case len(c) == 1:
		d.never = append(d.never, -c[0])
	default:
		return d.atBegin("a clause that no exact cover has, want only variables without a minus, or two with one")
	}
	return nil
}

// pairOf are two variables as one number, the smaller one first.
func pairOf(a, b int) uint64 { return uint64(a)<<32 | uint64(b) }

// cover makes the problem.
func (d *dimacs) cover() (*cover.Problem, error) {
	slices.Sort(d.pairs)
	d.pairs = slices.Compact(d.pairs)
	if d.variables > d.uses() {
		return nil, d.errorf(1, 1, "%d variables, more than are in clauses: want each variable in some clause", d.variables)
	}
	bytes := int64(d.variables)*bytesPerOption + int64(d.uses())*bytesPerUse + int64(len(d.items)+len(d.pairs))*bytesPerItem
	if d.options.Memory > 0 && bytes > d.options.Memory {
		return nil, fmt.Errorf("%w: %s: %d options and %d clauses take over %d bytes", cover.ErrMemory, d.name, d.variables, len(d.items)+len(d.pairs), d.options.Memory)
	}
	p := &cover.Problem{Options: make([]cover.Option, d.variables)}
	used := make([]bool, len(d.pairs)) // inside of an item
	for k, it := range d.items {
		for i, a := range it.variables {
			if err := d.looks.Work(len(it.variables) - i); err != nil {
				return nil, err
			}
			for _, b := range it.variables[i+1:] {
				k, found := slices.BinarySearch(d.pairs, pairOf(a, b))
				if !found {
					return nil, d.errorf(it.line, it.column, "variables %d and %d of the clause may both be true, want a clause -%d -%d 0 too: only exact covers are read", a, b, a, b)
				}
				used[k] = true
			}
		}
		d.item(p, fmt.Sprintf("one|%d", k+1), 1, 1, it.variables)
	}
	for i, pair := range d.pairs {
		if len(p.Items) > cover.MaxItems {
			break // what follows says so
		}
		if !used[i] {
			a, b := int(pair>>32), int(uint32(pair))
			d.item(p, fmt.Sprintf("not|%d|%d", a, b), 0, 1, []int{a, b})
		}
	}
	if len(d.never) > 0 {
		slices.Sort(d.never)
		d.item(p, "never", 0, 0, slices.Compact(d.never))
	}
	seen := newTwins()
	var alike []int
	for o, option := range p.Options {
		if err := d.looks.Work(1 + len(option)); err != nil {
			return nil, err
		}
		switch {
		case len(option) == 0:
			return nil, d.errorf(1, 1, "variable %d is in no clause, so that it is no option of an exact cover: want each variable in some clause", o+1)
		case seen.has(option):
			alike = append(alike, o+1)
		}
	}
	for _, v := range alike {
		d.item(p, fmt.Sprintf("var|%d", v), 0, 1, []int{v})
	}
	if len(p.Items) > cover.MaxItems {
		return nil, d.errorf(1, 1, "%d items and exclusions, want at most %d", len(p.Items), cover.MaxItems)
	}
	return p, p.Check(d.ctx)
}

// uses is how many numbers all clauses have, or more.
func (d *dimacs) uses() int {
	n := 2*len(d.pairs) + len(d.never)
	for _, it := range d.items {
		n += len(it.variables)
	}
	return n
}

// item adds an item of these options.
func (d *dimacs) item(p *cover.Problem, name string, least, most int, variables []int) {
	for _, v := range variables {
		p.Options[v-1] = append(p.Options[v-1], cover.Use{Item: len(p.Items), Times: 1})
	}
	p.Items = append(p.Items, cover.Item{Name: name, Min: least, Max: most})
}
